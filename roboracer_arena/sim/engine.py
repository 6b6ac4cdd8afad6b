"""What a physics engine has to do for Arena, and nothing more.

An engine moves rigid boxes among static triangle meshes. Tyres, suspension, motor, steering, lidar
and race logic lie above it and are the same for every engine.

Conventions: the origin of a body is its centre of mass; a state row is position (3) [m], quaternion
w x y z (4), linear velocity (3) [m/s] and angular velocity (3) [rad/s], all in the world frame;
a wrench row is force (3) [N] and torque about the centre of mass (3) [N m], in the world frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import UsageError

__all__ = ["STATE_WIDTH", "BodyModel", "Contacts", "Engine", "EngineSettings", "StaticMesh"]

STATE_WIDTH = 13
"""Numbers in a state row: position 3, quaternion 4, linear velocity 3, angular velocity 3."""


@dataclass(frozen=True, slots=True, eq=False)
class StaticMesh:
    """One immovable collider, as read from a stage."""

    points: NDArray[np.float32]
    """Shape [n, 3], [m]."""
    triangles: NDArray[np.int32]
    """Shape [m, 3]; counter-clockwise seen from the side that collides."""
    kind: Literal["wall", "obstacle", "floor"]
    """Walls and obstacles collide with cars; the floor carries whatever has tipped over."""
    friction: float
    """Coulomb friction coefficient against a car body."""
    restitution: float
    """Coefficient of restitution against a car body, 0..1."""


@dataclass(frozen=True, slots=True, eq=False)
class BodyModel:
    """The rigid box of every car; arrays hold one row for each car."""

    mass: NDArray[np.float64]
    """Shape [n], [kg]."""
    inertia: NDArray[np.float64]
    """Shape [n, 3], principal moments about the centre of mass [kg m²]."""
    half_extents: tuple[float, float, float]
    """Half the length, width and height of the collision box [m]."""
    box_center: NDArray[np.float64]
    """Shape [n, 3], centre of the box relative to the centre of mass [m]."""
    friction: float = 0.3
    """Friction of the body shell against walls and other cars."""
    restitution: float = 0.1
    """Restitution of the body shell."""

    def __post_init__(self) -> None:
        count = self.mass.shape[0]
        if self.inertia.shape != (count, 3) or self.box_center.shape != (count, 3):
            raise UsageError(
                f"body arrays disagree: mass has {count} rows, inertia {self.inertia.shape}, "
                f"box centre {self.box_center.shape}"
            )
        if not (np.all(self.mass > 0) and np.all(self.inertia > 0)):
            raise UsageError("mass and inertia of every car must be positive")

    @property
    def count(self) -> int:
        """Number of cars."""
        return int(self.mass.shape[0])


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How an engine steps."""

    dt: float = 0.005
    """Length of a step [s]."""
    substeps: int = 2
    """Solver steps inside one step. Two at 0.005 s keep the penetration of a 20 m/s impact under
    10 mm (PhysX 5.3.1, measured)."""
    gravity: float = 9.81
    """[m/s²], along -z."""
    planar: bool = False
    """Hold height, roll and pitch: for car models that move in the plane."""
    car_collisions: bool = True
    """Whether cars collide with each other."""

    def __post_init__(self) -> None:
        if not 0.0 < self.dt <= 0.05:
            raise UsageError(f"step is {self.dt} s; it must lie in (0, 0.05]", where="dt")
        if not 1 <= self.substeps <= 64:
            raise UsageError(f"is {self.substeps}; it must lie in 1..64", where="substeps")


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """What touched each car during the last step."""

    wall: NDArray[np.bool_]
    """Shape [n], whether the car touched a wall or an obstacle."""
    car: NDArray[np.bool_]
    """Shape [n], whether the car touched another car."""
    impulse: NDArray[np.float64]
    """Shape [n, 3], sum of all contact impulses on the car, world frame [N s]."""
    other: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Shape [n], number of the car that was touched, or -1."""

    @classmethod
    def none(cls, count: int) -> Contacts:
        """Return that none of ``count`` cars touched anything."""
        return cls(
            wall=np.zeros(count, dtype=bool),
            car=np.zeros(count, dtype=bool),
            impulse=np.zeros((count, 3)),
            other=np.full(count, -1, dtype=np.int64),
        )


class Engine(Protocol):
    """A world of ``count`` cars among static meshes."""

    @property
    def name(self) -> str:
        """Name and version of the engine."""
        ...

    @property
    def count(self) -> int:
        """Number of cars."""
        ...

    @property
    def settings(self) -> EngineSettings:
        """How the engine steps."""
        ...

    def state(self) -> NDArray[np.float64]:
        """Return the state of all cars, shape [n, 13]; a copy."""
        ...

    def apply(self, wrench: NDArray[np.float64]) -> None:
        """Set the external force and torque of the next step, shape [n, 6]."""
        ...

    def step(self) -> None:
        """Advance by one step with the wrench that was applied."""
        ...

    def reset(
        self,
        ids: Sequence[int] | NDArray[np.int64],
        poses: NDArray[np.float64],
        velocities: NDArray[np.float64] | None = None,
    ) -> None:
        """Place cars; velocities, forces and contacts of before are gone.

        Args:
            ids: Which cars, length k.
            poses: Shape [k, 7], position and quaternion w x y z of the centre of mass.
            velocities: Shape [k, 6], linear and angular; zero where not given.
        """
        ...

    def set_bodies(self, body: BodyModel) -> None:
        """Change mass, inertia and centre of mass of the cars between steps."""
        ...

    def contacts(self) -> Contacts:
        """Return what touched each car during the last step."""
        ...

    def close(self) -> None:
        """Release the world; closing twice is harmless."""
        ...
