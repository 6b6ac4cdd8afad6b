"""Distances that a drawn track keeps: its narrowest place, its walls, its neighbours."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from roboracer_arena.generate.measure.line import MeasuredLine, find_crossings
from roboracer_arena.generate.measure.topology import Topology
from roboracer_arena.maps import UNKNOWN, OccupancyMap

__all__ = ["narrowest_width", "nearest_facing", "wall_thickness"]

_COARSE_STEPS = 700
"""Points that the search for facing parts compares pairwise, all with all."""
_THICKNESS_BIAS_CELLS = 0.75
"""From a crossing to the centre of the nearest unknown cell is the wall plus half a cell (Eq. 3
starts the wall half a cell early) plus what lies between the limit and the next centre: none
where the wall curves, up to one cell where it runs along the grid."""


def narrowest_width(topology: Topology, line: MeasuredLine, cell: float) -> float:
    """Return the narrowest wall to wall distance across the line, plus one cell [m].

    Unlike the fitted width it is not smoothed: a single cell that stands into the corridor counts.
    """
    where = (line.points / cell - 0.5).T[::-1]
    outside = ~(topology.free | topology.infield)
    across = sum(
        map_coordinates(_distance_to(mask), where, order=1) for mask in (topology.infield, outside)
    )
    return float(np.min(across)) * cell


def wall_thickness(track: OccupancyMap, topology: Topology) -> float:
    """Return the median thickness of the walls, by Eq. 3's t_w [m]; infinite without unknown."""
    unknown = np.pad(track.cells, 1, constant_values=UNKNOWN) == UNKNOWN
    crossings = find_crossings(topology.free).points
    row, column = topology.window
    where = (crossings[:, ::-1] + [row + 1, column + 1]).T
    distance = map_coordinates(_distance_to(unknown), where, order=1)
    return (float(np.median(distance)) - _THICKNESS_BIAS_CELLS) * track.resolution


def _distance_to(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the distance of every cell centre to the nearest centre in the mask [cells]."""
    away = (~mask).astype(np.uint8)
    return np.asarray(cv2.distanceTransform(away, cv2.DIST_L2, cv2.DIST_MASK_PRECISE))


def nearest_facing(points: NDArray[np.float64], step: float, least_arc: float) -> float:
    """Return the smallest distance between two parts of a lap that face each other [m].

    Two points face each other where the chord between them is perpendicular to both tangents,
    that is, where their distance cannot be made smaller by sliding along the lap.

    Args:
        points: Shape [n, 2], evenly spaced, closed [m].
        step: Distance of neighbours [m].
        least_arc: Points nearer than this along the lap do not count [m].

    Returns:
        The distance; infinite where no two parts face each other.
    """
    skip = max(1, len(points) // _COARSE_STEPS)
    coarse = points[::skip]
    count = len(coarse)
    # np.hypot of differences is the memory-hungry part: 700 x 700 x 8 bytes.
    distance = np.hypot(*(coarse[:, None, :] - coarse[None, :, :]).transpose(2, 0, 1))
    apart = np.abs(np.arange(count)[:, None] - np.arange(count)[None, :])
    apart = np.minimum(apart, count - apart)
    distance[apart * step * skip <= least_arc] = np.inf
    low = np.ones_like(distance, dtype=bool)
    for rows in (-1, 0, 1):
        for columns in (-1, 0, 1):
            low &= distance <= np.roll(distance, (rows, columns), axis=(0, 1))
    # At the border of the excluded band a minimum is no facing pair: its true one lies inside.
    low &= np.isfinite(distance) & ((apart - 1) * step * skip > least_arc)
    first, second = np.nonzero(np.triu(low))
    if not len(first):
        return math.inf
    nearest = distance[first, second].argsort()[:8]
    return min(_refined(points, first[k] * skip, second[k] * skip, skip) for k in nearest)


def _refined(points: NDArray[np.float64], first: int, second: int, reach: int) -> float:
    """Return the smallest distance between the samples around two samples."""
    window = np.arange(-reach, reach + 1)
    here, there = (points[(index + window) % len(points)] for index in (first, second))
    return float(np.hypot(*(here[:, None, :] - there[None, :, :]).transpose(2, 0, 1)).min())
