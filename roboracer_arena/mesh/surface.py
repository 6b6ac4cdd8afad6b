"""The triangle mesh that all geometry is handed on as."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SurfaceMesh"]


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
