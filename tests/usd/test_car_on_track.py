"""Cars on a track, for pictures."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, Usd, UsdGeom

from roboracer_arena.errors import OutputExistsError, StageError, UsageError
from roboracer_arena.usd import place_cars, write_car, write_track
from roboracer_arena.usd.visuals import read_visuals
from roboracer_arena.vehicle import load_lidar, load_vehicle
from tests.usd import validity
from tests.usd.synthetic import ring_track


@pytest.fixture
def track(tmp_path: Path) -> Path:
    path = tmp_path / "track.usdc"
    write_track(path, ring_track())
    return path


def test_cars_stand_at_their_poses(track: Path, tmp_path: Path) -> None:
    car, scene = tmp_path / "car.usdc", tmp_path / "scene.usdc"
    write_car(car, load_vehicle(), load_lidar())
    poses = [[1.0, 2.0, 0.0], [-1.5, 0.5, math.pi / 2]]
    place_cars(scene, track, car, poses, steering=[0.0, 0.2])
    stage, cache = Usd.Stage.Open(str(scene)), UsdGeom.XformCache()
    for index, (x, y, heading) in enumerate(poses):
        prim = stage.GetPrimAtPath(f"/Track/Cars/car_{index}")
        matrix = cache.GetLocalToWorldTransform(prim)
        np.testing.assert_allclose(matrix.ExtractTranslation(), [x, y, 0.0], atol=1e-9)
        ahead = matrix.TransformDir(Gf.Vec3d(1, 0, 0))
        np.testing.assert_allclose(ahead[:2], [math.cos(heading), math.sin(heading)], atol=1e-9)
        assert prim.GetVariantSet("physics").GetVariantSelection() == "visual"
    wheel = stage.GetPrimAtPath("/Track/Cars/car_1/fl_wheel_link")
    ahead = cache.GetLocalToWorldTransform(wheel).TransformDir(Gf.Vec3d(1, 0, 0))
    turn = math.atan2(ahead[1], ahead[0]) - math.pi / 2
    assert 0.2 < turn < 0.24  # the inner wheel turns more than the middle one
    assert validity._usd_findings(scene) == []
    assert validity._asset_validator_findings(scene) == []


def test_scene_shows_the_track_and_the_cars_and_moves_with_its_parts(
    track: Path, tmp_path: Path
) -> None:
    place_cars(tmp_path / "scene.usdc", track, load_vehicle(), [[0.0, 0.0, 0.0]])
    alone = len(read_visuals(track).meshes)
    moved = tmp_path / "moved"
    moved.mkdir()
    for item in list(tmp_path.iterdir()):
        if item != moved:
            shutil.move(item, moved / item.name)
    seen = read_visuals(moved / "scene.usdc")
    assert seen.centerline is not None
    assert len(seen.meshes) > alone + 20
    assert seen.warnings == ()
    assert str(tmp_path).encode() not in (moved / "scene.usdc").read_bytes()


def test_a_track_in_another_folder_is_found(track: Path, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    scene = tmp_path / "pictures" / "scene.usda"
    place_cars(scene, track, load_vehicle(), [[0.0, 0.0, 0.0]], lidar=load_lidar())
    assert "@../track.usdc@" in scene.read_text()
    assert "@./scene_car.usdc@" in scene.read_text()
    assert read_visuals(scene).centerline is not None


def test_a_track_far_from_zero_keeps_its_cars(tmp_path: Path) -> None:
    content = ring_track()
    far = content.metadata.model_copy(update={"origin_x": 471234.5, "origin_y": 6543210.25})
    object.__setattr__(content, "metadata", far)
    write_track(tmp_path / "far.usdc", content)
    place_cars(
        tmp_path / "scene.usdc", tmp_path / "far.usdc", load_vehicle(), [[471236.0, 6543212.5, 0.0]]
    )
    stage = Usd.Stage.Open(str(tmp_path / "scene.usdc"))
    assert stage.GetPrimAtPath("/Track").GetAttribute("xformOp:translate").Get()[0] == 471234.0
    prim = stage.GetPrimAtPath("/Track/Cars/car_0")
    place = UsdGeom.XformCache().GetLocalToWorldTransform(prim).ExtractTranslation()
    assert tuple(place) == (471236.0, 6543212.5, 0.0)


def test_what_cannot_be_placed_is_refused(track: Path, tmp_path: Path) -> None:
    scene = tmp_path / "scene.usdc"
    with pytest.raises(UsageError, match="finite"):
        place_cars(scene, track, load_vehicle(), [[0.0, math.nan, 0.0]])
    with pytest.raises(UsageError, match="angles"):
        place_cars(scene, track, load_vehicle(), [[0.0, 0.0, 0.0]], steering=[0.1, 0.1])
    with pytest.raises(StageError, match="no car"):
        place_cars(scene, track, track, [[0.0, 0.0, 0.0]])
    write_car(tmp_path / "car.usdc", load_vehicle())
    with pytest.raises(StageError, match="/Track"):
        place_cars(scene, tmp_path / "car.usdc", tmp_path / "car.usdc", [[0.0, 0.0, 0.0]])
    assert not scene.exists()
    place_cars(scene, track, load_vehicle(), [[0.0, 0.0, 0.0]])
    with pytest.raises(OutputExistsError):
        place_cars(scene, track, load_vehicle(), [[0.0, 0.0, 0.0]])
