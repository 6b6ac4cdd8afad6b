"""PhysX 5 on the CPU, by way of the SAPIEN wheel: the embedded default engine.

Two things that SAPIEN does not document are used because they are many times faster than the
documented way, and each is tested at start-up against it: the layout of ``PhysxCpuSystem.pack()``
(one float32 row of 13 a body, in creation order, quaternion w x y z first). Where the test fails,
states are read body by body.

Contacts are not walked one by one (about 50 µs each from Python): the impulse that a car received
is its change of momentum less that of the applied force and gravity, which is exact and costs one
vectorised subtraction.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import MissingExtraError, UsageError
from roboracer_arena.sim.contact import contact_impulse, split_contacts
from roboracer_arena.sim.engine import STATE_WIDTH, BodyModel, Contacts, EngineSettings, StaticMesh

__all__ = ["PhysxEngine"]

_WALL_BIT, _FLOOR_BIT, _CAR_BIT = 1, 2, 4
_CONTACT_OFFSET = 0.02
"""Distance at which contacts are generated [m]; a tenth of the car's half width, PhysX's advice."""
_BOUNCE_THRESHOLD = 0.2
"""Approach speed below which restitution is ignored [m/s]; PhysX default 0.2 g in metres."""


class PhysxEngine:
    """Cars as rigid boxes in one PhysX scene; see :class:`roboracer_arena.sim.engine.Engine`."""

    def __init__(
        self, meshes: Sequence[StaticMesh], body: BodyModel, settings: EngineSettings
    ) -> None:
        self._sapien, self._physx = _import_sapien()
        self.settings = settings
        self._body = body
        self._system = self._make_system()
        self._scene = self._sapien.Scene([self._system])
        for mesh in meshes:
            self._add_static(mesh)
        self._cars = [self._add_car(index) for index in range(body.count)]
        self._wrench = np.zeros((body.count, 6))
        self._latest: NDArray[np.float64] | None = None
        self._impulse = np.zeros((body.count, 3))
        self._fast_read = self._pack_is_as_expected()

    @property
    def name(self) -> str:
        """Name and version of the engine."""
        return f"physx {self._physx.version()}"

    @property
    def count(self) -> int:
        """Number of cars."""
        return len(self._cars)

    def state(self) -> NDArray[np.float64]:
        """Return the state of all cars, shape [n, 13]; a copy."""
        if self._latest is None:
            self._latest = self._read_packed() if self._fast_read else self._read_each()
        return self._latest.copy()

    def apply(self, wrench: NDArray[np.float64]) -> None:
        """Set the external force and torque of the next step, shape [n, 6]."""
        if wrench.shape != self._wrench.shape:
            raise UsageError(f"wrench has shape {wrench.shape}; needed is {self._wrench.shape}")
        self._wrench = wrench.astype(np.float64, copy=True)

    def step(self) -> None:
        """Advance by one step with the wrench that was applied."""
        before = self.state()[:, 7:10]
        rows = self._wrench.astype(np.float32)
        active = np.flatnonzero(np.any(rows != 0.0, axis=1))
        forces, torques = rows[:, :3], rows[:, 3:]
        for _ in range(self.settings.substeps):
            for index in active:
                self._cars[index].add_force_torque(forces[index], torques[index])
            self._system.step()
        self._latest = None
        after = self.state()[:, 7:10]
        self._impulse = contact_impulse(after - before, self._wrench, self._body, self.settings)
        self._wrench = np.zeros_like(self._wrench)

    def reset(
        self,
        ids: Sequence[int] | NDArray[np.int64],
        poses: NDArray[np.float64],
        velocities: NDArray[np.float64] | None = None,
    ) -> None:
        """Place cars; velocities, forces and contacts of before are gone."""
        chosen = np.asarray(ids, dtype=np.int64)
        rows = np.asarray(poses, dtype=np.float32)
        speeds = np.zeros((len(chosen), 6)) if velocities is None else np.asarray(velocities)
        speeds = speeds.astype(np.float32)
        for index, pose, speed in zip(chosen, rows, speeds, strict=True):
            car = self._cars[index]
            car.entity.set_pose(self._sapien.Pose(pose[:3], pose[3:]))
            car.set_linear_velocity(speed[:3])
            car.set_angular_velocity(speed[3:])
            car.wake_up()
        self._wrench[chosen] = 0.0
        self._impulse[chosen] = 0.0
        self._latest = None

    def set_bodies(self, body: BodyModel) -> None:
        """Change mass, inertia and centre of mass of the cars between steps."""
        if body.count != self.count:
            raise UsageError(f"{body.count} bodies given for {self.count} cars")
        for index, car in enumerate(self._cars):
            car.set_mass(float(body.mass[index]))
            car.set_inertia(body.inertia[index].astype(np.float32))
            center = body.box_center[index].astype(np.float32)
            car.collision_shapes[0].local_pose = self._sapien.Pose(center)
        self._body = body

    def contacts(self) -> Contacts:
        """Return what touched each car during the last step."""
        return split_contacts(
            self.state(), self._impulse, self._body, cars_collide=self.settings.car_collisions
        )

    def close(self) -> None:
        """Release the world; closing twice is harmless."""
        for car in self._cars:
            self._scene.remove_entity(car.entity)
        self._cars = []

    # -- construction ---------------------------------------------------------------------------

    def _make_system(self) -> Any:
        physx, settings = self._physx, self.settings
        gravity = np.array([0.0, 0.0, -settings.gravity], dtype=np.float32)
        physx.set_scene_config(
            gravity=gravity, enable_tgs=True, enable_pcm=True, bounce_threshold=_BOUNCE_THRESHOLD
        )
        physx.set_body_config(
            solver_position_iterations=8, solver_velocity_iterations=1, sleep_threshold=0.0
        )
        physx.set_shape_config(contact_offset=_CONTACT_OFFSET, rest_offset=0.0)
        system = physx.PhysxCpuSystem()
        system.timestep = settings.dt / settings.substeps
        return system

    def _add_static(self, mesh: StaticMesh) -> None:
        physx = self._physx
        material = physx.PhysxMaterial(mesh.friction, mesh.friction, mesh.restitution)
        shape = physx.PhysxCollisionShapeTriangleMesh(
            mesh.points, mesh.triangles.astype(np.uint32), np.ones(3, np.float32), material
        )
        bit = _FLOOR_BIT if mesh.kind == "floor" else _WALL_BIT
        shape.set_collision_groups([bit, _CAR_BIT, 0, 0])
        component = physx.PhysxRigidStaticComponent()
        component.attach(shape)
        entity = self._sapien.Entity()
        entity.add_component(component)
        self._scene.add_entity(entity)

    def _add_car(self, index: int) -> Any:
        physx, body, settings = self._physx, self._body, self.settings
        material = physx.PhysxMaterial(body.friction, body.friction, body.restitution)
        shape = physx.PhysxCollisionShapeBox(np.array(body.half_extents, np.float32), material)
        shape.local_pose = self._sapien.Pose(body.box_center[index].astype(np.float32))
        meets = _WALL_BIT
        if not settings.planar:
            meets |= _FLOOR_BIT
        if settings.car_collisions:
            meets |= _CAR_BIT
        shape.set_collision_groups([_CAR_BIT, meets, 0, 0])
        car = physx.PhysxRigidDynamicComponent()
        car.attach(shape)
        car.set_mass(float(body.mass[index]))
        car.set_inertia(body.inertia[index].astype(np.float32))
        car.set_cmass_local_pose(self._sapien.Pose())
        car.linear_damping = car.angular_damping = 0.0
        if settings.planar:
            car.set_locked_motion_axes([False, False, True, True, True, False])
            car.set_disable_gravity(True)
        entity = self._sapien.Entity()
        entity.add_component(car)
        entity.set_pose(self._sapien.Pose([2.0 * index, 0.0, 1.0e3]))
        self._scene.add_entity(entity)
        return car

    # -- reading --------------------------------------------------------------------------------

    def _read_packed(self) -> NDArray[np.float64]:
        rows = np.frombuffer(self._system.pack(), dtype=np.float32)
        rows = rows.reshape(self.count, STATE_WIDTH)
        state = np.empty((self.count, STATE_WIDTH))
        state[:, 0:3], state[:, 3:7], state[:, 7:13] = rows[:, 4:7], rows[:, 0:4], rows[:, 7:13]
        return state

    def _read_each(self) -> NDArray[np.float64]:
        state = np.empty((self.count, STATE_WIDTH))
        for row, car in zip(state, self._cars, strict=True):
            pose = car.entity.pose
            row[0:3], row[3:7] = pose.p, pose.q
            row[7:10], row[10:13] = car.linear_velocity, car.angular_velocity
        return state

    def _pack_is_as_expected(self) -> bool:
        """Give every car a different state and compare the fast reading with the documented one."""
        saved = self._read_each()
        random = np.random.default_rng(0)
        trial = random.normal(size=(self.count, STATE_WIDTH))
        trial[:, 2] += 1.0e3
        trial[:, 3:7] /= np.linalg.norm(trial[:, 3:7], axis=1, keepdims=True)
        every = np.arange(self.count)
        self.reset(every, trial[:, :7], trial[:, 7:])
        try:
            same = bool(np.array_equal(self._read_packed(), self._read_each()))
        except ValueError:
            same = False
        self.reset(every, saved[:, :7], saved[:, 7:])
        return same


def _import_sapien() -> tuple[Any, Any]:
    """Import SAPIEN without its warnings about an absent display or Vulkan driver."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import sapien
            from sapien import physx
    except ImportError as error:
        raise MissingExtraError(
            "the PhysX engine needs SAPIEN: pip install 'roboracer-arena[sim]' "
            "(no wheels for Linux aarch64: use --engine mujoco there)",
            where="sapien",
        ) from error
    return sapien, physx
