"""Which wall a place belongs to: the raster from which a centreline starts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.model import Border, Corridor
from roboracer_arena.corridor.rasters import above, distance_inside
from roboracer_arena.corridor.trace import trace_outlines

__all__ = ["halfway_line"]

_CELL = 0.1
"""Side of a cell of the coarse raster, at most [m]. The narrowest corridor is 0.4 m wide, so at
least two cells of it are free; the line is refined on the borders afterwards."""


def halfway_line(
    corridor: Corridor, inner: Sequence[Border], ignored: Sequence[Border]
) -> NDArray[np.float64]:
    """Return the line that is as far from the inner borders as from all other walls, roughly.

    Args:
        corridor: The corridor.
        inner: Borders that the line goes around.
        ignored: Borders of obstacles that the line does not heed.

    Returns:
        Shape [n, 2], grid frame [m], closed, counter-clockwise, about one point per coarse
        cell, exact to a few centimetres. Empty if the inner borders do not hang together.
    """
    factor = max(1, math.floor(_CELL / corridor.resolution))
    while True:
        line = _halfway_line(corridor, inner, ignored, factor)
        if len(line) or factor == 1:
            return line
        # A passage beside an obstacle may be narrower than a coarse cell.
        factor //= 2


def _halfway_line(
    corridor: Corridor, inner: Sequence[Border], ignored: Sequence[Border], factor: int
) -> NDArray[np.float64]:
    """Return the line on a raster whose cells are ``factor`` times larger, or none."""
    free = _coarsen(corridor.free, factor)
    frame = _Frame(corridor, factor)
    cv2.fillPoly(free, [frame.pixels(border) for border in ignored], 1)
    inside = np.zeros_like(free)
    polygons = [frame.pixels(border) for border in inner]
    cv2.fillPoly(inside, polygons, 1)
    # A coarse cell that is only partly wall reaches one cell beyond the border.
    cv2.polylines(inside, polygons, isClosed=True, color=1, thickness=3)
    inside &= 1 - free
    outside = 1 - (free | inside)
    nearness = distance_inside(1 - outside)
    nearness -= distance_inside(1 - inside)
    outlines = [o for o in trace_outlines(above(nearness, 0)) if not o.is_island]
    for outline in outlines:
        line = outline.at_level(nearness, 0)
        shape = np.round(line * 16).astype(np.int32)
        if all(_encloses(shape, polygon * 16) for polygon in polygons):
            return frame.metres(line)
    return np.empty((0, 2))


def _encloses(shape: NDArray[np.int32], polygon: NDArray[np.int32]) -> bool:
    """Whether a closed line goes around another; one point tells, since the two do not cross."""
    x, y = polygon[0]
    return cv2.pointPolygonTest(shape, (float(x), float(y)), False) >= 0


class _Frame:
    """Turns grid-frame metres into coarse pixels and back."""

    def __init__(self, corridor: Corridor, factor: int) -> None:
        self._cell = corridor.resolution * factor
        row, column = corridor.window
        self._corner = np.array([column, row]) * corridor.resolution

    def pixels(self, border: Border) -> NDArray[np.int32]:
        """Return the coarse pixels of a border's points, shape [n, 2], column and row."""
        return np.floor((border.points - self._corner) / self._cell).astype(np.int32)

    def metres(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the centres of coarse pixels."""
        return np.asarray((pixels + 0.5) * self._cell + self._corner)


def _coarsen(free: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """Return a raster of larger cells, each free if all of its parts are."""
    height, width = (math.ceil(size / factor) for size in free.shape)
    padded = cv2.copyMakeBorder(
        free,
        *(0, height * factor - free.shape[0], 0, width * factor - free.shape[1]),
        cv2.BORDER_CONSTANT,
        value=0,
    )
    # The mean over a cell rounds to 255 only if every part is 255.
    share = cv2.resize(padded * np.uint8(255), (width, height), interpolation=cv2.INTER_AREA)
    return above(np.asarray(share, dtype=np.uint8), 254)
