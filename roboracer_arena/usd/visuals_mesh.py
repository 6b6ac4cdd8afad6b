"""Turning a UsdGeom.Mesh into indexed triangles, whatever its faces and interpolations are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom

__all__ = ["Part", "TriangulatedMesh", "triangulate"]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Indexed triangles with one normal and one texture coordinate per point."""

    points: NDArray[np.float32]
    """Shape [n, 3]."""
    triangles: NDArray[np.uint32]
    """Shape [m, 3]."""
    normals: NDArray[np.float32] | None
    """Shape [n, 3] or None."""
    uvs: NDArray[np.float32] | None
    """Shape [n, 2] or None."""


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """A normal or coordinate for each point or for each face corner."""

    data: NDArray[np.float32]
    per_corner: bool


@dataclass(frozen=True, slots=True, eq=False)
class TriangulatedMesh:
    """A mesh cut into triangles, before it is split by material."""

    points: NDArray[np.float32]
    """Shape [n, 3]."""
    corner_points: NDArray[np.int64]
    """Shape [c]; the point at each face corner."""
    triangle_corners: NDArray[np.int64]
    """Shape [m, 3], indices into the corners."""
    triangle_faces: NDArray[np.int64]
    """Shape [m]; the face that each triangle is cut from."""
    face_count: int
    normals: _Values | None
    uvs: dict[str, _Values]
    """By the name of their primvar."""

    def part(self, faces: NDArray[np.int64] | None, uv_name: str) -> Part:
        """Return the triangles of some faces, or of all where ``faces`` is None."""
        corners = self.triangle_corners
        if faces is not None:
            corners = corners[np.isin(self.triangle_faces, faces)]
        uvs = self.uvs.get(uv_name)
        per_corner = any(v is not None and v.per_corner for v in (self.normals, uvs))
        index = corners if per_corner else self.corner_points[corners]
        used, triangles = np.unique(index, return_inverse=True)
        of_point = self.corner_points[used] if per_corner else used

        def take(values: _Values | None) -> NDArray[np.float32] | None:
            if values is None:
                return None
            return values.data[used if values.per_corner else of_point]

        return Part(
            self.points[of_point],
            triangles.reshape(-1, 3).astype(np.uint32),
            take(self.normals),
            take(uvs),
        )


def triangulate(mesh: UsdGeom.Mesh, uv_names: frozenset[str]) -> TriangulatedMesh | None:
    """Cut a mesh into triangles, fans for larger faces.

    Args:
        mesh: The mesh, read at its default time.
        uv_names: Primvars of texture coordinates to read along.

    Returns:
        None where counts, indices and points contradict each other or are not finite.
    """
    points = np.asarray(mesh.GetPointsAttr().Get() or np.zeros((0, 3)), dtype=np.float32)
    counts = _integers(mesh.GetFaceVertexCountsAttr())
    indices = _integers(mesh.GetFaceVertexIndicesAttr())
    if not _is_sound(points, counts, indices):
        return None
    triangles, faces = _fan(counts)
    holes = _integers(mesh.GetHoleIndicesAttr())
    if len(holes):
        kept = ~np.isin(faces, holes)
        triangles, faces = triangles[kept], faces[kept]
    if mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded:
        triangles = triangles[:, ::-1]
    uvs = {name: _primvar(mesh, name, 2, len(points), counts) for name in sorted(uv_names)}
    return TriangulatedMesh(
        points,
        indices,
        triangles,
        faces,
        len(counts),
        _normals(mesh, len(points), counts),
        {name: values for name, values in uvs.items() if values is not None},
    )


def _integers(attribute: Usd.Attribute) -> NDArray[np.int64]:
    """Return an integer array attribute, empty where it has no value."""
    return np.asarray(attribute.Get() or [], dtype=np.int64)


def _is_sound(
    points: NDArray[np.float32], counts: NDArray[np.int64], indices: NDArray[np.int64]
) -> bool:
    """Whether indices and counts agree and point at finite points."""
    if not len(points) or not len(counts) or np.min(counts) < 1:
        return False
    if np.sum(counts) != len(indices) or np.min(indices) < 0 or np.max(indices) >= len(points):
        return False
    return bool(np.all(np.isfinite(points)))


def _fan(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return corner indices [m, 3] of fan triangles and the face [m] of each."""
    start = np.concatenate([[0], np.cumsum(counts)[:-1]])
    per_face = np.maximum(counts - 2, 0)
    faces = np.repeat(np.arange(len(counts)), per_face)
    step = np.arange(len(faces)) - np.repeat(np.cumsum(per_face) - per_face, per_face)
    first = start[faces]
    return np.column_stack([first, first + step + 1, first + step + 2]), faces


def _normals(mesh: UsdGeom.Mesh, points: int, counts: NDArray[np.int64]) -> _Values | None:
    """Return the authored normals; the primvar wins over the attribute, as USD says."""
    values = _primvar(mesh, "normals", 3, points, counts)
    if values is not None:
        return values
    data = mesh.GetNormalsAttr().Get()
    if not data:
        return None
    return _spread(np.asarray(data, np.float32), mesh.GetNormalsInterpolation(), points, counts)


def _primvar(
    mesh: UsdGeom.Mesh, name: str, columns: int, points: int, counts: NDArray[np.int64]
) -> _Values | None:
    """Return a primvar per point or per corner; None where it is missing or misshapen."""
    primvar = UsdGeom.PrimvarsAPI(mesh).FindPrimvarWithInheritance(name)
    data = primvar.ComputeFlattened() if primvar and primvar.HasValue() else None
    if data is None or np.ndim(data) != 2 or np.shape(data)[1] != columns:
        return None
    return _spread(np.asarray(data, np.float32), primvar.GetInterpolation(), points, counts)


def _spread(
    data: NDArray[np.float32], interpolation: str, points: int, counts: NDArray[np.int64]
) -> _Values | None:
    """Bring values to points or corners; None for one a face, which is a facet's own normal."""
    if interpolation in (UsdGeom.Tokens.vertex, UsdGeom.Tokens.varying) and len(data) == points:
        return _Values(data, per_corner=False)
    if interpolation == UsdGeom.Tokens.faceVarying and len(data) == np.sum(counts):
        return _Values(data, per_corner=True)
    if interpolation == UsdGeom.Tokens.constant and len(data) == 1:
        return _Values(np.repeat(data, points, axis=0), per_corner=False)
    return None
