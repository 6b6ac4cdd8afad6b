"""Cars on a track: engine, car model, lidar and race rules, stepped together.

Time is counted in steps, so it never drifts; everything that has a rate of its own (lidar, drivers)
runs on simulated time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import StageError, UsageError
from roboracer_arena.sim.car import (
    CarKind,
    Fleet,
    base_link_pose,
    base_link_velocity,
    com_pose,
    make_car,
)
from roboracer_arena.sim.course import Course
from roboracer_arena.sim.engine import Contacts, EngineSettings
from roboracer_arena.sim.engines import make_engine, stage_meshes
from roboracer_arena.sim.lidar import Lidar, LidarModel, ScanScene, car_corners
from roboracer_arena.sim.race import CollisionPolicy, Race, RaceRules
from roboracer_arena.sim.rotation import yaw_of
from roboracer_arena.sim.spawn import check_spawn, inside_corridor

if TYPE_CHECKING:
    from roboracer_arena.usd import TrackStage
    from roboracer_arena.vehicle import VehicleParameters

__all__ = ["World", "WorldSettings"]


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """How cars are simulated."""

    engine: str = "physx"
    """``physx`` or ``mujoco``."""
    car: CarKind = "double_track"
    """``double_track`` or ``single_track``."""
    dt: float = 0.005
    """Length of a step [s]."""
    substeps: int = 2
    """Solver steps inside one."""
    car_collisions: bool = True
    """Whether cars touch each other; without, they are ghosts that lidars do not see either."""
    start: float = 0.0
    """Where the start line lies, along the stage's centreline [m]."""


