"""Cutting a mesh at a height."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = ["slice_mesh"]


def slice_mesh(mesh: SurfaceMesh, height: float) -> NDArray[np.float64]:
    """Cut a triangle mesh by a horizontal plane.

    Args:
        mesh: Any mesh [m].
        height: Height of the plane [m]. A point exactly in the plane counts as above it.

    Returns:
        Shape [k, 2, 2], one segment for each triangle that is cut: start and end, x and y [m].
        Seen from above, the front of the surface lies to the left of the segment's direction.
        Neighbouring triangles meet in the same numbers, to the last bit.
    """
    vertices = mesh.points.astype(np.float64)
    corners = mesh.triangles.astype(np.int64)
    above = vertices[:, 2] >= height
    counts = above[corners].sum(axis=1)
    crossed = corners[(counts > 0) & (counts < 3)]
    tails, heads = crossed, np.roll(crossed, -1, axis=1)
    rising = ~above[tails] & above[heads]
    falling = above[tails] & ~above[heads]
    start = _cut_edges(vertices, tails[rising], heads[rising], height)
    end = _cut_edges(vertices, heads[falling], tails[falling], height)
    return np.stack([start, end], axis=1)


def _cut_edges(
    vertices: NDArray[np.float64],
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
    height: float,
) -> NDArray[np.float64]:
    """Return where edges meet the plane, always measured from their lower end, shape [k, 2]."""
    low, high = vertices[lower], vertices[upper]
    share = (height - low[:, 2]) / (high[:, 2] - low[:, 2])
    return np.asarray(low[:, :2] + share[:, None] * (high[:, :2] - low[:, :2]))
