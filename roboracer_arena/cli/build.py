"""``arena build``: a map becomes a stage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from roboracer_arena.cli.options import Flag, Output, Place
from roboracer_arena.cli.output import print_json, print_table, print_warnings, show_progress
from roboracer_arena.cli.targets import check_targets, inputs_of_map

if TYPE_CHECKING:
    from roboracer_arena.build_report import BuildReport
    from roboracer_arena.corridor import Centerline, Corridor
    from roboracer_arena.settings import BuildSettings

__all__ = ["build"]


def build(
    map_yaml: Path,
    /,
    *,
    output: Output,
    preview: Path | None = None,
    centerline: Path | None = None,
    view: Path | None = None,
    settings: Path | None = None,
    start: Place = None,
    close_gaps: float | None = None,
    direction: Literal["ccw", "cw"] = "ccw",
    force: Flag = False,
    json: Flag = False,
) -> int:
    """Build a collision-ready USD track from a ROS occupancy map.

    Parameters
    ----------
    map_yaml
        The map's YAML file, as map_server reads it.
    output
        Stage to write: .usdc, .usd or .usda. Textures go into a folder beside it.
    preview
        Also draw the map with what was found in it, as PNG.
    centerline
        Also write the lap as F1TENTH centerline.csv.
    view
        Also render the track in 3D, as PNG or JPEG.
    settings
        Settings file; 'arena settings' prints one with every default explained.
    start
        X and Y of a point of the wanted corridor [m], in the map frame; the lap starts there.
    close_gaps
        Close gaps in walls up to this width [m].
    direction
        Driving direction, seen from above.
    force
        Replace files that exist.
    json
        Print the report as one JSON document.
    """
    from roboracer_arena.build import build_track
    from roboracer_arena.files import check_target
    from roboracer_arena.settings import BuildSettings, read_settings

    chosen = read_settings(settings) if settings else BuildSettings()
    inputs = [*inputs_of_map(map_yaml), *_inputs_of_settings(settings, chosen)]
    check_targets([output, preview, centerline, view], inputs=inputs)
    _check_pictures(preview, view, force=force)
    if centerline is not None:
        check_target(centerline, force=force)
    found: list[tuple[Corridor, Centerline | None]] = []
    with show_progress(f"Building {map_yaml.name}") as progress:
        report = build_track(
            map_yaml,
            output,
            settings=chosen,
            start=start,
            close_gaps=close_gaps,
            direction=direction,
            force=force,
            progress=progress,
            found=lambda corridor, line: found.append((corridor, line)),
        )
        if preview is not None:
            from roboracer_arena.view.preview import write_preview

            progress("preview")
            corridor, line = found[0]
            write_preview(preview, corridor.source, corridor, line, force=force)
        if centerline is not None:
            _write_centerline(centerline, *found[0], force=force)
        if view is not None:
            from roboracer_arena.view.render import render_stage

            print_warnings(render_stage(output, view, force=force, progress=progress))
    _print(report, as_json=json)
    return 0


def _inputs_of_settings(path: Path | None, settings: BuildSettings) -> list[Path]:
    """Return the files that the settings came from: themselves and the user's own images."""
    looks = (settings.stage.floor_look, settings.stage.duct_look, settings.stage.obstacle_look)
    images = [look.texture for look in looks if isinstance(look.texture, Path)]
    return [*([path] if path else []), *images]


def _write_centerline(
    path: Path, corridor: Corridor, line: Centerline | None, *, force: bool
) -> None:
    """Write the lap, or say that there is none."""
    from roboracer_arena.corridor import write_centerline_csv

    if line is None:
        print_warnings([f"{path} was not written: the corridor does not close into a lap"])
    else:
        write_centerline_csv(path, line, corridor.source.origin, force=force)


def _check_pictures(preview: Path | None, view: Path | None, *, force: bool) -> None:
    """Refuse pictures that could not be made, before the work."""
    if preview is not None:
        from roboracer_arena.view.preview import check_preview_target

        check_preview_target(preview, force=force)
    if view is not None:
        from roboracer_arena.view.render import check_picture_target

        check_picture_target(view, force=force)


def _print(report: BuildReport, *, as_json: bool) -> None:
    """Print the report for a program or for a person."""
    if as_json:
        print_json(report)
        return
    print_warnings(report.warnings)
    rows = [("track", f"{report.name} ({report.style})"), ("stage", report.output)]
    if report.lap_length_m is not None:
        rows.append(("lap", f"{report.lap_length_m:.2f} m"))
        rows.append(
            ("width", f"{report.width_mean_m:.2f} m mean, {report.width_min_m:.2f} m at the least")
        )
    rows += [
        ("area", f"{report.area_m2:.1f} m2, {report.obstacles} obstacle(s)"),
        ("walls", f"{report.wall_triangles} triangles"),
        ("ducts", f"{report.ducts}, with {report.rings} rings"),
        ("size", f"{report.usd_bytes / 1e6:.2f} MB"),
        ("time", f"{report.wall_seconds.total:.2f} s ({report.cpu_seconds.total:.2f} s CPU)"),
    ]
    print_table(rows)
