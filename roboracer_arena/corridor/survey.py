"""Everything that can be said of a map's corridors, also when none can be built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from roboracer_arena.corridor.centerline import find_centerline
from roboracer_arena.corridor.core import CoreComponent
from roboracer_arena.corridor.find import find_corridor
from roboracer_arena.corridor.free_space import free_space
from roboracer_arena.corridor.islands import sort_islands
from roboracer_arena.corridor.measure import CorridorMeasures, measure_corridor
from roboracer_arena.corridor.model import Centerline, Corridor
from roboracer_arena.corridor.scene import Scene, look_at
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.errors import CorridorError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap

__all__ = ["MapSurvey", "SurveyedRegion", "survey_map"]

_MOST_REGIONS = 20
"""Free areas that are reported, the largest."""

Verdict = Literal["chosen", "outside", "no infield", "several infields", "not chosen"]


@dataclass(frozen=True, slots=True)
class SurveyedRegion:
    """One part of the free space that is wide enough to drive."""

    area: float
    """[m²]"""
    center: tuple[float, float]
    """Middle of its bounding box, map frame [m]."""
    infield_areas: tuple[float, ...]
    """Areas of its infields [m²], falling."""
    obstacles: int
    """Number of smaller islands in it."""
    border_contact: float
    """Share of the image border that it touches, 0 to 1."""
    verdict: Verdict
    """Whether it is the corridor, or why not."""


@dataclass(frozen=True, slots=True, eq=False)
class MapSurvey:
    """What a map holds."""

    source: OccupancyMap
    """The map."""
    free_cells: int
    occupied_cells: int
    unknown_cells: int
    regions: tuple[SurveyedRegion, ...]
    """By the map's own thresholds and without any repair; the largest first."""
    corridor: Corridor | None
    """The corridor that would be built, or None."""
    centerline: Centerline | None
    """Its centreline, or None."""
    measures: CorridorMeasures | None
    """Its measures, or None."""
    error: CorridorError | None
    """Why there is no corridor or no centreline, or None."""
    problems: tuple[str, ...]
    """What a user should know, one sentence each: the error first, then all warnings."""


def survey_map(
    source: OccupancyMap,
    settings: CorridorSettings | None = None,
    *,
    start: tuple[float, float] | None = None,
    close_gaps: float | None = None,
) -> MapSurvey:
    """Look for corridors in a map and report what was found; a map without one is no error.

    The arguments are those of :func:`find_corridor`.

    Raises:
        UsageError: The start is no place.
        SettingsError: ``close_gaps`` is out of range.
    """
    settings = settings or CorridorSettings()
    corridor = centerline = error = None
    try:
        corridor = find_corridor(source, settings, start=start, close_gaps=close_gaps)
        centerline = find_centerline(corridor, start=start, settings=settings)
    except CorridorError as found:
        error = found
    scene = look_at(free_space(source), settings)
    regions = [_survey(scene, part, corridor) for part in scene.components[:_MOST_REGIONS]]
    problems = [] if error is None else [error.message]
    problems += [*source.warnings, *(corridor.warnings if corridor else ())]
    free, occupied, unknown = (
        int(np.count_nonzero(source.cells == value)) for value in (FREE, OCCUPIED, UNKNOWN)
    )
    return MapSurvey(
        source=source,
        free_cells=free,
        occupied_cells=occupied,
        unknown_cells=unknown,
        regions=tuple(regions),
        corridor=corridor,
        centerline=centerline,
        measures=measure_corridor(corridor, centerline) if corridor and centerline else None,
        error=error,
        problems=tuple(problems),
    )


def _survey(scene: Scene, part: CoreComponent, corridor: Corridor | None) -> SurveyedRegion:
    """Describe one part of the core."""
    region = scene.region(part)
    islands = sort_islands(region, scene.settings)
    source = scene.space.source
    column, row, width, height = part.box
    middle = [
        [row + height / 2 + scene.space.window[0], column + width / 2 + scene.space.window[1]]
    ]
    x, y = source.cell_to_world(np.array(middle))[0].tolist()
    seed = (part.seed[1] + scene.space.window[0], part.seed[0] + scene.space.window[1])
    return SurveyedRegion(
        area=float(np.count_nonzero(region.mask)) * source.resolution**2,
        center=(x, y),
        infield_areas=tuple(island.cells * source.resolution**2 for island in islands.infields),
        obstacles=len(islands.obstacles),
        border_contact=part.border_contact,
        verdict=_verdict(scene, part, len(islands.infields), _holds(corridor, seed)),
    )


def _verdict(scene: Scene, part: CoreComponent, infields: int, chosen: bool) -> Verdict:
    """Say what became of a part of the core."""
    if chosen:
        return "chosen"
    if scene.is_outside(part):
        return "outside"
    if not infields:
        return "no infield"
    return "several infields" if infields > 1 else "not chosen"


def _holds(corridor: Corridor | None, cell: tuple[int, int]) -> bool:
    """Whether a corridor holds a cell of the map, row and column."""
    if corridor is None:
        return False
    row, column = cell[0] - corridor.window[0], cell[1] - corridor.window[1]
    height, width = corridor.free.shape
    return 0 <= row < height and 0 <= column < width and bool(corridor.free[row, column])
