"""Follow the gap: drive to the deepest opening that the car fits through. Sees the scan only.

V. Sezer, M. Gokasan, "A novel obstacle avoidance algorithm: Follow the Gap Method", Robotics and
Autonomous Systems 60 (2012), with the disparity extension of the UNC F1TENTH team (2019): behind
every jump in range the near side is widened by half a car, so that what looks open also is.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.sim.controllers.base import Command, ControllerSetup, Observation

__all__ = ["FollowTheGap"]


class FollowTheGap:
    """Drives on the latest scan alone; knows neither map nor position."""

    def __init__(
        self,
        *,
        half_width: float = 0.33,
        horizon: float = 3.0,
        grip_share: float = 0.4,
        speed_max: float = 4.0,
        depth: float = 0.9,
    ) -> None:
        """Choose the driving style.

        Args:
            half_width: Half a car plus a margin, by which near edges are widened [m].
            horizon: Ranges beyond this count as this [m].
            grip_share: Share of the friction used for turning and braking, 0..1.
            speed_max: Never faster than this [m/s].
            depth: Beams this share as deep as the deepest count as open, 0..1.
        """
        self._half_width = half_width
        self._horizon = horizon
        self._share = grip_share
        self._speed_max = speed_max
        self._depth = depth

    def reset(self, setup: ControllerSetup) -> None:
        """Note the geometry of scanner and car."""
        self._setup = setup
        angles = setup.lidar.angles()
        self._ahead = np.flatnonzero(np.abs(angles) <= 0.5 * math.pi)
        self._angles = angles[self._ahead]
        self._step = setup.lidar.angle_increment
        self._grip = self._share * setup.vehicle.deployment.tyre.friction * 9.81

    def act(self, observation: Observation) -> Command:
        """Aim at the middle of the deepest opening."""
        ranges = np.minimum(observation.scan[self._ahead], self._horizon)
        free = self._widened(ranges)
        target = self._target(free)
        reach = float(free[target])
        angle = float(self._angles[target])
        wheelbase = self._setup.vehicle.chassis.wheelbase
        lookahead = float(np.clip(0.5 * reach, 0.5, 2.0))
        steering = math.atan2(2.0 * wheelbase * math.sin(angle), lookahead)
        return Command(steering=steering, speed=self._speed(free, steering))

    def _widened(self, ranges: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far the car, as wide as it is, could drive along each beam, shape [k] [m]."""
        free = ranges.copy()
        jumps = np.flatnonzero(np.abs(np.diff(ranges)) > 0.3)
        for index in jumps:
            near = index if ranges[index] < ranges[index + 1] else index + 1
            spread = math.atan2(self._half_width, max(float(ranges[near]), 0.05))
            width = int(spread / self._step)
            low, high = max(near - width, 0), min(near + width + 1, len(free))
            free[low:high] = np.minimum(free[low:high], ranges[near])
        # Walls on both sides keep their distance too, not only at jumps.
        nearest = int(np.argmin(ranges))
        if ranges[nearest] < 2.0 * self._half_width:
            width = int(
                math.atan2(self._half_width, max(float(ranges[nearest]), 0.05)) / self._step
            )
            low, high = max(nearest - width, 0), min(nearest + width + 1, len(free))
            free[low:high] = np.minimum(free[low:high], ranges[nearest])
        return free

    def _target(self, free: NDArray[np.float64]) -> int:
        """Return the middle of the widest run of beams that are nearly as deep as the deepest."""
        deep = free >= self._depth * float(free.max())
        edges = np.flatnonzero(np.diff(np.concatenate([[False], deep, [False]]).astype(np.int8)))
        starts, stops = edges[::2], edges[1::2]
        best = int(np.argmax(stops - starts))
        return int((starts[best] + stops[best] - 1) // 2)

    def _speed(self, free: NDArray[np.float64], steering: float) -> float:
        """Return a speed that the turn allows and from which the car can stop in the free way."""
        wheelbase = self._setup.vehicle.chassis.wheelbase
        curvature = abs(math.tan(np.clip(steering, -1.2, 1.2))) / wheelbase
        in_turn = math.sqrt(self._grip / max(curvature, 1.0e-3))
        front = free[np.abs(self._angles) < 0.15]
        way = max(float(front.min()) - 0.3, 0.1)
        to_stop = math.sqrt(2.0 * self._grip * way)
        return float(np.clip(min(in_turn, to_stop), 0.6, self._speed_max))
