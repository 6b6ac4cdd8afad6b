"""Whether a map is a recording or a drawing made of lines."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np

from roboracer_arena.corridor.core import Region
from roboracer_arena.corridor.islands import Islands
from roboracer_arena.corridor.rasters import fill_contour
from roboracer_arena.maps import FREE

__all__ = ["drawing_style"]


def drawing_style(region: Region, islands: Islands) -> Literal["filled", "thin-line"]:
    """Return ``thin-line`` for a drawing whose outside and infield are mostly free as well."""
    cells = region.space.source.cells
    rim = np.concatenate([cells[0], cells[-1], cells[:, 0], cells[:, -1]])
    if not islands.infields or 2 * np.count_nonzero(rim == FREE) < rim.size:
        return "filled"
    infield = islands.infields[0]
    column, row, width, height = cv2.boundingRect(infield.chain)
    inside = np.zeros((height, width), dtype=np.uint8)
    fill_contour(inside, infield.chain - np.array([[[column, row]]], dtype=np.int32))
    window = (row + region.window[0], column + region.window[1])
    free = region.space.cells_at(window, inside.shape) == FREE
    if (dim := region.space.source.dim_free) is not None:
        free &= ~dim[window[0] : window[0] + height, window[1] : window[1] + width]
    return "thin-line" if 2 * np.count_nonzero(free & (inside == 1)) > infield.cells else "filled"
