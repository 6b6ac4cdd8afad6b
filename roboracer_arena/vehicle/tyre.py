"""The tyre: magic formula, combined slip by similarity, and a transient slip that needs no speed.

Sources: H. B. Pacejka, *Tire and Vehicle Dynamics*, 3rd edition (2012): the magic formula (section
4.3.2, eq. 4.49), combined slip by similarity (section 4.3.1: normalised slips along and across the
wheel form one slip, which gives the force, which points along it), and the single-point transient
slip with its damping at low speed (sections 7.2.2 and 8.6).

Along the wheel the slip is the sliding speed over the rolling speed, across it the tangent of the
slip angle. With normalised slip ``rho`` and wheel load ``Fz``::

    rho = hypot(Bx slip_x, By slip_y)          F = mu Fz sin(C atan(rho - E (rho - atan rho)))
    Fx = F Bx slip_x / rho                     Fy = F By slip_y / rho

so the force never leaves the circle ``mu Fz``, stiffness is proportional to load, and the force
always takes energy out of sliding. Scaling by load alone (no load sensitivity) is what the public
identifications for 1:10 cars assume.

Every function works element by element on numbers and on arrays, without branches: the vehicle
models run the same source over arrays with numpy and car by car in compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "damped_slip",
    "magic_formula",
    "peak_slip",
    "secant",
    "slip_for",
    "transient_slip",
    "travel_speed",
]

LOW_SPEED = 0.25
"""Speed below which sliding is damped directly [m/s]."""
LOW_SPEED_DAMPING = 0.2
"""Extra slip for each m/s of sliding at standstill [s/m]. The car on its standing tyres is a spring
and a mass of 30 to 60 rad/s (slip stiffness over relaxation length); this damps it to about 0.3 of
critical, so that it comes to rest within two swings, and stays stable at steps up to 0.01 s."""

Value = Any
"""A float or an array of float64; compiled code sees floats."""


def magic_formula(rho: Value, c: Value, e: Value) -> Value:
    """Return force over peak force for a normalised slip ``rho`` >= 0."""
    return np.sin(c * np.arctan(rho - e * (rho - np.arctan(rho))))


def secant(rho: Value, c: Value, e: Value) -> Value:
    """Return ``magic_formula(rho) / rho``, which tends to ``c`` where there is no slip."""
    safe = np.maximum(rho, 1e-9)
    return magic_formula(safe, c, e) / safe


def travel_speed(along: Value, across: Value, rolling: Value) -> Value:
    """Return the speed at which a tyre meets new floor [m/s].

    The largest of the three speeds: forward rolling, spinning on the spot and sliding sideways all
    renew the contact, and the slip stays bounded in each.

    Args:
        along: Speed of the contact point along the wheel [m/s].
        across: Speed of the contact point across the wheel [m/s].
        rolling: Wheel speed times radius [m/s].
    """
    return np.maximum(np.maximum(np.abs(along), np.abs(across)), np.abs(rolling))


def transient_slip(slip: Value, sliding: Value, speed: Value, length: Value, dt: Value) -> Value:
    """Advance the slip by ``length d(slip)/dt + speed slip = -sliding``, implicitly.

    At rest the slip is the deflection of a spring over its length; in motion it tends to
    ``-sliding / speed``. The implicit step is stable at any speed.

    Args:
        slip: Before the step [-].
        sliding: Speed of the contact patch over the floor along this axis [m/s].
        speed: From :func:`travel_speed` [m/s].
        length: Relaxation length [m].
        dt: Step [s].
    """
    return (length * slip - dt * sliding) / (length + speed * dt)


def damped_slip(slip: Value, sliding: Value, speed: Value) -> Value:
    """Return the slip with the damping that acts at low speed only."""
    fade = np.maximum(0.0, 1.0 - speed / LOW_SPEED)
    return slip - LOW_SPEED_DAMPING * fade * sliding


def peak_slip(b: float, c: float, e: float) -> float:
    """Return the slip at which the force peaks."""
    return _slip_with_argument(float(np.tan(0.5 * np.pi / c)), e) / b


def slip_for(fraction: float, b: float, c: float, e: float) -> float:
    """Return the slip below the peak at which the force is a fraction of the peak force.

    The inverse of the magic formula; closed where ``e`` is zero.

    Args:
        fraction: 0 up to and including 1.
        b: Stiffness factor.
        c: Shape factor.
        e: Curvature factor.
    """
    return _slip_with_argument(float(np.tan(np.arcsin(fraction) / c)), e) / b


def _slip_with_argument(argument: float, e: float) -> float:
    """Solve ``rho - e (rho - atan rho) = argument`` for rho; monotonic, since e < 1."""
    if e == 0.0:
        return argument
    low, high = 0.0, max(argument, 1.0)
    while high - e * (high - np.arctan(high)) < argument:
        high *= 2.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        if middle - e * (middle - np.arctan(middle)) < argument:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
