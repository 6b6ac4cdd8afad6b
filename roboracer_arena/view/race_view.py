"""The 3D picture of cars on their track at one moment of a race."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from roboracer_arena.view.camera import Camera
from roboracer_arena.view.render import render_stage

if TYPE_CHECKING:
    from roboracer_arena.sim.world import World

__all__ = ["render_race"]

_DISTANCE, _HEIGHT = 1.6, 0.75
"""Of the camera behind and above the last car [m]: near enough to tell its parts."""


def render_race(
    world: World,
    picture: Path,
    *,
    force: bool = False,
    progress: Callable[[str], None] | None = None,
) -> tuple[str, ...]:
    """Render the cars where they are, seen from close behind the last one.

    Args:
        world: The race.
        picture: PNG or JPEG to write.
        force: Whether an existing picture may be replaced.
        progress: Told of each step.

    Returns:
        What could not be shown as the stage says, one sentence each.

    Raises:
        MissingExtraError: The renderer is not installed.
        OutputError: The picture cannot be written.
    """
    from roboracer_arena.usd import place_cars

    poses = world.base_link()[:, :3]
    poses[:, :2] += np.array(world.stage.anchor)
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        scene = Path(folder) / "race.usda"
        place_cars(
            scene, world.stage.path.resolve(), world.vehicle, poses,
            steering=world.car.steering_angle,
        )  # fmt: skip
        camera = _behind_the_last(world)
        return render_stage(scene, picture, camera=camera, force=force, progress=progress)


def _behind_the_last(world: World) -> Camera:
    """Return a camera close behind the car that has come least far."""
    line = np.zeros((len(world.course.points), 3))
    line[:, :2] = world.course.points + np.array(world.stage.anchor)
    station = float(world.race.progress.s[int(np.argmin(world.race.travelled))])
    return Camera.chase(line, station=station, distance=_DISTANCE, height=_HEIGHT)