class World:
    """``count`` cars on one track."""

    def __init__(
        self,
        stage: TrackStage,
        vehicle: VehicleParameters,
        count: int,
        *,
        settings: WorldSettings | None = None,
        lidar: LidarModel | None = None,
        rules: RaceRules | None = None,
        seed: int = 0,
    ) -> None:
        """Set cars up on the grid.

        Raises:
            StageError: The track has no lap.
            UsageError: The cars do not fit, or an option makes no sense.
        """
        self.settings = settings or WorldSettings()
        if count < 1:
            raise UsageError(f"is {count}; at least one car has to drive", where="--cars")
        if stage.centerline is None:
            raise StageError("has no lap to drive: its corridor does not close", where=stage.name)
        self.stage = stage
        self.vehicle = vehicle
        line = stage.centerline
        self.course = Course(line.points, line.width_right, line.width_left)
        if self.settings.start:
            self.course = self.course.from_start(self.settings.start)
        self.fleet = Fleet.of(vehicle, count)
        self.car = make_car(self.settings.car, self.fleet, gravity=stage.gravity)
        meshes = stage_meshes(stage)
        engine_settings = EngineSettings(
            dt=self.settings.dt,
            substeps=self.settings.substeps,
            gravity=stage.gravity,
            planar=self.car.planar,
            car_collisions=self.settings.car_collisions and count > 1,
        )
        self.engine = make_engine(self.settings.engine, meshes, self.fleet.body(), engine_settings)
        model = lidar or LidarModel()
        self.scene = ScanScene.from_meshes(meshes, model.mount[2])
        self.lidar = Lidar(self.scene, model, seed=seed)
        self.race = Race(
            self.course, count, rules or RaceRules(), partial(inside_corridor, self.scene)
        )
        self.steps = 0
        self.state = self.engine.state()
        self.contacts = self.engine.contacts()
        self.place(np.arange(count), self.course.grid(count, width=vehicle.chassis.body.width))

    @property
    def count(self) -> int:
        """Number of cars."""
        return self.car.count

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.steps * self.settings.dt

    def place(self, ids: NDArray[np.int64], places: NDArray[np.float64]) -> None:
        """Put cars somewhere and start their race afresh.

        Args:
            ids: Which cars, shape [k].
            places: Shape [k, 3], x, y [m] and heading [rad] of base_link.

        Raises:
            UsageError: A place lies in a wall, outside the corridor or in another car.
        """
        check_spawn(self, ids, places)
        self._put(ids, places)
        self.race.begin(ids, self.state[ids, :2])

    def step(self, command: NDArray[np.float64]) -> None:
        """Advance all cars by one step.

        Args:
            command: Shape [n, 2], steering angle [rad] and speed [m/s]; finite.
        """
        self.engine.apply(self.car.wrench(self.state, command, self.settings.dt))
        self.engine.step()
        self.steps += 1
        self.state = self.engine.state()
        self.contacts = self.engine.contacts()
        wanted = self.race.update(self.time, self.settings.dt, self.state, self.contacts)
        if len(wanted) and self.race.rules.on_collision is CollisionPolicy.RESET:
            self.recover(wanted)

    def recover(self, ids: NDArray[np.int64]) -> None:
        """Put cars back on the centreline where they are, at rest, clear of the others."""
        for car in ids:
            place = self._free_place(int(car))
            self._put(np.array([car]), place[None])
            self.race.replace(np.array([car]), self.state[[car], :2])

    def base_link(self) -> NDArray[np.float64]:
        """Return where base_link of every car is and how it moves, in the plane.

        Returns:
            Shape [n, 6]: x, y [m], heading [rad], forward and leftward speed in the body frame
            [m/s], yaw rate [rad/s].
        """
        pose = base_link_pose(self.fleet, self.state)
        twist = base_link_velocity(self.fleet, self.state)
        yaw = yaw_of(self.state[:, 3:7])
        return np.column_stack((pose[:, 0], pose[:, 1], yaw, twist[:, 0], twist[:, 1], twist[:, 5]))

    def sensor_poses(self) -> NDArray[np.float64]:
        """Return x, y [m] and heading [rad] of every lidar, shape [n, 3]."""
        base = self.base_link()
        ahead, left, _ = self.lidar.model.mount
        cos, sin = np.cos(base[:, 2]), np.sin(base[:, 2])
        x = base[:, 0] + ahead * cos - left * sin
        y = base[:, 1] + ahead * sin + left * cos
        return np.stack([x, y, base[:, 2]], axis=1)

    def scan(self) -> NDArray[np.float64]:
        """Return the latest ranges of every lidar, shape [n, beams] [m]."""
        poses = self.sensor_poses()
        if not self.settings.car_collisions or self.count == 1:
            return self.lidar.scan(poses)
        return self.lidar.scan(poses, self.outlines(), np.arange(self.count))

    def outlines(self) -> NDArray[np.float64]:
        """Return the outline of every car body, clockwise, shape [n, 4, 2] [m]."""
        box = self.vehicle.chassis.body
        yaw = yaw_of(self.state[:, 3:7])
        shift = box.center_ahead - self.vehicle.chassis.com_to_rear
        x = self.state[:, 0] + shift * np.cos(yaw)
        y = self.state[:, 1] + shift * np.sin(yaw)
        poses = np.stack([x, y, yaw], axis=1)
        return car_corners(poses, box.length / 2.0, box.width / 2.0)

    def close(self) -> None:
        """Release the engine; closing twice is harmless."""
        self.engine.close()

    def _put(self, ids: NDArray[np.int64], places: NDArray[np.float64]) -> None:
        """Move cars at rest, with nothing of before left in body, tyres, servo or motor."""
        self.engine.reset(ids, com_pose(self.fleet.take(ids), places))
        self.car.reset(ids)
        self.state = self.engine.state()
        self.contacts = Contacts.none(self.count)

    def _free_place(self, car: int) -> NDArray[np.float64]:
        """Return a place on the centreline at or behind a car where no other car stands."""
        others = np.delete(self.state[:, :2], car, axis=0)
        clearance = self.vehicle.chassis.body.length + 0.2
        for back in np.arange(0.0, self.course.length, 0.25):
            s = self.race.progress.s[car] - back
            point = self.course.point_at(s)[0]
            if not len(others) or np.linalg.norm(others - point, axis=1).min() > clearance:
                return np.array([*point, self.course.heading_at(s)[0]])
        raise UsageError("no place on the lap is free of other cars")
