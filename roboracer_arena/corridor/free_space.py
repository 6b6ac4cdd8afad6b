"""The free cells of a map, cropped and framed, and the words for a place in them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.rasters import above
from roboracer_arena.maps import FREE, OccupancyMap

__all__ = ["FreeSpace", "describe_place", "free_space"]


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


def free_space(source: OccupancyMap, mask: NDArray[np.uint8] | None, frame: int) -> FreeSpace:
    """Return the free cells of a map, or of a mask of the same shape, with an empty frame."""
    if mask is None:
        mask = above(source.cells, FREE - 1)
    column, row, width, height = cv2.boundingRect(mask)
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
