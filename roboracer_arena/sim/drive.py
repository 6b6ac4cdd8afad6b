"""A race of controllers: the loop, its end, its result."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from roboracer_arena.sim.controllers import Command, Controller, Observation
from roboracer_arena.sim.controllers.base import ControllerSetup
from roboracer_arena.sim.race import EndReason
from roboracer_arena.sim.record import Recorder
from roboracer_arena.sim.world import World

__all__ = ["CarResult", "DriveResult", "LapResult", "drive"]

_BAD_COMMANDS = 40
"""Commands that are not finite, in a row, after which a driver is given up; until then the car
keeps the last good one. Forty are a second."""


class LapResult(BaseModel):
    """One lap."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    time_s: float
    sectors_s: tuple[float, ...]
    collisions: int


class CarResult(BaseModel):
    """How one car did."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    car: int
    controller: str
    laps: tuple[LapResult, ...]
    finished: bool
    end: str
    """Why its race ended."""
    message: str
    """What a failing controller said; empty otherwise."""
    collisions: int
    max_speed_mps: float
    distance_m: float
    bad_commands: int


class DriveResult(BaseModel):
    """How a race went."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    track: str
    engine: str
    car: str
    seed: int
    lap_length_m: float
    cars: tuple[CarResult, ...]
    simulated_s: float
    wall_s: float
    real_time_factor: float


@dataclass
class _Driver:
    """One car's controller and what became of its commands."""

    name: str
    controller: Controller
    command: Command = field(default_factory=lambda: Command(0.0, 0.0))
    message: str = ""
    bad: int = 0
    bad_in_a_row: int = 0


@dataclass
class _Loop:
    """What the loop carries along."""

    drivers: list[_Driver]
    scans: NDArray[np.float64]
    next_scan: float = 0.0
    next_act: float = 0.0
    top: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))


def drive(
    world: World,
    controllers: Sequence[tuple[str, Controller]],
    *,
    time_limit: float,
    period: float | None = None,
    recorder: Recorder | None = None,
    progress: Callable[[str], None] | None = None,
    seed: int = 0,
) -> DriveResult:
    """Let controllers drive until every car's race has ended.

    A controller that raises ends the race of its car with the reason; one that returns numbers that
    are not finite keeps its last good command and is given up after a second of it.

    Args:
        world: Cars on the grid.
        controllers: Name and driver of each car.
        time_limit: Longest simulated time [s].
        period: Time between two calls of a driver [s]; None for one per scan.
        recorder: Takes down every step.
        progress: Told of time and laps now and then; may raise to cancel.
        seed: For the report.
    """
    began = clock.perf_counter()
    scan_period = 1.0 / world.lidar.model.rate
    act_period = period or scan_period
    loop = _Loop(
        drivers=[_Driver(name, controller) for name, controller in controllers],
        scans=np.zeros((world.count, world.lidar.model.beams)),
        top=np.zeros(world.count),
    )
    setup = ControllerSetup(world.course, world.vehicle, world.lidar.model, act_period)
    for number, driver in enumerate(loop.drivers):
        _guard(world, number, driver, partial(driver.controller.reset, setup))
    try:
        while world.race.active.any():
            if world.time >= time_limit:
                _end_all(world, EndReason.TIME_LIMIT)
                break
            _advance(world, loop, scan_period, act_period, recorder, progress)
    except KeyboardInterrupt:
        _end_all(world, EndReason.INTERRUPTED)
    return _result(world, loop, clock.perf_counter() - began, seed)


def _end_all(world: World, reason: EndReason) -> None:
    """End the race of every car that still drives."""
    for number in np.flatnonzero(world.race.active):
        world.race.end(int(number), reason, world.time)


def _advance(
    world: World,
    loop: _Loop,
    scan_period: float,
    act_period: float,
    recorder: Recorder | None,
    progress: Callable[[str], None] | None,
) -> None:
    """Sense, decide and step once."""
    now = world.time + 1.0e-9
    fresh = now >= loop.next_scan
    if fresh:
        loop.scans = world.scan()
        loop.next_scan += scan_period
    if now >= loop.next_act:
        _decide(world, loop)
        loop.next_act += act_period
        if progress and world.steps % 2000 < act_period / world.settings.dt:
            done = max(len(laps) for laps in world.race.laps)
            progress(f"{world.time:.0f} s, {done} lap(s)")
    active = world.race.active
    command = np.array(
        [
            (driver.command.steering, driver.command.speed if runs else 0.0)
            for driver, runs in zip(loop.drivers, active, strict=True)
        ]
    )
    world.step(command)
    loop.top = np.maximum(loop.top, np.hypot(world.state[:, 7], world.state[:, 8]) * active)
    if recorder is not None:
        recorder.take(world, command, loop.scans if fresh else None)


def _decide(world: World, loop: _Loop) -> None:
    """Ask every driver whose race goes on."""
    base = world.base_link()
    for number in np.flatnonzero(world.race.active):
        driver = loop.drivers[number]
        x, y, yaw, forward, _, rate = base[number]
        seen = Observation(
            time=world.time,
            x=float(x),
            y=float(y),
            yaw=float(yaw),
            speed=float(forward),
            yaw_rate=float(rate),
            steering=float(world.car.steering_angle[number]),
            scan=loop.scans[number],
        )
        _guard(world, int(number), driver, partial(_ask, world, driver, seen))
        if driver.bad_in_a_row >= _BAD_COMMANDS and world.race.ended[number] is None:
            driver.message = f"{driver.bad_in_a_row} commands in a row were not finite"
            world.race.end(int(number), EndReason.CONTROLLER, world.time)


def _ask(world: World, driver: _Driver, seen: Observation) -> None:
    """Take a driver's command if it is finite; the car keeps the last good one otherwise."""
    command = driver.controller.act(seen)
    steering, speed = float(command.steering), float(command.speed)
    if not (math.isfinite(steering) and math.isfinite(speed)):
        driver.bad += 1
        driver.bad_in_a_row += 1
        return
    driver.bad_in_a_row = 0
    limit = world.vehicle.chassis.max_steering
    driver.command = Command(min(max(steering, -limit), limit), speed)


def _guard(world: World, number: int, driver: _Driver, call: Callable[[], None]) -> None:
    """Call a driver; whatever it raises ends the race of its car and nothing else."""
    try:
        call()
    except Exception as error:  # a user's own code may raise anything
        driver.message = f"{type(error).__name__}: {error}"
        world.race.end(number, EndReason.CONTROLLER, world.time)


def _result(world: World, loop: _Loop, wall: float, seed: int) -> DriveResult:
    cars = []
    for number, driver in enumerate(loop.drivers):
        end = world.race.ended[number]
        cars.append(
            CarResult(
                car=number,
                controller=driver.name,
                laps=tuple(
                    LapResult(time_s=lap.time, sectors_s=lap.sectors, collisions=lap.collisions)
                    for lap in world.race.laps[number]
                ),
                finished=end is EndReason.FINISHED,
                end=end.value if end else "running",
                message=driver.message,
                collisions=int(world.race.collisions[number]),
                max_speed_mps=float(loop.top[number]),
                distance_m=float(world.race.travelled[number]),
                bad_commands=driver.bad,
            )
        )
    return DriveResult(
        track=world.stage.name,
        engine=world.engine.name,
        car=world.car.name,
        seed=seed,
        lap_length_m=world.course.length,
        cars=tuple(cars),
        simulated_s=world.time,
        wall_s=wall,
        real_time_factor=world.time / max(wall, 1e-9),
    )
