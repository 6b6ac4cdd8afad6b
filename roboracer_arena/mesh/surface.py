"""The triangle mesh that all geometry is handed on as."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["MIN_TRIANGLE_AREA", "SurfaceMesh", "triangle_normals"]

MIN_TRIANGLE_AREA = 1e-8
"""Smallest triangle that engines cook reliably [m²]: 0.1 mm by 0.2 mm."""


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceMesh:
    """Triangles with outward normals by the right-hand rule."""

    points: NDArray[np.float32]
    """Shape [n, 3], [m]."""
    triangles: NDArray[np.int32]
    """Shape [m, 3], indices into ``points``, counter-clockwise seen from the front."""
    normals: NDArray[np.float32] | None = None
    """Shape [n, 3], unit normals at the points, or None for faceted surfaces."""
    uvs: NDArray[np.float32] | None = None
    """Shape [n, 2], texture coordinates; one unit is one tile of the texture."""


def triangle_normals(
    points: NDArray[np.floating], triangles: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Return the unit normal of each triangle, shape [m, 3]; zero for a degenerate one.

    Args:
        points: Shape [n, 3], [m].
        triangles: Shape [m, 3], indices into ``points``.
    """
    corners = np.asarray(points, dtype=np.float64)[triangles]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(cross, axis=1, keepdims=True)
    return np.asarray(np.divide(cross, length, out=np.zeros_like(cross), where=length > 0))
