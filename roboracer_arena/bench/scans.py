"""The lidar timed beside a plain grid traversal that returns the same ranges.

``python -m roboracer_arena.bench.scans``: one core, a bumpy circuit with a 1.8 m corridor, another
car in range.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.bench.machine import describe_machine
from roboracer_arena.bench.traversal import GridTraversal
from roboracer_arena.sim.lidar import Lidar, LidarModel, ScanScene, car_corners

__all__ = ["main"]

_SEGMENTS = 1500
_POSES = 256
_PATIENCE = 1.5
"""Time spent on each figure [s]."""


def main() -> int:
    """Print scans a second of both, and how far they differ."""
    lines, center = _circuit(_SEGMENTS // 2)
    random = np.random.default_rng(0)
    rows = random.choice(len(center), _POSES)
    poses = np.c_[
        center[rows] + random.uniform(-0.3, 0.3, (_POSES, 2)), random.uniform(-3, 3, _POSES)
    ]
    lidar = Lidar(ScanScene.from_polylines(lines), LidarModel())
    car = car_corners(np.array([[*center[0], 0.3]]), 0.29, 0.155)
    clear = np.linalg.norm(poses[:, :2] - center[0], axis=1) > 0.5
    poses = poses[clear]
    outline = np.concatenate([car[0], car[0][:1]])
    traversal = GridTraversal([*lines, outline], cell=0.25, model=lidar.model)
    difference = np.abs(lidar.exact(poses[:20], car) - traversal.scan(poses[:20])).max()
    fast = _rate(lambda: lidar.exact(poses, car), len(poses))
    plain = _rate(lambda: traversal.scan(poses[:20]), 20)
    out = sys.stdout
    out.write(
        f"{describe_machine()}\n\n{_SEGMENTS} segments, 1081 beams, one car in range, one core\n"
    )
    out.write(f"angular z-buffer  {fast:9.0f} scans/s\n")
    out.write(f"grid traversal    {plain:9.0f} scans/s\n")
    out.write(f"they differ by at most {difference:.1e} m\n")
    return 0


def _circuit(count: int) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
    """Return the walls of a bumpy circuit, closed, corridor on their left, and its middle."""
    random = np.random.default_rng(3)
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    radius = np.full(count, 8.0)
    for order in range(2, 9):
        radius += 0.64 / order * random.normal() * np.cos(order * angle + random.uniform(0, 6))
    center = np.stack([1.5 * radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    along = np.roll(center, -1, axis=0) - np.roll(center, 1, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    left = np.stack([-along[:, 1], along[:, 0]], axis=1)
    outer, inner = center - 0.9 * left, (center + 0.9 * left)[::-1]
    return [np.concatenate([line, line[:1]]) for line in (outer, inner)], center


def _rate(call: Callable[[], object], scans: int) -> float:
    """Return scans a second of CPU time, after a call that compiles."""
    call()
    began, done = time.process_time(), 0
    while time.process_time() - began < _PATIENCE:
        call()
        done += scans
    return done / (time.process_time() - began)


if __name__ == "__main__":
    sys.exit(main())
