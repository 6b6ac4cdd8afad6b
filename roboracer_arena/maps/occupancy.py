"""The occupancy map and its frames.

Two frames matter. The *grid* frame has its origin at the lower-left corner of the lower-left cell,
x along columns, y along rows (row 0 is the lowest y), in metres. The *map* frame is ROS's ``map``:
the grid frame moved by the origin pose of the YAML, yaw included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FREE", "OCCUPIED", "UNKNOWN", "OccupancyMap", "Pose2D"]

OCCUPIED = 0
"""Cell value of a wall (black), as map_saver writes it."""
UNKNOWN = 205
"""Cell value of unseen space (grey), as map_saver writes it."""
FREE = 254
"""Cell value of drivable space (white), as map_saver writes it."""


@dataclass(frozen=True, slots=True)
class Pose2D:
    """A planar pose: position [m] and heading [rad], counter-clockwise from x."""

    x: float
    y: float
    yaw: float = 0.0

    def transform(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map points of this pose's frame into its parent frame.

        Args:
            points: Shape [n, 2], [m].

        Returns:
            Shape [n, 2], [m].
        """
        cos, sin = math.cos(self.yaw), math.sin(self.yaw)
        rotation: NDArray[np.float64] = np.array([[cos, sin], [-sin, cos]])
        return np.asarray(points @ rotation + np.array([self.x, self.y]))

    def inverse_transform(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map points of the parent frame into this pose's frame; inverse of :meth:`transform`."""
        cos, sin = math.cos(self.yaw), math.sin(self.yaw)
        rotation: NDArray[np.float64] = np.array([[cos, -sin], [sin, cos]])
        return np.asarray((points - np.array([self.x, self.y])) @ rotation)


@dataclass(frozen=True, slots=True, eq=False)
class OccupancyMap:
    """A grid of free, occupied and unknown cells with its place in the world."""

    cells: NDArray[np.uint8]
    """Shape [height, width]; each 0 (occupied), 205 (unknown) or 254 (free). Row 0: lowest y."""
    resolution: float
    """Side of a cell [m]."""
    origin: Pose2D
    """Pose of the lower-left corner of the lower-left cell in the map frame."""
    name: str = "track"
    """Display name; any text."""
    probability: NDArray[np.int8] | None = None
    """Shape [height, width]; occupancy -1 (unknown), 0..100 [%]. Only for maps of mode ``scale``
    or ``raw``, where a cell may lie between free and occupied; such a cell is unknown in
    ``cells``, since it is not surely drivable."""
    dim_free: NDArray[np.bool_] | None = None
    """Shape [height, width]; free cells that are clearly greyer than the whitest ones, on maps
    whose image border is such a grey; None on all others. Likely unexplored space."""
    warnings: tuple[str, ...] = ()
    """What the reader had to decide on its own, one sentence each."""

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.cells.shape[0])

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.cells.shape[1])

    def cell_to_world(self, rows_columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the map-frame position of cell centres.

        Args:
            rows_columns: Shape [n, 2], row and column of each cell; fractions are allowed, and
                (-0.5, -0.5) is the origin corner.

        Returns:
            Shape [n, 2], x and y [m].
        """
        grid = (np.asarray(rows_columns, dtype=np.float64)[:, ::-1] + 0.5) * self.resolution
        return self.origin.transform(grid)

    def world_to_cell(self, points: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return row and column of the cell that holds each point; may lie outside the grid.

        Args:
            points: Shape [n, 2], map frame [m].

        Returns:
            Shape [n, 2], row and column.
        """
        grid = self.origin.inverse_transform(np.asarray(points, dtype=np.float64))
        return np.floor(grid[:, ::-1] / self.resolution).astype(np.int64)
