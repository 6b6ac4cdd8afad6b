"""One step of the double-track car: rigid chassis on four sprung wheels.

The chassis belongs to the engine; this function returns the force and torque on it. Each wheel is
a vertical spring-damper over the flat floor ``z = 0`` with the load it carries, a tyre, and a speed
of its own. Tyre forces act at the contact points, so pitch, roll and the load transfer that goes
with them come from the chassis' own motion. Wheels are massless but for their spin; its reaction on
the chassis, a tenth of the pitching moment of the tyre forces at most, is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roboracer_arena.sim.car.actuators import drive, keep_good_command, steer
from roboracer_arena.sim.car.columns import (
    P_AXLE_COUPLING,
    P_AXLE_X_,
    P_COM_HEIGHT,
    P_DAMPER_,
    P_DRAG,
    P_FRONT_SHARE,
    P_HALF_TRACK,
    P_RADIUS,
    P_SPRING_,
    P_STATIC_LOAD_,
    P_STOP,
    P_TRAVEL,
    P_WHEEL_INERTIA,
    P_WHEELBASE,
    S_ACROSS_,
    S_ALONG_,
    S_ARM_X_,
    S_ARM_Y_,
    S_COS_,
    S_DRIVE_FORCE,
    S_FORCE_X_,
    S_FORCE_Y_,
    S_LOAD_,
    S_SIN_,
    S_STEERING,
    S_WHEEL_,
)
from roboracer_arena.sim.car.compile import select
from roboracer_arena.sim.car.wheels import (
    advanced_slip,
    begin_wheel,
    finish_wheel,
    solve_axles,
    stiffen_wheel,
    wheel_equation,
)

__all__ = ["PARTS", "double_track_step"]

_UPRIGHT = 0.3
"""Cosine of the tilt beyond which no wheel touches the floor: 72 degrees, a car on its side."""


def double_track_step(x: Any, u: Any, p: Any, s: Any, w: Any, dt: float) -> None:
    """Write the wrench on the chassis to ``w`` and advance the internal values ``s``."""
    keep_good_command(u, s)
    steer(p, s, dt)
    place_wheels(x, p, s)
    for i in range(4):
        begin_wheel(i, i // 2, p, s, dt)
    turn_wheels(u, p, s, dt)
    for i in range(4):
        finish_wheel(i, i // 2, p, s, dt)
    gather_wrench(x, p, s, w)


def place_wheels(x: Any, p: Any, s: Any) -> None:
    """Find each wheel's heading, contact point, contact speed and load."""
    qw, qx, qy, qz = x[3], x[4], x[5], x[6]
    ahead_x, ahead_y = 1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qw * qz)
    ahead_z = 2.0 * (qx * qz - qw * qy)
    left_x, left_y = 2.0 * (qx * qy - qw * qz), 1.0 - 2.0 * (qx * qx + qz * qz)
    left_z = 2.0 * (qy * qz + qw * qx)
    up_x, up_y = 2.0 * (qx * qz + qw * qy), 2.0 * (qy * qz - qw * qx)
    up_z = 1.0 - 2.0 * (qx * qx + qy * qy)
    flat = np.maximum(np.sqrt(ahead_x * ahead_x + ahead_y * ahead_y), 1e-6)
    cos_yaw, sin_yaw = ahead_x / flat, ahead_y / flat
    hub = p[P_RADIUS] - p[P_COM_HEIGHT]
    tangent = np.tan(s[S_STEERING])
    for i in range(4):
        axle, side = i // 2, 1.0 - 2.0 * (i % 2)
        along, across = p[P_AXLE_X_ + axle], side * p[P_HALF_TRACK]
        arm_x = along * ahead_x + across * left_x + hub * up_x
        arm_y = along * ahead_y + across * left_y + hub * up_y
        height = x[2] + along * ahead_z + across * left_z + hub * up_z
        s[S_ARM_X_ + i], s[S_ARM_Y_ + i] = arm_x, arm_y

        # Ackermann: tan(wheel) = L tan / (L - y tan), y the wheel's distance to the left.
        turned = (1.0 - axle) * tangent
        wheel_tangent = p[P_WHEELBASE] * turned / (p[P_WHEELBASE] - across * turned)
        cos = 1.0 / np.sqrt(1.0 + wheel_tangent * wheel_tangent)
        sin = wheel_tangent * cos
        wheel_x, wheel_y = cos_yaw * cos - sin_yaw * sin, sin_yaw * cos + cos_yaw * sin
        s[S_COS_ + i], s[S_SIN_ + i] = wheel_x, wheel_y

        speed_x = x[7] - x[11] * x[2] - x[12] * arm_y
        speed_y = x[8] + x[12] * arm_x + x[10] * x[2]
        s[S_ALONG_ + i] = speed_x * wheel_x + speed_y * wheel_y
        s[S_ACROSS_ + i] = speed_y * wheel_x - speed_x * wheel_y

        # A wheel hangs down until its spring is slack; then it leaves the floor.
        sinks = p[P_RADIUS] - height
        closing = -(x[9] + x[10] * arm_y - x[11] * arm_x)
        spring = p[P_STATIC_LOAD_ + axle] + p[P_SPRING_ + axle] * sinks
        stop = p[P_STOP] * np.maximum(0.0, sinks - p[P_TRAVEL])
        load = np.maximum(0.0, spring + stop + p[P_DAMPER_ + axle] * closing)
        touches = (spring > 0.0) & (up_z > _UPRIGHT)
        s[S_LOAD_ + i] = select(touches, load, 0.0)


