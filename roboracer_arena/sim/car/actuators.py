"""Steering servo and speed controller: from commands to an angle and a drive force.

Branch-free functions over records, see :mod:`roboracer_arena.sim.car.compile`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roboracer_arena.sim.car.columns import (
    P_CURRENT_ACCELERATION,
    P_MAX_ACCELERATION,
    P_MAX_BRAKING,
    P_MAX_REVERSE,
    P_MAX_SPEED,
    P_MAX_STEERING,
    P_MOTOR_GAIN,
    P_MOTOR_LAG,
    P_MOTOR_LOOP,
    P_POWER_SPEED,
    P_STEER_GAIN,
    P_STEER_LAG,
    P_STEER_OFFSET,
    P_STEER_RATE,
    P_TRAVELLING_MASS,
    S_LAST_COMMAND_,
    S_REFERENCE,
    S_STEERING,
    U_ACCELERATE,
    U_DRIVE,
    U_STEERING,
)
from roboracer_arena.sim.car.compile import select

__all__ = ["clip", "drive", "keep_good_command", "steer"]


def clip(value: Any, low: Any, high: Any) -> Any:
    """Return the value limited to low..high."""
    return np.minimum(np.maximum(value, low), high)


def keep_good_command(u: Any, s: Any) -> None:
    """Take over the parts of the command that are finite; keep the last good ones elsewhere."""
    s[S_LAST_COMMAND_] = select(np.isfinite(u[U_STEERING]), u[U_STEERING], s[S_LAST_COMMAND_])
    s[S_LAST_COMMAND_ + 1] = select(np.isfinite(u[U_DRIVE]), u[U_DRIVE], s[S_LAST_COMMAND_ + 1])


def steer(p: Any, s: Any, dt: float) -> None:
    """Turn the virtual middle wheel towards its command: first-order lag, rate limit, stop."""
    limit = p[P_MAX_STEERING]
    command = clip(s[S_LAST_COMMAND_], -4.0, 4.0)
    target = clip(p[P_STEER_GAIN] * command + p[P_STEER_OFFSET], -limit, limit)
    share = 1.0 - np.exp(-dt / np.maximum(p[P_STEER_LAG], 1e-6))
    reach = p[P_STEER_RATE] * dt
    s[S_STEERING] = s[S_STEERING] + clip((target - s[S_STEERING]) * share, -reach, reach)


def drive(u: Any, p: Any, s: Any, wheel_speed: Any, dt: float) -> Any:
    """Return the drive force at the wheels and how fast it falls with the wheel speed.

    A reference speed follows the command with lag and rate limits; a proportional loop with the
    reference's own acceleration fed forward makes the wheels follow it. The loop sees the motor,
    hence the wheels, not the car. Its proportional part is handed on as a slope, so that the wheels
    can be stepped implicitly; where current or power limit the force, the slope is zero. An
    acceleration command bypasses reference and loop, but not the limits.

    Args:
        u: Command record.
        p: Parameter record.
        s: Internal record; the reference is advanced.
        wheel_speed: Motor speed as speed of the wheel rims [m/s].
        dt: Step [s].

    Returns:
        Force [N] at the present wheel speed, and slope [N s/m] >= 0.
    """
    accelerates = u[U_ACCELERATE] > 0.5
    command = clip(s[S_LAST_COMMAND_ + 1], -1e3, 1e3)
    fast, back = p[P_MAX_SPEED], -p[P_MAX_REVERSE]
    target = clip(p[P_MOTOR_GAIN] * command, back, fast)
    power = np.minimum(1.0, p[P_POWER_SPEED] / np.maximum(np.abs(wheel_speed), 1e-3))
    current = p[P_CURRENT_ACCELERATION]

    # What the motor cannot follow, the reference must not run away from.
    slack = current * p[P_MOTOR_LOOP]
    reference = clip(s[S_REFERENCE], wheel_speed - slack, wheel_speed + slack)
    away, towards = p[P_MAX_ACCELERATION] * power, p[P_MAX_BRAKING]
    up = select(reference >= 0.0, away, towards)
    down = select(reference <= 0.0, away, towards)
    share = 1.0 - np.exp(-dt / np.maximum(p[P_MOTOR_LAG], 1e-6))
    change = clip((target - reference) * share, -down * dt, up * dt)
    # The limits differ on both sides of standstill, so a step ends there.
    crosses = reference * (reference + change) < 0.0
    change = select(crosses, -reference, change)

    # An acceleration must not carry the wheels beyond the speeds that are allowed.
    loop = p[P_MOTOR_LOOP]
    bounded = clip(command, (back - wheel_speed) / loop, (fast - wheel_speed) / loop)
    direct = clip(bounded, -down, up)
    wish = select(accelerates, direct, change / dt + (reference - wheel_speed) / loop)
    highest = select(wheel_speed >= 0.0, current * power, current)
    lowest = select(wheel_speed <= 0.0, -current * power, -current)
    given = clip(wish, lowest, highest)
    free = (given == wish) & (u[U_ACCELERATE] <= 0.5)
    s[S_REFERENCE] = select(accelerates, wheel_speed, reference + change)
    # The wheels are stepped implicitly against the reference at the end of the step.
    given = select(free, given + change / loop, given)
    slope = select(free, p[P_TRAVELLING_MASS] / loop, 0.0)
    return p[P_TRAVELLING_MASS] * given, slope
