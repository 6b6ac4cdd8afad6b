"""Small maps drawn from formulas, so that their area, lap and width are known."""

from __future__ import annotations

import numpy as np

from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D

CELL = 0.05
_AT_ZERO = Pose2D(0.0, 0.0)


def as_map(cells, *, resolution=CELL, origin=_AT_ZERO, **fields):
    return OccupancyMap(np.asarray(cells, dtype=np.uint8), resolution, origin, **fields)


def centres(width, height, resolution=CELL):
    """x and y of the cell centres of a raster of that size [m]."""
    columns, rows = round(width / resolution), round(height / resolution)
    return np.meshgrid(
        (np.arange(columns) + 0.5) * resolution, (np.arange(rows) + 0.5) * resolution
    )


def recorded(distance, width, *, wall=0.15):
    """Cells of a corridor around a line, given each cell's distance to it: unknown outside."""
    cells = np.full(distance.shape, UNKNOWN, dtype=np.uint8)
    cells[distance <= width / 2 + wall] = OCCUPIED
    cells[distance <= width / 2] = FREE
    return cells


def lined(distance, width, *, wall=0.1):
    """The same as two lines on white."""
    cells = np.full(distance.shape, FREE, dtype=np.uint8)
    cells[(distance > width / 2) & (distance <= width / 2 + wall)] = OCCUPIED
    return cells


def to_circle(x, y, centre, radius):
    return np.abs(np.hypot(x - centre[0], y - centre[1]) - radius)


def to_oval(x, y, centre, straight, radius, angle=0.0):
    """Distance to a stadium: two straights joined by half circles, turned about its centre."""
    along = (x - centre[0]) * np.cos(angle) + (y - centre[1]) * np.sin(angle)
    across = (y - centre[1]) * np.cos(angle) - (x - centre[0]) * np.sin(angle)
    beyond = np.maximum(np.abs(along) - straight / 2, 0)
    return np.abs(np.hypot(beyond, across) - radius)


def to_square(x, y, centre, side, angle=0.0):
    """Distance to the outline of a square with sharp corners, turned about its centre."""
    along = (x - centre[0]) * np.cos(angle) + (y - centre[1]) * np.sin(angle)
    across = (y - centre[1]) * np.cos(angle) - (x - centre[0]) * np.sin(angle)
    return np.abs(np.maximum(np.abs(along), np.abs(across)) - side / 2)


def ring_cells(radius=2.0, width=1.0, resolution=CELL, style=recorded):
    """A ring in the middle of a square raster."""
    size = 2 * radius + width + 3.0
    x, y = centres(size, size, resolution)
    return style(to_circle(x, y, (size / 2, size / 2), radius), width)


def ring_map(radius=2.0, width=1.0, resolution=CELL, style=recorded, **fields):
    return as_map(ring_cells(radius, width, resolution, style), resolution=resolution, **fields)


def hall(*rectangles, size=(8.0, 6.0), wall=0.15):
    """Free rectangles (x0, y0, x1, y1) in a recorded map, with a wall around them [m]."""
    x, y = centres(*size)
    cells = np.full(x.shape, UNKNOWN, dtype=np.uint8)
    for grow, value in ((wall, OCCUPIED), (0.0, FREE)):
        for x0, y0, x1, y1 in rectangles:
            inside = (x > x0 - grow) & (x < x1 + grow) & (y > y0 - grow) & (y < y1 + grow)
            cells[inside] = value
    return cells


def paint(cells, x0, y0, x1, y1, value, resolution=CELL):
    """Set a rectangle of cells [m], in place."""
    index = np.round(np.array([y0, y1, x0, x1]) / resolution).astype(int)
    cells[index[0] : index[1], index[2] : index[3]] = value
    return cells


SQUARE_LOOP = (
    (0.5, 0.5, 7.5, 1.5),
    (0.5, 4.5, 7.5, 5.5),
    (0.5, 0.5, 1.5, 5.5),
    (6.5, 0.5, 7.5, 5.5),
)
"""Rectangles of a loop 1 m wide around an infield of 5 m by 3 m."""


def drivable(corridor, *points):
    """Whether each point of the map frame [m] lies on a free cell of the corridor."""
    cells = corridor.source.world_to_cell(np.array(points, dtype=float)) - corridor.window
    return [
        bool(
            0 <= row < corridor.free.shape[0]
            and 0 <= column < corridor.free.shape[1]
            and corridor.free[row, column]
        )
        for row, column in cells
    ]


def kinds(corridor):
    return [border.kind for border in corridor.borders]
