from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pxr import Sdf, Usd, UsdGeom, UsdPhysics, UsdShade, Vt

from roboracer_arena.errors import ValidationError
from roboracer_arena.usd import check_stage, write_track
from roboracer_arena.usd.checks import refuse_faulty
from tests.usd.synthetic import ring_track

WALL = "/Track/Walls/Outer"


def _mesh(stage: Usd.Stage, path: str = WALL) -> UsdGeom.Mesh:
    return UsdGeom.Mesh(stage.GetPrimAtPath(path))


def _faces(stage: Usd.Stage, change: Callable[[np.ndarray], np.ndarray]) -> None:
    attribute = _mesh(stage).GetFaceVertexIndicesAttr()
    faces = change(np.array(attribute.Get()).reshape(-1, 3))
    attribute.Set(Vt.IntArray.FromNumpy(np.ascontiguousarray(faces).ravel()))


def _set_index(value: int) -> Callable[[Usd.Stage], None]:
    def change(faces: np.ndarray) -> np.ndarray:
        faces[0, 0] = value
        return faces

    return lambda stage: _faces(stage, change)


def _repeat(stage: Usd.Stage) -> None:
    def change(faces: np.ndarray) -> np.ndarray:
        faces[0, 0] = faces[0, 1]
        return faces

    _faces(stage, change)


def _sliver(stage: Usd.Stage) -> None:
    attribute = _mesh(stage).GetPointsAttr()
    points = np.array(attribute.Get())
    points[1] = points[0] + np.array([1e-9, 0.0, 0.0])
    attribute.Set(Vt.Vec3fArray.FromNumpy(points))


def _nan(stage: Usd.Stage) -> None:
    attribute = _mesh(stage).GetPointsAttr()
    points = np.array(attribute.Get())
    points[0] = np.inf
    attribute.Set(Vt.Vec3fArray.FromNumpy(points))


def _body(stage: Usd.Stage, *, mass: bool, collider: bool) -> None:
    cube = UsdGeom.Cube.Define(stage, "/Track/Box").GetPrim()
    UsdPhysics.RigidBodyAPI.Apply(cube)
    if mass:
        UsdPhysics.MassAPI.Apply(cube).CreateMassAttr(2.0)
    if collider:
        UsdPhysics.CollisionAPI.Apply(cube)
        material = UsdShade.Material(stage.GetPrimAtPath("/Track/PhysicsMaterials/Wall"))
        UsdShade.MaterialBindingAPI.Apply(cube).Bind(material, materialPurpose="physics")


def _dynamic_walls(stage: Usd.Stage) -> None:
    walls = stage.GetPrimAtPath("/Track/Walls")
    UsdPhysics.RigidBodyAPI.Apply(walls)
    UsdPhysics.MassAPI.Apply(walls).CreateMassAttr(2.0)


def _asset(path: str) -> Callable[[Usd.Stage], None]:
    def change(stage: Usd.Stage) -> None:
        shader = UsdShade.Shader(stage.GetPrimAtPath("/Track/Looks/Floor/Texture"))
        shader.GetInput("file").Set(Sdf.AssetPath(path))

    return change


FAULTS: list[tuple[str, Callable[[Usd.Stage], object]]] = [
    ("units", lambda s: UsdGeom.SetStageMetersPerUnit(s, 0.01)),
    ("units", lambda s: s.ClearMetadata("metersPerUnit")),
    ("units", lambda s: UsdPhysics.SetStageKilogramsPerUnit(s, 0.001)),
    ("up-axis", lambda s: UsdGeom.SetStageUpAxis(s, "Y")),
    ("default-prim", lambda s: s.ClearDefaultPrim()),
    ("physics-scene", lambda s: s.RemovePrim("/Track/PhysicsScene")),
    ("physics-scene", lambda s: UsdPhysics.Scene.Define(s, "/Other")),
    ("name", lambda s: UsdGeom.Scope.Define(s, "/Track/übung")),
    ("physics-material", lambda s: s.RemovePrim("/Track/PhysicsMaterials/Wall")),
    ("dynamic-triangle-mesh", _dynamic_walls),
    ("approximation", lambda s: _mesh(s).GetPrim().RemoveAPI(UsdPhysics.MeshCollisionAPI)),
    (
        "approximation",
        lambda s: UsdPhysics.MeshCollisionAPI(_mesh(s)).GetApproximationAttr().Set("convexHull"),
    ),
    ("mass", lambda s: _body(s, mass=False, collider=True)),
    ("body-collider", lambda s: _body(s, mass=True, collider=False)),
    ("index-range", _set_index(10_000)),
    ("index-range", _set_index(-1)),
    ("repeated-vertex", _repeat),
    ("triangle-area", _sliver),
    ("finite", _nan),
    ("triangles", lambda s: _mesh(s).GetFaceVertexCountsAttr().Set(Vt.IntArray(96, 4))),
    ("empty", lambda s: _mesh(s).GetPointsAttr().Set(Vt.Vec3fArray())),
    ("wall-facing", lambda s: _faces(s, lambda faces: faces[:, ::-1])),
    ("wall-name", lambda s: UsdGeom.Mesh.Define(s, "/Track/Walls/Door")),
    ("extent", lambda s: _mesh(s).GetExtentAttr().Set(Vt.Vec3fArray(2))),
    ("subdivision", lambda s: _mesh(s).GetSubdivisionSchemeAttr().Set("catmullClark")),
    ("normals", lambda s: _mesh(s, "/Track/Floor").GetNormalsAttr().Clear()),
    ("asset-path", _asset("/etc/passwd")),
    ("asset-path", _asset("./../secret.png")),
    ("asset-path", _asset("https://example.org/floor.png")),
    ("asset-missing", _asset("./track_usdc_textures/none.png")),
]


@pytest.mark.parametrize(("rule", "change"), FAULTS)
def test_gate_notices(tmp_path: Path, rule: str, change: Callable[[Usd.Stage], object]) -> None:
    path = tmp_path / "track.usdc"
    write_track(path, ring_track())
    assert check_stage(path) == ()
    stage = Usd.Stage.Open(str(path))
    change(stage)
    if rule == "wall-name":  # a door needs a surface to get as far as its name
        door, wall = UsdGeom.Mesh(stage.GetPrimAtPath("/Track/Walls/Door")), _mesh(stage)
        for name in ("points", "faceVertexCounts", "faceVertexIndices"):
            value = wall.GetPrim().GetAttribute(name).Get()
            door.GetPrim().GetAttribute(name).Set(value)
    stage.Save()
    assert rule in {finding.rule for finding in check_stage(path)}


def test_body_with_mass_and_collider_passes(tmp_path: Path) -> None:
    path = tmp_path / "track.usdc"
    write_track(path, ring_track())
    stage = Usd.Stage.Open(str(path))
    _body(stage, mass=True, collider=True)
    stage.Save()
    assert check_stage(path) == ()


def test_faulty_track_is_not_delivered(tmp_path: Path) -> None:
    content = ring_track()
    mesh = content.walls[0].mesh
    object.__setattr__(mesh, "triangles", np.ascontiguousarray(mesh.triangles[:, ::-1]))
    with pytest.raises(ValidationError, match="faces away from the corridor") as caught:
        write_track(tmp_path / "track.usdc", content)
    assert caught.value.where == str(tmp_path / "track.usdc")
    assert list(tmp_path.iterdir()) == []


def test_no_findings_raise_nothing() -> None:
    refuse_faulty((), "track.usdc")
