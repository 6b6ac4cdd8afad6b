"""The free cells of a map, cropped and framed, and the words for a place in them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.rasters import above
from roboracer_arena.maps import FREE, OCCUPIED, OccupancyMap

__all__ = ["FreeSpace", "describe_place", "free_space"]


_FRAME = 2
"""Empty cells around the free ones: one that acts as a wall, and one around that wall."""


@dataclass(frozen=True, slots=True, eq=False)
class FreeSpace:
    """The free cells of a map in a window that holds all of them."""

    source: OccupancyMap
    """The map."""
    mask: NDArray[np.uint8]
    """Shape [h, w], 1 where free; the outermost ``frame`` cells are 0. Outside of the image
    nothing is free: its border acts as a wall."""
    window: tuple[int, int]
    """Row and column of ``mask[0, 0]`` in the map."""
    frame: int
    """Width of the empty frame [cells]."""

    def place(self, column: float, row: float) -> str:
        """Describe a place of the mask for a message."""
        return describe_place(self.source, column + self.window[1], row + self.window[0])

    def cells_at(self, window: tuple[int, int], shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """Return the map's cells in a window; beyond the image they are occupied.

        Args:
            window: Row and column of the first cell in the map; may be negative.
            shape: Rows and columns.
        """
        cells = self.source.cells
        first = np.maximum(window, 0)
        last = np.minimum(np.add(window, shape), cells.shape)
        before, after = first - window, np.add(window, shape) - last
        framed = cv2.copyMakeBorder(
            cells[first[0] : last[0], first[1] : last[1]],
            *(int(before[0]), int(after[0]), int(before[1]), int(after[1])),
            cv2.BORDER_CONSTANT,
            value=OCCUPIED,
        )
        return np.asarray(framed, dtype=np.uint8)


def free_space(source: OccupancyMap, *, without_dim: bool = False) -> FreeSpace:
    """Return the free cells of a map.

    Args:
        source: The map.
        without_dim: Whether to leave out the cells that the map calls ``dim_free``.
    """
    mask = above(source.cells, FREE - 1)
    if without_dim and source.dim_free is not None:
        mask[source.dim_free] = 0
    column, row, width, height = cv2.boundingRect(mask)
    frame = _FRAME
    framed = cv2.copyMakeBorder(
        mask[row : row + height, column : column + width],
        *(frame, frame, frame, frame),
        cv2.BORDER_CONSTANT,
        value=0,
    )
    return FreeSpace(source, np.asarray(framed, np.uint8), (row - frame, column - frame), frame)


def describe_place(source: OccupancyMap, column: float, row: float) -> str:
    """Describe a place for a message: in metres of the map frame, and in cells.

    Args:
        source: The map.
        column: Column of the map, cell centres at whole numbers.
        row: Row of the map, 0 at the lowest y.
    """
    x, y = source.cell_to_world(np.array([[row, column]]))[0]
    return f"({x:.2f}, {y:.2f}) m (column {round(column)}, row {round(row)} from the bottom)"
