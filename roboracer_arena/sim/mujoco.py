"""MuJoCo: one world with all cars, walls as boxes behind the wall faces of the stage.

MuJoCo collides convex shapes only, so each straight piece of wall becomes a box whose front face is
the wall face. The boxes extend backwards, by at most half the distance to the wall behind, so that
none reaches into the next corridor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import MissingExtraError, StageError, UsageError
from roboracer_arena.sim.contact import contact_impulse, split_contacts
from roboracer_arena.sim.engine import STATE_WIDTH, BodyModel, Contacts, EngineSettings, StaticMesh
from roboracer_arena.sim.outline import slice_walls
from roboracer_arena.sim.rotation import rotate, unrotate
from roboracer_arena.sim.wallboxes import WallBox, wall_boxes

__all__ = ["MujocoEngine"]

_CUT_HEIGHT = 0.1
"""Height at which walls are cut into boxes [m]; they are vertical, any height gives the same."""
_WALL_BIT, _FLOOR_BIT, _CAR_BIT = 1, 2, 4
_PARKED = 1.0e3
"""Height at which cars wait before their first reset [m]."""


class MujocoEngine:
    """Cars as rigid boxes in one MuJoCo world; see :class:`roboracer_arena.sim.engine.Engine`."""

    def __init__(
        self, meshes: Sequence[StaticMesh], body: BodyModel, settings: EngineSettings
    ) -> None:
        self._mujoco = _import_mujoco()
        self.settings = settings
        self._body = body
        self._model = self._make_model(meshes)
        self._data = self._mujoco.MjData(self._model)
        self._positions = self._data.qpos.reshape(body.count, 7)
        self._velocities = self._data.qvel.reshape(body.count, 6)
        self._wrench = np.zeros((body.count, 6))
        self._impulse = np.zeros((body.count, 3))
        self.set_bodies(body)

    @property
    def name(self) -> str:
        """Name and version of the engine."""
        return f"mujoco {self._mujoco.__version__}"

    @property
    def count(self) -> int:
        """Number of cars."""
        return self._body.count

    def state(self) -> NDArray[np.float64]:
        """Return the state of all cars, shape [n, 13]; a copy."""
        state = np.empty((self.count, STATE_WIDTH))
        state[:, :7] = self._positions
        state[:, 7:10] = self._velocities[:, :3]
        # MuJoCo keeps the angular velocity of a free joint in the body frame.
        state[:, 10:13] = rotate(state[:, 3:7], self._velocities[:, 3:])
        return state

    def apply(self, wrench: NDArray[np.float64]) -> None:
        """Set the external force and torque of the next step, shape [n, 6]."""
        if wrench.shape != self._wrench.shape:
            raise UsageError(f"wrench has shape {wrench.shape}; needed is {self._wrench.shape}")
        self._wrench = wrench.astype(np.float64, copy=True)

    def step(self) -> None:
        """Advance by one step with the wrench that was applied."""
        before = self._velocities[:, :3].copy()
        applied = self._data.xfrc_applied[1 : self.count + 1]
        applied[:] = self._wrench
        if self.settings.planar:
            applied[:, 2] = self._body.mass * self.settings.gravity
            applied[:, 3:5] = 0.0
        for _ in range(self.settings.substeps):
            self._mujoco.mj_step(self._model, self._data)
            if self.settings.planar:
                self._flatten()
        gained = self._velocities[:, :3] - before
        self._impulse = contact_impulse(gained, self._wrench, self._body, self.settings)
        self._wrench = np.zeros_like(self._wrench)

    def reset(
        self,
        ids: Sequence[int] | NDArray[np.int64],
        poses: NDArray[np.float64],
        velocities: NDArray[np.float64] | None = None,
    ) -> None:
        """Place cars; velocities, forces and contacts of before are gone."""
        chosen = np.asarray(ids, dtype=np.int64)
        self._positions[chosen] = poses
        self._velocities[chosen] = 0.0
        if velocities is not None:
            self._velocities[chosen, :3] = velocities[:, :3]
            self._velocities[chosen, 3:] = unrotate(np.asarray(poses)[:, 3:7], velocities[:, 3:])
        self._wrench[chosen] = 0.0
        self._impulse[chosen] = 0.0
        # The constraint solver starts from the last accelerations, which are stale now.
        self._data.qacc_warmstart.reshape(self.count, 6)[chosen] = 0.0

    def set_bodies(self, body: BodyModel) -> None:
        """Change mass, inertia and centre of mass of the cars between steps."""
        if body.count != self.count:
            raise UsageError(f"{body.count} bodies given for {self.count} cars")
        cars = slice(1, self.count + 1)
        self._model.body_mass[cars] = body.mass
        self._model.body_inertia[cars] = body.inertia
        self._model.geom_pos[self._first_car_geom : self._first_car_geom + self.count] = (
            body.box_center
        )
        self._mujoco.mj_setConst(self._model, self._mujoco.MjData(self._model))
        self._body = body

    def contacts(self) -> Contacts:
        """Return what touched each car during the last step."""
        return split_contacts(
            self.state(), self._impulse, self._body, cars_collide=self.settings.car_collisions
        )

    def close(self) -> None:
        """Release the world; closing twice is harmless."""

    # -- construction ---------------------------------------------------------------------------

    def _make_model(self, meshes: Sequence[StaticMesh]) -> Any:
        mujoco, settings = self._mujoco, self.settings
        spec = mujoco.MjSpec()
        spec.option.timestep = settings.dt / settings.substeps
        spec.option.gravity = [0.0, 0.0, -settings.gravity]
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
        walls = [mesh for mesh in meshes if mesh.kind != "floor"]
        if not walls:
            raise StageError("has no walls to collide with")
        floors = [mesh for mesh in meshes if mesh.kind == "floor"]
        if floors and not settings.planar:
            self._add_floor(spec, floors[0])
        boxes = wall_boxes(slice_walls(walls, _CUT_HEIGHT), walls)
        for box in boxes:
            self._add_wall(spec, box, walls[0])
        for index in range(self._body.count):
            self._add_car(spec, index)
        model = spec.compile()
        self._first_car_geom = model.ngeom - self._body.count
        return model

    def _add_floor(self, spec: Any, floor: StaticMesh) -> None:
        spec.worldbody.add_geom(
            type=self._mujoco.mjtGeom.mjGEOM_PLANE,
            size=[0.0, 0.0, 1.0],
            pos=[0.0, 0.0, float(floor.points[:, 2].max())],
            friction=[floor.friction, 0.0, 0.0],
            contype=_FLOOR_BIT,
            conaffinity=0,
        )

    def _add_wall(self, spec: Any, box: WallBox, mesh: StaticMesh) -> None:
        spec.worldbody.add_geom(
            type=self._mujoco.mjtGeom.mjGEOM_BOX,
            size=list(box.half_extents),
            pos=list(box.center),
            quat=[np.cos(box.yaw / 2.0), 0.0, 0.0, np.sin(box.yaw / 2.0)],
            friction=[mesh.friction, 0.0, 0.0],
            solref=[0.01, 1.0],
            contype=_WALL_BIT,
            conaffinity=0,
        )

    def _add_car(self, spec: Any, index: int) -> None:
        body, settings = self._body, self.settings
        meets = _WALL_BIT
        if not settings.planar:
            meets |= _FLOOR_BIT
        if settings.car_collisions:
            meets |= _CAR_BIT
        car = spec.worldbody.add_body(pos=[2.0 * index, 0.0, _PARKED])
        car.add_freejoint()
        car.mass = float(body.mass[index])
        car.inertia = body.inertia[index].tolist()
        car.ipos = [0.0, 0.0, 0.0]
        car.explicitinertial = True
        car.add_geom(
            type=self._mujoco.mjtGeom.mjGEOM_BOX,
            size=list(body.half_extents),
            pos=body.box_center[index].tolist(),
            friction=[body.friction, 0.0, 0.0],
            solref=[0.01, 1.0],
            mass=0.0,
            contype=_CAR_BIT if settings.car_collisions else 0,
            conaffinity=meets,
        )

    def _flatten(self) -> None:
        """Hold height, roll and pitch, which planar models do not move."""
        self._velocities[:, 2:5] = 0.0
        quaternion = self._positions[:, 3:7]
        quaternion[:, 1:3] = 0.0
        quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)


def _import_mujoco() -> Any:
    """Import MuJoCo or say how to get it."""
    try:
        import mujoco
    except ImportError as error:
        raise MissingExtraError(
            "the MuJoCo engine needs mujoco: pip install 'roboracer-arena[sim]'", where="mujoco"
        ) from error
    return mujoco
