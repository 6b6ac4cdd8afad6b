"""Exact outlines of a cell mask: the loops that pass through the middles of its cell edges.

OpenCV follows borders from pixel centre to pixel centre. A wall face lies on the edges *between*
cells, so each step of OpenCV's chain is turned into the cell edges that it passes, and the middles
of those edges are the outline. This is marching squares on the mask, at the speed of OpenCV's
chain. Free cells that touch only at a corner stay apart (4-connected), walls that touch at a
corner are joined (8-connected); no two outlines cross or touch: they keep sqrt(1/2) cell apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.rasters import contours

__all__ = ["Outline", "signed_area", "trace_outlines"]

_STEPS = np.array([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)])
"""The eight neighbours (column, row), counter-clockwise from east with rows upwards."""
_CODE = np.zeros((3, 3), dtype=np.int8)
_CODE[_STEPS[:, 1] + 1, _STEPS[:, 0] + 1] = np.arange(8)


_APART = 1e-3
"""Least distance of a crossing from the samples at both ends of its edge [cells]."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """One closed outline between the 1 cells of a mask and its 0 cells."""

    points: NDArray[np.float64]
    """Shape [n, 2], column and row, cell centres at whole numbers; n >= 4. The 1 cells are on the
    left: the outer outline runs counter-clockwise (rows upwards), that of an island clockwise."""
    wall: NDArray[np.int32]
    """Shape [n, 2], column and row of the 0 cell at each point."""
    chain: NDArray[np.int32]
    """Shape [m, 1, 2], the 0 cells along the outline as OpenCV's contour, for filling."""
    cells: int
    """Number of cells enclosed, of whatever value."""
    is_island: bool
    """Whether the outline goes around 0 cells that the 1 cells enclose."""

    @property
    def center(self) -> tuple[float, float]:
        """Column and row of the middle of its bounding box."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2

    def at_level(self, values: NDArray[np.float32], level: float) -> NDArray[np.float64]:
        """Move the points to where values between the cell centres reach a level.

        With the mask of values above the level, this is marching squares.

        Args:
            values: Shape as the mask; above the level in 1 cells, not above it in 0 cells.
            level: The level.

        Returns:
            Shape [n, 2], column and row.
        """
        inside = np.round(2 * self.points - self.wall).astype(np.int64)
        low = values[self.wall[:, 1], self.wall[:, 0]].astype(np.float64)
        high = values[inside[:, 1], inside[:, 0]].astype(np.float64)
        # Where a sample is the level itself, the crossings of all its edges would be one point. The
        # limits keep their order along an edge, so that nested levels stay nested.
        share = np.clip((level - low) / (high - low), _APART, 1.0 - _APART)
        return np.asarray(self.wall + share[:, None] * (inside - self.wall))


def trace_outlines(mask: NDArray[np.uint8]) -> list[Outline]:
    """Return the outlines of the 1 cells of a mask, the largest first.

    Args:
        mask: Shape [h, w], 0 or 1; its outermost cells must be 0.
    """
    chains, parents = contours(1 - mask)
    frame = (0, 0, mask.shape[1], mask.shape[0])
    outlines = [
        _outline(chain)
        for chain, parent in zip(chains, parents, strict=True)
        # The outer side of the outermost wall is the edge of the raster, no outline.
        if parent >= 0 or tuple(cv2.boundingRect(chain)) != frame
    ]
    return sorted(outlines, key=lambda outline: -outline.cells)


def signed_area(points: NDArray[np.float64]) -> float:
    """Return the area inside a closed line, positive when it runs counter-clockwise.

    Args:
        points: Shape [n, 2]; the first point is not repeated.
    """
    centred = points - points[0]  # far from zero, the products would lose the area's digits
    x, y = centred[:, 0], centred[:, 1]
    return float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2


def _outline(chain: NDArray[np.int32]) -> Outline:
    """Turn one of OpenCV's chains of wall cells into the outline beside it."""
    wall, code = _cell_edges(chain[:, 0, :])
    points = wall + 0.5 * _STEPS[code]
    area = signed_area(points)
    # Joining edge middles cuts 1/8 cell off at each outward corner and adds it at each inward
    # one; around any loop there are four more of the former.
    return Outline(points, wall, chain, round(abs(area) + 0.5), area < 0)


def _cell_edges(cells: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the wall cell and the direction code of every cell edge along a chain, in order."""
    if len(cells) == 1:
        return np.repeat(cells, 4, axis=0), np.array([6, 4, 2, 0])
    back = _direction(np.roll(cells, 1, axis=0) - cells)
    ahead = _direction(np.roll(cells, -1, axis=0) - cells)
    # Neighbours strictly between the cell come from and the cell gone to were found not to be
    # wall; those that share an edge (even codes) give the outline.
    turn = (back - ahead) % 8
    turn[turn == 0] = 8
    swept = np.arange(1, 8)
    code = (back[:, None] - swept) % 8
    index, sweep = np.nonzero((swept < turn[:, None]) & (code % 2 == 0))
    return cells[index], code[index, sweep]


def _direction(step: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the direction code of unit steps, shape [n, 2]."""
    return _CODE[step[:, 1] + 1, step[:, 0] + 1].astype(np.int64)
