"""Pure pursuit: steer along the arc to a point ahead on the line.

R. C. Coulter, "Implementation of the Pure Pursuit Path Tracking Algorithm", CMU-RI-TR-92-01, 1992:
steering = atan(2 L sin(alpha) / d), with L the wheelbase, d the distance to the point ahead and
alpha its bearing from the rear axle.
"""

from __future__ import annotations

import math

import numpy as np

from roboracer_arena.sim.controllers.base import Command, ControllerSetup, Observation
from roboracer_arena.sim.controllers.speed import SpeedPlan, plan_speed

__all__ = ["PurePursuit"]


class PurePursuit:
    """Follows the centreline, as fast as the friction allows with a margin."""

    def __init__(
        self, *, lookahead_time: float = 0.3, lookahead_min: float = 0.8, grip_share: float = 0.45
    ) -> None:
        """Choose the driving style.

        Args:
            lookahead_time: The point ahead lies this time away at the present speed [s].
            lookahead_min: It is never nearer than this [m].
            grip_share: Share of the friction that the speed plan uses, 0..1.
        """
        self._time = lookahead_time
        self._min = lookahead_min
        self._share = grip_share
        self._near: float | None = None

    def reset(self, setup: ControllerSetup) -> None:
        """Plan the speed along the lap."""
        self._setup = setup
        self._plan: SpeedPlan = plan_speed(setup.course, setup.vehicle, self._share)
        self._near = None

    def act(self, observation: Observation) -> Command:
        """Aim at the point ahead."""
        course = self._setup.course
        here = np.array([[observation.x, observation.y]])
        near = None if self._near is None else np.array([self._near])
        place = course.locate(here, near)
        self._near = float(place.s[0])
        ahead = max(self._min, self._time * abs(observation.speed))
        dx, dy = course.point_at(self._near + ahead)[0] - here[0]
        alpha = math.atan2(dy, dx) - observation.yaw
        distance = max(math.hypot(dx, dy), 1.0e-3)
        wheelbase = self._setup.vehicle.chassis.wheelbase
        steering = math.atan2(2.0 * wheelbase * math.sin(alpha), distance)
        # Speed for where the car will be when the motor has answered.
        lead = self._near + 0.15 * abs(observation.speed)
        return Command(steering=steering, speed=self._plan.at(lead))
