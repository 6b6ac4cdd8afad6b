"""The car asset: what is in it, in each kind of its physics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade

from roboracer_arena.errors import (
    OutputError,
    OutputExistsError,
    SettingsError,
    ValidationError,
)
from roboracer_arena.sim.car.fleet import Fleet
from roboracer_arena.usd import check_car, write_car
from roboracer_arena.usd.car_checks import car_findings
from roboracer_arena.usd.car_parts import chassis_parts, wheel_parts
from roboracer_arena.usd.checks import refuse_faulty
from roboracer_arena.usd.values import bound_physics_material
from roboracer_arena.vehicle import (
    VehicleParameters,
    load_lidar,
    load_vehicle,
    wheel_angles,
)
from tests.mesh.measurements import measure_mesh
from tests.usd import validity

VARIANTS = ("articulation", "proxy", "visual")
SMALL = {
    "chassis.wheelbase": 0.257,
    "com_to_front": 0.13,
    "com_to_rear": 0.127,
    "track_width": 0.16,
    "wheel_radius": 0.032,
    "wheel_inertia": 2e-5,
    "chassis.mass": 1.8,
    "yaw_inertia": 0.02,
    "pitch_inertia": 0.017,
    "roll_inertia": 0.006,
    "body.length": 0.42,
    "body.width": 0.19,
    "body.clearance": 0.012,
    "body.center_ahead": 0.1285,
    "com_height": 0.04,
}
"""A touring car at 1:10, about two thirds of the standard one."""


@pytest.fixture
def car(tmp_path: Path) -> Path:
    path = tmp_path / "car.usdc"
    write_car(path, load_vehicle(), load_lidar())
    return path


_OPEN: list[Usd.Stage] = []
"""Stages of the running test: a prim lives as long as its stage."""


@pytest.fixture(autouse=True)
def _close_stages() -> Iterator[None]:
    yield
    _OPEN.clear()


def opened(path: Path, variant: str = "articulation") -> Usd.Stage:
    stage = Usd.Stage.Open(str(path))
    with Usd.EditContext(stage, stage.GetSessionLayer()):
        stage.GetDefaultPrim().GetVariantSet("physics").SetVariantSelection(variant)
    _OPEN.append(stage)
    return stage


def bodies(stage: Usd.Stage) -> list[Usd.Prim]:
    return [prim for prim in stage.Traverse() if prim.HasAPI(UsdPhysics.RigidBodyAPI)]


def whole(stage: Usd.Stage) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass and inertia about it of all bodies together, base_link frame."""
    cache, parts = UsdGeom.XformCache(), []
    for prim in bodies(stage):
        api = UsdPhysics.MassAPI(prim)
        place = cache.GetLocalToWorldTransform(prim)
        center = np.array(place.Transform(Gf.Vec3d(api.GetCenterOfMassAttr().Get())))
        turn = Gf.Matrix3d(Gf.Rotation(Gf.Quatd(api.GetPrincipalAxesAttr().Get())))
        axes = np.array(turn * place.ExtractRotationMatrix()).T
        inertia = axes @ np.diag(np.array(api.GetDiagonalInertiaAttr().Get())) @ axes.T
        parts.append((api.GetMassAttr().Get(), center, inertia))
    mass = sum(part[0] for part in parts)
    middle = sum(part[0] * part[1] for part in parts) / mass
    total = np.zeros((3, 3))
    for own, center, inertia in parts:
        offset = center - middle
        total += inertia + own * (offset @ offset * np.eye(3) - np.outer(offset, offset))
    return mass, middle, total


