"""From a closed curve to an occupancy map (Eq. 3)."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D

__all__ = ["PAD_CELLS", "distance_to_curve", "rasterise"]

PAD_CELLS = 4
"""Unknown cells around the outer wall, so that no wall touches the border of the image."""
_TIE = 1e-9
"""Distances this close to a limit of Eq. 3 count as equal [m]: where a straight runs exactly half
a width beside cell centres, rounding must not fray its wall."""


def rasterise(
    curve: NDArray[np.float64],
    *,
    width: float,
    wall: float,
    cell: float,
    name: str = "track",
) -> OccupancyMap:
    """Draw the corridor around a closed curve.

    A cell is free where its centre is within ``width / 2 - cell / 2`` of the curve, a wall up to
    ``width / 2 + wall``, unknown beyond. Cells stand on whole multiples of ``cell``, so that a
    hall with its corner at the origin keeps its walls on cell edges.

    Args:
        curve: Shape [n, 2], closed, the first point not repeated [m]; neighbours at most half a
            cell apart.
        width: Corridor width w [m].
        wall: Wall thickness t_w [m].
        cell: Side of a cell [m].
        name: Display name of the map.

    Returns:
        The map, cropped to the track plus :data:`PAD_CELLS`.
    """
    reach = width / 2.0 + wall
    low = np.floor((curve.min(axis=0) - reach) / cell).astype(int) - PAD_CELLS
    high = np.ceil((curve.max(axis=0) + reach) / cell).astype(int) + PAD_CELLS
    columns, rows = (high - low).tolist()
    grid = curve / cell - low - 0.5
    free_limit, wall_limit = (width - cell) / 2.0, reach
    distance = distance_to_curve(grid, (rows, columns), (free_limit / cell, wall_limit / cell))
    cells = np.full((rows, columns), UNKNOWN, dtype=np.uint8)
    cells[distance <= (wall_limit + _TIE) / cell] = OCCUPIED
    cells[distance <= (free_limit + _TIE) / cell] = FREE
    origin = Pose2D(float(low[0]) * cell, float(low[1]) * cell)
    return OccupancyMap(cells=cells, resolution=cell, origin=origin, name=name)


def distance_to_curve(
    grid: NDArray[np.float64], shape: tuple[int, int], exact_near: tuple[float, ...]
) -> NDArray[np.float64]:
    """Return the distance of every cell centre to a closed curve, exact where it decides.

    A distance transform is good to a cell; cells that close to one of the given distances are
    measured again, to the curve itself.

    Args:
        grid: Shape [n, 2], column and row of curve points, in cells; cell centres are integers.
        shape: Rows and columns of the result.
        exact_near: Distances around which the result must be exact [cells].

    Returns:
        Shape ``shape``, in cells.
    """
    seeds = np.ones(shape, dtype=np.uint8)
    columns, rows = np.rint(grid).astype(int).T
    seeds[rows, columns] = 0
    coarse = cv2.distanceTransform(seeds, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    distance = np.asarray(coarse, dtype=np.float64)
    # A seed is at most sqrt(1/2) from its curve point, and points are half a cell apart.
    doubtful = np.zeros(shape, dtype=bool)
    for limit in exact_near:
        doubtful |= np.abs(coarse - limit) < math.sqrt(0.5) + 0.3
    where = np.argwhere(doubtful)
    distance[doubtful] = _to_polyline(where[:, ::-1].astype(np.float64), grid)
    return distance


def _to_polyline(queries: NDArray[np.float64], line: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of each query to the segments beside its nearest vertex."""
    nearest = cKDTree(line).query(queries)[1]
    best = np.full(len(queries), np.inf)
    for shift in (-1, 0):
        start = line[(nearest + shift) % len(line)]
        along = line[(nearest + shift + 1) % len(line)] - start
        offset = queries - start
        square = np.maximum((along * along).sum(axis=1), 1e-300)
        share = np.clip((offset * along).sum(axis=1) / square, 0.0, 1.0)
        gap = offset - share[:, None] * along
        best = np.minimum(best, np.hypot(gap[:, 0], gap[:, 1]))
    return best
