"""Whether a map is a recording or a drawing made of lines."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np

from roboracer_arena.corridor.core import Region
from roboracer_arena.corridor.islands import Islands
from roboracer_arena.corridor.rasters import fill_contour
from roboracer_arena.corridor.scene import Scene

__all__ = ["drawing_style"]


def drawing_style(scene: Scene, region: Region, islands: Islands) -> Literal["filled", "thin-line"]:
    """Return ``thin-line`` for a drawing whose outside and infield are free as well."""
    if not islands.infields or not any(scene.is_outside(part) for part in scene.components):
        return "filled"
    chain = islands.infields[0].chain
    column, row, width, height = cv2.boundingRect(chain)
    inside = np.zeros((height, width), dtype=np.uint8)
    fill_contour(inside, chain - np.array([[[column, row]]], dtype=np.int32))
    top = row + region.window[0] - scene.space.window[0]
    left = column + region.window[1] - scene.space.window[1]
    free = scene.space.mask[top : top + height, left : left + width]
    return (
        "thin-line" if 2 * np.count_nonzero(free & inside) > islands.infields[0].cells else "filled"
    )
