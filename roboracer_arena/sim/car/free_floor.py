"""An engine of its own for cars on an endless flat floor: no walls, no contacts, no dependency.

For what happens far from walls: validating the car models against theory, and replaying thousands
of recorded seconds when parameters are fitted. It steps as the contact engines do, velocity first
(semi-implicit Euler), so that all agree while nothing is touched.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.engine import STATE_WIDTH, BodyModel, Contacts, EngineSettings
from roboracer_arena.sim.rotation import cross, rotate, unrotate

__all__ = ["FreeFloorEngine"]

Array = NDArray[np.float64]


class FreeFloorEngine:
    """Rigid bodies under gravity and wrenches; see :class:`roboracer_arena.sim.engine.Engine`.

    Args:
        body: The cars.
        settings: How to step; collisions are ignored.
    """

    def __init__(self, body: BodyModel, settings: EngineSettings | None = None) -> None:
        self.settings = settings or EngineSettings()
        self._body = body
        self._state = np.zeros((body.count, STATE_WIDTH))
        self._state[:, 3] = 1.0
        self._wrench = np.zeros((body.count, 6))

    @property
    def name(self) -> str:
        """Name of the engine."""
        return "free_floor"

    @property
    def count(self) -> int:
        """Number of cars."""
        return self._body.count

    def state(self) -> Array:
        """Return the state of all cars, shape [n, 13]; a copy."""
        return self._state.copy()

    def apply(self, wrench: Array) -> None:
        """Set the external force and torque of the next step, shape [n, 6]."""
        if wrench.shape != self._wrench.shape:
            raise UsageError(f"wrench has shape {wrench.shape}; needed is {self._wrench.shape}")
        self._wrench = wrench.astype(np.float64, copy=True)

    def step(self) -> None:
        """Advance by one step with the wrench that was applied."""
        substeps = self.settings.substeps
        for _ in range(substeps):
            self._substep(self.settings.dt / substeps)
        self._wrench = np.zeros_like(self._wrench)

    def reset(
        self,
        ids: Sequence[int] | NDArray[np.int64],
        poses: Array,
        velocities: Array | None = None,
    ) -> None:
        """Place cars; velocities and forces of before are gone."""
        chosen = np.asarray(ids, dtype=np.int64)
        self._state[chosen, :7] = poses
        self._state[chosen, 7:] = 0.0 if velocities is None else velocities
        self._wrench[chosen] = 0.0

    def set_bodies(self, body: BodyModel) -> None:
        """Change mass and inertia of the cars between steps."""
        if body.count != self.count:
            raise UsageError(f"{body.count} bodies given for {self.count} cars")
        self._body = body

    def contacts(self) -> Contacts:
        """Return that nothing was touched."""
        return Contacts.none(self.count)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _substep(self, dt: float) -> None:
        state, wrench = self._state, self._wrench
        acceleration = wrench[:, :3] / self._body.mass[:, None]
        turning = self._angular_acceleration()
        if self.settings.planar:
            acceleration[:, 2] = 0.0
            turning[:, :2] = 0.0
        else:
            acceleration[:, 2] -= self.settings.gravity
        state[:, 7:10] += dt * acceleration
        state[:, 10:13] += dt * turning
        state[:, 0:3] += dt * state[:, 7:10]
        state[:, 3:7] = _turned(state[:, 3:7], state[:, 10:13] * dt)

    def _angular_acceleration(self) -> Array:
        """Return the world angular acceleration by Euler's equations, shape [n, 3]."""
        inertia = self._body.inertia
        if self.settings.planar:
            flat = np.zeros((self.count, 3))
            flat[:, 2] = self._wrench[:, 5] / inertia[:, 2]
            return flat
        quaternion = self._state[:, 3:7]
        spin = unrotate(quaternion, self._state[:, 10:13])
        torque = unrotate(quaternion, self._wrench[:, 3:6])
        return rotate(quaternion, (torque - cross(spin, inertia * spin)) / inertia)


def _turned(quaternion: Array, rotation: Array) -> Array:
    """Turn quaternions w x y z by world rotation vectors [n, 3], [rad], exactly."""
    angle = np.sqrt(np.einsum("ij,ij->i", rotation, rotation))
    scalar = np.cos(0.5 * angle)[:, None]
    vector = rotation * (0.5 * np.sinc(angle / (2.0 * np.pi)))[:, None]
    w, axis = quaternion[:, :1], quaternion[:, 1:]
    turned = np.empty_like(quaternion)
    turned[:, :1] = scalar * w - np.einsum("ij,ij->i", vector, axis)[:, None]
    turned[:, 1:] = scalar * axis + w * vector + cross(vector, axis)
    return np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True))
