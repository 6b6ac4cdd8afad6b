"""Loading a car or a lidar: the bundled file, a user's file over it, and overrides over both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from roboracer_arena.resources import data_dir
from roboracer_arena.vehicle.lidar import LidarParameters
from roboracer_arena.vehicle.parameters import VehicleParameters
from roboracer_arena.vehicle.quantities import (
    ParameterModel,
    Quantity,
    build,
    merge,
    read_quantities,
)

__all__ = [
    "lidar_quantities",
    "load_lidar",
    "load_vehicle",
    "vehicle_quantities",
]


def load_vehicle(
    path: Path | None = None, overrides: Mapping[str, float] | None = None
) -> VehicleParameters:
    """Return the parameters of a car.

    Args:
        path: A user's file with some or all quantities, or None for the bundled car.
        overrides: Values by dotted name, for example ``{"tyre.friction": 0.6}``. Leading parts of a
            name may be left out while the rest is unique.

    Raises:
        SettingsError: A file cannot be read, or a value makes no sense; the message names it.
    """
    where = str(path) if path else None
    return build(VehicleParameters, vehicle_quantities(path, overrides), where=where)


def vehicle_quantities(
    path: Path | None = None, overrides: Mapping[str, float] | None = None
) -> tuple[Quantity, ...]:
    """Return what :func:`load_vehicle` loads as lines with unit and source."""
    return _quantities(VehicleParameters, "roboracer.toml", path, overrides)


def load_lidar(
    path: Path | None = None, overrides: Mapping[str, float] | None = None
) -> LidarParameters:
    """Return the parameters of a lidar; arguments as for :func:`load_vehicle`."""
    where = str(path) if path else None
    return build(LidarParameters, lidar_quantities(path, overrides), where=where)


def lidar_quantities(
    path: Path | None = None, overrides: Mapping[str, float] | None = None
) -> tuple[Quantity, ...]:
    """Return what :func:`load_lidar` loads as lines with unit and source."""
    return _quantities(LidarParameters, "lidar.toml", path, overrides)


def _quantities(
    model: type[ParameterModel],
    bundled: str,
    path: Path | None,
    overrides: Mapping[str, float] | None,
) -> tuple[Quantity, ...]:
    base = read_quantities(model, data_dir("vehicle") / bundled)
    changes = read_quantities(model, path) if path else ()
    return merge(model, base, changes, overrides)
