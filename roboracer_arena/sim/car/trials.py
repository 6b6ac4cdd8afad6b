"""Driving trials that compare a car model, on any engine, with theory and with the real car.

The trials of a proving ground: steady circles, a slow steering ramp, full braking, coasting,
standing, the top speed and the yaw rate of the recorded car. Each returns :class:`Finding` rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roboracer_arena.sim.car.cars import CarKind, make_car
from roboracer_arena.sim.car.fleet import Fleet
from roboracer_arena.sim.car.frames import com_pose, com_velocity
from roboracer_arena.sim.car.free_floor import FreeFloorEngine
from roboracer_arena.sim.car.model import Backend, TableCar
from roboracer_arena.sim.engine import BodyModel, Engine, EngineSettings
from roboracer_arena.sim.rotation import yaw_of
from roboracer_arena.vehicle.handling import GRAVITY, lateral_limit, steady_yaw_rate
from roboracer_arena.vehicle.parameters import VehicleParameters

__all__ = [
    "STEADY_SPEEDS",
    "STEADY_STEERING",
    "EngineMaker",
    "Finding",
    "Ground",
    "all_trials",
    "kinetic_energy",
    "models_agree",
]

STEADY_SPEEDS = (2.0, 4.0)
"""[m/s]."""
STEADY_STEERING = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
"""[rad]."""

EngineMaker = Callable[[BodyModel, EngineSettings], Engine]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Finding:
    """One comparison."""

    trial: str
    """What was driven."""
    measured: float
    """What the car did."""
    expected: float
    """What it should have done."""
    low: float
    """Smallest ``measured`` that passes."""
    high: float
    """Largest ``measured`` that passes."""
    unit: str
    """Of all four numbers."""

    @property
    def passed(self) -> bool:
        """Whether the car did what it should."""
        return self.low <= self.measured <= self.high


def within(trial: str, measured: float, expected: float, share: float, unit: str) -> Finding:
    """Return a finding that passes within a share of the expectation."""
    slack = share * abs(expected)
    return Finding(trial, measured, expected, expected - slack, expected + slack, unit)


class Ground:
    """Cars of one kind on an empty floor, driven by given commands.

    Args:
        kind: Model of the cars.
        fleet: Their parameters.
        engine: Makes the engine; the built-in free floor where None.
        dt: Step [s].
        backend: How the model runs.
    """

    def __init__(
        self,
        kind: CarKind,
        fleet: Fleet,
        *,
        engine: EngineMaker | None = None,
        dt: float = 0.005,
        backend: Backend = "auto",
    ) -> None:
        self.car: TableCar = make_car(kind, fleet, gravity=GRAVITY, backend=backend)
        settings = EngineSettings(
            dt=dt, gravity=GRAVITY, planar=self.car.planar, car_collisions=False
        )
        maker: EngineMaker = engine or FreeFloorEngine
        self.engine = maker(fleet.body(), settings)
        self.dt = dt
        self.start(0.0)

    def start(self, speed: ArrayLike) -> None:
        """Place all cars, well apart, rolling ahead at a speed [m/s], one number or n."""
        count = self.car.count
        rolling = np.broadcast_to(np.asarray(speed, dtype=np.float64), (count,))
        place = np.zeros((count, 3))
        pose = com_pose(self.car.fleet, place)
        twist = np.zeros((count, 3))
        twist[:, 0] = rolling
        self.engine.reset(np.arange(count), pose, com_velocity(self.car.fleet, pose, twist))
        self.car.reset(forward_speed=rolling)

    def step(self, command: Array, accelerate: NDArray[np.bool_] | None = None) -> Array:
        """Drive one step and return the state after it, shape [n, 13]."""
        state = self.engine.state()
        self.engine.apply(self.car.wrench(state, command, self.dt, accelerate))
        self.engine.step()
        return self.engine.state()

    def drive(self, steering: ArrayLike, speed: ArrayLike, seconds: float) -> Iterator[Array]:
        """Hold a steering angle [rad] and a speed [m/s]; yield the state after each step."""
        command = self._command(steering, speed)
        for _ in range(round(seconds / self.dt)):
            yield self.step(command)

    def accelerate(self, steering: ArrayLike, by: ArrayLike, seconds: float) -> Iterator[Array]:
        """Hold a steering angle [rad] and an acceleration [m/s²]; yield the state of each step."""
        command = self._command(steering, by)
        every = np.ones(self.car.count, dtype=bool)
        for _ in range(round(seconds / self.dt)):
            yield self.step(command, every)

    def _command(self, steering: ArrayLike, drive: ArrayLike) -> Array:
        command = np.empty((self.car.count, 2))
        command[:, 0], command[:, 1] = steering, drive
        return command


def last(states: Iterator[Array]) -> Array:
    """Run to the end and return the last state."""
    *_, state = states
    return state


def forward_speed(state: Array) -> Array:
    """Return the speed along the heading, shape [n], [m/s]."""
    yaw = yaw_of(state[:, 3:7])
    return np.asarray(state[:, 7] * np.cos(yaw) + state[:, 8] * np.sin(yaw))


def kinetic_energy(car: TableCar, state: Array) -> Array:
    """Return the energy of all that moves and turns: chassis, wheels and rotor, shape [n], [J]."""
    fleet = car.fleet
    speed, spin = state[:, 7:10], state[:, 10:13]
    inertia = np.column_stack((fleet.roll_inertia, fleet.pitch_inertia, fleet.yaw_inertia))
    energy = 0.5 * fleet.mass * (speed**2).sum(axis=1) + 0.5 * (inertia * spin**2).sum(axis=1)
    wheels = car.wheel_speed
    energy = energy + 0.5 * fleet.wheel_inertia * (wheels**2).sum(axis=1)
    share = fleet.front_share
    motor = share * wheels[:, :2].mean(axis=1) + (1.0 - share) * wheels[:, 2:].mean(axis=1)
    return np.asarray(energy + 0.5 * fleet.rotor_inertia * (fleet.gear_ratio * motor) ** 2)


def steady_circles(
    kind: CarKind, vehicle: VehicleParameters, engine: EngineMaker | None = None
) -> list[Finding]:
    """Compare yaw rates in steady circles with the closed-form reference, up to 0.8 mu g."""
    grid = [(v, d) for v in STEADY_SPEEDS for d in STEADY_STEERING]
    speeds, angles = np.array(grid).T
    ground = Ground(kind, Fleet.of(vehicle, len(grid)), engine=engine)
    ground.start(speeds)
    state = last(ground.drive(angles, speeds, 8.0))
    rows = []
    for (speed, angle), car in zip(grid, state, strict=True):
        true_speed = math.hypot(car[7], car[8])
        reference = steady_yaw_rate(vehicle, true_speed, angle, kind=kind)
        if true_speed * reference <= 0.8 * lateral_limit(vehicle):
            label = f"steady circle, {speed:g} m/s, {angle:g} rad"
            rows.append(within(label, float(car[12]), reference, 0.02, "rad/s"))
    return rows


def lateral_ramp(
    kind: CarKind, vehicle: VehicleParameters, engine: EngineMaker | None = None
) -> list[Finding]:
    """Find the largest lateral acceleration in a slow steering ramp at 5 m/s."""
    ground = Ground(kind, Fleet.of(vehicle, 1), engine=engine)
    ground.start(5.0)
    largest, steps = 0.0, round(8.0 / ground.dt)
    for k in range(steps):
        state = ground.step(np.array([[0.4 * k / steps, 5.0]]))
        largest = max(largest, float(np.hypot(state[0, 7], state[0, 8]) * state[0, 12]))
    return [within("lateral limit, 5 m/s", largest, lateral_limit(vehicle), 0.05, "m/s²")]


def full_braking(
    kind: CarKind, vehicle: VehicleParameters, engine: EngineMaker | None = None
) -> list[Finding]:
    """Brake from 4 and 6 m/s at the limit of the speed controller, to standstill.

    Once by an acceleration command, full distance; once by a speed command of zero, where the slip
    has to build up along the ramp, by the mean fully developed deceleration between 80 % and 10 %
    of the speed (the definition of UN Regulation 13).
    """
    limit = lateral_limit(vehicle)
    speeds = np.array([4.0, 6.0])
    rows = []
    ground = Ground(kind, Fleet.of(vehicle, 2), engine=engine)
    for way in ("acceleration", "speed"):
        ground.start(speeds)
        last(ground.drive(0.0, speeds, 1.0))
        path = [ground.engine.state()]
        for _ in range(round(1.6 / ground.dt)):
            moving = forward_speed(path[-1]) > 0.1
            drive = -vehicle.deployment.motor.max_braking * (way == "acceleration") * moving
            command = np.column_stack((np.zeros(2), drive))
            path.append(ground.step(command, moving & (way == "acceleration")))
        x, v = np.array(path)[:, :, 0], np.array(path)[:, :, 7]
        for car, speed in enumerate(speeds):
            if way == "acceleration":
                label = f"braking distance, {speed:g} m/s"
                length = v[0, car] ** 2 / (2.0 * limit)
                rows.append(within(label, float(x[-1, car] - x[0, car]), length, 0.05, "m"))
            else:
                begin, end = (int(np.argmax(v[:, car] < q * v[0, car])) for q in (0.8, 0.1))
                braking = (v[begin, car] ** 2 - v[end, car] ** 2) / 2.0
                braking /= x[end, car] - x[begin, car]
                label = f"full deceleration by speed command, {speed:g} m/s"
                rows.append(within(label, float(braking), limit, 0.05, "m/s²"))
    return rows


def resting_and_rolling(
    kind: CarKind, vehicle: VehicleParameters, engine: EngineMaker | None = None
) -> list[Finding]:
    """Stand after a stop, coast, carry the weight in a turn."""
    ground = Ground(kind, Fleet.of(vehicle, 3), engine=engine)
    ground.start(3.0)
    last(ground.drive([0.0, 0.3, -0.5], [3.0, 3.0, 2.0], 3.0))
    weight = vehicle.chassis.mass * GRAVITY
    load = float(ground.car.wheel_load.sum(axis=1)[1])
    rows = [within("wheel loads in a turn", load, weight, 0.002, "N")]
    before = last(ground.drive([0.0, 0.3, -0.5], 0.0, 3.0))
    after = last(ground.drive([0.0, -0.3, 0.5], 0.0, 10.0))
    drift = float(np.abs(after[:, :3] - before[:, :3]).max())
    rows.append(Finding("drift in 10 s at rest, steering", drift, 0.0, 0.0, 0.001, "m"))
    ground.start([6.0, 4.0, 2.0])
    energies = [
        kinetic_energy(ground.car, state) for state in ground.accelerate([0.0, 0.1, 0.3], 0.0, 12.0)
    ]
    rise = float(np.diff(np.array(energies), axis=0).max())
    rows.append(Finding("energy rise in a step of coasting", max(rise, 0.0), 0.0, 0.0, 1e-9, "J"))
    return rows


def recorded_envelope(
    kind: CarKind, vehicle: VehicleParameters, engine: EngineMaker | None = None
) -> list[Finding]:
    """Reach what the recorded car reached: its top speed, and its yaw rate in a J-turn."""
    observed = vehicle.observed
    ground = Ground(kind, Fleet.of(vehicle, 1), engine=engine)
    speed = float(forward_speed(last(ground.drive(0.0, 1.05 * observed.speed_max, 3.0)))[0])
    rows = [
        Finding("top speed", speed, observed.speed_max, observed.speed_max, math.inf, "m/s"),
    ]
    ground.start(3.0)
    spin = max(abs(float(s[0, 12])) for s in ground.accelerate(0.524, -9.0, 1.5))
    fastest = observed.yaw_rate_p99
    rows.append(Finding("yaw rate, J-turn", spin, fastest, fastest, math.inf, "rad/s"))
    ground.start(0.0)
    state = last(ground.drive(-0.4, -0.5, 2.5))
    backing = float(forward_speed(state)[0])
    expected = backing * math.tan(-0.4) / vehicle.chassis.wheelbase
    rows.append(within("yaw rate, reversing right", float(state[0, 12]), expected, 0.05, "rad/s"))
    return rows


def models_agree(vehicle: VehicleParameters) -> list[Finding]:
    """Compare the yaw rates of both models in steady circles below 0.4 g."""
    grid = [(v, d) for v in STEADY_SPEEDS for d in STEADY_STEERING]
    speeds, angles = np.array(grid).T
    rates = {}
    for kind in ("double_track", "single_track"):
        ground = Ground(kind, Fleet.of(vehicle, len(grid)))
        ground.start(speeds)
        rates[kind] = last(ground.drive(angles, speeds, 8.0))[:, 12]
    pairs = zip(grid, rates["double_track"], rates["single_track"], strict=True)
    return [
        within(
            f"double as single track, {v:g} m/s, {d:g} rad", float(two), float(one), 0.02, "rad/s"
        )
        for (v, d), two, one in pairs
        if v * one < 0.4 * GRAVITY
    ]


def all_trials(
    kind: CarKind, vehicle: VehicleParameters, engine: EngineMaker | None = None
) -> list[Finding]:
    """Drive every trial with one model."""
    trials = (steady_circles, lateral_ramp, full_braking, resting_and_rolling, recorded_envelope)
    return [row for trial in trials for row in trial(kind, vehicle, engine)]
