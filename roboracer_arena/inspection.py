"""What a map holds, before anything is built from it: the survey as a report."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from roboracer_arena.corridor import CorridorMeasures, MapSurvey
from roboracer_arena.corridor.survey import SurveyedRegion

__all__ = ["InspectedCorridor", "InspectedRegion", "MapInspection", "inspection_of"]


class InspectedRegion(BaseModel):
    """One part of the free space that is wide enough to drive."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    area_m2: float
    center_m: tuple[float, float]
    """Middle of its bounding box, map frame [m]."""
    infields: int
    obstacles: int
    verdict: str
    """Whether it is the corridor, or why not."""


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
    radius_min_at_m: tuple[float, float] | None
    """Where the lap is sharpest, map frame [m]."""


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
    regions: tuple[InspectedRegion, ...]
    """Free areas by the map's own thresholds and before any repair, the largest first."""
    corridor: InspectedCorridor | None
    """None where a build would fail; ``problems`` says why."""
    problems: tuple[str, ...]
    """What a build would refuse or decide on its own, one sentence each."""


def inspection_of(path: Path, survey: MapSurvey) -> MapInspection:
    """Return a survey as a report.

    Args:
        path: Where the map came from.
        survey: What was found in it.
    """
    source = survey.source
    return MapInspection(
        map=str(path),
        name=source.name,
        width_cells=source.width,
        height_cells=source.height,
        width_m=source.width * source.resolution,
        height_m=source.height * source.resolution,
        resolution_m=source.resolution,
        origin_m_rad=(source.origin.x, source.origin.y, source.origin.yaw),
        free_cells=survey.free_cells,
        occupied_cells=survey.occupied_cells,
        unknown_cells=survey.unknown_cells,
        regions=tuple(_region(region) for region in survey.regions),
        corridor=_corridor(survey),
        problems=tuple(dict.fromkeys((*source.warnings, *survey.problems))),
    )


def _region(region: SurveyedRegion) -> InspectedRegion:
    return InspectedRegion(
        area_m2=region.area,
        center_m=region.center,
        infields=len(region.infield_areas),
        obstacles=region.obstacles,
        verdict=region.verdict,
    )


def _corridor(survey: MapSurvey) -> InspectedCorridor | None:
    """Return the measures of the corridor and its lap, as far as there are any."""
    corridor, found = survey.corridor, survey.measures
    if corridor is None:
        return None
    kinds = [border.kind for border in corridor.borders]
    return InspectedCorridor(
        style=corridor.style,
        closed=corridor.closed,
        area_m2=corridor.area,
        infields=kinds.count("infield"),
        obstacles=kinds.count("obstacle"),
        lap_length_m=found and found.lap_length,
        width_min_m=found and found.width_min,
        width_mean_m=found and found.width_mean,
        width_max_m=found and found.width_max,
        width_min_at_m=found and found.width_min_at,
        radius_min_m=_radius(found),
        radius_min_at_m=found and found.min_radius_at,
    )


def _radius(found: CorridorMeasures | None) -> float | None:
    """Return the smallest radius of the lap [m], or None where it never turns."""
    return found.min_radius if found and math.isfinite(found.min_radius) else None
