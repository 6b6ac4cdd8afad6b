"""What a map holds, before anything is built from it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from roboracer_arena.corridor import Centerline, Corridor, find_centerline, find_corridor
from roboracer_arena.errors import CorridorError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap
from roboracer_arena.settings import BuildSettings

__all__ = ["InspectedCorridor", "MapInspection", "inspect_map"]


class InspectedCorridor(BaseModel):
    """The corridor that a build would take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    style: Literal["filled", "thin-line"]
    closed: bool
    area_m2: float
    infields: int
    obstacles: int
    lap_length_m: float | None
    """None where the corridor does not close, as all below."""
    width_min_m: float | None
    width_mean_m: float | None
    width_max_m: float | None
    width_min_at_m: tuple[float, float] | None
    """Where the corridor is narrowest, map frame [m]."""
    radius_min_m: float | None


class MapInspection(BaseModel):
    """Facts about a map."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    map: str
    name: str
    width_cells: int
    height_cells: int
    width_m: float
    height_m: float
    resolution_m: float
    origin_m_rad: tuple[float, float, float]
    free_cells: int
    occupied_cells: int
    unknown_cells: int
    corridor: InspectedCorridor | None
    """None where a build would fail; ``problems`` says why."""
    problems: tuple[str, ...]
    """What a build would refuse or decide on its own, one sentence each."""


def inspect_map(
    path: Path,
    source: OccupancyMap,
    *,
    settings: BuildSettings | None = None,
    start: tuple[float, float] | None = None,
    close_gaps: float | None = None,
) -> tuple[MapInspection, Corridor | None, Centerline | None]:
    """Look for the corridor of a map and measure it.

    Args:
        path: Where the map came from, for the report.
        source: The map.
        settings: As for a build.
        start: A point of the wanted corridor, map frame [m].
        close_gaps: Widest gap in a wall that is closed [m].

    Returns:
        The report, and corridor and lap as far as they were found.
    """
    chosen = (settings or BuildSettings()).corridor
    problems = list(source.warnings)
    corridor: Corridor | None = None
    line: Centerline | None = None
    try:
        corridor = find_corridor(source, chosen, start=start, close_gaps=close_gaps)
        problems = list(dict.fromkeys([*problems, *corridor.warnings]))
        if any(border.kind == "infield" for border in corridor.borders):
            line = find_centerline(corridor, start=start, settings=chosen)
    except CorridorError as error:
        problems.append(error.message)
    report = _facts(path, source, _measured(source, corridor, line), tuple(problems))
    return report, corridor, line


def _facts(
    path: Path,
    source: OccupancyMap,
    corridor: InspectedCorridor | None,
    problems: tuple[str, ...],
) -> MapInspection:
    counts = np.bincount(source.cells.ravel(), minlength=256)
    return MapInspection(
        map=str(path),
        name=source.name,
        width_cells=source.width,
        height_cells=source.height,
        width_m=source.width * source.resolution,
        height_m=source.height * source.resolution,
        resolution_m=source.resolution,
        origin_m_rad=(source.origin.x, source.origin.y, source.origin.yaw),
        free_cells=int(counts[FREE]),
        occupied_cells=int(counts[OCCUPIED]),
        unknown_cells=int(counts[UNKNOWN]),
        corridor=corridor,
        problems=problems,
    )


def _measured(
    source: OccupancyMap, corridor: Corridor | None, line: Centerline | None
) -> InspectedCorridor | None:
    """Return the measures of a corridor and its lap, or None without a corridor."""
    if corridor is None:
        return None
    kinds = [border.kind for border in corridor.borders]
    width = None if line is None else line.width_left + line.width_right
    narrowest = None
    if line is not None and width is not None:
        place = source.origin.transform(line.points[[int(np.argmin(width))]])[0]
        narrowest = (float(place[0]), float(place[1]))
    return InspectedCorridor(
        style=corridor.style,
        closed=corridor.closed,
        area_m2=corridor.area,
        infields=kinds.count("infield"),
        obstacles=kinds.count("obstacle"),
        lap_length_m=None if line is None else line.length,
        width_min_m=None if width is None else float(width.min()),
        width_mean_m=None if width is None else float(width.mean()),
        width_max_m=None if width is None else float(width.max()),
        width_min_at_m=narrowest,
        radius_min_m=None if line is None else _smallest_radius(line),
    )


def _smallest_radius(line: Centerline) -> float | None:
    """Return the smallest radius of the lap [m], or None where it never turns."""
    sharpest = float(np.abs(line.curvature).max())
    return 1.0 / sharpest if sharpest > 0.0 else None
