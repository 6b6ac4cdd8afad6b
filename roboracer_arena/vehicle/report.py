"""What is told about a car as one document."""

from __future__ import annotations

from roboracer_arena.vehicle.quantities import ParameterModel, Quantity

__all__ = ["ExportReport", "QuantityReport"]


class QuantityReport(ParameterModel):
    """Every parameter of a car."""

    quantities: tuple[Quantity, ...]
    """In the order of the parameter file."""


class ExportReport(ParameterModel):
    """Where a car was written."""

    car: str
    """Path of the USD asset."""
