"""Steady cornering of the single-track model in closed form: what simulated cars must agree with.

In a steady turn with lateral acceleration ``ay`` both axles carry their share of the weight times
``ay / g``, whatever the tyres are. The inverse magic formula gives both slip angles, and geometry
the steering angle (the handling diagram: M. Abe, *Vehicle Handling Dynamics*, chapter 3; Pacejka,
*Tire and Vehicle Dynamics*, section 1.3.3)::

    tan(steering - front slip) = L r / vx - tan(rear slip)          r = ay / v

Small-angle assumption: the lateral component of the drive force that keeps the speed is left out.
"""

from __future__ import annotations

import math

from roboracer_arena.errors import UsageError
from roboracer_arena.vehicle.parameters import VehicleParameters
from roboracer_arena.vehicle.tyre import slip_for

__all__ = ["GRAVITY", "lateral_limit", "steady_steering", "steady_yaw_rate", "understeer_gradient"]

GRAVITY = 9.81
"""[m/s²]."""


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
    """Return the steering angle [rad] that holds a lateral acceleration at a speed.

    Args:
        vehicle: The car.
        speed: Of the centre of mass [m/s], positive.
        acceleration: ``speed`` times yaw rate [m/s²], positive to the left.
        gravity: [m/s²].

    Raises:
        UsageError: The speed is not positive, or the acceleration exceeds friction times g.
    """
    if not speed > 0.0:
        raise UsageError(f"is {speed} m/s; steady cornering needs a positive speed", where="speed")
    limit = lateral_limit(vehicle, gravity)
    fraction = acceleration / limit
    if not abs(fraction) <= 1.0:
        raise UsageError(
            f"is {acceleration:g} m/s²; the tyres hold up to {limit:g} m/s²", where="acceleration"
        )
    tyre, chassis = vehicle.deployment.tyre, vehicle.chassis
    front = slip_for(abs(fraction), tyre.front_b, tyre.front_c, tyre.front_e)
    rear = slip_for(abs(fraction), tyre.rear_b, tyre.rear_c, tyre.rear_e)
    yaw_rate = abs(acceleration) / speed
    # The rear axle moves outward: vy = b r - vx tan(rear slip). Two rounds settle vx to 1e-6.
    along = speed
    for _ in range(6):
        across = chassis.com_to_rear * yaw_rate - along * rear
        along = math.sqrt(max(speed * speed - across * across, 1e-12))
    angle = math.atan(chassis.wheelbase * yaw_rate / along - rear) + math.atan(front)
    return math.copysign(angle, acceleration)


def steady_yaw_rate(
    vehicle: VehicleParameters, speed: float, steering: float, gravity: float = GRAVITY
) -> float:
    """Return the steady yaw rate [rad/s] at a speed and steering angle, found by bisection.

    Beyond the steering angle at which the tyres peak it is the yaw rate at the limit.
    """
    low, high = 0.0, lateral_limit(vehicle, gravity)
    if steady_steering(vehicle, speed, high, gravity) <= abs(steering):
        return math.copysign(high / speed, steering)
    for _ in range(60):
        middle = 0.5 * (low + high)
        if steady_steering(vehicle, speed, middle, gravity) < abs(steering):
            low = middle
        else:
            high = middle
    return math.copysign(0.5 * (low + high) / speed, steering)
