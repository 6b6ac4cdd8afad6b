"""What the validator measured, as values."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Measurement", "ValidationReport"]


class Measurement(BaseModel):
    """One property of a map beside what was asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """Stable name, such as ``lap_length``."""
    wanted: float | int | str | None
    """What was asked; None where nothing was, so that the value is for information."""
    measured: float | int | str | None
    """What the map holds; None where it could not be measured."""
    tolerance: float | None
    """Allowed deviation, in ``unit``; None for exact properties."""
    unit: str
    """``m``, or empty for counts and words."""
    ok: bool
    """Whether the map satisfies the property."""
    sentence: str
    """The same in words."""


class ValidationReport(BaseModel):
    """Everything that was measured on one map; nothing of it comes from the constructor."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    map_name: str
    """Display name of the map."""
    resolution_m: float
    """Side of a cell [m]."""
    reference_radius_m: float
    """The radius that scales the feature definitions [m]."""
    wall_thickness_m: float | None
    """Measured t_w [m]; None where the map cannot be measured."""
    features: tuple[str, ...]
    """Features found, in driving order."""
    measurements: tuple[Measurement, ...]
    """One per test, in a fixed order."""

    @property
    def accepted(self) -> bool:
        """Whether every test passed."""
        return all(measurement.ok for measurement in self.measurements)

    @property
    def failures(self) -> tuple[Measurement, ...]:
        """The tests that did not pass."""
        return tuple(item for item in self.measurements if not item.ok)
