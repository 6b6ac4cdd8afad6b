"""The baseline of the lidar's benchmark is as exact as the lidar."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="the sim extra is not installed")

from roboracer_arena.bench.scans import _circuit
from roboracer_arena.bench.traversal import GridTraversal
from roboracer_arena.sim.lidar import Lidar, LidarModel, ScanScene


def test_both_ways_of_scanning_return_the_same_ranges() -> None:
    lines, center = _circuit(200)
    model = LidarModel(beams=181)
    poses = np.c_[center[::20], np.linspace(-3.0, 3.0, len(center[::20]))]
    fast = Lidar(ScanScene.from_polylines(lines), model).exact(poses)
    plain = GridTraversal(lines, cell=0.3, model=model).scan(poses)
    assert np.abs(fast - plain).max() < 1e-9
