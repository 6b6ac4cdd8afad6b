"""Joints and drives of the car's articulation.

USD measures angles in degrees: stiffness is torque for each degree, damping torque for each degree
a second. Where engines read different names for one value, it is written under both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pxr import Gf, Sdf, Usd, UsdPhysics

from roboracer_arena.errors import SettingsError
from roboracer_arena.usd.car_masses import CORNERS, wheel_center
from roboracer_arena.vehicle.ackermann import wheel_angles
from roboracer_arena.vehicle.parameters import VehicleParameters

__all__ = ["author_joints", "largest_wheel_angle"]

_STEERING_STIFFNESS = 20.0
"""Of the steering drive [N m/rad]: holds a wheel within a degree against a tyre at its grip."""
_STEERING_DAMPING = 0.15
"""Of the steering drive [N m s/rad]: above critical for the inertia of a wheel with its knuckle."""
_STEERING_TORQUE = 0.44
"""Largest torque on each front wheel [N m]: half of the 0.88 N m (125 oz-in) of a Traxxas 2075
servo."""


@dataclass(frozen=True, slots=True)
class _Drive:
    """A joint drive, in radians."""

    stiffness: float
    """[N m/rad]."""
    damping: float
    """[N m s/rad]."""
    torque: float
    """Largest [N m]."""
    speed: float
    """Largest speed of the joint [rad/s]."""
    armature: float
    """Inertia that turns with the joint but belongs to no link [kg m²]."""


def largest_wheel_angle(vehicle: VehicleParameters) -> float:
    """Return the angle of the inner front wheel at full lock [rad].

    Raises:
        SettingsError: The turning centre lies between the wheels.
    """
    chassis = vehicle.chassis
    if 0.5 * chassis.track_width * math.tan(chassis.max_steering) >= chassis.wheelbase:
        raise SettingsError(
            f"is {chassis.max_steering:g} rad, at which the car would turn about a point between "
            f"its wheels (wheelbase {chassis.wheelbase:g} m, track width "
            f"{chassis.track_width:g} m); give a smaller angle",
            where="chassis.max_steering",
        )
    inner, _ = wheel_angles(chassis.max_steering, chassis.wheelbase, chassis.track_width)
    return float(inner)


def author_joints(stage: Usd.Stage, root: str, vehicle: VehicleParameters) -> None:
    """Define the two steering and the four wheel joints under ``<root>/Joints``."""
    stage.DefinePrim(f"{root}/Joints", "Scope")
    limit = largest_wheel_angle(vehicle)
    for corner in CORNERS:
        center = Gf.Vec3f(*wheel_center(vehicle.chassis, corner).tolist())
        holder, place = f"{root}/base_link", center
        if corner[0] == "f":
            knuckle = f"{root}/{corner}_knuckle"
            joint = _revolute(stage, f"{root}/Joints/{corner}_steer", holder, knuckle, center, "Z")
            joint.CreateLowerLimitAttr(-math.degrees(limit))
            joint.CreateUpperLimitAttr(math.degrees(limit))
            _author_drive(joint, _steering_drive(vehicle))
            holder, place = knuckle, Gf.Vec3f(0.0)
        wheel = f"{root}/{corner}_wheel_link"
        joint = _revolute(stage, f"{root}/Joints/{corner}_wheel", holder, wheel, place, "Y")
        _author_drive(joint, _wheel_drive(vehicle, corner))


def _steering_drive(vehicle: VehicleParameters) -> _Drive:
    """The servo: holds a position, turns at most at its rate."""
    rate = vehicle.deployment.steering.rate
    return _Drive(_STEERING_STIFFNESS, _STEERING_DAMPING, _STEERING_TORQUE, rate, 0.0)


def _wheel_drive(vehicle: VehicleParameters, corner: str) -> _Drive:
    """A wheel's part of the motor: holds a speed, with the loop time and current limit of it."""
    chassis, motor, train = vehicle.chassis, vehicle.deployment.motor, vehicle.chassis.drivetrain
    axle = train.front_share if corner[0] == "f" else 1.0 - train.front_share
    share = 0.5 * axle
    torque = motor.current_limit * train.torque_constant * train.gear_ratio * train.efficiency
    rotor = train.rotor_inertia * train.gear_ratio**2
    inertia = chassis.mass * chassis.wheel_radius**2 + 4.0 * chassis.wheel_inertia + rotor
    return _Drive(
        stiffness=0.0,
        damping=share * inertia / motor.loop_time,
        torque=share * torque,
        speed=max(motor.max_speed, motor.max_reverse) / chassis.wheel_radius,
        armature=share * rotor,
    )


def _revolute(
    stage: Usd.Stage, path: str, holder: str, held: str, place: Gf.Vec3f, axis: str
) -> UsdPhysics.RevoluteJoint:
    """Define a hinge at a place in the frame of its holder, at the origin of what it holds."""
    joint = UsdPhysics.RevoluteJoint.Define(stage, path)
    joint.CreateBody0Rel().SetTargets([Sdf.Path(holder)])
    joint.CreateBody1Rel().SetTargets([Sdf.Path(held)])
    joint.CreateLocalPos0Attr(place)
    joint.CreateLocalPos1Attr(Gf.Vec3f(0.0))
    joint.CreateLocalRot0Attr(Gf.Quatf(1.0))
    joint.CreateLocalRot1Attr(Gf.Quatf(1.0))
    joint.CreateAxisAttr(axis)
    joint.CreateCollisionEnabledAttr(False)
    return joint


def _author_drive(joint: UsdPhysics.RevoluteJoint, values: _Drive) -> None:
    """Give a hinge its drive, its state, and what PhysX reads beyond."""
    prim = joint.GetPrim()
    drive = UsdPhysics.DriveAPI.Apply(prim, "angular")
    drive.CreateTypeAttr("force")
    drive.CreateStiffnessAttr(math.radians(values.stiffness))
    drive.CreateDampingAttr(math.radians(values.damping))
    drive.CreateMaxForceAttr(values.torque)
    if values.stiffness:
        drive.CreateTargetPositionAttr(0.0)
    drive.CreateTargetVelocityAttr(0.0)
    for schema in ("PhysicsJointStateAPI:angular", "PhysxJointAPI", "PhysxJointAxisAPI:angular"):
        prim.AddAppliedSchema(schema)
    numbers = {
        "state:angular:physics:position": 0.0,
        "state:angular:physics:velocity": 0.0,
        # The former name is read up to PhysX 107 and by Isaac Sim 6, the latter by newer PhysX.
        "physxJoint:maxJointVelocity": math.degrees(values.speed),
        "physxJointAxis:angular:maxJointVelocity": math.degrees(values.speed),
        "physxJoint:armature": values.armature,
        "physxJointAxis:angular:armature": values.armature,
    }
    for name, value in numbers.items():
        prim.CreateAttribute(name, Sdf.ValueTypeNames.Float, custom=False).Set(value)
