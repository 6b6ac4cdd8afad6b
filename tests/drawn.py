"""Small occupancy maps drawn in memory."""

from __future__ import annotations

import numpy as np

from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D

RESOLUTION = 0.05


def stadium_map(
    name: str = "Stadium",
    *,
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    width: float = 1.2,
    obstacle: bool = False,
    thin_lines: bool = False,
    stripe: bool = False,
    scale: float = 1.0,
) -> OccupancyMap:
    """A corridor around a straight island: two straights of 3 m, two half circles of radius 1.5 m.

    Args:
        name: Display name.
        origin: Pose of the map's lower-left corner.
        width: Width of the corridor [m].
        obstacle: Whether a box of 0.3 m stands in the lower straight.
        thin_lines: Whether only the walls are drawn and all else is free.
        stripe: Whether an unseen stripe of 0.1 m crosses the upper straight.
        scale: Factor on all lengths but the width.
    """
    straight, radius, margin = 3.0 * scale, 1.5 * scale, 1.5
    size = np.array([straight + 2 * radius + 2 * margin, 2 * radius + 2 * margin])
    columns, rows = np.round(size / RESOLUTION).astype(int)
    y, x = (np.mgrid[0:rows, 0:columns] + 0.5) * RESOLUTION
    centre = size / 2.0
    along = np.clip(x - centre[0], -straight / 2.0, straight / 2.0)
    distance = np.abs(np.hypot(x - centre[0] - along, y - centre[1]) - radius)
    half, thickness = width / 2.0, 2.0 * RESOLUTION
    cells = np.full((rows, columns), FREE if thin_lines else UNKNOWN, dtype=np.uint8)
    cells[distance <= half + thickness] = OCCUPIED
    cells[distance <= half] = FREE
    if obstacle:
        box = np.maximum(np.abs(x - centre[0]), np.abs(y - centre[1] + radius))
        cells[box <= 0.15] = OCCUPIED
    if stripe:
        cells[(np.abs(x - centre[0]) <= 0.05) & (y > centre[1]) & (distance <= half)] = UNKNOWN
    return OccupancyMap(cells=cells, resolution=RESOLUTION, origin=Pose2D(*origin), name=name)
