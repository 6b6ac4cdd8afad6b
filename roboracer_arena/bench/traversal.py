"""The usual way to scan: every beam walks through a grid that lists the segments of each cell.

A baseline only. Exact too: a beam stops at the nearest intersection in the cells it passes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from roboracer_arena.sim.lidar import LidarModel

__all__ = ["GridTraversal"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@njit(cache=True)
def _hit(ox: float, oy: float, dx: float, dy: float, segment: Array) -> float:
    ex, ey = segment[2] - segment[0], segment[3] - segment[1]
    cross = dx * ey - dy * ex
    if cross == 0.0:
        return np.inf
    px, py = segment[0] - ox, segment[1] - oy
    along = (px * ey - py * ex) / cross
    share = (px * dy - py * dx) / cross
    return along if along > 0.0 and -1e-12 <= share <= 1.0 + 1e-12 else np.inf


@njit(cache=True)
def _walk(
    ox: float,
    oy: float,
    dx: float,
    dy: float,
    limit: float,
    low: Array,
    cell: float,
    shape: Index,
    first: Index,
    lists: Index,
    segments: Array,
) -> float:
    """Return the range of one beam."""
    column, row = int((ox - low[0]) / cell), int((oy - low[1]) / cell)
    step_x, step_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    gap_x = cell / abs(dx) if dx != 0.0 else np.inf
    gap_y = cell / abs(dy) if dy != 0.0 else np.inf
    edge_x = low[0] + (column + (1 if dx > 0 else 0)) * cell
    edge_y = low[1] + (row + (1 if dy > 0 else 0)) * cell
    next_x = (edge_x - ox) / dx if dx != 0.0 else np.inf
    next_y = (edge_y - oy) / dy if dy != 0.0 else np.inf
    best, passed = limit, 0.0
    while 0 <= column < shape[0] and 0 <= row < shape[1] and passed <= best:
        place = row * shape[0] + column
        for k in range(first[place], first[place + 1]):
            best = min(best, _hit(ox, oy, dx, dy, segments[lists[k]]))
        if next_x < next_y:
            passed, next_x, column = next_x, next_x + gap_x, column + step_x
        else:
            passed, next_y, row = next_y, next_y + gap_y, row + step_y
    return best


@njit(cache=True)
def _scan(
    poses: Array,
    angles: Array,
    limit: float,
    low: Array,
    cell: float,
    shape: Index,
    first: Index,
    lists: Index,
    segments: Array,
    out: Array,
) -> None:
    for n in range(poses.shape[0]):
        for k in range(angles.shape[0]):
            a = poses[n, 2] + angles[k]
            out[n, k] = _walk(
                poses[n, 0], poses[n, 1], math.cos(a), math.sin(a), limit, low, cell, shape,
                first, lists, segments,
            )  # fmt: skip


class GridTraversal:
    """Scans by walking through a grid of segments."""

    def __init__(self, lines: Sequence[Array], *, cell: float, model: LidarModel) -> None:
        """List the segments of each cell.

        Args:
            lines: Polylines, shape [k, 2] [m].
            cell: Side of a cell [m].
            model: The scanner.
        """
        self._angles = model.angles()
        self._limit = model.range_max
        self._segments = np.concatenate([np.c_[line[:-1], line[1:]] for line in lines])
        ends = self._segments.reshape(-1, 2)
        self._cell = cell
        self._low = ends.min(axis=0) - 2 * cell
        self._shape = np.ceil((ends.max(axis=0) + 2 * cell - self._low) / cell).astype(np.int64)
        self._first, self._lists = self._filed()

    def scan(self, poses: Array) -> Array:
        """Return ranges for sensor poses, shape [n, 3] to [n, beams] [m]."""
        out = np.empty((len(poses), len(self._angles)))
        _scan(
            poses, self._angles, self._limit, self._low, self._cell, self._shape,
            self._first, self._lists, self._segments, out,
        )  # fmt: skip
        return out

    def _filed(self) -> tuple[Index, Index]:
        """Return where each cell's list begins, and the lists one after another."""
        places: list[Index] = []
        numbers: list[Index] = []
        for number, (x0, y0, x1, y1) in enumerate(self._segments):
            low = np.floor((np.minimum((x0, y0), (x1, y1)) - self._low) / self._cell).astype(int)
            high = np.floor((np.maximum((x0, y0), (x1, y1)) - self._low) / self._cell).astype(int)
            rows, columns = np.mgrid[low[1] : high[1] + 1, low[0] : high[0] + 1]
            places.append((rows * self._shape[0] + columns).ravel())
            numbers.append(np.full(rows.size, number, dtype=np.int64))
        place, number_of = np.concatenate(places), np.concatenate(numbers)
        order = np.argsort(place, kind="stable")
        counts = np.bincount(place, minlength=int(self._shape.prod()))
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), number_of[order]
