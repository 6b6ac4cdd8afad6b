"""What a driver sees and says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.sim.course import Course
from roboracer_arena.sim.lidar import LidarModel
from roboracer_arena.vehicle import VehicleParameters

__all__ = ["Command", "Controller", "ControllerSetup", "Observation"]


@dataclass(frozen=True, slots=True)
class ControllerSetup:
    """What a driver may know before the race."""

    course: Course
    """The centreline and its widths."""
    vehicle: VehicleParameters
    """The car."""
    lidar: LidarModel
    """The scanner."""
    period: float
    """Time between two calls [s]."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What a driver sees at one moment; the same that the real car measures."""

    time: float
    """Simulated time [s]."""
    x: float
    """Position of base_link (the middle of the rear axle) in the map frame [m]."""
    y: float
    """[m]."""
    yaw: float
    """Heading [rad]."""
    speed: float
    """Forward speed in the body frame [m/s]."""
    yaw_rate: float
    """[rad/s]."""
    steering: float
    """Steering angle of the virtual front wheel, left positive [rad]."""
    scan: NDArray[np.float64]
    """Shape [beams], latest ranges, counter-clockwise from the right rear [m]."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a driver says: as ``AckermannDrive`` on the real car."""

    steering: float
    """Angle of the virtual front wheel, left positive [rad]."""
    speed: float
    """Target speed, negative backwards [m/s]."""


class Controller(Protocol):
    """A driver of one car. A user's own is any class with these two methods."""

    def reset(self, setup: ControllerSetup) -> None:
        """Get ready for a new race."""
        ...

    def act(self, observation: Observation) -> Command:
        """Say what to do until the next call."""
        ...