@pytest.mark.parametrize("lidar", [True, False])
@pytest.mark.parametrize("overrides", [{}, SMALL])
def test_car_passes_every_gate(tmp_path: Path, lidar: bool, overrides: dict[str, float]) -> None:
    path = tmp_path / "car.usdc"
    write_car(path, load_vehicle(None, overrides), load_lidar() if lidar else None)
    assert check_car(path) == ()
    for variant in VARIANTS:
        flat = tmp_path / f"{variant}.usdc"
        assert opened(path, variant).Flatten().Export(str(flat))
        assert validity._usd_findings(flat) == []
        if lidar:
            assert validity._asset_validator_findings(flat) == []
    assert validity._asset_validator_findings(path) == []


@pytest.mark.parametrize("variant", ["articulation", "proxy"])
@pytest.mark.parametrize("overrides", [{}, SMALL, {"com_height": 0.1, "roll_inertia": 0.05}])
def test_bodies_together_are_the_car_of_the_parameters(
    tmp_path: Path, variant: str, overrides: dict[str, float]
) -> None:
    vehicle = load_vehicle(None, overrides)
    write_car(tmp_path / "car.usdc", vehicle)
    chassis = vehicle.chassis
    mass, center, inertia = whole(opened(tmp_path / "car.usdc", variant))
    assert mass == pytest.approx(chassis.mass, rel=1e-6)
    np.testing.assert_allclose(center, [chassis.com_to_rear, 0.0, chassis.com_height], atol=1e-6)
    moments = [chassis.roll_inertia, chassis.pitch_inertia, chassis.yaw_inertia]
    np.testing.assert_allclose(inertia, np.diag(moments), atol=1e-6)


@pytest.mark.parametrize("variant", ["articulation", "proxy"])
def test_body_box_is_that_of_the_embedded_engine(car: Path, variant: str) -> None:
    model = Fleet.of(load_vehicle()).body()
    stage = opened(car, variant)
    prim = stage.GetPrimAtPath("/Car/base_link/collision")
    matrix = UsdGeom.XformCache().GetLocalToWorldTransform(prim)
    com = np.array([load_vehicle().chassis.com_to_rear, 0.0, load_vehicle().chassis.com_height])
    np.testing.assert_allclose(
        np.array(matrix.ExtractTranslation()) - com, model.box_center[0], atol=1e-6
    )
    np.testing.assert_allclose(0.5 * np.diag(np.array(matrix))[:3], model.half_extents, atol=1e-6)
    material = bound_physics_material(prim)
    assert material.GetDynamicFrictionAttr().Get() == pytest.approx(model.friction)
    assert material.GetStaticFrictionAttr().Get() == pytest.approx(model.friction)
    assert material.GetRestitutionAttr().Get() == pytest.approx(model.restitution)


def test_proxy_is_one_body_with_one_box(car: Path) -> None:
    stage, model = opened(car, "proxy"), Fleet.of(load_vehicle()).body()
    assert [str(prim.GetPath()) for prim in bodies(stage)] == ["/Car"]
    colliders = [p for p in stage.Traverse() if p.HasAPI(UsdPhysics.CollisionAPI)]
    assert [str(prim.GetPath()) for prim in colliders] == ["/Car/base_link/collision"]
    api = UsdPhysics.MassAPI(stage.GetPrimAtPath("/Car"))
    np.testing.assert_allclose(api.GetDiagonalInertiaAttr().Get(), model.inertia[0], rtol=1e-6)


def test_visual_has_no_physics(car: Path) -> None:
    for prim in opened(car, "visual").Traverse():
        assert not [
            api for api in prim.GetPrimTypeInfo().GetAppliedAPISchemas() if api.startswith("Phys")
        ], prim
        assert not prim.IsA(UsdPhysics.Joint)


