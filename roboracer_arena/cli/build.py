"""``arena build``: a map becomes a stage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from roboracer_arena.cli.output import print_json, print_table, print_warnings, show_progress

if TYPE_CHECKING:
    from roboracer_arena.build_report import BuildReport

__all__ = ["build"]


def build(
    map_yaml: Path,
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
    preview: Path | None = None,
    view: Path | None = None,
    settings: Path | None = None,
    start: Annotated[tuple[float, float] | None, Parameter(allow_leading_hyphen=True)] = None,
    close_gaps: float | None = None,
    direction: Literal["ccw", "cw"] = "ccw",
    force: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
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
    view
        Also render the track in 3D, as PNG.
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

    for picture in (preview, view):
        if picture is not None:
            check_target(picture, force=force)
    chosen = read_settings(settings) if settings else BuildSettings()
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
        )
        if preview is not None:
            progress("preview")
            _write_preview(map_yaml, preview, chosen, start, close_gaps, direction, force=force)
        if view is not None:
            from roboracer_arena.view.render import render_stage

            progress("3D view")
            print_warnings(render_stage(output, view, force=force, progress=progress))
    _print(report, as_json=json)
    return 0


def _write_preview(
    map_yaml: Path,
    preview: Path,
    settings: object,
    start: tuple[float, float] | None,
    close_gaps: float | None,
    direction: Literal["ccw", "cw"],
    *,
    force: bool,
) -> None:
    """Find the corridor once more, which costs a fraction of drawing it, and draw it."""
    from roboracer_arena.corridor import find_centerline, find_corridor
    from roboracer_arena.maps import read_map
    from roboracer_arena.settings import BuildSettings
    from roboracer_arena.view.preview import write_preview

    assert isinstance(settings, BuildSettings)
    source = read_map(map_yaml)
    corridor = find_corridor(source, settings.corridor, start=start, close_gaps=close_gaps)
    infield = any(border.kind == "infield" for border in corridor.borders)
    line = (
        find_centerline(corridor, direction=direction, start=start, settings=settings.corridor)
        if infield
        else None
    )
    write_preview(preview, source, corridor, line, force=force)


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
