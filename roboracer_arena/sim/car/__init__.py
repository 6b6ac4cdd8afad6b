"""The car on top of an engine: commands in, force and torque on a rigid body out."""

from roboracer_arena.sim.car.cars import CarKind, DoubleTrack, SingleTrack, make_car
from roboracer_arena.sim.car.command import CommandFilter, Commands
from roboracer_arena.sim.car.fleet import Fleet
from roboracer_arena.sim.car.frames import (
    base_link_pose,
    base_link_velocity,
    com_pose,
    com_velocity,
)
from roboracer_arena.sim.car.free_floor import FreeFloorEngine
from roboracer_arena.sim.car.model import CarMemory, CarModel, TableCar

__all__ = [
    "CarKind",
    "CarMemory",
    "CarModel",
    "CommandFilter",
    "Commands",
    "DoubleTrack",
    "Fleet",
    "FreeFloorEngine",
    "SingleTrack",
    "TableCar",
    "base_link_pose",
    "base_link_velocity",
    "com_pose",
    "com_velocity",
    "make_car",
]