def test_articulation_is_the_default_and_has_the_joints_that_controllers_look_for(
    car: Path,
) -> None:
    stage = Usd.Stage.Open(str(car))
    assert stage.GetDefaultPrim().GetVariantSet("physics").GetVariantSelection() == "articulation"
    assert stage.GetDefaultPrim().HasAPI(UsdPhysics.ArticulationRootAPI)
    joints = {p.GetName(): p for p in stage.Traverse() if p.IsA(UsdPhysics.RevoluteJoint)}
    assert sorted(joints) == [
        "fl_steer",
        "fl_wheel",
        "fr_steer",
        "fr_wheel",
        "rl_wheel",
        "rr_wheel",
    ]
    cache = UsdGeom.XformCache()
    chassis = load_vehicle().chassis
    for name, prim in joints.items():
        joint = UsdPhysics.RevoluteJoint(prim)
        assert joint.GetAxisAttr().Get() == ("Z" if name.endswith("steer") else "Y")
        ends = []
        for relation, place in (
            (joint.GetBody0Rel(), joint.GetLocalPos0Attr()),
            (joint.GetBody1Rel(), joint.GetLocalPos1Attr()),
        ):
            body = stage.GetPrimAtPath(relation.GetTargets()[0])
            matrix = cache.GetLocalToWorldTransform(body)
            ends.append(np.array(matrix.Transform(Gf.Vec3d(place.Get()))))
        np.testing.assert_allclose(ends[0], ends[1], atol=1e-6)
        ahead = chassis.wheelbase if name[0] == "f" else 0.0
        side = (0.5 if name[1] == "l" else -0.5) * chassis.track_width
        np.testing.assert_allclose(ends[0], [ahead, side, chassis.wheel_radius], atol=1e-6)


def test_steering_reaches_the_inner_wheel_at_full_lock_and_no_further(car: Path) -> None:
    chassis = load_vehicle().chassis
    inner, _ = wheel_angles(chassis.max_steering, chassis.wheelbase, chassis.track_width)
    for name in ("fl_steer", "fr_steer"):
        joint = UsdPhysics.RevoluteJoint(opened(car).GetPrimAtPath(f"/Car/Joints/{name}"))
        assert joint.GetUpperLimitAttr().Get() == pytest.approx(math.degrees(inner), rel=1e-6)
        assert joint.GetLowerLimitAttr().Get() == pytest.approx(-math.degrees(inner), rel=1e-6)


def test_drives_follow_servo_and_motor(car: Path) -> None:
    vehicle, stage = load_vehicle(), opened(car)
    train, motor = vehicle.chassis.drivetrain, vehicle.deployment.motor
    full = motor.current_limit * train.torque_constant * train.gear_ratio * train.efficiency
    total = 0.0
    for prim in stage.GetPrimAtPath("/Car/Joints").GetChildren():
        drive = UsdPhysics.DriveAPI(prim, "angular")
        assert drive.GetTypeAttr().Get() == "force"
        stiffness = drive.GetStiffnessAttr().Get()
        assert 0.0 <= stiffness < 1e6
        assert (stiffness > 0.0) == prim.GetName().endswith("steer")
        assert drive.GetDampingAttr().Get() > 0.0
        assert "PhysicsJointStateAPI:angular" in prim.GetPrimTypeInfo().GetAppliedAPISchemas()
        if prim.GetName().endswith("wheel"):
            total += drive.GetMaxForceAttr().Get()
    assert total == pytest.approx(full, rel=1e-6)


def test_what_engines_call_differently_is_written_under_both_names(car: Path) -> None:
    for prim in opened(car).GetPrimAtPath("/Car/Joints").GetChildren():
        for name in ("maxJointVelocity", "armature"):
            old = prim.GetAttribute(f"physxJoint:{name}").Get()
            assert old == prim.GetAttribute(f"physxJointAxis:angular:{name}").Get()
            assert old is not None
        rate = load_vehicle().deployment.steering.rate
        if prim.GetName().endswith("steer"):
            limit = prim.GetAttribute("physxJoint:maxJointVelocity").Get()
            assert limit == pytest.approx(math.degrees(rate), rel=1e-6)


