"""How mass and inertia of the whole car are shared out among the links of its articulation.

Only the whole car was measured. Wheels get the mass that their spin inertia asks for, knuckles half
of that, and the chassis the rest: in mass, in centre of mass and in inertia, so that all links
together are the car of the parameters exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import SettingsError
from roboracer_arena.vehicle.parameters import Chassis

__all__ = ["CORNERS", "MassShare", "box_of", "share_masses", "tyre_width", "wheel_center"]

CORNERS = ("fl", "fr", "rl", "rr")
"""Front left, front right, rear left, rear right."""
_GYRATION = 0.8
"""Radius of gyration of a wheel over its radius, as the parameter file estimates the inertia."""
_KNUCKLE_SHARE = 0.5
"""Mass of a knuckle over that of a wheel: hub carrier, axle and bearings; an estimate."""
_LEAST_CHASSIS = 0.2
"""Least share of the car's mass that must remain for the chassis."""

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MassShare:
    """Mass properties of one rigid body."""

    mass: float
    """[kg]."""
    center: Vector
    """Shape [3], centre of mass in the body's own frame [m]."""
    moments: Vector
    """Shape [3], principal moments [kg m²]."""
    axes: Vector
    """Shape [3, 3], principal axes as columns in the body's own frame."""

    @property
    def inertia(self) -> Vector:
        """Shape [3, 3], inertia about the centre of mass in the body's own frame [kg m²]."""
        return np.asarray(self.axes @ np.diag(self.moments) @ self.axes.T)


def wheel_center(chassis: Chassis, corner: str) -> Vector:
    """Return the centre of a wheel relative to base_link, shape [3], [m]."""
    ahead = chassis.wheelbase if corner[0] == "f" else 0.0
    side = 0.5 if corner[1] == "l" else -0.5
    return np.array([ahead, side * chassis.track_width, chassis.wheel_radius])


def tyre_width(chassis: Chassis) -> float:
    """Return how wide a tyre is [m]: out to the side of the collision box, within reason."""
    radius = chassis.wheel_radius
    return float(np.clip(chassis.body.width - chassis.track_width, 0.5 * radius, 1.2 * radius))


def box_of(chassis: Chassis) -> tuple[Vector, Vector]:
    """Return centre, relative to base_link, and size of the collision box, shape [3] each [m]."""
    body = chassis.body
    center = np.array([body.center_ahead, 0.0, body.clearance + 0.5 * body.height])
    return center, np.array([body.length, body.width, body.height])


def share_masses(chassis: Chassis) -> dict[str, MassShare]:
    """Return the mass properties of ``base_link``, ``fl_knuckle``, ``fl_wheel_link`` and so on.

    Raises:
        SettingsError: The wheels are too heavy for the car.
    """
    shares = {f"{corner}_wheel_link": _wheel(chassis) for corner in CORNERS}
    shares |= {f"{corner}_knuckle": _knuckle(chassis) for corner in CORNERS[:2]}
    whole = np.array([chassis.com_to_rear, 0.0, chassis.com_height])
    mass, moment = chassis.mass, chassis.mass * whole
    for name, share in shares.items():
        mass -= share.mass
        moment = moment - share.mass * wheel_center(chassis, name[:2])
    if mass < _LEAST_CHASSIS * chassis.mass:
        raise SettingsError(
            f"is {chassis.wheel_inertia:g} kg m^2, which asks for wheels and knuckles of "
            f"{chassis.mass - mass:.3g} kg on a car of {chassis.mass:g} kg; give a smaller one",
            where="chassis.wheel_inertia",
        )
    center = moment / mass
    inertia = np.diag([chassis.roll_inertia, chassis.pitch_inertia, chassis.yaw_inertia])
    for name, share in shares.items():
        offset = wheel_center(chassis, name[:2]) - whole
        inertia = inertia - share.inertia - _steiner(share.mass, offset)
    moments, axes = _principal(inertia - _steiner(mass, center - whole))
    if moments.min() <= 0.0 or 2.0 * moments.max() > moments.sum():
        raise SettingsError(
            "leave no possible inertia for the chassis once wheels and knuckles are taken off "
            f"(principal moments {moments[0]:.3g}, {moments[1]:.3g}, {moments[2]:.3g} kg m^2); "
            "give smaller wheels or larger moments",
            where="chassis.roll_inertia, pitch_inertia, yaw_inertia, wheel_inertia",
        )
    return {"base_link": MassShare(mass, center, moments, axes)} | shares


def _wheel(chassis: Chassis) -> MassShare:
    """A ring that spins about y: half the spin inertia across, and its width."""
    mass = chassis.wheel_inertia / (_GYRATION * chassis.wheel_radius) ** 2
    across = 0.5 * chassis.wheel_inertia + mass * tyre_width(chassis) ** 2 / 12.0
    return MassShare(
        mass, np.zeros(3), np.array([across, chassis.wheel_inertia, across]), np.eye(3)
    )


def _knuckle(chassis: Chassis) -> MassShare:
    """A cube of half a wheel radius."""
    mass = _KNUCKLE_SHARE * _wheel(chassis).mass
    moment = mass * (0.5 * chassis.wheel_radius) ** 2 / 6.0
    return MassShare(mass, np.zeros(3), np.full(3, moment), np.eye(3))


def _steiner(mass: float, offset: Vector) -> Vector:
    """Return what an offset of the centre of mass adds to an inertia, shape [3, 3]."""
    return np.asarray(mass * (offset @ offset * np.eye(3) - np.outer(offset, offset)))


def _principal(inertia: Vector) -> tuple[Vector, Vector]:
    """Return principal moments, shape [3], and axes, shape [3, 3], nearest to x, y and z."""
    moments, axes = np.linalg.eigh(inertia)
    order = max(permutations(range(3)), key=lambda p: sum(abs(axes[i, p[i]]) for i in range(3)))
    axes = axes[:, order] * np.sign(np.diag(axes[:, order]))
    return moments[list(order)], axes
