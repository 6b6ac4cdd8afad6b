"""Wall following: hold a distance to one wall by two beams and a PD law. Sees the scan only.

The F1TENTH course's lab: beams at 90 and 45 degrees give the wall's angle and distance; the
distance is predicted a little ahead and regulated.
"""

from __future__ import annotations

import math

import numpy as np

from roboracer_arena.sim.controllers.base import Command, ControllerSetup, Observation

__all__ = ["WallFollow"]

_BEAM_GAP = math.radians(45.0)
"""Angle between the two beams [rad]."""


class WallFollow:
    """Keeps to the middle between left and right wall, measured by two beams on each side."""

    def __init__(
        self,
        *,
        gain: float = 1.0,
        damping: float = 0.25,
        preview: float = 0.6,
        speed: float = 1.5,
    ) -> None:
        """Choose the driving style.

        Args:
            gain: Steering for an offset from the middle [rad/m].
            damping: Steering for its rate [rad s/m].
            preview: The offset is predicted this far ahead [m].
            speed: Speed on a straight [m/s]; turns are taken slower.
        """
        self._gain = gain
        self._damping = damping
        self._preview = preview
        self._speed = speed

    def reset(self, setup: ControllerSetup) -> None:
        """Find the beams."""
        self._setup = setup
        self._angles = setup.lidar.angles()
        self._last: float | None = None

    def act(self, observation: Observation) -> Command:
        """Steer towards the middle."""
        left = self._distance(observation.scan, 1.0)
        right = self._distance(observation.scan, -1.0)
        offset = float(np.clip(0.5 * (left - right), -0.8, 0.8))
        rate = 0.0 if self._last is None else (offset - self._last) / self._setup.period
        self._last = offset
        steering = self._gain * offset + self._damping * float(np.clip(rate, -2.0, 2.0))
        ahead = float(observation.scan[np.abs(self._angles) < 0.1].min())
        speed = self._speed * float(np.clip(ahead / 2.5, 0.4, 1.0)) / (1.0 + 1.5 * abs(steering))
        return Command(steering=steering, speed=max(speed, 0.5))

    def _distance(self, scan: np.ndarray, side: float) -> float:
        """Return the predicted distance to the wall on one side (left 1, right -1) [m]."""
        across = self._range(scan, side * 0.5 * math.pi)
        slanted = self._range(scan, side * (0.5 * math.pi - _BEAM_GAP))
        tilt = math.atan2(slanted * math.cos(_BEAM_GAP) - across, slanted * math.sin(_BEAM_GAP))
        return across * math.cos(tilt) + self._preview * math.sin(tilt)

    def _range(self, scan: np.ndarray, angle: float) -> float:
        """Return the range at an angle, limited to what a wall follower should care about [m]."""
        index = int(np.argmin(np.abs(self._angles - angle)))
        return float(min(scan[index], 4.0))
