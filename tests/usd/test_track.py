from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pxr import Sdf, Usd, UsdGeom, UsdPhysics, UsdShade

from roboracer_arena.errors import OutputError, OutputExistsError
from roboracer_arena.usd import LookSettings, StageSettings, read_track, write_track
from tests.usd.synthetic import circle, ring_track, tube

Validity = Callable[..., None]


def _written(folder: Path, **options: object) -> Path:
    path = folder / "track.usdc"
    write_track(path, ring_track(**options))  # type: ignore[arg-type]
    return path


@pytest.mark.parametrize("suffix", [".usdc", ".usd", ".usda", ".USDA"])
def test_stage_is_valid_in_every_format(
    tmp_path: Path, suffix: str, assert_valid_stage: Validity
) -> None:
    path = tmp_path / f"track{suffix}"
    write_track(path, ring_track(obstacle=True))
    assert_valid_stage(path)
    assert path.read_bytes()[:8] == (b"#usda 1." if suffix.lower() == ".usda" else b"PXR-USDC")


@pytest.mark.parametrize("far", [False, True])
def test_stage_passes_the_asset_validator(
    tmp_path: Path, far: bool, assert_valid_stage: Validity
) -> None:
    path = _written(tmp_path, origin_x=471234.5 if far else 0.0, obstacle=True)
    assert_valid_stage(path, asset_validator=True)


def test_layout_is_the_documented_one(tmp_path: Path) -> None:
    stage = Usd.Stage.Open(str(_written(tmp_path, obstacle=True)))
    root = stage.GetDefaultPrim()
    assert root.GetPath() == Sdf.Path("/Track")
    assert Usd.ModelAPI(root).GetKind() == "component"
    assert [child.GetName() for child in root.GetChildren()] == [
        "PhysicsScene",
        "Floor",
        "Walls",
        "Ducts",
        "Looks",
        "PhysicsMaterials",
        "Lights",
        "Centerline",
    ]
    walls = stage.GetPrimAtPath("/Track/Walls").GetChildren()
    assert [wall.GetName() for wall in walls] == ["Outer", "Infield_0", "Obstacle_0"]
    ducts = stage.GetPrimAtPath("/Track/Ducts").GetChildren()
    assert [duct.GetName() for duct in ducts] == ["Duct_0", "Duct_1", "Rings"]


def test_obstacles_are_seen_as_blocks_and_met_as_walls(
    tmp_path: Path, assert_valid_stage: Validity
) -> None:
    content = replace(ring_track(obstacle=True), blocks=(tube(circle(0.2, 8)),))
    path = tmp_path / "track.usdc"
    write_track(path, content)
    assert_valid_stage(path)
    stage = Usd.Stage.Open(str(path))
    block = stage.GetPrimAtPath("/Track/Obstacles/Block_0")
    material, _ = UsdShade.MaterialBindingAPI(block).ComputeBoundMaterial()
    assert material.GetPath() == Sdf.Path("/Track/Looks/Obstacle")
    assert not block.HasAPI(UsdPhysics.CollisionAPI)
    assert stage.GetPrimAtPath("/Track/Walls/Obstacle_0").HasAPI(UsdPhysics.CollisionAPI)


def test_units_are_metres_kilograms_and_z_up(tmp_path: Path) -> None:
    stage = Usd.Stage.Open(str(_written(tmp_path)))
    assert UsdGeom.StageHasAuthoredMetersPerUnit(stage)
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert UsdPhysics.GetStageKilogramsPerUnit(stage) == 1.0
    assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z


def test_walls_collide_as_they_are_and_are_not_drawn(tmp_path: Path) -> None:
    stage = Usd.Stage.Open(str(_written(tmp_path)))
    for wall in stage.GetPrimAtPath("/Track/Walls").GetChildren():
        assert UsdPhysics.MeshCollisionAPI(wall).GetApproximationAttr().Get() == "none"
        assert not wall.HasAPI(UsdPhysics.RigidBodyAPI)
        assert UsdGeom.Imageable(wall).ComputeVisibility() == UsdGeom.Tokens.invisible
        assert UsdGeom.Imageable(wall).GetPurposeAttr().Get() == UsdGeom.Tokens.guide
        assert UsdGeom.Mesh(wall).GetDoubleSidedAttr().Get() is False


