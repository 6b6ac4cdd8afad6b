"""The signed distance to the wall face, and the lines along which it has one value."""

from __future__ import annotations

import math
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.borders import to_grid
from roboracer_arena.corridor.model import Border, ClearanceField, Corridor
from roboracer_arena.corridor.rasters import above
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.corridor.smoothing import simplify_closed
from roboracer_arena.corridor.trace import signed_area, trace_outlines

__all__ = ["clearance_field", "level_set"]

_USUAL_INFIELD = CorridorSettings().min_infield_area
"""Islands from this size on are called infields [m²]; :func:`wall_faces` knows better."""


def clearance_field(corridor: Corridor, *, margin: float = 0.5) -> ClearanceField:
    """Return the signed distance to the wall face at every cell centre.

    Distances run between cell centres, less half a cell, so that 0 lies midway between the last
    free cell and the first that is not. They are exact across walls along the axes; across a wall
    at 45 degrees they are up to 0.15 cell too small inside and too large outside.

    Args:
        corridor: The corridor; obstacles count as walls.
        margin: How far the field reaches beyond the corridor [m].
    """
    cells = math.ceil(margin / corridor.resolution) + 2
    free = np.asarray(
        cv2.copyMakeBorder(corridor.free, cells, cells, cells, cells, cv2.BORDER_CONSTANT, value=0),
        dtype=np.uint8,
    )
    values = _distance(free)
    values -= _distance(1 - free)
    # One of the two is 0 at every cell; the other is at least 1.
    values -= np.float32(0.5) * np.sign(values)
    values *= np.float32(corridor.resolution)
    row, column = corridor.window
    return ClearanceField(values, (row - cells, column - cells), corridor.resolution)


def level_set(
    field: ClearanceField,
    level: float,
    *,
    tolerance: float = 0.0,
) -> tuple[Border, ...]:
    """Return the lines along which the clearance has one value, by marching squares.

    The region above a higher level lies within the region above a lower one. No two lines cross.

    Args:
        field: The clearance.
        level: [m]; 0 is the wall face, positive values lie inside the corridor.
        tolerance: How far a line may run from the exact one after leaving points out [m].

    Returns:
        Outer borders (several where the corridor falls apart, none above its largest clearance),
        then islands; each the largest first.

    Raises:
        ValueError: The lines would leave the field; make it with a larger margin.
    """
    inside = above(field.values, level)
    if inside[0].any() or inside[-1].any() or inside[:, 0].any() or inside[:, -1].any():
        raise ValueError(f"the level {level:g} m reaches the edge of the clearance field")
    outlines = sorted(trace_outlines(inside), key=lambda outline: outline.is_island)
    borders = []
    for outline in outlines:
        points = outline.at_level(field.values, level)
        points = simplify_closed(points, tolerance / field.resolution)
        points = to_grid(points, field.window, field.resolution)
        area = abs(signed_area(points))
        if not outline.is_island:
            borders.append(Border(points, "outer", area))
        else:
            kind: Literal["infield", "obstacle"] = (
                "infield" if area >= _USUAL_INFIELD else "obstacle"
            )
            borders.append(Border(points, kind, area))
    return tuple(borders)


def _distance(mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the exact distance of each 1 cell to the nearest 0 cell [cells], 0 at 0 cells."""
    distance = cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(distance, dtype=np.float32)
