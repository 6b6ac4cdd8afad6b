"""What a map consists of: corridors, infields, and whether the walls hold."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.maps import FREE, UNKNOWN, OccupancyMap

__all__ = ["Topology", "find_topology"]


@dataclass(frozen=True, slots=True, eq=False)
class Topology:
    """The connected pieces of a map, cropped to its free cells and one cell around."""

    corridors: int
    """Number of 4-connected free components."""
    infields: int
    """Number of holes: 8-connected components of the complement other than the exterior."""
    unsealed: int
    """Number of free cells that touch an unknown cell or the border of the image."""
    window: tuple[int, int]
    """Row and column of ``free[0, 0]`` in the map; -1 where the crop is padded."""
    free: NDArray[np.bool_]
    """Shape [h, w]; free cells."""
    infield: NDArray[np.bool_]
    """Shape [h, w]; cells of all holes."""
    extent: tuple[int, int]
    """Columns and rows of the bounding box of all free and occupied cells."""

    @property
    def is_lap(self) -> bool:
        """Whether there is exactly one corridor around one infield, so that it can be measured."""
        return self.corridors == 1 and self.infields == 1


def find_topology(track: OccupancyMap) -> Topology:
    """Count corridors and infields of a map and look for leaks.

    Args:
        track: The map; nothing of it is repaired.
    """
    padded = np.pad(track.cells, 1, constant_values=UNKNOWN)
    free = padded == FREE
    unknown = (padded == UNKNOWN).astype(np.uint8)
    beside_unknown = cv2.dilate(unknown, np.ones((3, 3), dtype=np.uint8)).astype(bool)
    top, left, bottom, right = _bounds(free, margin=1)
    inside = free[top:bottom, left:right]
    corridors = cv2.connectedComponents(inside.astype(np.uint8), connectivity=4)[0] - 1
    # The crop keeps one cell around the free cells, so all of the exterior is one component.
    count, labels = cv2.connectedComponents((~inside).astype(np.uint8), connectivity=8)
    infield = (labels != labels[0, 0]) & ~inside
    low_row, low_column, high_row, high_column = _bounds(unknown == 0, margin=0)
    return Topology(
        corridors=corridors,
        infields=max(0, count - 2),
        unsealed=int(np.count_nonzero(free & beside_unknown)),
        window=(top - 1, left - 1),
        free=inside,
        infield=infield,
        extent=(high_column - low_column, high_row - low_row),
    )


def _bounds(mask: NDArray[np.bool_], *, margin: int) -> tuple[int, int, int, int]:
    """Return first row and column, and one past the last, of the set cells plus a margin."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    return (
        max(0, int(rows[0]) - margin),
        max(0, int(columns[0]) - margin),
        int(rows[-1]) + 1 + margin,
        int(columns[-1]) + 1 + margin,
    )
