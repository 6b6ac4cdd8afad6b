"""The collected trouble cases that concern the stage."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdPhysics

from roboracer_arena.build import build_track
from roboracer_arena.usd import read_track
from tests.usd.drops import BallScene
from tests.usd.slices import cast, slice_at, world_triangles
from tests.usd.validity import assert_valid_stage

pytestmark = pytest.mark.shared
needs_physx = pytest.mark.skipif(find_spec("sapien") is None, reason="sapien is not installed")


@pytest.fixture
def case(shared_dir: Path, request: pytest.FixtureRequest) -> tuple[Path, dict[str, Any]]:
    """Folder and expectations of the case that the test names."""
    folder = next((shared_dir / "cases").glob(f"{request.param}-*"))
    return folder, json.loads((folder / "expected.json").read_text())


def _built(case: tuple[Path, dict[str, Any]], output: Path) -> Path:
    path = output / "track.usdc"
    build_track(case[0] / "map.yaml", path)
    assert_valid_stage(path)
    return path


def _points(values: list[list[float]]) -> np.ndarray:
    return np.array(values, dtype=float)


def _inside(segments: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether points lie within the walls, by crossings of a ray to the right."""
    result = []
    for x, y in points:
        (x0, y0), (x1, y1) = segments[:, 0].T, segments[:, 1].T
        crosses = (y0 > y) != (y1 > y)
        at = x0 + (y - y0) / np.where(crosses, y1 - y0, 1.0) * (x1 - x0)
        result.append(np.count_nonzero(crosses & (at > x)) % 2 == 1)
    return np.array(result)


@needs_physx
@pytest.mark.parametrize("case", ["d01"], indirect=True)
def test_ball_dropped_on_the_track_lands_on_the_floor(case: Any, tmp_path: Path) -> None:
    path = _built(case, tmp_path)
    stage = Usd.Stage.Open(str(path))
    for wall in stage.GetPrimAtPath("/Track/Walls").GetChildren():
        approximation = UsdPhysics.MeshCollisionAPI(wall).GetApproximationAttr().Get()
        assert approximation in case[1]["usd"]["wall_approximation_in"]
        assert not wall.HasAPI(UsdPhysics.RigidBodyAPI)
    drop = case[1]["drop_test"]
    scene = BallScene(read_track(path), 0.005)
    places = _points(drop["points"])
    balls = [scene.add_ball((x, y, 0.3), radius=drop["radius_m"], mass=1.0) for x, y in places]
    end = scene.run(balls, 2.0)[-1]
    low, high = drop["rest_z_m"]
    assert ((end[:, 2] >= low) & (end[:, 2] <= high)).all()
    drift = np.linalg.norm(end[:, :2] - places, axis=1)
    assert drift.max() <= drop["lateral_drift_m_max"]


@pytest.mark.parametrize("case", ["d02"], indirect=True)
def test_stage_is_in_metres_and_as_large_as_the_map(case: Any, tmp_path: Path) -> None:
    path = _built(case, tmp_path)
    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.StageHasAuthoredMetersPerUnit(stage)
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    corners = world_triangles(path).reshape(-1, 3)
    box = case[1]["usd"]["wall_bbox_m"]
    for axis, name in enumerate("xy"):
        assert corners[:, axis].min() == pytest.approx(box[name][0], abs=box["tol"])
        assert corners[:, axis].max() == pytest.approx(box[name][1], abs=box["tol"])


@pytest.mark.parametrize("case", ["d04"], indirect=True)
def test_ray_casts_see_the_same_with_back_faces_culled(case: Any, tmp_path: Path) -> None:
    triangles = world_triangles(_built(case, tmp_path))
    rays = case[1]["rays"]
    for x, y in rays["origins"]:
        for angle in np.radians(rays["angles_deg"]):
            origin = np.array([x, y, rays["z_m"]])
            direction = np.array([np.cos(angle), np.sin(angle), 0.0])
            seen = cast(triangles, origin, direction, cull=True)
            there = cast(triangles, origin, direction, cull=False)
            assert np.isfinite(seen)
            assert seen == pytest.approx(there, abs=rays["max_range_diff_m"])