def test_visible_surfaces_have_a_look_and_colliders_a_physics_material(tmp_path: Path) -> None:
    stage = Usd.Stage.Open(str(_written(tmp_path)))

    def bound(path: str, purpose: str) -> str:
        prim = stage.GetPrimAtPath(path)
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial(purpose)
        return str(material.GetPath())

    assert bound("/Track/Floor", "allPurpose") == "/Track/Looks/Floor"
    assert bound("/Track/Floor", "physics") == "/Track/PhysicsMaterials/Floor"
    assert bound("/Track/Walls/Outer", "physics") == "/Track/PhysicsMaterials/Wall"
    assert bound("/Track/Ducts/Duct_0", "allPurpose") == "/Track/Looks/Duct"
    assert bound("/Track/Ducts/Rings/Ring", "allPurpose") == "/Track/Looks/Ring"


def test_rings_stand_across_the_duct(tmp_path: Path) -> None:
    content = ring_track()
    path = tmp_path / "track.usdc"
    write_track(path, content)
    stage = Usd.Stage.Open(str(path))
    rings = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Track/Ducts/Rings"))
    orientations = rings.GetOrientationsAttr().Get()
    assert content.rings is not None
    assert len(orientations) == len(content.rings.headings)
    for quaternion, heading in zip(orientations, content.rings.headings, strict=True):
        yaw = 2.0 * np.arctan2(float(quaternion.imaginary[2]), float(quaternion.real))
        assert np.cos(yaw - heading) == pytest.approx(1.0, abs=1e-4)
        assert np.sin(yaw - heading) == pytest.approx(0.0, abs=2e-3)


def test_two_builds_give_the_same_bytes_in_one_process_and_in_two(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.usdc" for name in "ab"]
    for file in files:
        folder = tmp_path / file.stem
        folder.mkdir()
        write_track(folder / "track.usdc", ring_track())
    code = (
        "import sys; from pathlib import Path; from roboracer_arena.usd import write_track; "
        "from tests.usd.synthetic import ring_track; write_track(Path(sys.argv[1]), ring_track())"
    )
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-c", code, str(folder / "track.usdc")],
            check=True,
            cwd=Path(__file__).resolve().parents[2],
            env={"PYTHONHASHSEED": seed},
        )
    images = {
        tuple(
            (f.name, f.read_bytes())
            for f in sorted((tmp_path / n / "track_usdc_textures").iterdir())
        )
        for n in "ab12"
    }
    assert len({(tmp_path / name / "track.usdc").read_bytes() for name in "ab12"}) == 1
    assert len(images) == 1


def test_the_stage_names_neither_its_folder_nor_a_date(tmp_path: Path) -> None:
    path = tmp_path / "track.usda"
    write_track(path, ring_track())
    text = path.read_text()
    assert str(tmp_path) not in text
    assert "202" not in "".join(
        line for line in text.splitlines() if "(" not in line and "[" not in line
    )


def test_stage_and_textures_can_be_moved_together(
    tmp_path: Path, assert_valid_stage: Validity
) -> None:
    old, new = tmp_path / "old", tmp_path / "new place"
    old.mkdir()
    _written(old)
    old.rename(new)
    assert_valid_stage(new / "track.usdc", asset_validator=True)


def test_existing_file_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = _written(tmp_path)
    before = path.read_bytes()
    with pytest.raises(OutputExistsError):
        write_track(path, ring_track("Other"))
    assert path.read_bytes() == before
    write_track(path, ring_track("Other"), force=True)
    assert read_track(path).name == "Other"


@pytest.mark.parametrize("name", ["track.obj", "track", "track.usdz", "track.usdc.gz"])
def test_other_suffixes_are_refused_by_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match=r"use \.usdc"):
        write_track(tmp_path / name, ring_track())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a\\b.usdc", "new\nline.usdc", "\udcff.usdc"])
def test_names_that_usd_cannot_refer_to_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError):
        write_track(tmp_path / name, ring_track())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a b", "x[1]", "a@b", "50%", "日本", "-dash", "a.b", "a'b\"c"])
def test_any_other_file_name_works(tmp_path: Path, name: str, assert_valid_stage: Validity) -> None:
    path = tmp_path / f"{name}.usdc"
    write_track(path, ring_track())
    assert_valid_stage(path, asset_validator=True)


def test_second_build_replaces_a_stage_that_is_still_open(tmp_path: Path) -> None:
    path = _written(tmp_path)
    (tmp_path / "other").symlink_to(tmp_path)
    held = Usd.Stage.Open(str(tmp_path / "other" / "track.usdc"))  # by another way to it
    direct = Usd.Stage.Open(str(path))
    write_track(path, ring_track("Other", count=32), force=True)
    again = Usd.Stage.Open(str(path))
    assert direct.GetDefaultPrim().GetDisplayName() == "Other"
    assert again.GetDefaultPrim().GetDisplayName() == "Other"
    assert held.GetDefaultPrim().GetDisplayName() == "Other"
    assert len(UsdGeom.Mesh(again.GetPrimAtPath("/Track/Walls/Outer")).GetPointsAttr().Get()) == 64