def test_links_of_one_car_do_not_collide(car: Path) -> None:
    stage = opened(car)
    pairs = UsdPhysics.FilteredPairsAPI(stage.GetPrimAtPath("/Car/base_link"))
    others = {prim.GetPath() for prim in bodies(stage)} - {Sdf.Path("/Car/base_link")}
    assert set(pairs.GetFilteredPairsRel().GetTargets()) == others


def test_frames_are_where_ros_has_them(car: Path) -> None:
    stage, cache = opened(car), UsdGeom.XformCache()
    hardware = load_lidar().hardware
    base = cache.GetLocalToWorldTransform(stage.GetPrimAtPath("/Car/base_link"))
    assert base == Gf.Matrix4d(1.0)
    laser = cache.GetLocalToWorldTransform(stage.GetPrimAtPath("/Car/base_link/laser"))
    assert laser == Gf.Matrix4d(1.0).SetTranslate(
        Gf.Vec3d(hardware.mount_ahead, 0.0, hardware.mount_height)
    )


def test_a_car_without_lidar_has_no_laser(tmp_path: Path) -> None:
    write_car(tmp_path / "car.usdc", load_vehicle())
    paths = [str(prim.GetPath()) for prim in opened(tmp_path / "car.usdc").Traverse()]
    assert not [path for path in paths if "laser" in path or "lidar" in path]


@pytest.mark.parametrize("overrides", [{}, SMALL])
def test_what_is_seen_fills_the_box_that_collides(
    tmp_path: Path, overrides: dict[str, float]
) -> None:
    vehicle = load_vehicle(None, overrides)
    write_car(tmp_path / "car.usdc", vehicle, load_lidar())
    stage = opened(tmp_path / "car.usdc", "visual")
    bound = UsdGeom.BBoxCache(Usd.TimeCode.Default(), [UsdGeom.Tokens.default_])
    box = bound.ComputeWorldBound(stage.GetDefaultPrim()).ComputeAlignedRange()
    body = vehicle.chassis.body
    middle = body.center_ahead
    assert box.GetMin()[0] == pytest.approx(middle - 0.5 * body.length, abs=1e-3)
    assert box.GetMax()[0] == pytest.approx(middle + 0.5 * body.length, abs=1e-3)
    assert box.GetMax()[1] == pytest.approx(0.5 * body.width, abs=5e-3)
    assert box.GetMin()[2] == pytest.approx(0.0, abs=1e-6)


def test_nothing_of_the_car_stands_in_a_beam() -> None:
    hardware = load_lidar().hardware
    half = 0.5 * hardware.field_of_view
    for part in chassis_parts(load_vehicle().chassis, hardware):
        if part.name.startswith("lidar"):
            continue
        corners = part.mesh.points[part.mesh.triangles].astype(np.float64)
        low, high = corners[:, :, 2].min(axis=1), corners[:, :, 2].max(axis=1)
        cut = corners[(low <= hardware.mount_height) & (high >= hardware.mount_height)]
        relative = cut.reshape(-1, 3)[:, :2] - (hardware.mount_ahead, 0.0)
        assert np.all(np.abs(np.arctan2(relative[:, 1], relative[:, 0])) > half), part.name
    assert 2.0 * load_vehicle().chassis.wheel_radius < hardware.mount_height


@pytest.mark.parametrize("overrides", [{}, SMALL])
def test_every_part_is_a_closed_solid(overrides: dict[str, float]) -> None:
    chassis = load_vehicle(None, overrides).chassis
    parts = [*chassis_parts(chassis, load_lidar().hardware)]
    parts += [part for corner in ("fl", "rr") for part in wheel_parts(chassis, corner)]
    for part in parts:
        report = measure_mesh(part.mesh)
        assert report.sound, (part.name, report)
        assert report.open_edges == 0, part.name
        assert report.volume > 0.0, part.name
    assert sum(len(part.mesh.triangles) for part in parts) < 25_000


