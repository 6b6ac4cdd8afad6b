"""Parameters of the planar lidar and its mount."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from roboracer_arena.vehicle.quantities import ParameterModel, quantity

__all__ = ["LidarDeployment", "LidarHardware", "LidarParameters"]


class LidarHardware(ParameterModel):
    """Fixed by the sensor and its bracket."""

    beams: int = quantity("1", 1, 100_000)
    """Ranges in one scan, first and last beam included."""
    field_of_view: float = quantity("rad", 0.01, 6.283185307179586)
    """From the first to the last beam; the middle beam looks ahead."""
    range_min: float = quantity("m", 0.0, 10.0)
    """Nearest distance that is measured."""
    range_max: float = quantity("m", 0.1, 1000.0)
    """Farthest distance that is measured."""
    mount_ahead: float = quantity("m", -1.0, 2.0)
    """Ahead of base_link, the middle of the rear axle."""
    mount_height: float = quantity("m", 0.0, 1.0)
    """Above the floor."""

    @model_validator(mode="after")
    def _ranges_are_ordered(self) -> Self:
        if self.range_min >= self.range_max:
            raise ValueError(
                f"hardware.range_min {self.range_min:g} m is not below hardware.range_max "
                f"{self.range_max:g} m"
            )
        return self


class LidarDeployment(ParameterModel):
    """Settings and disturbances."""

    rate: float = quantity("Hz", 0.1, 1000.0)
    """Scans each second."""
    noise: float = quantity("m", 0.0, 1.0)
    """Standard deviation of the range noise."""
    dropout: float = quantity("1", 0.0, 1.0)
    """Share of beams that return nothing."""
    quantisation: float = quantity("m", 0.0, 1.0)
    """Step of the reported ranges; 0 is none."""


class LidarParameters(ParameterModel):
    """Everything that defines a lidar."""

    hardware: LidarHardware
    deployment: LidarDeployment
