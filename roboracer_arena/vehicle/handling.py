"""Steady cornering in closed form: what the simulated cars must agree with.

In a steady turn with lateral acceleration ``ay`` both axles carry their share of the weight times
``ay / g``, whatever the tyres are (the handling diagram: M. Abe, *Vehicle Handling Dynamics*,
chapter 3; Pacejka, *Tire and Vehicle Dynamics*, section 1.3). Drive force, drag and rolling
resistance are left out of both references.

* Single-track: the inverse magic formula gives both slip angles, and geometry the steering angle::

      tan(steering - front slip) = L r / vx - tan(rear slip)          r = ay / v

* Double-track: left and right tyre of an axle have their own load (static plus the transfer
  ``m ay h / w``, shared by the axles as their springs are), speed and, in front, Ackermann angle.
  Side slip and then the steering angle follow from one monotonic equation each.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from roboracer_arena.errors import UsageError
from roboracer_arena.vehicle.ackermann import wheel_angles
from roboracer_arena.vehicle.parameters import VehicleParameters
from roboracer_arena.vehicle.tyre import magic_formula, slip_for

__all__ = ["GRAVITY", "lateral_limit", "steady_steering", "steady_yaw_rate", "understeer_gradient"]

GRAVITY = 9.81
"""[m/s²]."""

Kind = Literal["single_track", "double_track"]


def lateral_limit(vehicle: VehicleParameters, gravity: float = GRAVITY) -> float:
    """Return the largest steady lateral acceleration, friction times g [m/s²]."""
    return vehicle.deployment.tyre.friction * gravity


def understeer_gradient(vehicle: VehicleParameters) -> float:
    """Return the steering angle that each g of lateral acceleration costs at small slip [rad/g]."""
    tyre = vehicle.deployment.tyre
    front = tyre.friction * tyre.front_b * tyre.front_c
    rear = tyre.friction * tyre.rear_b * tyre.rear_c
    return 1.0 / front - 1.0 / rear


def steady_steering(
    vehicle: VehicleParameters, speed: float, acceleration: float, gravity: float = GRAVITY
) -> float:
    """Return the steering angle [rad] that holds a lateral acceleration of a single-track car.

    Args:
        vehicle: The car.
        speed: Of the centre of mass [m/s], positive.
        acceleration: ``speed`` times yaw rate [m/s²], positive to the left.
        gravity: [m/s²].

    Raises:
        UsageError: The speed is not positive, or the acceleration exceeds friction times g.
    """
    _check_speed(speed)
    limit = lateral_limit(vehicle, gravity)
    fraction = abs(acceleration) / limit
    if not fraction <= 1.0:
        raise UsageError(
            f"is {acceleration:g} m/s²; the tyres hold up to {limit:g} m/s²", where="acceleration"
        )
    tyre, chassis = vehicle.deployment.tyre, vehicle.chassis
    front = slip_for(fraction, tyre.front_b, tyre.front_c, tyre.front_e)
    rear = slip_for(fraction, tyre.rear_b, tyre.rear_c, tyre.rear_e)
    yaw_rate = abs(acceleration) / speed
    # The rear axle slides outward: vy = b r - vx tan(rear slip). Six rounds settle vx.
    along = speed
    for _ in range(6):
        across = chassis.com_to_rear * yaw_rate - along * rear
        along = math.sqrt(max(speed * speed - across * across, 1e-12))
    angle = math.atan(chassis.wheelbase * yaw_rate / along - rear) + math.atan(front)
    return math.copysign(angle, acceleration)


def steady_yaw_rate(
    vehicle: VehicleParameters,
    speed: float,
    steering: float,
    *,
    kind: Kind = "single_track",
    gravity: float = GRAVITY,
) -> float:
    """Return the steady yaw rate [rad/s] at a speed and a steering angle.

    Where the front tyres are turned beyond their peak, the single-track reference stays at the
    limit, and the double-track one follows the tyres down.

    Args:
        vehicle: The car.
        speed: Of the centre of mass [m/s], positive.
        steering: Of the virtual middle wheel [rad], positive to the left.
        kind: Of which model.
        gravity: [m/s²].
    """
    _check_speed(speed)
    angle = abs(steering)
    limit = lateral_limit(vehicle, gravity)

    def turns_too_little(acceleration: float) -> bool:
        if kind == "single_track":
            return steady_steering(vehicle, speed, acceleration, gravity) < angle
        return _front_has_reserve(vehicle, speed, acceleration, angle, gravity)

    return math.copysign(_bisect(turns_too_little, 0.0, limit) / speed, steering)


def _front_has_reserve(
    vehicle: VehicleParameters, speed: float, acceleration: float, steering: float, gravity: float
) -> bool:
    """Return whether the front axle of a double-track car would turn it more than it turns."""
    chassis = vehicle.chassis
    a, b, length = chassis.com_to_front, chassis.com_to_rear, chassis.wheelbase
    needed = chassis.mass * acceleration

    def across_from_rear(across: float) -> bool:
        along = math.sqrt(speed * speed - across * across)
        force = _axle_force(vehicle, (along, across), acceleration, 0.0, gravity, front=False)
        return force > needed * a / length

    across = _bisect(across_from_rear, -0.7 * speed, 0.7 * speed)
    along = math.sqrt(speed * speed - across * across)
    force = _axle_force(vehicle, (along, across), acceleration, steering, gravity, front=True)
    return force > needed * b / length


def _axle_force(
    vehicle: VehicleParameters,
    velocity: tuple[float, float],
    acceleration: float,
    steering: float,
    gravity: float,
    *,
    front: bool,
) -> float:
    """Return the force of an axle across the car [N]; velocity of the centre of mass in the car."""
    chassis, tyre = vehicle.chassis, vehicle.deployment.tyre
    along, across = velocity
    yaw_rate = acceleration / math.hypot(along, across)
    share = (chassis.com_to_rear if front else chassis.com_to_front) / chassis.wheelbase
    shift = chassis.mass * acceleration * chassis.com_height / chassis.track_width * share
    shape = (
        (tyre.front_b, tyre.front_c, tyre.front_e)
        if front
        else (tyre.rear_b, tyre.rear_c, tyre.rear_e)
    )
    left, right = wheel_angles(steering, chassis.wheelbase, chassis.track_width)
    position = chassis.com_to_front if front else -chassis.com_to_rear
    total = 0.0
    for side, angle in ((1.0, float(left)), (-1.0, float(right))):
        load = max(0.5 * chassis.mass * gravity * share - side * shift, 0.0)
        beside = along - side * 0.5 * chassis.track_width * yaw_rate
        slip = math.tan(angle - math.atan2(across + position * yaw_rate, beside))
        part = float(magic_formula(shape[0] * abs(slip), shape[1], shape[2]))
        total += math.copysign(tyre.friction * load * part, slip) * math.cos(angle)
    return total


def _bisect(lies_above: Callable[[float], bool], low: float, high: float) -> float:
    """Return where a condition that holds below and fails above changes."""
    for _ in range(50):
        middle = 0.5 * (low + high)
        if lies_above(middle):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _check_speed(speed: float) -> None:
    if not speed > 0.0:
        raise UsageError(f"is {speed} m/s; steady cornering needs a positive speed", where="speed")
