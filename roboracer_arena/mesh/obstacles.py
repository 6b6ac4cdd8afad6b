"""Blocks that are drawn where obstacles stand in the corridor: no duct fits around those."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor import Border
from roboracer_arena.mesh.polyline import segment_lengths
from roboracer_arena.mesh.settings import ObstacleSettings
from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.mesh.triangulate import triangulate_polygon, without_flat_corners

__all__ = ["obstacle_blocks"]

_TOLERANCE = 0.005
"""How far a block may stray from its obstacle [m]; half of what collision walls may."""


def obstacle_blocks(
    borders: Sequence[Border], settings: ObstacleSettings | None = None
) -> tuple[SurfaceMesh, ...]:
    """Stand an upright block on each obstacle.

    Args:
        borders: All borders, corridor to the left, grid frame [m]; only obstacles are used.
        settings: Height and smallest area; defaults if None.

    Returns:
        One surface for each obstacle that is large enough, in order. Each encloses a volume once
        coincident points are merged; faceted, with texture coordinates.
    """
    settings = settings or ObstacleSettings()
    wanted = (b for b in borders if b.kind == "obstacle" and b.area >= settings.min_area)
    blocks = (_block(border.points[::-1], settings) for border in wanted)
    return tuple(block for block in blocks if block is not None)


def _block(outline: NDArray[np.float64], settings: ObstacleSettings) -> SurfaceMesh | None:
    """Extrude a counter-clockwise outline; None if there is nothing left of it to be seen."""
    outline = without_flat_corners(_simplified(outline))
    faces = triangulate_polygon(outline)
    if faces is None:
        return None
    count = len(outline)
    lengths = np.concatenate([[0.0], np.cumsum(segment_lengths(outline))])
    ring = np.concatenate([outline, outline[:1]])
    side = np.arange(count, dtype=np.int32)
    low, high = side, side + count + 1
    # Outwards is to the right of the outline's direction.
    panels = np.stack([low, low + 1, high + 1, low, high + 1, high], axis=1).reshape(-1, 3)
    top, bottom = 2 * (count + 1), 2 * (count + 1) + count
    flat = np.concatenate([ring, ring, outline, outline])
    heights = np.repeat([0.0, settings.height, settings.height, 0.0], [count + 1] * 2 + [count] * 2)
    around = [np.stack([lengths, np.full(count + 1, z)], axis=1) for z in (0.0, settings.height)]
    return SurfaceMesh(
        points=np.column_stack([flat, heights]).astype(np.float32),
        triangles=np.concatenate([panels, faces + top, faces[:, ::-1] + bottom]).astype(np.int32),
        uvs=(np.concatenate([*around, outline, outline]) / settings.texture_tile).astype(
            np.float32
        ),
    )


def _simplified(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Leave out corners within the tolerance, so that outlines of any origin have tens at most."""
    local = (outline - outline[0]).astype(np.float32)
    kept = cv2.approxPolyDP(local[:, None, :], _TOLERANCE, closed=True)[:, 0, :]
    return np.asarray(kept + outline[0], dtype=np.float64)
