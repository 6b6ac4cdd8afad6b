"""How fast a line can be driven: lateral grip in the turns, braking and acceleration between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.sim.course import Course
from roboracer_arena.vehicle import VehicleParameters

__all__ = ["SpeedPlan", "plan_speed"]

_GRAVITY = 9.81
_SMOOTH = 0.4
"""Stretch of line over which curvature is averaged [m]: about a wheelbase, since a car cannot
follow a sharper kink."""


@dataclass(frozen=True, slots=True, eq=False)
class SpeedPlan:
    """Target speed along a lap."""

    s: NDArray[np.float64]
    """Shape [n], arc length [m]."""
    speed: NDArray[np.float64]
    """Shape [n], [m/s]."""
    length: float
    """Lap length [m]."""

    def at(self, s: float) -> float:
        """Return the target speed at an arc length [m/s]."""
        return float(np.interp(s % self.length, self.s, self.speed, period=self.length))


def plan_speed(course: Course, vehicle: VehicleParameters, grip_share: float) -> SpeedPlan:
    """Return the forward-backward speed profile of a lap.

    The speed in a turn is sqrt(a / curvature) with a = grip_share * mu * g; a backward pass limits
    it by braking and a forward pass by acceleration, both with what the friction circle leaves.

    Args:
        course: The line.
        vehicle: The car.
        grip_share: Share of the friction to use, 0..1.
    """
    count = max(64, int(course.length / 0.1))
    s = np.arange(count) * course.length / count
    step = course.length / count
    curvature = _curvature(course, s, step)
    motor = vehicle.deployment.motor
    grip = grip_share * vehicle.deployment.tyre.friction * _GRAVITY
    top = np.minimum(np.sqrt(grip / np.maximum(np.abs(curvature), 1.0e-6)), motor.max_speed)
    brake = min(grip, motor.max_braking)
    drive = min(grip, motor.max_acceleration)
    speed = _limit(top[::-1], np.abs(curvature[::-1]), step, brake, grip)[::-1]
    speed = _limit(speed, np.abs(curvature), step, drive, grip)
    return SpeedPlan(s=s, speed=speed, length=course.length)


def _curvature(course: Course, s: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Return the curvature of the line, averaged over a wheelbase, shape [n], [1/m]."""
    half = 0.5 * _SMOOTH
    turn = course.heading_at(s + half) - course.heading_at(s - half)
    return np.asarray(((turn + np.pi) % (2.0 * np.pi) - np.pi) / (2.0 * half))


def _limit(
    speed: NDArray[np.float64],
    curvature: NDArray[np.float64],
    step: float,
    acceleration: float,
    grip: float,
) -> NDArray[np.float64]:
    """Limit how fast the speed may rise along a closed line; two rounds close the loop."""
    result = speed.copy()
    for index in range(2 * len(result)):
        here, ahead = index % len(result), (index + 1) % len(result)
        lateral = min(result[here] ** 2 * curvature[here] / grip, 1.0)
        gain = acceleration * np.sqrt(1.0 - lateral**2)
        result[ahead] = min(result[ahead], np.sqrt(result[here] ** 2 + 2.0 * gain * step))
    return result
