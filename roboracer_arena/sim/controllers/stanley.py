"""Stanley: steer by the heading error and the distance of the front axle from the line.

G. M. Hoffmann et al., "Autonomous Automobile Trajectory Tracking for Off-Road Driving", American
Control Conference 2007: steering = heading error + atan(k e / (v + v0)).
"""

from __future__ import annotations

import math

import numpy as np

from roboracer_arena.sim.controllers.base import Command, ControllerSetup, Observation
from roboracer_arena.sim.controllers.speed import SpeedPlan, plan_speed

__all__ = ["Stanley"]


class Stanley:
    """Follows the centreline with the front axle."""

    def __init__(
        self,
        *,
        gain: float = 1.2,
        softening: float = 0.8,
        preview: float = 0.12,
        grip_share: float = 0.45,
    ) -> None:
        """Choose the driving style.

        Args:
            gain: k, how hard an offset is corrected [1/s].
            softening: v0, keeps the correction finite at rest [m/s].
            preview: The line's heading is taken this time ahead, for the lag of the servo [s].
            grip_share: Share of the friction that the speed plan uses, 0..1.
        """
        self._gain = gain
        self._softening = softening
        self._preview = preview
        self._share = grip_share
        self._near: float | None = None

    def reset(self, setup: ControllerSetup) -> None:
        """Plan the speed along the lap."""
        self._setup = setup
        self._plan: SpeedPlan = plan_speed(setup.course, setup.vehicle, self._share)
        self._near = None

    def act(self, observation: Observation) -> Command:
        """Turn the front axle towards the line."""
        wheelbase = self._setup.vehicle.chassis.wheelbase
        front = np.array(
            [
                [
                    observation.x + wheelbase * math.cos(observation.yaw),
                    observation.y + wheelbase * math.sin(observation.yaw),
                ]
            ]
        )
        near = None if self._near is None else np.array([self._near])
        place = self._setup.course.locate(front, near)
        self._near = float(place.s[0])
        speed = abs(observation.speed)
        heading = float(self._setup.course.heading_at(self._near + self._preview * speed)[0])
        error = (heading - observation.yaw + math.pi) % (2.0 * math.pi) - math.pi
        offset = -float(place.lateral[0])
        steering = error + math.atan2(self._gain * offset, speed + self._softening)
        return Command(steering=steering, speed=self._plan.at(self._near + 0.15 * speed))
