"""Tracks whose every measure is known, drawn for the tests of the validator."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.generate.path import Path, fillet_polygon
from roboracer_arena.generate.raster import rasterise
from roboracer_arena.maps import OccupancyMap

OVAL = np.array([[0, 0], [8, 0], [8, 2.5], [0, 2.5]], dtype=float)
"""Two hairpins."""
ROUNDED_SQUARE = np.array([[0, 0], [9, 0], [9, 8], [0, 8]], dtype=float)
"""Four corners."""
OCTAGON = np.array(
    [[3.5, 0], [9, 0], [12.5, 3.5], [12.5, 7], [9, 10.5], [3.5, 10.5], [0, 7], [0, 3.5]],
    dtype=float,
)
"""Eight corners of 45 degrees."""
U_SHAPE = np.array([[0, 0], [14, 0], [14, 9], [9, 9], [9, 4], [5, 4], [5, 9], [0, 9]], dtype=float)
"""Eight corners of 90 degrees, two of them right-hand."""
JOGS = np.array(
    [
        [0, 0],
        [5, 0],
        [5, -2.6],
        [12, -2.6],
        [12, 6],
        [9.4, 6],
        [9.4, 3],
        [4, 3],
        [4, 6],
        [0, 6],
    ],
    dtype=float,
)
"""A chicane at the bottom, a hairpin on the right, corners."""


def rotated(vertices: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """Turn a polygon about the origin, to the left."""
    cos, sin = math.cos(angle), math.sin(angle)
    return vertices @ np.array([[cos, sin], [-sin, cos]])


def rounded(vertices: NDArray[np.float64], radius: float) -> Path:
    """Round all corners of a polygon alike; fails where they do not fit."""
    path = fillet_polygon(vertices, np.full(len(vertices), radius))
    assert path is not None
    return path


def drawn(
    path: Path, *, width: float = 1.55, wall: float = 0.15, cell: float = 0.05
) -> OccupancyMap:
    """Draw a path by Eq. 3."""
    return rasterise(path.curve(0.4 * cell).points, width=width, wall=wall, cell=cell)
