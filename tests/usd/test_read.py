from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, Usd, UsdGeom, Vt

from roboracer_arena.errors import StageError
from roboracer_arena.usd import (
    ContactSettings,
    SceneSettings,
    StageSettings,
    read_track,
    write_track,
)
from roboracer_arena.usd.read import Contact
from tests.usd.synthetic import ring_track

WALL = "/Track/Walls/Outer"


@pytest.fixture
def stage_file(tmp_path: Path) -> Path:
    path = tmp_path / "track.usdc"
    write_track(path, ring_track(obstacle=True))
    return path


def _edit(path: Path, change: Callable[[Usd.Stage], None]) -> None:
    stage = Usd.Stage.Open(str(path))
    change(stage)
    stage.Save()


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    content = ring_track("Änderung 赛道", obstacle=True, settings_digest="abc", origin_x=-3.0)
    settings = StageSettings(
        wall_contact=ContactSettings(
            static_friction=0.5,
            dynamic_friction=0.25,
            restitution=0.125,
            compliant_stiffness=4000.0,
            compliant_damping=30.0,
        ),
        scene=SceneSettings(gravity=1.5, steps_per_second=400),
    )
    path = tmp_path / "track.usdc"
    write_track(path, content, settings)
    track = read_track(path)
    assert track.metadata == content.metadata
    assert track.wall_contact == Contact(0.5, 0.25, 0.125, 4000.0, 30.0)
    assert track.floor_contact.static_friction == pytest.approx(0.83)
    assert (track.gravity, track.steps_per_second) == (1.5, 400)
    assert [piece.kind for piece in track.walls] == ["outer", "infield", "obstacle"]
    for piece, written in zip(track.walls, content.walls, strict=True):
        np.testing.assert_array_equal(piece.mesh.triangles, written.mesh.triangles)
        shifted = written.mesh.points + np.array([-3.0, 0.0, 0.0], dtype=np.float32)
        np.testing.assert_allclose(piece.mesh.points, shifted, atol=1e-6)
    np.testing.assert_array_equal(track.floor.triangles, content.floor.triangles)
    assert track.centerline is not None
    np.testing.assert_allclose(track.centerline.width_left, 0.5)


def test_track_without_a_lap_has_no_centerline(tmp_path: Path) -> None:
    content = ring_track(lap_length=None)
    object.__setattr__(content, "centerline", None)
    path = tmp_path / "track.usdc"
    write_track(path, content)
    track = read_track(path)
    assert track.centerline is None
    assert track.metadata.lap_length is None


def test_reading_sees_the_file_as_it_is_now(stage_file: Path) -> None:
    held = Usd.Stage.Open(str(stage_file))
    content = stage_file.read_bytes()
    write_track(stage_file, ring_track("Other"), force=True)
    other = stage_file.read_bytes()
    stage_file.unlink()
    stage_file.write_bytes(content)  # behind the back of the process that holds it open
    assert read_track(stage_file).name == "Synthetic ring"
    stage_file.unlink()
    stage_file.write_bytes(other)
    assert read_track(stage_file).name == "Other"
    assert held


def test_translated_wall_prim_is_read_where_it_stands(stage_file: Path) -> None:
    before = read_track(stage_file).walls[0].mesh.points
    _edit(
        stage_file,
        lambda stage: (
            UsdGeom.Xformable(stage.GetPrimAtPath(WALL))
            .AddTranslateOp()
            .Set(Gf.Vec3d(0.25, 0.0, 0.0))
        ),
    )
    after = read_track(stage_file).walls[0].mesh.points
    np.testing.assert_allclose(after, before + np.array([0.25, 0.0, 0.0]), atol=1e-6)


def _flip_all(stage: Usd.Stage) -> None:
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(WALL))
    faces = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)[:, ::-1]
    mesh.GetFaceVertexIndicesAttr().Set(Vt.IntArray.FromNumpy(faces.ravel()))


def _flip_one(stage: Usd.Stage) -> None:
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(WALL))
    faces = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    faces[5] = faces[5, ::-1]
    mesh.GetFaceVertexIndicesAttr().Set(Vt.IntArray.FromNumpy(faces.ravel()))