@needs_physx
@pytest.mark.parametrize("case", ["d05"], indirect=True)
def test_ball_shot_at_the_wall_stays_inside(case: Any, tmp_path: Path) -> None:
    track = read_track(_built(case, tmp_path))
    shot = json.loads((case[0] / "shot.json").read_text())
    x, y = shot["start_xy"]
    for step in case[1]["repeat_dt"]:
        for planar in (False, True):
            scene = BallScene(track, step)
            ball = scene.add_ball(
                (x, y, shot["sphere_radius_m"]),
                radius=shot["sphere_radius_m"],
                mass=shot["mass_kg"],
                velocity=(*shot["velocity_mps"], 0.0),
                planar=planar,
            )
            path = scene.run([ball], shot["duration_s"])[:, 0]
            assert path[:, 0].max() <= case[1]["max_x_m"]
            walls = slice_at(world_triangles(track.path), shot["sphere_radius_m"])
            assert _inside(walls, path[:, :2]).all()


@pytest.mark.parametrize("case", ["d06"], indirect=True)
def test_names_that_start_with_a_digit(case: Any, tmp_path: Path) -> None:
    path = tmp_path / "track.usdc"
    build_track(case[0] / "2024_icra" / "map.yaml", path)
    assert_valid_stage(path)
    stage = Usd.Stage.Open(str(path))
    assert stage.GetDefaultPrim()
    assert stage.GetDefaultPrim().GetDisplayName() == "2024_icra"


@pytest.mark.parametrize("case", ["d08"], indirect=True)
def test_second_build_to_the_same_path_holds_the_second_track(case: Any, tmp_path: Path) -> None:
    path = tmp_path / "out.usd"
    build_track(case[0] / "A" / "map.yaml", path)
    held = Usd.Stage.Open(str(path))
    build_track(case[0] / "B" / "map.yaml", path, force=True)
    assert_valid_stage(path)
    low, high = case[1]["corridor_after"]["area_m2"]
    assert low <= read_track(path).metadata.area <= high
    area = held.GetDefaultPrim().GetCustomDataByKey("arena:area")
    assert low <= area <= high


@pytest.mark.parametrize("case", ["d12"], indirect=True)
def test_far_origin_keeps_its_shape_and_its_place(case: Any, tmp_path: Path) -> None:
    path = _built(case, tmp_path)
    expected = case[1]
    stage = Usd.Stage.Open(str(path))
    wall_points = []
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.PointBased):
            points = np.array(UsdGeom.PointBased(prim).GetPointsAttr().Get())
            assert np.abs(points).max() <= expected["usd"]["max_abs_point_m"]
            if str(prim.GetPath()).startswith("/Track/Walls"):
                wall_points.append(points[:, :2])
    distinct = np.unique(np.concatenate(wall_points), axis=0)
    assert len(distinct) >= expected["usd"]["min_distinct_wall_points"]
    segments = slice_at(world_triangles(path), 0.1)
    assert _inside(segments, _points(expected["world"]["drivable"])).all()
    assert not _inside(segments, _points(expected["world"]["not_drivable"])).any()
    metadata = read_track(path).metadata
    corridor = expected["corridor"]
    assert corridor["area_m2"][0] <= metadata.area <= corridor["area_m2"][1]
    assert metadata.lap_length is not None
    assert corridor["lap_length_m"][0] <= metadata.lap_length <= corridor["lap_length_m"][1]
    assert metadata.width_mean is not None
    assert corridor["mean_width_m"][0] <= metadata.width_mean <= corridor["mean_width_m"][1]


@pytest.mark.parametrize("case", ["d13"], indirect=True)
def test_no_triangle_is_degenerate(case: Any, tmp_path: Path) -> None:
    path = _built(case, tmp_path)
    stage = Usd.Stage.Open(str(path))
    least = case[1]["usd"]["min_triangle_area_m2"]
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            points = np.array(mesh.GetPointsAttr().Get(), dtype=float)
            counts = np.array(mesh.GetFaceVertexCountsAttr().Get())
            indices = np.array(mesh.GetFaceVertexIndicesAttr().Get())
            assert counts.sum() == len(indices)
            assert indices.min() >= 0
            assert indices.max() < len(points)
            a, b, c = points[indices.reshape(-1, 3)].transpose(1, 0, 2)
            assert (np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0).min() >= least
            faces = np.sort(indices.reshape(-1, 3), axis=1)
            assert (np.diff(faces, axis=1) > 0).all()
