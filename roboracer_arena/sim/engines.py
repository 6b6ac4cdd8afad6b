"""Choosing an engine by name, and turning a stage into what engines take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.engine import BodyModel, Engine, EngineSettings, StaticMesh

if TYPE_CHECKING:
    from roboracer_arena.usd import TrackStage

__all__ = ["ENGINES", "make_engine", "stage_meshes"]

ENGINES = ("physx", "mujoco")
"""The engines that can be named, the default first."""


def make_engine(
    name: str, meshes: Sequence[StaticMesh], body: BodyModel, settings: EngineSettings
) -> Engine:
    """Return an engine with cars among meshes.

    Raises:
        UsageError: There is no engine of that name.
        MissingExtraError: Its library is not installed.
    """
    if name == "physx":
        from roboracer_arena.sim.physx import PhysxEngine

        return PhysxEngine(meshes, body, settings)
    if name == "mujoco":
        from roboracer_arena.sim.mujoco import MujocoEngine

        return MujocoEngine(meshes, body, settings)
    raise UsageError(f"'{name}' is no engine; choose {' or '.join(ENGINES)}", where="--engine")


def stage_meshes(stage: TrackStage) -> tuple[StaticMesh, ...]:
    """Return the colliders of a stage, in metres relative to its anchor."""
    walls = tuple(
        StaticMesh(
            points=piece.mesh.points,
            triangles=piece.mesh.triangles,
            kind="obstacle" if piece.kind == "obstacle" else "wall",
            friction=stage.wall_contact.dynamic_friction,
            restitution=stage.wall_contact.restitution,
        )
        for piece in stage.walls
    )
    floor = StaticMesh(
        points=stage.floor.points,
        triangles=stage.floor.triangles,
        kind="floor",
        friction=stage.floor_contact.dynamic_friction,
        restitution=stage.floor_contact.restitution,
    )
    return (*walls, floor)
