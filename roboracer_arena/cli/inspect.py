"""``arena inspect``: what a map holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from roboracer_arena.cli.options import Flag, Place
from roboracer_arena.cli.output import print_json, print_table, print_warnings
from roboracer_arena.cli.targets import check_targets, inputs_of_map

if TYPE_CHECKING:
    from roboracer_arena.inspection import InspectedCorridor, MapInspection

__all__ = ["inspect"]

_SHOWN_REGIONS = 4
"""Free areas that a person is shown; the report has up to 20."""


def inspect(
    map_yaml: Path,
    /,
    *,
    preview: Path | None = None,
    start: Place = None,
    close_gaps: float | None = None,
    force: Flag = False,
    json: Flag = False,
) -> int:
    """Say what a map holds: size, corridor, lap, widths, problems. Builds nothing.

    Parameters
    ----------
    map_yaml
        The map's YAML file, as map_server reads it.
    preview
        Also draw the map with what was found in it, as PNG.
    start
        X and Y of a point of the wanted corridor [m], in the map frame.
    close_gaps
        Close gaps in walls up to this width [m].
    force
        Replace the picture if it exists.
    json
        Print the report as one JSON document.
    """
    from roboracer_arena.corridor import survey_map
    from roboracer_arena.inspection import inspection_of
    from roboracer_arena.maps import read_map

    if preview is not None:
        from roboracer_arena.view.preview import check_preview_target, write_preview

        check_targets([preview], inputs=inputs_of_map(map_yaml))
        check_preview_target(preview, force=force)
    survey = survey_map(read_map(map_yaml), start=start, close_gaps=close_gaps)
    report = inspection_of(map_yaml, survey)
    if preview is not None:
        write_preview(preview, survey.source, survey.corridor, survey.centerline, force=force)
    if json:
        print_json(report)
    else:
        _print(report)
    return 0


def _print(report: MapInspection) -> None:
    """Print the report for a person."""
    x, y, yaw = report.origin_m_rad
    total = max(report.width_cells * report.height_cells, 1)
    rows = [
        ("map", report.name),
        (
            "size",
            (
                f"{report.width_cells} x {report.height_cells} cells, "
                f"{report.width_m:.1f} x {report.height_m:.1f} m"
            ),
        ),
        ("resolution", f"{report.resolution_m:g} m"),
        ("origin", f"({x:g}, {y:g}) m, yaw {yaw:g} rad"),
        (
            "cells",
            (
                f"{report.free_cells / total:.0%} free, {report.occupied_cells / total:.0%} "
                f"occupied, {report.unknown_cells / total:.0%} unknown"
            ),
        ),
    ]
    for number, region in enumerate(report.regions[:_SHOWN_REGIONS]):
        x, y = region.center_m
        facts = f"{region.area_m2:.1f} m2 around ({x:.2f}, {y:.2f}), {region.infields} infield(s)"
        rows.append((f"free area {number + 1}", f"{facts}: {region.verdict}"))
    rows += [("corridor", "none")] if report.corridor is None else _corridor(report.corridor)
    print_table(rows)
    print_warnings(report.problems)


def _corridor(found: InspectedCorridor) -> list[tuple[str, str]]:
    """Return the rows about the corridor."""
    rows = [
        (
            "corridor",
            (
                f"{found.style}, {found.area_m2:.1f} m2, "
                f"{found.infields} infield(s), {found.obstacles} obstacle(s)"
            ),
        ),
    ]
    if found.lap_length_m is None or found.width_min_at_m is None:
        return [*rows, ("lap", "does not close")]
    x, y = found.width_min_at_m
    rows += [
        ("lap", f"{found.lap_length_m:.2f} m"),
        (
            "width",
            (
                f"{found.width_min_m:.2f} m at ({x:.2f}, {y:.2f}), "
                f"mean {found.width_mean_m:.2f} m, at most {found.width_max_m:.2f} m"
            ),
        ),
    ]
    if found.radius_min_m is not None and found.radius_min_at_m is not None:
        x, y = found.radius_min_at_m
        rows.append(("least radius", f"{found.radius_min_m:.2f} m at ({x:.2f}, {y:.2f})"))
    return rows
