"""Refusing places where a car cannot stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.lidar import ScanScene, car_corners

if TYPE_CHECKING:
    from roboracer_arena.sim.world import World

__all__ = ["check_spawn", "inside_corridor"]


def check_spawn(world: World, ids: NDArray[np.int64], places: NDArray[np.float64]) -> None:
    """Refuse places in a wall, outside the corridor or in another car.

    Args:
        world: The world.
        ids: Which cars, shape [k].
        places: Shape [k, 3], x, y [m] and heading [rad] of base_link.

    Raises:
        UsageError: Names the car, the pose and the reason.
    """
    if not np.all(np.isfinite(places)):
        raise UsageError(f"start pose {places.tolist()} is not finite", where="start")
    box = world.vehicle.chassis.body
    centers = places.copy()
    centers[:, 0] += box.center_ahead * np.cos(places[:, 2])
    centers[:, 1] += box.center_ahead * np.sin(places[:, 2])
    corners = car_corners(centers, box.length / 2.0, box.width / 2.0)
    outside = ~inside_corridor(world.scene, corners.reshape(-1, 2)).reshape(-1, 4).all(axis=1)
    for row in np.flatnonzero(outside):
        x, y, yaw = places[row]
        raise UsageError(
            f"car {ids[row]} would start at ({x:.2f}, {y:.2f}) m, heading {yaw:.2f} rad, in a wall "
            "or outside the corridor; choose a pose inside it",
            where="start pose",
        )
    _check_others(world, ids, centers, corners)


def _check_others(
    world: World,
    ids: NDArray[np.int64],
    centers: NDArray[np.float64],
    corners: NDArray[np.float64],
) -> None:
    """Refuse places that overlap another car, placed now or standing already."""
    if not world.settings.car_collisions:
        return
    box = world.vehicle.chassis.body
    placed = set(ids.tolist())
    standing = [n for n in range(world.count) if n not in placed and world.steps > 0]
    others = np.concatenate([corners, world.outlines()[standing]])
    middles = others.mean(axis=1)
    for row, center in enumerate(centers):
        gap = np.linalg.norm(middles - center[:2], axis=1)
        gap[row] = np.inf
        if gap.min() < box.width:
            raise UsageError(
                f"car {ids[row]} would start within {gap.min():.2f} m of another car",
                where="start pose",
            )


def inside_corridor(scene: ScanScene, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return whether points lie in the corridor, by the walls of the stage; shape [n, 2] to [n].

    Counts crossings of a ray along +x with the directed wall segments: the corridor is on the left
    of each, so the winding is 1 inside and 0 in walls, infields and outside.
    """
    vertices, chunks = scene.vertices, scene.chunks
    winding = np.zeros(len(points), dtype=np.int64)
    for start, stop in chunks:
        run = vertices[start:stop]
        a, b = run[:-1], run[1:]
        y = points[:, 1, None]
        up = (a[None, :, 1] <= y) & (b[None, :, 1] > y)
        down = (a[None, :, 1] > y) & (b[None, :, 1] <= y)
        side = (b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (points[:, 0, None] - a[:, 0]) * (
            b[:, 1] - a[:, 1]
        )
        winding += (up & (side > 0)).sum(axis=1) - (down & (side < 0)).sum(axis=1)
    return np.asarray(winding == 1)
