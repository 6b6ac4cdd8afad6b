"""A batch of planar lidars: exact ranges first, then what a real sensor does to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import MissingExtraError, UsageError
from roboracer_arena.sim.lidar.scene import ScanScene
from roboracer_arena.vehicle.lidar import LidarParameters

__all__ = ["Lidar", "LidarModel", "car_corners"]


@dataclass(frozen=True, slots=True)
class LidarModel:
    """A planar scanner and its errors; the defaults describe the ideal sensor of Table I."""

    beams: int = 1081
    """Number of beams; beam 0 points right of the rear, angles grow counter-clockwise (REP-103)."""
    field_of_view: float = math.radians(270.0)
    """Angle between the first and the last beam [rad]."""
    rate: float = 39.9
    """Scans a second [Hz]."""
    range_min: float = 0.06
    """Shortest range that is measured [m]."""
    range_max: float = 30.0
    """Longest range that is measured [m]; a beam without an echo reads this."""
    mount: tuple[float, float, float] = (0.27, 0.0, 0.11)
    """Position in the frame base_link [m]."""
    noise: float = 0.0
    """Standard deviation of a range [m]."""
    dropout: float = 0.0
    """Probability that a beam gets no echo, 0..1."""
    quantum: float = 0.0
    """Step to which ranges are rounded [m]; 0 keeps them continuous."""

    @classmethod
    def from_parameters(cls, parameters: LidarParameters) -> LidarModel:
        """Take the sensor that a parameter file describes."""
        hardware, deployment = parameters.hardware, parameters.deployment
        return cls(
            beams=hardware.beams,
            field_of_view=hardware.field_of_view,
            rate=deployment.rate,
            range_min=hardware.range_min,
            range_max=hardware.range_max,
            mount=(hardware.mount_ahead, 0.0, hardware.mount_height),
            noise=deployment.noise,
            dropout=deployment.dropout,
            quantum=deployment.quantisation,
        )

    def __post_init__(self) -> None:
        checks = {
            "beams": 2 <= self.beams <= 100_000,
            "field_of_view": 0.0 < self.field_of_view < 2.0 * math.pi,
            "rate": 0.0 < self.rate <= 10_000.0,
            "range_min": 0.0 <= self.range_min < self.range_max,
            "range_max": self.range_max <= 1000.0,
            "noise": 0.0 <= self.noise <= 10.0,
            "dropout": 0.0 <= self.dropout <= 1.0,
            "quantum": 0.0 <= self.quantum <= 1.0,
        }
        for name, fine in checks.items():
            if not fine:
                raise UsageError(f"is {getattr(self, name)}, out of range", where=f"lidar.{name}")

    @property
    def angle_min(self) -> float:
        """Angle of the first beam [rad]."""
        return -self.field_of_view / 2.0

    @property
    def angle_increment(self) -> float:
        """Angle between neighbouring beams [rad]: the field of view over beams - 1."""
        return self.field_of_view / (self.beams - 1)

    def angles(self) -> NDArray[np.float64]:
        """Return the angle of every beam, shape [beams], [rad]."""
        return self.angle_min + self.angle_increment * np.arange(self.beams, dtype=np.float64)


class Lidar:
    """Scans for any number of poses at once; the errors are drawn from one seeded generator."""

    def __init__(
        self, scene: ScanScene, model: LidarModel, *, seed: int = 0, threads: bool = False
    ) -> None:
        self.model = model
        self._scene = scene
        self._threads = threads
        self._random = np.random.default_rng(seed)
        angles = model.angles()
        self._directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self._kernel = _load_kernel()

    def exact(
        self,
        poses: NDArray[np.float64],
        corners: NDArray[np.float64] | None = None,
        own: NDArray[np.int64] | None = None,
    ) -> NDArray[np.float64]:
        """Return exact ranges up to ``range_max``.

        Args:
            poses: Shape [n, 3], x, y [m] and heading [rad] of each sensor.
            corners: Shape [m, 4, 2], outlines of cars, clockwise [m]; see :func:`car_corners`.
            own: Shape [n], the car that carries each sensor, or -1 for none.

        Returns:
            Shape [n, beams], [m].
        """
        sensors = np.ascontiguousarray(poses, dtype=np.float64)
        outlines = np.empty((0, 4, 2)) if corners is None else np.ascontiguousarray(corners)
        carriers = np.full(len(sensors), -1, dtype=np.int64) if own is None else own
        ranges: NDArray[np.float64] = self._kernel(
            sensors,
            self._directions,
            self.model.angle_min,
            self.model.angle_increment,
            self.model.range_max,
            self._scene.vertices,
            self._scene.chunks,
            self._scene.boxes,
            outlines,
            carriers,
            threads=self._threads,
        )
        return ranges

    def scan(
        self,
        poses: NDArray[np.float64],
        corners: NDArray[np.float64] | None = None,
        own: NDArray[np.int64] | None = None,
    ) -> NDArray[np.float64]:
        """Return ranges as the sensor reports them: with noise, dropouts and rounding."""
        model = self.model
        ranges = self.exact(poses, corners, own)
        echo = ranges < model.range_max
        if model.noise > 0.0:
            ranges = ranges + model.noise * self._random.standard_normal(ranges.shape)
        if model.quantum > 0.0:
            ranges = np.round(ranges / model.quantum) * model.quantum
        if model.dropout > 0.0:
            echo &= self._random.random(ranges.shape) >= model.dropout
        return np.where(echo, np.clip(ranges, model.range_min, model.range_max), model.range_max)


def car_corners(
    poses: NDArray[np.float64], half_length: float, half_width: float
) -> NDArray[np.float64]:
    """Return the outlines of cars, shape [n, 4, 2] [m], clockwise so that outside is on the left.

    Args:
        poses: Shape [n, 3], x, y [m] and heading [rad] of each body's centre.
        half_length: Half the length of the body [m].
        half_width: Half its width [m].
    """
    local = np.array(
        [
            [half_length, half_width],
            [half_length, -half_width],
            [-half_length, -half_width],
            [-half_length, half_width],
        ]
    )
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    rotation = np.stack([np.stack([cos, sin], axis=1), np.stack([-sin, cos], axis=1)], axis=1)
    return np.asarray(local @ rotation + poses[:, None, :2])


def _load_kernel() -> Callable[..., NDArray[np.float64]]:
    """Import the compiled kernel or say how to get it."""
    try:
        from roboracer_arena.sim.lidar.kernel import scan_batch
    except ImportError as error:
        raise MissingExtraError(
            "the lidar needs numba: pip install 'roboracer-arena[sim]'", where="numba"
        ) from error
    return scan_batch
