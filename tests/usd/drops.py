"""Balls in PhysX on the meshes that a stage holds."""

from __future__ import annotations

import warnings

import numpy as np

from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.usd import TrackStage


class BallScene:
    """A PhysX scene (SAPIEN, CPU) with the floor and the walls of a track."""

    def __init__(self, track: TrackStage, step: float) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that there is no Vulkan, which is not needed
            import sapien
            from sapien import physx

        self._sapien, self._physx = sapien, physx
        physx.set_scene_config(
            gravity=np.array([0.0, 0.0, -track.gravity]), enable_tgs=True, enable_pcm=True
        )
        physx.set_shape_config(contact_offset=0.02, rest_offset=0.0)
        physx.set_body_config(
            solver_position_iterations=4, solver_velocity_iterations=1, sleep_threshold=0.0
        )
        self.system = physx.PhysxCpuSystem()
        self.system.timestep = step
        self._scene = sapien.Scene([self.system])
        self._add_static(track.floor)
        for piece in track.walls:
            self._add_static(piece.mesh)

    def _add_static(self, mesh: SurfaceMesh) -> None:
        material = self._physx.PhysxMaterial(0.3, 0.3, 0.0)
        shape = self._physx.PhysxCollisionShapeTriangleMesh(
            mesh.points, mesh.triangles.astype(np.uint32), np.ones(3), material
        )
        body = self._physx.PhysxRigidStaticComponent()
        body.attach(shape)
        entity = self._sapien.Entity()
        entity.add_component(body)
        self._scene.add_entity(entity)

    def add_ball(
        self,
        position: tuple[float, float, float],
        *,
        radius: float,
        mass: float,
        velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
        planar: bool = False,
    ) -> object:
        """Add a ball; a planar one keeps its height."""
        material = self._physx.PhysxMaterial(0.3, 0.3, 0.0)
        shape = self._physx.PhysxCollisionShapeSphere(radius, material)
        body = self._physx.PhysxRigidDynamicComponent()
        body.attach(shape)
        body.set_mass(mass)
        if planar:
            body.set_disable_gravity(True)
            body.set_locked_motion_axes([False, False, True, False, False, False])
        entity = self._sapien.Entity()
        entity.add_component(body)
        entity.set_pose(self._sapien.Pose(list(position)))
        self._scene.add_entity(entity)
        body.set_linear_velocity(np.array(velocity))
        return body

    def run(self, balls: list[object], seconds: float) -> np.ndarray:
        """Step and return the positions, shape [steps, balls, 3]."""
        steps = round(seconds / self.system.timestep)
        path = np.empty((steps, len(balls), 3))
        for index in range(steps):
            self.system.step()
            path[index] = [ball.entity_pose.p for ball in balls]  # type: ignore[attr-defined]
        return path