def turn_wheels(u: Any, p: Any, s: Any, dt: float) -> None:
    """Step the four wheel speeds together with motor, centre coupling and differentials."""
    share = p[P_FRONT_SHARE]
    front = 0.5 * (s[S_WHEEL_] + s[S_WHEEL_ + 1])
    rear = 0.5 * (s[S_WHEEL_ + 2] + s[S_WHEEL_ + 3])
    before = share * front + (1.0 - share) * rear
    motor = drive(u, p, s, p[P_RADIUS] * before, dt)
    s[S_DRIVE_FORCE] = motor[0]
    for iteration in range(2):
        front, front_push, front_apart, front_ratio = axle_equation(0, p, s, dt)
        rear, rear_push, rear_apart, rear_ratio = axle_equation(2, p, s, dt)
        one, two = solve_axles(front, front_push, rear, rear_push, before, motor, p, dt)
        spread = front_apart - front_ratio * one
        s[S_WHEEL_], s[S_WHEEL_ + 1] = one - spread, one + spread
        spread = rear_apart - rear_ratio * two
        s[S_WHEEL_ + 2], s[S_WHEEL_ + 3] = two - spread, two + spread
        if iteration == 0:
            for i in range(4):
                slip = advanced_slip(i, p, s, dt)
                stiffen_wheel(i, i // 2, slip[1], p, s)


def axle_equation(first: int, p: Any, s: Any, dt: float) -> Any:
    """Join two wheels through a differential, which shares its torque equally.

    With mean speed ``m`` and half difference ``d``: left ``m - d``, right ``m + d``. The difference
    is eliminated: ``d = apart - ratio m``.

    Returns:
        ``resists`` and ``pushes`` for the mean speed, ``apart`` and ``ratio``.
    """
    inertia = p[P_WHEEL_INERTIA]
    left, left_push = wheel_equation(first, inertia, p, s, dt)
    right, right_push = wheel_equation(first + 1, inertia, p, s, dt)
    both, uneven = left + right, right - left
    tied = both + 4.0 * p[P_AXLE_COUPLING]
    ratio = uneven / tied
    apart = (right_push - left_push) / tied
    return both - uneven * ratio, left_push + right_push - uneven * apart, apart, ratio


def gather_wrench(x: Any, p: Any, s: Any, w: Any) -> None:
    """Sum tyre forces, wheel loads and drag to force and torque about the centre of mass."""
    drag = p[P_DRAG] * np.sqrt(x[7] * x[7] + x[8] * x[8])
    w[0], w[1], w[2] = -drag * x[7], -drag * x[8], 0.0 * x[2]
    w[3], w[4], w[5] = 0.0 * x[2], 0.0 * x[2], 0.0 * x[2]
    for i in range(4):
        along, across, load = s[S_FORCE_X_ + i], s[S_FORCE_Y_ + i], s[S_LOAD_ + i]
        cos, sin = s[S_COS_ + i], s[S_SIN_ + i]
        force_x, force_y = along * cos - across * sin, along * sin + across * cos
        arm_x, arm_y = s[S_ARM_X_ + i], s[S_ARM_Y_ + i]
        w[0], w[1], w[2] = w[0] + force_x, w[1] + force_y, w[2] + load
        w[3] = w[3] + arm_y * load + x[2] * force_y
        w[4] = w[4] - x[2] * force_x - arm_x * load
        w[5] = w[5] + arm_x * force_y - arm_y * force_x


PARTS = (place_wheels, turn_wheels, axle_equation, gather_wrench)
"""Functions of this module that the step calls."""
