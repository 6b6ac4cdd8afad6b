"""The 3D picture of cars on their track at one moment of a race."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from roboracer_arena.view.render import render_stage

if TYPE_CHECKING:
    from roboracer_arena.sim.world import World

__all__ = ["render_race"]


def render_race(
    world: World,
    picture: Path,
    *,
    force: bool = False,
    progress: Callable[[str], None] | None = None,
) -> tuple[str, ...]:
    """Render the cars where they are, seen over the start line from behind.

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
        return render_stage(scene, picture, camera="chase", force=force, progress=progress)
