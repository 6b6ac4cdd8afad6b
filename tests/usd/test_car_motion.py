"""The articulation, built joint by joint in MuJoCo from what the file says, stands and drives."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdPhysics

from roboracer_arena.usd import write_car
from roboracer_arena.usd.values import bound_physics_material
from roboracer_arena.vehicle import load_vehicle, turning_radius, wheel_angles


def _add_body(
    parent: mujoco.MjsBody, stage: Usd.Stage, name: str, place: list[float]
) -> mujoco.MjsBody:
    prim = stage.GetPrimAtPath(f"/Car/{name}")
    api = UsdPhysics.MassAPI(prim)
    axes = api.GetPrincipalAxesAttr().Get()
    body = parent.add_body(
        name=name,
        pos=place,
        mass=api.GetMassAttr().Get(),
        ipos=list(api.GetCenterOfMassAttr().Get()),
        inertia=list(api.GetDiagonalInertiaAttr().Get()),
        iquat=[axes.GetReal(), *axes.GetImaginary()],
        explicitinertial=True,
    )
    shape = prim.GetChild("collision")
    if shape.IsA(UsdGeom.Cylinder):
        cylinder = UsdGeom.Cylinder(shape)
        assert cylinder.GetAxisAttr().Get() == "Y"
        friction = bound_physics_material(shape).GetDynamicFrictionAttr().Get()
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            size=[cylinder.GetRadiusAttr().Get(), cylinder.GetHeightAttr().Get() / 2, 0.0],
            quat=[math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0],
            friction=[friction, 0.0, 0.0],
            contype=0,
            conaffinity=2,
        )
    return body


def _model(path: Path) -> mujoco.MjModel:
    stage = Usd.Stage.Open(str(path))
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.001
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0, 0, 1],
        contype=2,
        conaffinity=0,
        friction=[0.83, 0.0, 0.0],
    )
    made = {"base_link": _add_body(spec.worldbody, stage, "base_link", [0.0, 0.0, 0.0])}
    made["base_link"].add_freejoint()
    joints = stage.GetPrimAtPath("/Car/Joints").GetChildren()
    for prim in sorted(joints, key=lambda prim: "wheel" in prim.GetName()):
        joint = UsdPhysics.RevoluteJoint(prim)
        holder, held = (
            rel.GetTargets()[0].name for rel in (joint.GetBody0Rel(), joint.GetBody1Rel())
        )
        place = list(joint.GetLocalPos0Attr().Get())
        made[held] = _add_body(made[holder], stage, held, place)
        limits = [joint.GetLowerLimitAttr().Get(), joint.GetUpperLimitAttr().Get()]
        limited = all(math.isfinite(limit) for limit in limits)
        made[held].add_joint(
            name=prim.GetName(),
            axis=[0, 0, 1] if joint.GetAxisAttr().Get() == "Z" else [0, 1, 0],
            limited=int(limited),
            range=limits if limited else [0.0, 0.0],
            armature=prim.GetAttribute("physxJoint:armature").Get(),
        )
        drive = UsdPhysics.DriveAPI(prim, "angular")
        stiffness = math.degrees(drive.GetStiffnessAttr().Get())
        damping = math.degrees(drive.GetDampingAttr().Get())
        force = drive.GetMaxForceAttr().Get()
        gain = stiffness or damping
        spec.add_actuator(
            name=prim.GetName(),
            target=prim.GetName(),
            trntype=mujoco.mjtTrn.mjTRN_JOINT,
            gaintype=mujoco.mjtGain.mjGAIN_FIXED,
            biastype=mujoco.mjtBias.mjBIAS_AFFINE,
            gainprm=[gain] + [0.0] * 9,
            biasprm=[0.0, -stiffness, -damping] + [0.0] * 7,
            forcelimited=1,
            forcerange=[-force, force],
        )
    return spec.compile()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> mujoco.MjModel:
    path = tmp_path_factory.mktemp("car") / "car.usdc"
    write_car(path, load_vehicle())
    return _model(path)


def _drive(model: mujoco.MjModel, speed: float, steering: float, seconds: float) -> mujoco.MjData:
    chassis = load_vehicle().chassis
    data = mujoco.MjData(model)
    left, right = wheel_angles(steering, chassis.wheelbase, chassis.track_width)
    for name, value in (("fl_steer", left), ("fr_steer", right)):
        data.actuator(name).ctrl = float(value)
    # Each wheel at its own speed, as an Ackermann controller sends.
    for corner in ("fl", "fr", "rl", "rr"):
        x = chassis.wheelbase if corner[0] == "f" else 0.0
        y = (0.5 if corner[1] == "l" else -0.5) * chassis.track_width
        bend = math.tan(steering) / chassis.wheelbase
        share = math.hypot(1.0 - bend * y, bend * x)
        data.actuator(f"{corner}_wheel").ctrl = speed * share / chassis.wheel_radius
    while data.time < seconds:
        mujoco.mj_step(model, data)
    return data


def test_a_standing_car_stays_where_it_is(model: mujoco.MjModel) -> None:
    data = _drive(model, 0.0, 0.0, 2.0)
    np.testing.assert_allclose(data.qpos[:3], 0.0, atol=2e-3)
    np.testing.assert_allclose(data.qpos[3:7], [1.0, 0.0, 0.0, 0.0], atol=2e-3)
    assert np.abs(data.qvel).max() < 1e-2


def test_wheels_that_turn_forward_drive_the_car_ahead(model: mujoco.MjModel) -> None:
    data = _drive(model, 1.0, 0.0, 3.0)
    assert data.qvel[0] == pytest.approx(1.0, abs=0.02)
    assert data.qpos[0] > 2.0
    assert abs(data.qpos[1]) < 0.02


def test_wheels_turned_left_drive_the_car_round_to_the_left(model: mujoco.MjModel) -> None:
    data = _drive(model, 0.6, 0.3, 3.0)
    expected = 0.6 / float(turning_radius(0.3, load_vehicle().chassis.wheelbase))
    assert data.qvel[5] == pytest.approx(expected, rel=0.1)
