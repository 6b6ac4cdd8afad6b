"""The gates every stage passes before it is delivered.

They hold what neither USD's own validators nor NVIDIA's notice: a triangle mesh on a moving body,
a collider without a physics material, a wall that faces away from the corridor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from pxr import Sdf, Usd, UsdGeom, UsdPhysics

from roboracer_arena.errors import ValidationError
from roboracer_arena.mesh.surface import MIN_TRIANGLE_AREA
from roboracer_arena.usd.content import WallKind
from roboracer_arena.usd.names import is_identifier
from roboracer_arena.usd.stage import open_fresh
from roboracer_arena.usd.values import bound_physics_material, numbers
from roboracer_arena.usd.winding import wall_fault

__all__ = ["Finding", "check_stage", "findings_of", "refuse_faulty"]

_EXTENT_TOLERANCE = 1e-4
"""How far an authored extent may be off [m]; single-precision steps at 1 km."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule."""

    rule: str
    """Stable name of the rule, such as ``wall-facing``."""
    prim: str
    """Path of the prim; ``/`` for the stage as a whole."""
    message: str
    """What is wrong, with the value and the limit."""

    def __str__(self) -> str:
        return f"{self.prim}: {self.message} [{self.rule}]"


def check_stage(path: Path) -> tuple[Finding, ...]:
    """Check a stage file.

    Returns:
        All broken rules; empty for a sound stage.

    Raises:
        StageError: The file is no USD stage.
    """
    return findings_of(open_fresh(path), path.parent)


def findings_of(stage: Usd.Stage, folder: Path | None) -> tuple[Finding, ...]:
    """Check an open stage.

    Args:
        stage: Stage to check.
        folder: Folder that asset paths are relative to; None if they are not written yet.
    """
    prims = list(stage.TraverseAll())
    found = list(_check_stage_metadata(stage, prims))
    for prim in prims:
        found += _check_prim(prim)
    found += _check_assets(stage, prims, folder)
    return tuple(found)


def refuse_faulty(findings: Iterable[Finding], where: str) -> None:
    """Raise for the findings, if there are any.

    Raises:
        ValidationError: There is at least one.
    """
    texts = [str(finding) for finding in findings]
    if texts:
        more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
        raise ValidationError(f"the stage fails its checks: {texts[0]}{more}", where=where)


def _check_stage_metadata(stage: Usd.Stage, prims: list[Usd.Prim]) -> Iterator[Finding]:
    """Check units, the default prim and the number of physics scenes."""
    if not UsdGeom.StageHasAuthoredMetersPerUnit(stage):
        yield Finding("units", "/", "metersPerUnit is not authored")
    elif UsdGeom.GetStageMetersPerUnit(stage) != 1.0:
        metres = UsdGeom.GetStageMetersPerUnit(stage)
        yield Finding("units", "/", f"metersPerUnit is {metres:g}, not 1")
    if UsdPhysics.GetStageKilogramsPerUnit(stage) != 1.0:
        yield Finding("units", "/", "kilogramsPerUnit is not 1")
    if UsdGeom.GetStageUpAxis(stage) != UsdGeom.Tokens.z:
        yield Finding("up-axis", "/", "upAxis is not Z")
    if not stage.GetDefaultPrim():
        yield Finding("default-prim", "/", "there is no default prim")
    scenes = sum(prim.IsA(UsdPhysics.Scene) for prim in prims)
    if scenes != 1:
        yield Finding("physics-scene", "/", f"there are {scenes} physics scenes, not 1")


def _check_prim(prim: Usd.Prim) -> Iterator[Finding]:
    """Check one prim: its name, its geometry and its physics."""
    path = str(prim.GetPath())
    if not is_identifier(prim.GetName()):
        yield Finding("name", path, "the name is no plain identifier")
    collider = prim.HasAPI(UsdPhysics.CollisionAPI)
    if prim.IsA(UsdGeom.Mesh):
        yield from _check_mesh(prim)
    if collider and bound_physics_material(prim) is None:
        yield Finding("physics-material", path, "the collider has no physics material")
    if collider and prim.IsA(UsdGeom.Mesh):
        yield from _check_mesh_collider(prim)
    if prim.HasAPI(UsdPhysics.RigidBodyAPI):
        yield from _check_body(prim)


def _check_mesh(prim: Usd.Prim) -> Iterator[Finding]:
    """Check the topology, the points, the extent and the normals of a mesh."""
    path = str(prim.GetPath())
    mesh = UsdGeom.Mesh(prim)
    points = numbers(mesh.GetPointsAttr(), np.float64).reshape(-1, 3)
    counts = numbers(mesh.GetFaceVertexCountsAttr(), np.int64)
    indices = numbers(mesh.GetFaceVertexIndicesAttr(), np.int64)
    if len(points) == 0 or len(counts) == 0:
        yield Finding("empty", path, "the mesh has no points or no faces")
        return
    if not np.isfinite(points).all():
        yield Finding("finite", path, "a point is not finite")
        return
    if np.any(counts != 3) or len(indices) != 3 * len(counts):
        yield Finding("triangles", path, "the faces are not all triangles")
        return
    if indices.min() < 0 or indices.max() >= len(points):
        yield Finding(
            "index-range", path, f"face indices reach {indices.max()} of {len(points)} points"
        )
        return
    yield from _check_triangles(path, points, indices.reshape(-1, 3))
    yield from _check_mesh_attributes(mesh, points, len(counts))
    if path.startswith("/Track/Walls/"):
        kind = prim.GetName().split("_")[0].lower()
        if kind in get_args(WallKind):
            fault = wall_fault(points, indices.reshape(-1, 3), kind)
            if fault:
                yield Finding("wall-facing", path, f"the wall {fault}")
        else:
            yield Finding("wall-name", path, "is neither Outer, Infield_* nor Obstacle_*")


