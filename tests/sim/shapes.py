"""Small worlds for simulation tests: walls with the corridor on their left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.sim.engine import BodyModel, StaticMesh

HEIGHT = 0.5
BASE = -0.05


def wall(line: NDArray[np.float64], *, closed: bool = True, kind: str = "wall") -> StaticMesh:
    """Extrude a polyline into a single-sided wall that faces the corridor on its left."""
    count = len(line)
    points = np.concatenate(
        [np.c_[line, np.full(count, BASE)], np.c_[line, np.full(count, HEIGHT)]]
    ).astype(np.float32)
    here = np.arange(count if closed else count - 1)
    after = (here + 1) % count
    triangles = np.concatenate(
        [np.c_[here, here + count, after], np.c_[after, here + count, after + count]]
    )
    # Counter-clockwise seen from the left of the line.
    return StaticMesh(points, triangles.astype(np.int32), kind, friction=0.3, restitution=0.1)  # type: ignore[arg-type]


def floor(half: float = 60.0, cell: float = 5.0) -> StaticMesh:
    """Return a level floor of square cells."""
    axis = np.arange(-half, half + cell / 2, cell)
    count = len(axis)
    x, y = np.meshgrid(axis, axis)
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1).astype(np.float32)
    row, column = (index.ravel() for index in np.mgrid[0 : count - 1, 0 : count - 1])
    a = row * count + column
    triangles = np.concatenate([np.c_[a, a + 1, a + count + 1], np.c_[a, a + count + 1, a + count]])
    return StaticMesh(points, triangles.astype(np.int32), "floor", friction=0.8, restitution=0.0)


def circle(radius: float, count: int = 400, *, clockwise: bool = False) -> NDArray[np.float64]:
    """Return a ring of points; counter-clockwise unless said."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    line = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return line[::-1] if clockwise else line


def stadium(straight: float, radius: float, count: int = 100) -> NDArray[np.float64]:
    """Return two straights along x joined by half circles, counter-clockwise."""
    right = np.linspace(-np.pi / 2, np.pi / 2, count)
    left = right + np.pi
    return np.concatenate(
        [
            np.stack([straight / 2 + radius * np.cos(right), radius * np.sin(right)], axis=1),
            np.stack([-straight / 2 + radius * np.cos(left), radius * np.sin(left)], axis=1),
        ]
    )


def box_cars(count: int) -> BodyModel:
    """Return plain boxes with the mass and the inertia of the car."""
    return BodyModel(
        mass=np.full(count, 4.885),
        inertia=np.tile([0.04, 0.08, 0.089], (count, 1)),
        half_extents=(0.29, 0.155, 0.06),
        box_center=np.tile([0.01, 0.0, 0.04], (count, 1)),
    )


def pose(x: float, y: float, yaw: float = 0.0, z: float = 0.1) -> NDArray[np.float64]:
    """Return a row of position and quaternion."""
    return np.array([[x, y, z, np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)]])
