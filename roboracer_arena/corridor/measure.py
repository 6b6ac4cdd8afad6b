"""The numbers by which a corridor is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roboracer_arena.corridor.model import Centerline, Corridor

__all__ = ["CorridorMeasures", "measure_corridor"]


@dataclass(frozen=True, slots=True)
class CorridorMeasures:
    """What was measured of a corridor. Places are in the map frame."""

    lap_length: float
    """Length of the centreline [m]."""
    width_mean: float
    """Mean over the lap of the distances to both walls, wall face to wall face [m]."""
    width_min: float
    """[m]"""
    width_min_at: tuple[float, float]
    """Where on the centreline that is [m]."""
    width_max: float
    """[m]"""
    width_max_at: tuple[float, float]
    """Where on the centreline that is [m]."""
    min_radius: float
    """Smallest radius of the centreline [m]; infinite on a straight line."""
    min_radius_at: tuple[float, float]
    """Where on the centreline that is [m]."""
    area: float
    """Drivable area [m²]."""


def measure_corridor(corridor: Corridor, centerline: Centerline) -> CorridorMeasures:
    """Measure a corridor along its centreline.

    The width at a point is the sum of its distances to the nearest points of the outer wall and
    of the infields; obstacles do not narrow it.
    """
    width = centerline.width_right + centerline.width_left
    bend = np.abs(centerline.curvature)
    narrow, wide, tight = int(np.argmin(width)), int(np.argmax(width)), int(np.argmax(bend))
    places = corridor.source.origin.transform(centerline.points[[narrow, wide, tight]])
    narrow_at, wide_at, tight_at = ((float(x), float(y)) for x, y in places)
    return CorridorMeasures(
        lap_length=centerline.length,
        width_mean=float(width.mean()),
        width_min=float(width[narrow]),
        width_min_at=narrow_at,
        width_max=float(width[wide]),
        width_max_at=wide_at,
        min_radius=float(1 / bend[tight]) if bend[tight] > 0 else float("inf"),
        min_radius_at=tight_at,
        area=corridor.area,
    )