def _open_gap(stage: Usd.Stage) -> None:
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(WALL))
    faces = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    mesh.GetFaceVertexIndicesAttr().Set(Vt.IntArray.FromNumpy(faces[1:].ravel()))
    mesh.GetFaceVertexCountsAttr().Set(Vt.IntArray(len(faces) - 1, 3))


def _not_finite(stage: Usd.Stage) -> None:
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(WALL))
    points = np.array(mesh.GetPointsAttr().Get())
    points[3, 1] = np.nan
    mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(points))


def _index_out_of_range(stage: Usd.Stage) -> None:
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(WALL))
    faces = np.array(mesh.GetFaceVertexIndicesAttr().Get())
    faces[0] = 100_000
    mesh.GetFaceVertexIndicesAttr().Set(Vt.IntArray.FromNumpy(faces))


def _quads(stage: Usd.Stage) -> None:
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(WALL))
    mesh.GetFaceVertexCountsAttr().Set(Vt.IntArray(96, 4))


def _newer_layout(stage: Usd.Stage) -> None:
    stage.GetPrimAtPath("/Track").SetCustomDataByKey("arena:version", 99)


def _no_data(stage: Usd.Stage) -> None:
    stage.GetPrimAtPath("/Track").ClearCustomData()


def _bad_resolution(stage: Usd.Stage) -> None:
    stage.GetPrimAtPath("/Track").SetCustomDataByKey("arena:resolution", -1.0)


def _turned(stage: Usd.Stage) -> None:
    UsdGeom.Xformable(stage.GetPrimAtPath("/Track")).AddRotateZOp().Set(10.0)


def _short_widths(stage: Usd.Stage) -> None:
    line = UsdGeom.PrimvarsAPI(stage.GetPrimAtPath("/Track/Centerline"))
    line.GetPrimvar("widthLeft").BlockIndices()
    line.GetPrimvar("widthLeft").Set(Vt.FloatArray(3, 0.5))


@pytest.mark.parametrize(
    ("change", "message", "prim"),
    [
        (_flip_all, "faces away from the corridor", WALL),
        (_flip_one, "face opposite ways", WALL),
        (_open_gap, "is open at", WALL),
        (_not_finite, "not finite", WALL),
        (_index_out_of_range, "out of range", WALL),
        (_quads, "no triangles", WALL),
        (_newer_layout, "layout version 99", "/Track"),
        (_no_data, "no Arena track data", "/Track"),
        (_bad_resolution, "arena:resolution", "/Track"),
        (_turned, "only x and y may be moved", "/Track"),
        (_short_widths, "widthLeft", "/Track/Centerline"),
        (lambda stage: stage.RemovePrim(WALL), "exactly one outer wall", "Walls"),
        (lambda stage: stage.RemovePrim("/Track/Floor"), "is missing", "/Track/Floor"),
        (lambda stage: stage.RemovePrim("/Track/PhysicsMaterials"), "no physics material", WALL),
        (lambda stage: stage.RemovePrim("/Track"), "has no /Track prim", ""),
        (lambda stage: UsdGeom.SetStageMetersPerUnit(stage, 0.01), "metersPerUnit 0.01", ""),
        (lambda stage: stage.ClearMetadata("metersPerUnit"), "does not state", ""),
        (lambda stage: UsdGeom.SetStageUpAxis(stage, "Y"), "upAxis Y", ""),
    ],
)
def test_stage_that_must_not_be_simulated_is_refused_by_name(
    stage_file: Path, change: Callable[[Usd.Stage], None], message: str, prim: str
) -> None:
    _edit(stage_file, change)
    with pytest.raises(StageError) as caught:
        read_track(stage_file)
    assert message in caught.value.message
    assert caught.value.where == f"{stage_file}:{prim}".rstrip(":")


@pytest.mark.parametrize("keep", [0, 8, 88, 5000, -10])
def test_truncated_file_is_refused(stage_file: Path, keep: int) -> None:
    stage_file.write_bytes(stage_file.read_bytes()[:keep])
    with pytest.raises(StageError, match="damaged"):
        read_track(stage_file)


def test_missing_file_folder_and_foreign_file_are_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "map.usdc"
    foreign.write_bytes(b"P5 3 3 255 " + bytes(9))
    for path in (tmp_path / "none.usdc", tmp_path, foreign):
        with pytest.raises(StageError) as caught:
            read_track(path)
        assert caught.value.where == str(path)
