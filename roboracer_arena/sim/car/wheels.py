"""Tyres and driveline of a car with any number of wheels: slips, wheel speeds, forces.

The wheels are light and their tyres stiff, so wheel speeds are stepped implicitly: with the tyre's
force written as secant stiffness times slip, wheels, differentials, centre coupling, rotor and
speed controller form one small linear system, solved in closed form. Two rounds let the stiffness
follow the slip. Branch-free functions over records, see :mod:`roboracer_arena.sim.car.compile`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roboracer_arena.sim.car.columns import (
    P_B_,
    P_C_,
    P_CENTER_COUPLING,
    P_E_,
    P_FRICTION,
    P_FRONT_SHARE,
    P_LONGITUDINAL_B,
    P_RADIUS,
    P_RELAXATION,
    P_ROLLING,
    P_ROTOR,
    S_ACROSS_,
    S_ALONG_,
    S_DAMPED_Y_,
    S_FORCE_X_,
    S_FORCE_Y_,
    S_LOAD_,
    S_SLIP_X_,
    S_SLIP_Y_,
    S_STIFF_,
    S_TRAVEL_,
    S_WHEEL_,
    S_WHEEL_BEFORE_,
)
from roboracer_arena.vehicle.tyre import (
    LOW_SPEED,
    LOW_SPEED_DAMPING,
    damped_slip,
    secant,
    transient_slip,
    travel_speed,
)

__all__ = ["begin_wheel", "finish_wheel", "solve_axles", "stiffen_wheel", "wheel_equation"]

_ROLLING_SPEED = 0.05
"""Rim speed below which rolling resistance fades to zero [m/s], so that a standing wheel rests."""


def begin_wheel(i: int, axle: int, p: Any, s: Any, dt: float) -> None:
    """Advance the lateral slip of a wheel and take the longitudinal stiffness of the last step."""
    before = s[S_WHEEL_ + i]
    s[S_WHEEL_BEFORE_ + i] = before
    travel = travel_speed(s[S_ALONG_ + i], s[S_ACROSS_ + i], p[P_RADIUS] * before)
    s[S_TRAVEL_ + i] = travel
    across = s[S_ACROSS_ + i]
    s[S_SLIP_Y_ + i] = transient_slip(s[S_SLIP_Y_ + i], across, travel, p[P_RELAXATION], dt)
    s[S_DAMPED_Y_ + i] = damped_slip(s[S_SLIP_Y_ + i], across, travel)
    stiffen_wheel(i, axle, s[S_SLIP_X_ + i], p, s)


def stiffen_wheel(i: int, axle: int, slip_x: Any, p: Any, s: Any) -> None:
    """Set the secant stiffness of the longitudinal force of a wheel for a longitudinal slip."""
    bx, by = p[P_LONGITUDINAL_B], p[P_B_ + axle]
    along, across = bx * slip_x, by * s[S_DAMPED_Y_ + i]
    rho = np.sqrt(along * along + across * across)
    peak = p[P_FRICTION] * s[S_LOAD_ + i]
    s[S_STIFF_ + i] = peak * secant(rho, p[P_C_ + axle], p[P_E_ + axle]) * bx


def wheel_equation(i: int, inertia: Any, p: Any, s: Any, dt: float) -> Any:
    """Return the equation ``resists * speed = pushes + torque`` of a wheel's new speed.

    Args:
        i: Wheel.
        inertia: Of the wheel [kg m²].
        p: Parameter record.
        s: Internal record.
        dt: Step [s].

    Returns:
        ``resists`` [N m s/rad] and ``pushes`` [N m].
    """
    radius, length = p[P_RADIUS], p[P_RELAXATION]
    travel, before = s[S_TRAVEL_ + i], s[S_WHEEL_BEFORE_ + i]
    fresh = length + travel * dt
    kept = length * s[S_SLIP_X_ + i] / fresh
    fade = LOW_SPEED_DAMPING * np.maximum(0.0, 1.0 - travel / LOW_SPEED)
    gain = dt / fresh + fade
    rolling = p[P_ROLLING] * s[S_LOAD_ + i] * radius * radius
    rolling = rolling / np.maximum(np.abs(radius * before), _ROLLING_SPEED)
    resists = inertia / dt + radius * radius * s[S_STIFF_ + i] * gain + rolling
    slip_force = s[S_STIFF_ + i] * (kept - gain * s[S_ALONG_ + i])
    return resists, inertia / dt * before - radius * slip_force


def solve_axles(
    front: Any,
    front_push: Any,
    rear: Any,
    rear_push: Any,
    before: Any,
    drive: Any,
    p: Any,
    dt: float,
) -> Any:
    """Return the new speeds of both axles, coupled through the motor and the centre coupling.

    Args:
        front: ``resists`` of the front axle.
        front_push: ``pushes`` of the front axle.
        rear: ``resists`` of the rear axle.
        rear_push: ``pushes`` of the rear axle.
        before: Motor speed before the step, at the wheels [rad/s].
        drive: Force [N] and slope [N s/m] of the speed controller.
        p: Parameter record.
        dt: Step [s].
    """
    force, slope = drive
    radius, share = p[P_RADIUS], p[P_FRONT_SHARE]
    other = 1.0 - share
    holds = slope * radius * radius + p[P_ROTOR] / dt
    torque = radius * force + holds * before
    coupling = p[P_CENTER_COUPLING]
    a = front + coupling + holds * share * share
    b = holds * share * other - coupling
    d = rear + coupling + holds * other * other
    one, two = front_push + share * torque, rear_push + other * torque
    determinant = a * d - b * b
    return (d * one - b * two) / determinant, (a * two - b * one) / determinant


def advanced_slip(i: int, p: Any, s: Any, dt: float) -> Any:
    """Return the longitudinal slip of a wheel after the step, without and with damping."""
    sliding = s[S_ALONG_ + i] - p[P_RADIUS] * s[S_WHEEL_ + i]
    travel = s[S_TRAVEL_ + i]
    slip = transient_slip(s[S_SLIP_X_ + i], sliding, travel, p[P_RELAXATION], dt)
    return slip, damped_slip(slip, sliding, travel)


def finish_wheel(i: int, axle: int, p: Any, s: Any, dt: float) -> None:
    """Keep the new slip of a wheel and write its tyre forces along and across."""
    slip, damped = advanced_slip(i, p, s, dt)
    s[S_SLIP_X_ + i] = slip
    stiffen_wheel(i, axle, damped, p, s)
    stiff = s[S_STIFF_ + i]
    s[S_FORCE_X_ + i] = stiff * damped
    s[S_FORCE_Y_ + i] = stiff * p[P_B_ + axle] / p[P_LONGITUDINAL_B] * s[S_DAMPED_Y_ + i]
