"""Walls as boxes, for engines that collide convex shapes only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.sim.engine import StaticMesh

__all__ = ["WallBox", "wall_boxes"]

_THICKNESS = 0.2
"""Depth of a box behind the wall face [m]: a car at 20 m/s moves 0.05 m in a solver step of 2.5 ms,
so it cannot be more than half way through before it is pushed back the right way."""
_THINNEST = 0.01
"""Depth that a box keeps where another wall stands right behind it [m]."""


@dataclass(frozen=True, slots=True)
class WallBox:
    """One upright box."""

    center: tuple[float, float, float]
    """Position of its centre [m]."""
    half_extents: tuple[float, float, float]
    """Half its length, depth and height [m]."""
    yaw: float
    """Heading of its length [rad]."""


def wall_boxes(
    lines: Sequence[NDArray[np.float64]], meshes: Sequence[StaticMesh]
) -> tuple[WallBox, ...]:
    """Return a box behind each straight piece of wall.

    Args:
        lines: Plan of the walls, polylines of shape [k, 2] with the corridor on the left [m].
        meshes: The walls, for their height.
    """
    start = np.concatenate([line[:-1] for line in lines])
    end = np.concatenate([line[1:] for line in lines])
    low = min(float(mesh.points[:, 2].min()) for mesh in meshes)
    high = max(float(mesh.points[:, 2].max()) for mesh in meshes)
    along = end - start
    length = np.linalg.norm(along, axis=1)
    along = along / length[:, None]
    back = np.stack([along[:, 1], -along[:, 0]], axis=1)  # right: away from the corridor
    middle = (start + end) / 2.0
    depth = _depths(middle, back, start, end)
    center = middle + back * depth[:, None] / 2.0
    yaw = np.arctan2(along[:, 1], along[:, 0])
    return tuple(
        WallBox(
            center=(float(xy[0]), float(xy[1]), (low + high) / 2.0),
            half_extents=(float(long) / 2.0, float(deep) / 2.0, (high - low) / 2.0),
            yaw=float(angle),
        )
        for xy, long, deep, angle in zip(center, length, depth, yaw, strict=True)
    )


def _depths(
    middle: NDArray[np.float64],
    back: NDArray[np.float64],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how deep each box may be, shape [n]: half the way to the next wall behind it."""
    depth = np.full(len(middle), _THICKNESS)
    edge = end - start
    reach = 2.0 * _THICKNESS
    for i in range(len(middle)):
        offset = start - middle[i]
        near = np.flatnonzero(
            (np.abs(offset).max(axis=1) < reach + np.abs(edge).max(axis=1))
            & (np.arange(len(start)) != i)
        )
        cross = back[i, 0] * edge[near, 1] - back[i, 1] * edge[near, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = (offset[near, 0] * edge[near, 1] - offset[near, 1] * edge[near, 0]) / cross
            share = (offset[near, 0] * back[i, 1] - offset[near, 1] * back[i, 0]) / cross
        hit = distance[(cross != 0.0) & (distance > 1e-6) & (share >= 0.0) & (share <= 1.0)]
        if len(hit):
            depth[i] = max(min(_THICKNESS, float(hit.min()) / 2.0), _THINNEST)
    return depth
