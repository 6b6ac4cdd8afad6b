"""Values of prims as arrays, checked so far that nothing below can trip over them."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Tf, Usd, UsdGeom, UsdPhysics, UsdShade

from roboracer_arena.errors import StageError
from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = ["TrackFrame", "bound_physics_material", "mesh_triangles", "numbers"]

_Number = TypeVar("_Number", np.float32, np.float64, np.int32, np.int64)


def numbers(attribute: Usd.Attribute, kind: type[_Number]) -> NDArray[_Number]:
    """Return the value of an attribute as an array; empty if it has none.

    Raises:
        StageError: The value cannot be read as numbers.
    """
    try:
        value = attribute.Get()
        return np.array([] if value is None else value, dtype=kind)
    except (TypeError, ValueError, RuntimeError, Tf.ErrorException) as error:
        raise StageError("holds no numbers", where=str(attribute.GetPath())) from error


def mesh_triangles(prim: Usd.Prim) -> NDArray[np.int32]:
    """Return the faces of a triangle mesh, shape [m, 3]; empty if a face is no triangle."""
    mesh = UsdGeom.Mesh(prim)
    counts = numbers(mesh.GetFaceVertexCountsAttr(), np.int32)
    indices = numbers(mesh.GetFaceVertexIndicesAttr(), np.int32)
    if np.any(counts != 3) or len(indices) != 3 * len(counts):
        return np.empty((0, 3), dtype=np.int32)
    return indices.reshape(-1, 3)


def bound_physics_material(prim: Usd.Prim) -> UsdPhysics.MaterialAPI | None:
    """Return the physics material that acts on a prim, or None."""
    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
    if not material or not material.GetPrim().HasAPI(UsdPhysics.MaterialAPI):
        return None
    return UsdPhysics.MaterialAPI(material.GetPrim())


class TrackFrame:
    """Takes the points of prims to the frame that the anchor belongs to."""

    def __init__(self, root: Usd.Prim) -> None:
        self._cache = UsdGeom.XformCache()
        matrix = self._cache.GetLocalToWorldTransform(root)
        turned = Gf.Matrix4d(1.0).SetTranslate(matrix.ExtractTranslation())
        if not Gf.IsClose(matrix, turned, 1e-9) or abs(matrix.ExtractTranslation()[2]) > 1e-9:
            raise StageError(
                "is turned, scaled or lifted; only x and y may be moved", where=str(root.GetPath())
            )
        self._inverse = matrix.GetInverse()
        self.anchor = (matrix.ExtractTranslation()[0], matrix.ExtractTranslation()[1])

    def points(self, prim: Usd.Prim) -> NDArray[np.float32]:
        """Return the points of a prim, shape [n, 3], [m]."""
        points = numbers(UsdGeom.PointBased(prim).GetPointsAttr(), np.float32).reshape(-1, 3)
        if len(points) == 0 or not np.isfinite(points).all():
            problem = "has points that are not finite" if len(points) else "has no points"
            raise StageError(f"{problem}; build the track again", where=str(prim.GetPath()))
        local = self._cache.GetLocalToWorldTransform(prim) * self._inverse
        if local != Gf.Matrix4d(1.0):
            matrix = np.array(local)
            points = (points.astype(np.float64) @ matrix[:3, :3] + matrix[3, :3]).astype(np.float32)
        return points

    def surface(self, prim: Usd.Prim) -> SurfaceMesh:
        """Return the triangles of a mesh prim."""
        points = self.points(prim)
        triangles = mesh_triangles(prim)
        if len(triangles) == 0 or triangles.min() < 0 or triangles.max() >= len(points):
            raise StageError(
                "has face indices out of range, or faces that are no triangles; "
                "build the track again",
                where=str(prim.GetPath()),
            )
        return SurfaceMesh(points=points, triangles=triangles)
