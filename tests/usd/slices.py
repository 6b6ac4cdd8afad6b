"""Walls as a stage holds them, read with USD alone: independent of the project's own reader."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pxr import Usd, UsdGeom


def world_triangles(path: Path, under: str = "/Track/Walls") -> np.ndarray:
    """Triangles of all meshes under a prim in world metres, shape [m, 3, 3]."""
    stage = Usd.Stage.Open(str(path))
    cache = UsdGeom.XformCache()
    found = []
    for prim in Usd.PrimRange(stage.GetPrimAtPath(under)):
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            points = np.array(mesh.GetPointsAttr().Get(), dtype=float)
            matrix = np.array(cache.GetLocalToWorldTransform(prim))
            points = points @ matrix[:3, :3] + matrix[3, :3]
            faces = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
            found.append(points[faces])
    return np.concatenate(found)


def slice_at(triangles: np.ndarray, z: float) -> np.ndarray:
    """Segments in which a level plane cuts triangles, shape [k, 2, 2]."""
    heights = triangles[:, :, 2] - z
    crossing = (heights.min(axis=1) < 0) & (heights.max(axis=1) >= 0)
    segments = []
    for corners, height in zip(triangles[crossing], heights[crossing], strict=True):
        ends = []
        for i, j in ((0, 1), (1, 2), (2, 0)):
            if (height[i] < 0) != (height[j] < 0):
                share = height[i] / (height[i] - height[j])
                ends.append(corners[i, :2] + share * (corners[j, :2] - corners[i, :2]))
        segments.append(ends)
    return np.array(segments)


def cast(triangles: np.ndarray, origin: np.ndarray, direction: np.ndarray, *, cull: bool) -> float:
    """Distance along a ray to the first triangle, front faces only if culled; inf for none.

    Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
    """
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    p = np.cross(direction, c - a)
    determinant = np.einsum("ij,ij->i", b - a, p)
    usable = determinant > 1e-12 if cull else np.abs(determinant) > 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.einsum("ij,ij->i", origin - a, p) / determinant
        q = np.cross(origin - a, b - a)
        v = (q @ direction) / determinant
        t = np.einsum("ij,ij->i", c - a, q) / determinant
        hit = usable & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (t > 0)
    return float(t[hit].min()) if hit.any() else float("inf")
