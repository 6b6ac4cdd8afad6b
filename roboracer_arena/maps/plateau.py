"""Maps whose unexplored space is a grey that their own thresholds call free."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.maps.metadata import MapMetadata
from roboracer_arena.maps.occupancy import FREE
from roboracer_arena.maps.pixels import Pixels

__all__ = ["dim_free_cells"]

_CLEARLY = 16 / 255
"""Smallest difference between two greys that a person takes for two, out of full brightness."""
_SMALLEST_PLATEAU = 0.001
"""Smallest share of the image that the brighter grey must have; noise has less."""


def dim_free_cells(
    pixels: Pixels, metadata: MapMetadata, cells: NDArray[np.uint8]
) -> NDArray[np.bool_] | None:
    """Return the free cells that are clearly greyer than the whitest ones, if the border is too.

    Some published maps paint unexplored space grey 216: by a free_thresh of 0.196 it is free. It
    shows in that the image border is mostly such a grey, while a plateau of white lies inside.

    Args:
        pixels: The image.
        metadata: Its description.
        cells: Shape [height, width], the classes of its pixels, row 0 at the lowest y.

    Returns:
        Shape [height, width], row 0 at the lowest y; or None if the border is as white as any.
    """
    levels = pixels.levels[::-1]
    edge = _rim(levels)[_rim(cells) == FREE].astype(np.int64)
    rim_size = 2 * (cells.shape[0] + cells.shape[1])
    if 2 * edge.size < rim_size or metadata.mode == "raw":
        return None
    counts = np.bincount(pixels.white - edge if metadata.negate else edge)
    common = int(np.argmax(counts))
    if 2 * counts[common] < rim_size or common > pixels.white * (1 - _CLEARLY):
        return None
    whiteness = pixels.white - levels if metadata.negate else levels
    free = cells == FREE
    middle = (common + int(whiteness[free].max())) / 2
    dim = free & (whiteness <= middle)
    bright = np.count_nonzero(free) - np.count_nonzero(dim)
    if middle - common < pixels.white * _CLEARLY / 2 or bright < _SMALLEST_PLATEAU * cells.size:
        return None
    return np.asarray(dim)


def _rim(values: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return the values along the four sides of a raster; the corners twice."""
    return np.concatenate([values[0], values[-1], values[:, 0], values[:, -1]])
