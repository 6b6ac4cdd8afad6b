"""Meshes, instanced rings and the centreline as USD prims."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Usd, UsdGeom, Vt

from roboracer_arena.mesh.surface import SurfaceMesh, triangle_normals
from roboracer_arena.usd.content import CenterlineContent, RingContent
from roboracer_arena.usd.placement import Placement
from roboracer_arena.usd.primvars import author_vertex_primvar

__all__ = ["author_centerline", "author_mesh", "author_rings"]

_CENTERLINE_HEIGHT = 0.01
"""Height of the centreline over the floor [m], so that it shows when guides are drawn."""
_CENTERLINE_THICKNESS = 0.03
"""Drawn thickness of the centreline [m]."""


def author_mesh(
    stage: Usd.Stage, path: str, mesh: SurfaceMesh, placement: Placement | None = None
) -> UsdGeom.Mesh:
    """Define a triangle mesh with extent, normals and, where it has them, texture coordinates.

    Args:
        stage: Stage to author into.
        path: Path of the new prim.
        mesh: The surface, in grid-frame metres if a placement is given.
        placement: Where the grid lies; None to author the points as they are.
    """
    points = placement.points(mesh.points) if placement else mesh.points
    prim = UsdGeom.Mesh.Define(stage, path)
    prim.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    prim.CreateFaceVertexCountsAttr(
        Vt.IntArray.FromNumpy(np.full(len(mesh.triangles), 3, dtype=np.int32))
    )
    prim.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(mesh.triangles.ravel()))
    prim.CreateExtentAttr(_extent(points))
    prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    prim.CreateDoubleSidedAttr(False)
    _author_normals(prim, points, mesh, placement)
    if mesh.uvs is not None:
        author_vertex_primvar(prim, "st", mesh.uvs)
    return prim


def _author_normals(
    prim: UsdGeom.Mesh,
    points: NDArray[np.float32],
    mesh: SurfaceMesh,
    placement: Placement | None,
) -> None:
    """Write smooth normals where the surface has them, else one normal a face."""
    if mesh.normals is None:
        normals = triangle_normals(points, mesh.triangles).astype(np.float32)
        interpolation = UsdGeom.Tokens.uniform
    else:
        normals = placement.directions(mesh.normals) if placement else mesh.normals
        interpolation = UsdGeom.Tokens.vertex
    prim.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(normals)))
    prim.SetNormalsInterpolation(interpolation)


def _extent(points: NDArray[np.float32]) -> Vt.Vec3fArray:
    """Return the bounding box of points as USD stores it."""
    return Vt.Vec3fArray.FromNumpy(np.stack([points.min(axis=0), points.max(axis=0)]))


def author_rings(
    stage: Usd.Stage, path: str, rings: RingContent, placement: Placement
) -> tuple[UsdGeom.PointInstancer, UsdGeom.Mesh]:
    """Define all rings as instances of one prototype; return the instancer and the prototype."""
    instancer = UsdGeom.PointInstancer.Define(stage, path)
    prototype = author_mesh(stage, f"{path}/Ring", rings.prototype)
    count = len(rings.positions)
    instancer.CreatePrototypesRel().SetTargets([prototype.GetPath()])
    instancer.CreateProtoIndicesAttr(Vt.IntArray(count, 0))
    instancer.CreatePositionsAttr(Vt.Vec3fArray.FromNumpy(placement.points(rings.positions)))
    half = (rings.headings + placement.pose.yaw) / 2.0
    quaternions = np.zeros((count, 4), dtype=np.float16)  # stored as x, y, z, w
    quaternions[:, 2], quaternions[:, 3] = np.sin(half), np.cos(half)
    instancer.CreateOrientationsAttr(Vt.QuathArray.FromNumpy(quaternions))
    instancer.CreateExtentAttr(
        instancer.ComputeExtentAtTime(Usd.TimeCode.Default(), Usd.TimeCode.Default())
    )
    return instancer, prototype


def author_centerline(
    stage: Usd.Stage, path: str, line: CenterlineContent, placement: Placement
) -> UsdGeom.BasisCurves:
    """Define the centreline as a periodic polyline with the wall distances at its points."""
    points = placement.points(line.points)
    points[:, 2] = _CENTERLINE_HEIGHT
    curve = UsdGeom.BasisCurves.Define(stage, path)
    curve.CreateTypeAttr(UsdGeom.Tokens.linear)
    curve.CreateWrapAttr(UsdGeom.Tokens.periodic)
    curve.CreateCurveVertexCountsAttr(Vt.IntArray([len(points)]))
    curve.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    curve.CreateWidthsAttr(Vt.FloatArray([_CENTERLINE_THICKNESS]))
    curve.SetWidthsInterpolation(UsdGeom.Tokens.constant)
    pad = Gf.Vec3f(_CENTERLINE_THICKNESS / 2.0)
    box = _extent(points)
    curve.CreateExtentAttr(Vt.Vec3fArray([box[0] - pad, box[1] + pad]))
    curve.CreatePurposeAttr(UsdGeom.Tokens.guide)
    author_vertex_primvar(curve, "widthLeft", line.width_left)
    author_vertex_primvar(curve, "widthRight", line.width_right)
    return curve