def test_tyres_touch_the_floor_at_the_rolling_radius() -> None:
    chassis = load_vehicle().chassis
    tyre = wheel_parts(chassis, "fl")[0].mesh.points
    reach = np.hypot(tyre[:, 0], tyre[:, 2]).max()
    assert reach == pytest.approx(chassis.wheel_radius, rel=1e-6)


def test_every_visible_mesh_has_a_look(car: Path) -> None:
    for prim in opened(car, "visual").Traverse():
        if prim.IsA(UsdGeom.Mesh):
            material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
            assert str(material.GetPath()).startswith("/Car/Looks/")


def test_same_parameters_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    first, second = tmp_path / "a.usdc", tmp_path / "elsewhere" / "b.usdc"
    write_car(first, load_vehicle(), load_lidar())
    write_car(second, load_vehicle(), load_lidar())
    assert first.read_bytes() == second.read_bytes()
    assert str(tmp_path).encode() not in first.read_bytes()


def test_asset_carries_its_parameters(car: Path) -> None:
    text = opened(car).GetDefaultPrim().GetCustomDataByKey("arena:vehicle")
    assert VehicleParameters.model_validate_json(text) == load_vehicle()


def test_existing_file_is_kept_unless_forced(car: Path) -> None:
    before = car.read_bytes()
    with pytest.raises(OutputExistsError):
        write_car(car, load_vehicle(None, SMALL))
    assert car.read_bytes() == before
    write_car(car, load_vehicle(None, SMALL), force=True)
    assert car.read_bytes() != before
    with pytest.raises(OutputError, match="suffix"):
        write_car(car.with_suffix(".obj"), load_vehicle())


@pytest.mark.parametrize(
    ("overrides", "name"),
    [
        ({"wheel_inertia": 2e-3}, "wheel_inertia"),
        ({"wheel_inertia": 1e-3}, "inertia"),
        ({"max_steering": 1.0, "track_width": 0.6}, "max_steering"),
    ],
)
def test_impossible_articulation_is_refused_by_name(
    tmp_path: Path, overrides: dict[str, float], name: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        write_car(tmp_path / "car.usdc", load_vehicle(None, overrides))
    assert name in str(caught.value.where)
    assert not (tmp_path / "car.usdc").exists()


def _remove(path: str) -> Callable[[Usd.Stage], object]:
    return lambda stage: stage.GetPrimAtPath(path).SetActive(False)


def _moments(stage: Usd.Stage) -> None:
    api = UsdPhysics.MassAPI(stage.GetPrimAtPath("/Car/fl_knuckle"))
    api.GetDiagonalInertiaAttr().Set(Gf.Vec3f(1.0, 1.0, 3.0))


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("bodies", _remove("/Car/fl_knuckle")),
        ("joint-body", _remove("/Car/fl_knuckle")),
        ("body-collider", _remove("/Car/rl_wheel_link/collision")),
        ("joints", _remove("/Car/Joints/rl_wheel")),
        ("physics-material", _remove("/Car/PhysicsMaterials")),
        ("physics-scene", lambda s: UsdPhysics.Scene.Define(s, "/Car/Scene")),
        ("inertia", _moments),
        (
            "articulation-root",
            lambda s: UsdPhysics.ArticulationRootAPI.Apply(s.GetPrimAtPath("/Car/base_link")),
        ),
        ("units", lambda s: UsdGeom.SetStageMetersPerUnit(s, 0.01)),
        ("variants", lambda s: s.ClearDefaultPrim()),
        (
            "joint-drive",
            lambda s: s.GetPrimAtPath("/Car/Joints/rl_wheel").RemoveAPI(
                UsdPhysics.DriveAPI, "angular"
            ),
        ),
    ],
)
def test_gate_notices(car: Path, rule: str, change: Callable[[Usd.Stage], object]) -> None:
    stage = Usd.Stage.Open(str(car))
    change(stage)
    findings = car_findings(stage)
    assert rule in {finding.rule for finding in findings}
    with pytest.raises(ValidationError):
        refuse_faulty(findings, where="car.usdc")