def _check_triangles(
    path: str, points: NDArray[np.float64], triangles: NDArray[np.int64]
) -> Iterator[Finding]:
    """Check for repeated corners and for triangles without area."""
    a, b, c = triangles.T
    if np.any((a == b) | (b == c) | (c == a)):
        yield Finding("repeated-vertex", path, "a triangle uses a point twice")
    corners = points[triangles]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(cross, axis=1) / 2.0
    smallest = int(np.argmin(areas))
    if areas[smallest] < MIN_TRIANGLE_AREA:
        yield Finding(
            "triangle-area",
            path,
            f"triangle {smallest} has {areas[smallest]:.3g} m²; "
            f"at least {MIN_TRIANGLE_AREA:g} m² is needed",
        )


def _check_mesh_attributes(
    mesh: UsdGeom.Mesh, points: NDArray[np.float64], faces: int
) -> Iterator[Finding]:
    """Check extent, subdivision scheme and normals."""
    path = str(mesh.GetPath())
    extent = numbers(mesh.GetExtentAttr(), np.float64)
    box = np.stack([points.min(axis=0), points.max(axis=0)])
    if extent.shape != box.shape or np.abs(extent - box).max() > _EXTENT_TOLERANCE:
        yield Finding("extent", path, "the authored extent is not the bounding box of the points")
    if mesh.GetSubdivisionSchemeAttr().Get() != UsdGeom.Tokens.none:
        yield Finding("subdivision", path, "subdivisionScheme is not none")
    normals = numbers(mesh.GetNormalsAttr(), np.float64)
    sizes = {
        UsdGeom.Tokens.uniform: faces,
        UsdGeom.Tokens.vertex: len(points),
        UsdGeom.Tokens.varying: len(points),
        UsdGeom.Tokens.faceVarying: 3 * faces,
    }
    if len(normals) == 0 or len(normals) != sizes.get(mesh.GetNormalsInterpolation()):
        yield Finding("normals", path, f"has {len(normals)} normals")
    elif np.abs(np.linalg.norm(normals, axis=1) - 1.0).max() > 1e-3:
        yield Finding("normals", path, "a normal is not of unit length")


def _check_mesh_collider(prim: Usd.Prim) -> Iterator[Finding]:
    """Check that a mesh collides as it is, and only if it stands still."""
    path = str(prim.GetPath())
    approximation = UsdPhysics.MeshCollisionAPI(prim).GetApproximationAttr().Get()
    if not prim.HasAPI(UsdPhysics.MeshCollisionAPI) or approximation is None:
        yield Finding("approximation", path, "the mesh collider states no approximation")
    body = _body_of(prim)
    if body and approximation in (None, "none", "meshSimplification"):
        yield Finding(
            "dynamic-triangle-mesh",
            path,
            f"a triangle mesh collides as part of the moving body {body.GetPath()}",
        )
    if not body and approximation not in (None, "none"):
        yield Finding("approximation", path, f"the static mesh collides as '{approximation}'")


def _body_of(prim: Usd.Prim) -> Usd.Prim | None:
    """Return the dynamic rigid body that a collider belongs to, if any."""
    while prim and not prim.IsPseudoRoot():
        if prim.HasAPI(UsdPhysics.RigidBodyAPI):
            body = UsdPhysics.RigidBodyAPI(prim)
            return prim if body.GetRigidBodyEnabledAttr().Get() is not False else None
        prim = prim.GetParent()
    return None


def _check_body(prim: Usd.Prim) -> Iterator[Finding]:
    """Check that a rigid body has a mass and a collider."""
    path = str(prim.GetPath())
    mass = UsdPhysics.MassAPI(prim).GetMassAttr().Get() if prim.HasAPI(UsdPhysics.MassAPI) else 0
    if not mass or not np.isfinite(mass) or mass < 0.0:
        yield Finding("mass", path, "the rigid body has no mass")
    if not any(child.HasAPI(UsdPhysics.CollisionAPI) for child in Usd.PrimRange(prim)):
        yield Finding("body-collider", path, "the rigid body has no collider")


def _check_assets(
    stage: Usd.Stage, prims: list[Usd.Prim], folder: Path | None
) -> Iterator[Finding]:
    """Check that asset paths are relative, stay beside the stage, and lead to files."""
    for prim in prims:
        for attribute in prim.GetAttributes():
            if attribute.GetTypeName() != Sdf.ValueTypeNames.Asset or not attribute.HasValue():
                continue
            asset = attribute.Get().path
            path = str(attribute.GetPath())
            if not asset.startswith("./") or ".." in PurePosixPath(asset).parts:
                yield Finding("asset-path", path, f"'{asset}' is not below the stage's folder")
            elif folder is not None and not (folder / asset).is_file():
                yield Finding("asset-missing", path, f"'{asset}' does not exist")
