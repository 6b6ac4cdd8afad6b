"""The two car models."""

from __future__ import annotations

from typing import Literal

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.car import (
    actuators,
    double_track_step,
    single_track_step,
    wheels,
)
from roboracer_arena.sim.car.compile import Source
from roboracer_arena.sim.car.fleet import Fleet
from roboracer_arena.sim.car.model import Backend, TableCar
from roboracer_arena.vehicle import tyre

__all__ = ["CarKind", "DoubleTrack", "SingleTrack", "make_car"]

CarKind = Literal["double_track", "single_track"]

_SHARED = (
    actuators.clip,
    actuators.keep_good_command,
    actuators.steer,
    actuators.drive,
    wheels.begin_wheel,
    wheels.stiffen_wheel,
    wheels.wheel_equation,
    wheels.solve_axles,
    wheels.advanced_slip,
    wheels.finish_wheel,
    tyre.magic_formula,
    tyre.secant,
    tyre.travel_speed,
    tyre.transient_slip,
    tyre.damped_slip,
)


class DoubleTrack(TableCar):
    """Chassis with six degrees of freedom on four sprung wheels; stable at steps up to 0.01 s."""

    source = Source(double_track_step.double_track_step, (*_SHARED, *double_track_step.PARTS))
    name = "double_track"
    planar = False
    tyres = 4


class SingleTrack(TableCar):
    """Planar body on one front and one rear tyre: for scale."""

    source = Source(single_track_step.single_track_step, (*_SHARED, *single_track_step.PARTS))
    name = "single_track"
    planar = True
    tyres = 2


def make_car(
    kind: CarKind, fleet: Fleet, *, gravity: float = 9.81, backend: Backend = "auto"
) -> TableCar:
    """Return a car model by name.

    Raises:
        UsageError: There is no such model.
    """
    for model in (DoubleTrack, SingleTrack):
        if model.name == kind:
            return model(fleet, gravity=gravity, backend=backend)
    raise UsageError(f"is '{kind}'; known are double_track and single_track", where="car")
