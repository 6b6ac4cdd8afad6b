"""The validator's rulers against curves whose measures are known exactly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from roboracer_arena.generate.features import classify, join_turns
from roboracer_arena.generate.measure.line import MeasuredLine, measure_line
from roboracer_arena.generate.measure.topology import find_topology
from roboracer_arena.generate.measure.turns import find_turns, longest_straight, profile_of
from roboracer_arena.generate.measure.walls import (
    narrowest_width,
    nearest_facing,
    wall_thickness,
)
from roboracer_arena.generate.path import Path, fillet_polygon

from .shapes import JOGS, OCTAGON, OVAL, ROUNDED_SQUARE, U_SHAPE, drawn, rotated, rounded

ANGLES = (0.0, 0.02, 0.1, math.pi / 4, 0.6)
SHAPES = {
    "oval": OVAL,
    "rounded square": ROUNDED_SQUARE,
    "octagon": OCTAGON,
    "U": U_SHAPE,
    "jogs": JOGS,
}


def paths(vertices: NDArray[np.float64], radius: float) -> list[Path]:
    """The shape at several rotations and places on the grid."""
    return [rounded(rotated(vertices, angle) + 0.37 * angle + 0.013, radius) for angle in ANGLES]


def measured(path: Path, width: float, cell: float, radius: float) -> MeasuredLine:
    track = drawn(path, width=width, cell=cell)
    return measure_line(find_topology(track), cell, radius)


@pytest.mark.parametrize("cell", [0.05, 0.025])
@pytest.mark.parametrize("shape", SHAPES)
def test_lap_length_is_within_a_fifth_of_a_percent(shape: str, cell: float) -> None:
    for path in paths(SHAPES[shape], 1.2):
        line = measured(path, 1.55, cell, 1.1625)
        assert line.length == pytest.approx(path.length, rel=0.002)


@pytest.mark.parametrize(("width", "cell"), [(1.55, 0.05), (2.0, 0.05), (1.0, 0.025), (0.6, 0.02)])
@pytest.mark.parametrize("shape", ["oval", "U"])
def test_mean_width_is_within_half_a_cell(shape: str, width: float, cell: float) -> None:
    for path in paths(SHAPES[shape], 1.2):
        line = measured(path, width, cell, 1.1625)
        assert float(line.width.mean()) == pytest.approx(width, abs=0.5 * cell + 1e-9)


def test_width_of_a_straight_on_the_grid_errs_by_one_cell_at_most() -> None:
    # Where walls run along the grid, the drawing itself rounds the width to whole cells.
    for shift in np.linspace(0.0, 0.05, 6):
        line = measured(rounded(OVAL + shift, 1.2), 1.55, 0.05, 1.1625)
        assert float(line.width.mean()) == pytest.approx(1.55, abs=0.05 + 1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_line_runs_within_half_a_cell_of_the_truth(shape: str) -> None:
    for path in paths(SHAPES[shape], 1.2):
        track = drawn(path)
        topology = find_topology(track)
        line = measure_line(topology, 0.05, 1.1625)
        offset = np.array(topology.window[::-1]) * 0.05
        points = track.origin.transform(line.points + offset)
        truth = path.curve(0.01).points
        gaps = np.hypot(*(points[:, None, :] - truth[None, :, :]).transpose(2, 0, 1)).min(axis=1)
        assert gaps.max() <= 0.025 + 0.005


@pytest.mark.parametrize(("width", "cell"), [(1.55, 0.05), (1.0, 0.025)])
@pytest.mark.parametrize("shape", ["oval", "rounded square", "U", "jogs"])
def test_smallest_radius_is_within_the_raster_tolerance(
    shape: str, width: float, cell: float
) -> None:
    radius = max(0.9, 0.75 * width)
    for path in paths(SHAPES[shape], 1.05 * radius):
        line = measured(path, width, cell, radius)
        found = 1.0 / float(np.abs(profile_of(line.points, radius).curvature).max())
        assert abs(found - 1.05 * radius) <= max(1.5 * cell, 0.07 * radius)


def test_a_circle_is_one_turn_of_its_radius() -> None:
    path = rounded(ROUNDED_SQUARE[:, :] * [8 / 9, 1.0], 4.0)
    line = measured(path, 1.55, 0.05, 1.1625)
    profile = profile_of(line.points, 1.1625)
    turns = find_turns(profile, 1.1625)
    assert len(turns) == 1
    assert math.degrees(turns[0].angle) == pytest.approx(360.0, abs=1.0)
    assert turns[0].effective_radius == pytest.approx(4.0, rel=0.01)
    # Cells blur curvature by the same amount everywhere, so a wide arc is known less well.
    assert np.abs(profile.curvature).max() == pytest.approx(0.25, abs=0.06 / 1.1625)
    assert longest_straight(profile, turns) < 0.5


@pytest.mark.parametrize("shape", SHAPES)
def test_turns_have_their_angle_length_and_place(shape: str) -> None:
    radius = 1.1625
    for path in paths(SHAPES[shape], 1.2):
        line = measured(path, 1.55, 0.05, radius)
        found = join_turns(find_turns(profile_of(line.points, radius), radius), line.length, radius)
        arcs = [piece for piece in path.pieces if piece.angle]
        wanted = [math.degrees(piece.angle) for piece in arcs]
        if shape == "oval":
            wanted = [180.0, 180.0]
        elif shape == "jogs":
            wanted = [90.0, -90.0, 90.0, 180.0, -90.0, -90.0, 90.0, 90.0, 90.0]
        assert sorted(math.degrees(turn.angle) for turn in found) == pytest.approx(
            sorted(wanted), abs=5.0
        )
        if shape != "oval":
            for turn in found:
                expected = 1.2 * abs(turn.angle)
                gap = 0.2 if abs(turn.angle) > 3.0 else 0.0
                assert turn.end - turn.start == pytest.approx(expected + gap, abs=0.3)


@pytest.mark.parametrize(
    ("shape", "kinds"),
    [
        ("oval", {"hairpin": 2}),
        ("rounded square", {"corner": 4}),
        ("octagon", {"corner": 8}),
        ("U", {"corner": 8}),
        ("jogs", {"corner": 8, "hairpin": 1}),
    ],
)
def test_turns_are_of_their_kind_at_every_rotation(shape: str, kinds: dict[str, int]) -> None:
    radius = 1.1625
    for path in paths(SHAPES[shape], 1.2):
        line = measured(path, 1.55, 0.05, radius)
        turns = join_turns(find_turns(profile_of(line.points, radius), radius), line.length, radius)
        found = [classify(turn, radius) for turn in turns]
        assert {kind: found.count(kind) for kind in set(found)} == kinds


def test_a_large_corner_is_a_sweeper_and_a_slight_one_a_kink() -> None:
    radius = 1.1625
    bent = np.array([[0, 0], [7, 0], [14, 2.5], [14, 10], [0, 10]], dtype=float)
    path_radii = np.array([1.2, 1.2, 1.2, 2.2, 1.2])
    path = fillet_polygon(bent, path_radii)
    assert path is not None
    line = measured(path, 1.55, 0.05, radius)
    turns = find_turns(profile_of(line.points, radius), radius)
    kinds = sorted(classify(turn, radius) for turn in join_turns(turns, line.length, radius))
    assert kinds == ["corner", "corner", "corner", "kink", "sweeper"]


@pytest.mark.parametrize("shape", ["oval", "rounded square", "U", "jogs"])
def test_longest_straight_is_within_three_cells(shape: str) -> None:
    for path in paths(SHAPES[shape], 1.2):
        start, end = path.longest_straight()
        profile = profile_of(measured(path, 1.55, 0.05, 1.1625).points, 1.1625)
        found = longest_straight(profile, find_turns(profile, 1.1625))
        assert found == pytest.approx(end - start, abs=0.15)


def test_facing_parts_are_as_far_apart_as_they_were_drawn() -> None:
    for path in paths(U_SHAPE, 1.2):
        line = measured(path, 1.55, 0.05, 1.1625)
        assert nearest_facing(line.points, line.step, 2.9) == pytest.approx(4.0, abs=0.03)


def test_nothing_faces_itself_on_a_small_circle() -> None:
    path = rounded(np.array([[0, 0], [3, 0], [3, 3], [0, 3]], dtype=float), 1.5)
    line = measured(path, 1.55, 0.05, 1.1625)
    assert math.isinf(nearest_facing(line.points, line.step, 5.0))


@pytest.mark.parametrize("wall", [0.1, 0.15, 0.3])
def test_wall_thickness_is_measured_within_a_cell(wall: float) -> None:
    for path in paths(U_SHAPE, 1.2):
        track = drawn(path, wall=wall)
        assert wall_thickness(track, find_topology(track)) == pytest.approx(wall, abs=0.05)


def test_one_cell_in_the_corridor_narrows_it() -> None:
    track = drawn(rounded(OVAL, 1.2))
    topology = find_topology(track)
    line = measure_line(topology, 0.05, 1.1625)
    before = narrowest_width(topology, line, 0.05)
    row = int(np.flatnonzero(topology.free[:, topology.free.shape[1] // 2])[0])
    pebble = topology.free.copy()
    pebble[row : row + 4, topology.free.shape[1] // 2] = False
    after = narrowest_width(replace(topology, free=pebble), line, 0.05)
    assert after == pytest.approx(before - 0.2, abs=0.05)
