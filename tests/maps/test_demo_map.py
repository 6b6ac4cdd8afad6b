from __future__ import annotations

import hashlib
import importlib.util
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, read_map

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tracks" / "demo" / "arena_hall"


@pytest.fixture(scope="module")
def tool() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location(
        "make_demo_map", ROOT / "tools" / "make_demo_map.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.slow
def test_the_tool_makes_the_bundled_map(tool):
    made, bundled = tool.make_map(), read_map(FOLDER / "map.yaml")
    assert bundled.warnings == ()
    assert (made.resolution, made.origin) == (bundled.resolution, bundled.origin)
    np.testing.assert_array_equal(made.cells, bundled.cells)


def test_the_provenance_names_licence_source_and_image():
    track = tomllib.loads((FOLDER / "track.toml").read_text(encoding="utf-8"))
    assert track["licence"] == "Apache-2.0"
    assert track["source"] == "made by tools/make_demo_map.py"
    assert track["sha256"] == hashlib.sha256((FOLDER / "map.png").read_bytes()).hexdigest()


def test_the_bundled_map_is_drivable_and_looks_recorded(tool):
    occupancy = read_map(FOLDER / "map.yaml")
    assert occupancy.name == "arena_hall"
    shares = {v: np.mean(occupancy.cells == v) for v in (FREE, OCCUPIED, UNKNOWN)}
    assert 0.3 < shares[FREE] < 0.6
    assert 0.01 < shares[OCCUPIED] < 0.06
    # All along the designed line a circle of 1.2 m fits between the recorded walls.
    free = (occupancy.cells == FREE).astype(np.uint8)
    clearance = cv2.distanceTransform(free, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    line = tool.FRAME.inverse_transform(tool.rounded_loop(tool.CORNERS, 0.05))
    rows, columns = occupancy.world_to_cell(line).T
    speck = clearance[rows, columns] * occupancy.resolution < 0.6
    assert np.mean(speck) < 0.03  # near a single cell that no beam of two laps crossed twice
    assert (free[rows, columns] == 1).mean() > 0.99


def test_the_designed_line_keeps_the_turning_radius_of_a_car(tool):
    line = tool.rounded_loop(tool.CORNERS, 0.02)
    heading = np.unwrap(np.arctan2(*np.diff(np.vstack([line, line[:2]]), axis=0).T[::-1]))
    steps = np.linalg.norm(np.diff(np.vstack([line, line[:1]]), axis=0), axis=1)
    curvature = np.diff(heading) / steps
    window = np.ones(15) / 15
    assert np.abs(np.convolve(curvature, window, mode="valid")).max() < 1 / 1.1
    assert heading[-1] - heading[0] == pytest.approx(2 * np.pi, abs=0.05)
    assert steps.std() < 1e-3
