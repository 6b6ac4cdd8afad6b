"""One step of the single-track car: a planar rigid body on one front and one rear tyre.

Both tyres carry the load of their axle, moved between the axles by the longitudinal acceleration of
the step before. Servo, speed controller, driveline and tyre law are those of the double-track car.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roboracer_arena.sim.car.actuators import clip, drive, keep_good_command, steer
from roboracer_arena.sim.car.columns import (
    P_AXLE_X_,
    P_COM_HEIGHT,
    P_DRAG,
    P_FRONT_SHARE,
    P_MASS,
    P_RADIUS,
    P_STATIC_LOAD_,
    P_WHEEL_INERTIA,
    P_WHEELBASE,
    S_ACROSS_,
    S_ALONG_,
    S_COS_,
    S_DRIVE_FORCE,
    S_FORCE_X_,
    S_FORCE_Y_,
    S_LOAD_,
    S_LONGITUDINAL,
    S_SIN_,
    S_STEERING,
    S_WHEEL_,
)
from roboracer_arena.sim.car.wheels import (
    advanced_slip,
    begin_wheel,
    finish_wheel,
    solve_axles,
    stiffen_wheel,
    wheel_equation,
)

__all__ = ["PARTS", "single_track_step"]


def single_track_step(x: Any, u: Any, p: Any, s: Any, w: Any, dt: float) -> None:
    """Write the wrench on the body to ``w`` and advance the internal values ``s``."""
    keep_good_command(u, s)
    steer(p, s, dt)
    qw, qx, qy, qz = x[3], x[4], x[5], x[6]
    ahead_x, ahead_y = 1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qw * qz)
    flat = np.maximum(np.sqrt(ahead_x * ahead_x + ahead_y * ahead_y), 1e-6)
    cos_yaw, sin_yaw = ahead_x / flat, ahead_y / flat
    along = x[7] * cos_yaw + x[8] * sin_yaw
    across = x[8] * cos_yaw - x[7] * sin_yaw
    place_axles(along, across, x[12], p, s)
    for i in range(2):
        begin_wheel(i, i, p, s, dt)
    turn_axles(u, p, s, dt)
    for i in range(2):
        finish_wheel(i, i, p, s, dt)

    cos, sin = s[S_COS_], s[S_SIN_]
    front_x = s[S_FORCE_X_] * cos - s[S_FORCE_Y_] * sin
    front_y = s[S_FORCE_X_] * sin + s[S_FORCE_Y_] * cos
    drag = p[P_DRAG] * np.sqrt(along * along + across * across)
    force_along = front_x + s[S_FORCE_X_ + 1] - drag * along
    force_across = front_y + s[S_FORCE_Y_ + 1] - drag * across
    s[S_LONGITUDINAL] = force_along / p[P_MASS]
    w[0] = force_along * cos_yaw - force_across * sin_yaw
    w[1] = force_along * sin_yaw + force_across * cos_yaw
    w[2], w[3], w[4] = 0.0 * along, 0.0 * along, 0.0 * along
    w[5] = p[P_AXLE_X_] * front_y + p[P_AXLE_X_ + 1] * s[S_FORCE_Y_ + 1]


def place_axles(along: Any, across: Any, yaw_rate: Any, p: Any, s: Any) -> None:
    """Find the loads and the contact speeds of both tyres."""
    shift = p[P_MASS] * s[S_LONGITUDINAL] * p[P_COM_HEIGHT] / p[P_WHEELBASE]
    front, rear = 2.0 * p[P_STATIC_LOAD_], 2.0 * p[P_STATIC_LOAD_ + 1]
    shift = clip(shift, -rear, front)
    s[S_LOAD_], s[S_LOAD_ + 1] = front - shift, rear + shift
    tangent = np.tan(s[S_STEERING])
    cos = 1.0 / np.sqrt(1.0 + tangent * tangent)
    sin = tangent * cos
    s[S_COS_], s[S_SIN_] = cos, sin
    front_across = across + p[P_AXLE_X_] * yaw_rate
    s[S_ALONG_] = along * cos + front_across * sin
    s[S_ACROSS_] = front_across * cos - along * sin
    s[S_ALONG_ + 1] = along
    s[S_ACROSS_ + 1] = across + p[P_AXLE_X_ + 1] * yaw_rate


def turn_axles(u: Any, p: Any, s: Any, dt: float) -> None:
    """Step both axle speeds together with motor and centre coupling."""
    share, inertia = p[P_FRONT_SHARE], 2.0 * p[P_WHEEL_INERTIA]
    before = share * s[S_WHEEL_] + (1.0 - share) * s[S_WHEEL_ + 1]
    motor = drive(u, p, s, p[P_RADIUS] * before, dt)
    s[S_DRIVE_FORCE] = motor[0]
    for iteration in range(2):
        front, front_push = wheel_equation(0, inertia, p, s, dt)
        rear, rear_push = wheel_equation(1, inertia, p, s, dt)
        one, two = solve_axles(front, front_push, rear, rear_push, before, motor, p, dt)
        s[S_WHEEL_], s[S_WHEEL_ + 1] = one, two
        if iteration == 0:
            for i in range(2):
                slip = advanced_slip(i, p, s, dt)
                stiffen_wheel(i, i, slip[1], p, s)


PARTS = (place_axles, turn_axles)
"""Functions of this module that the step calls."""