def test_interrupted_write_keeps_the_old_stage_and_its_textures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, assert_valid_stage: Validity
) -> None:
    path = _written(tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("roboracer_arena.usd.write.save_stage", interrupted)
    other = StageSettings(floor_look=LookSettings(colour="#ff0000"))
    with pytest.raises(KeyboardInterrupt):
        write_track(path, ring_track("Other"), other, force=True)
    with pytest.raises(KeyboardInterrupt):
        write_track(tmp_path / "new.usdc", ring_track("Other"), other)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "track.usdc",
        "track_usdc_textures",
    ]
    assert_valid_stage(path)


def test_replacing_a_stage_removes_the_textures_it_no_longer_uses(
    tmp_path: Path, assert_valid_stage: Validity
) -> None:
    path = _written(tmp_path)
    own = tmp_path / "track_usdc_textures" / "note.txt"
    own.write_text("mine")
    write_track(
        path, ring_track(), StageSettings(floor_look=LookSettings(texture="none")), force=True
    )
    names = sorted(file.name for file in own.parent.iterdir())
    assert [name.split("-")[0] for name in names] == ["duct", "note.txt"]
    assert_valid_stage(path)


def test_names_in_any_script_are_kept_for_display(
    tmp_path: Path, assert_valid_stage: Validity
) -> None:
    for index, name in enumerate(
        ["2024_icra", "1024_icra", "0c33", "27th-race", "Mexico City übung", "上海", "", "a\nb"]
    ):
        path = tmp_path / f"t{index}.usdc"
        write_track(path, ring_track(name))
        assert_valid_stage(path)
        assert read_track(path).name == name
    write_track(tmp_path / "odd.usdc", ring_track("a\0b\udcff"))
    assert read_track(tmp_path / "odd.usdc").name == "a\ufffdb\ufffd"


def test_far_map_is_anchored_and_stays_exact(tmp_path: Path, assert_valid_stage: Validity) -> None:
    near = read_track(_written(tmp_path))
    path = tmp_path / "far.usdc"
    write_track(path, ring_track(origin_x=471234.5, origin_y=6543210.25))
    assert_valid_stage(path, asset_validator=True)
    far = read_track(path)
    stage = Usd.Stage.Open(str(path))
    world = UsdGeom.XformCache().GetLocalToWorldTransform(stage.GetPrimAtPath("/Track/Floor"))
    assert tuple(world.ExtractTranslation()) == (*far.anchor, 0.0)
    for one, other in zip(near.walls, far.walls, strict=True):
        placed = other.mesh.points.astype(float)[:, :2] + np.array(far.anchor)
        shift = np.array([471234.5, 6543210.25])
        np.testing.assert_allclose(placed, one.mesh.points[:, :2] + shift, atol=1e-5)
        assert np.abs(other.mesh.points).max() < 100.0


def test_yaw_of_the_map_turns_geometry_normals_and_rings(
    tmp_path: Path, assert_valid_stage: Validity
) -> None:
    content = ring_track(origin_x=1.0, origin_y=-2.0, origin_yaw=0.7)
    path = tmp_path / "track.usdc"
    write_track(path, content)
    assert_valid_stage(path)
    track = read_track(path)
    assert track.centerline is not None
    assert content.centerline is not None
    cos, sin = np.cos(0.7), np.sin(0.7)
    turned = content.centerline.points @ np.array([[cos, sin], [-sin, cos]]) + [1.0, -2.0]
    np.testing.assert_allclose(track.centerline.points, turned, atol=1e-5)
    stage = Usd.Stage.Open(str(path))
    duct = UsdGeom.Mesh(stage.GetPrimAtPath("/Track/Ducts/Duct_0"))
    points = np.array(duct.GetPointsAttr().Get())
    normals = np.array(duct.GetNormalsAttr().Get())
    np.testing.assert_allclose(points[:, 2], 0.165 + 0.165 * normals[:, 2], atol=1e-5)
    tube_centre = points - 0.165 * normals
    radii = np.linalg.norm(tube_centre[:, :2] - track.centerline.points.mean(axis=0), axis=1)
    np.testing.assert_allclose(np.unique(np.round(radii, 3)), [3.165], atol=2e-3)


def test_link_to_a_stage_is_followed(tmp_path: Path, assert_valid_stage: Validity) -> None:
    (tmp_path / "real").mkdir()
    real = _written(tmp_path / "real")
    link = tmp_path / "link.usdc"
    link.symlink_to(real)
    write_track(link, ring_track("Other"), force=True)
    assert link.is_symlink()
    assert_valid_stage(real)
    assert read_track(link).name == "Other"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link.usdc", "real"]
