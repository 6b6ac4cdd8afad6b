"""The line midway between the walls."""

from __future__ import annotations

import math

import numpy as np
import pytest

from roboracer_arena.corridor import (
    CorridorSettings,
    find_centerline,
    find_corridor,
    measure_corridor,
)
from roboracer_arena.maps import OCCUPIED, Pose2D
from tests.corridor.drawings import (
    CELL,
    SQUARE_LOOP,
    as_map,
    centres,
    hall,
    lined,
    paint,
    recorded,
    ring_map,
    to_oval,
)


def _oval(straight=4.0, radius=1.2, width=1.1, angle=0.0, style=recorded, **fields):
    x, y = centres(straight + 2 * radius + 4, straight + 2 * radius + 4)
    middle = (straight + 2 * radius + 4) / 2
    distance = to_oval(x, y, (middle, middle), straight, radius, angle)
    return as_map(style(distance, width), **fields), middle


@pytest.mark.parametrize("style", [recorded, lined])
@pytest.mark.parametrize("resolution", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("radius", [1.0, 2.0, 6.0])
def test_a_ring_has_the_lap_width_and_curvature_of_its_circle(radius, resolution, style):
    line = find_centerline(find_corridor(ring_map(radius, 1.0, resolution, style)))
    middle = (2 * radius + 4.0) / 2
    assert line.length == pytest.approx(2 * math.pi * radius, rel=0.01)
    assert np.abs(np.hypot(*(line.points - middle).T) - radius).max() < 0.5 * resolution
    width = line.width_left + line.width_right
    assert width.mean() == pytest.approx(1.0, abs=0.5 * resolution)
    assert line.curvature == pytest.approx(1 / radius, abs=2.0 * resolution)
    assert line.curvature.mean() == pytest.approx(1 / radius, rel=0.01)


@pytest.mark.parametrize("angle", [0.0, 0.4, math.pi / 4, 2.0])
def test_an_oval_has_its_lap_length_at_every_angle(angle):
    source, _ = _oval(angle=angle)
    line = find_centerline(find_corridor(source))
    assert line.length == pytest.approx(2 * 4.0 + 2 * math.pi * 1.2, rel=0.01)
    assert (line.width_left + line.width_right).mean() == pytest.approx(1.1, abs=0.5 * CELL)


def test_points_are_even_and_arc_length_heading_and_curvature_belong_to_them():
    source, _ = _oval()
    line = find_centerline(find_corridor(source))
    steps = np.roll(line.points, -1, axis=0) - line.points
    chord = np.hypot(*steps.T)
    assert chord == pytest.approx(line.length / len(line.points), rel=0.01)
    assert line.arc_length[0] == 0
    assert np.diff(line.arc_length) == pytest.approx(line.length / len(line.points))
    turn = np.angle(np.exp(1j * (np.arctan2(*steps.T[::-1]) - line.heading)))
    assert np.abs(turn).max() < 0.1
    assert np.abs(np.diff(line.heading)).max() < 0.3
    slope = np.gradient(line.heading, line.arc_length)[1:-1]
    assert np.abs(slope - line.curvature[1:-1]).max() < 0.1
    assert line.heading[-1] - line.heading[0] == pytest.approx(2 * math.pi, abs=0.3)


def test_the_two_directions_are_each_other_reversed():
    source, _ = _oval()
    corridor = find_corridor(source)
    left, right = find_centerline(corridor), find_centerline(corridor, direction="cw")
    assert left.length == pytest.approx(right.length, rel=1e-4)
    assert np.median(left.curvature) >= -1e-3
    assert left.curvature.mean() == pytest.approx(-right.curvature.mean(), rel=1e-3)


@pytest.mark.parametrize("direction", ["ccw", "cw"])
def test_widths_are_told_apart_by_side(direction):
    """Each width is the distance to the wall on that side of the line, as driven."""
    source, _ = _oval()
    corridor = find_corridor(source)
    line = find_centerline(corridor, direction=direction)
    left = np.column_stack([-np.sin(line.heading), np.cos(line.heading)])
    for side, width in ((left, line.width_left), (-left, line.width_right)):
        foot = line.points + side * width[:, None]
        walls = np.vstack([resampled(border.points) for border in corridor.borders])
        gap = np.min(np.hypot(*(foot[:, None] - walls[None]).transpose(2, 0, 1)), axis=1)
        assert gap.max() < 1.5 * CELL
    inner = line.width_left if direction == "ccw" else line.width_right
    infield = resampled(corridor.borders[1].points)
    nearest = np.min(np.hypot(*(line.points[:, None] - infield[None]).transpose(2, 0, 1)), axis=1)
    assert inner == pytest.approx(nearest, abs=0.01)


def resampled(points):
    steps = np.linspace(0, 1, 40, endpoint=False)[:, None, None]
    return (points + steps * (np.roll(points, -1, axis=0) - points)).reshape(-1, 2)


def test_the_lap_starts_in_the_middle_of_the_longest_straight():
    source, middle = _oval(straight=6.0)
    line = find_centerline(find_corridor(source))
    x, y = line.points[0]
    assert x == pytest.approx(middle, abs=0.6)
    assert abs(y - middle) == pytest.approx(1.2, abs=0.05)


def test_the_lap_can_start_elsewhere():
    source, _ = _oval(origin=Pose2D(10.0, -5.0, 0.8))
    place = tuple(source.origin.transform(np.array([[2.3, 4.6]]))[0])
    line = find_centerline(find_corridor(source, start=place), start=place)
    assert np.hypot(*(line.points[0] - [2.3, 4.6])) < 0.6


def test_spacing_and_smoothing_can_be_set():
    source, _ = _oval()
    settings = CorridorSettings(centerline_spacing=0.25, centerline_wavelength=3.0)
    line = find_centerline(find_corridor(source), settings=settings)
    assert line.length / len(line.points) == pytest.approx(0.25, rel=0.02)


def test_thin_walls_and_hairpins_are_followed():
    """A wall 0.1 m thick reaches from the outer wall into the loop."""
    cells = hall((0.5, 0.5, 9.5, 5.5), size=(10.0, 6.0))
    paint(cells, 2.0, 2.95, 8.0, 3.05, OCCUPIED)
    paint(cells, 4.95, 0.4, 5.05, 1.8, OCCUPIED)
    line = find_centerline(find_corridor(as_map(cells), CorridorSettings(min_infield_area=0.3)))
    assert line.width_left.min() > 0.5
    assert np.min(np.hypot(*(line.points - [5.0, 1.8]).T)) > 0.5
    assert 1 / np.abs(line.curvature).max() > 0.25


def test_sharp_corners_are_rounded_close_to_the_middle():
    line = find_centerline(find_corridor(as_map(hall(*SQUARE_LOOP))))
    assert line.width_left == pytest.approx(line.width_right, abs=0.16)
    assert np.abs(line.width_left - line.width_right).mean() < 0.03
    assert line.width_left.min() > 0.45


def test_measures_name_the_places_in_the_map_frame():
    cells = hall(*SQUARE_LOOP)
    paint(cells, 3.0, 5.2, 4.0, 5.5, OCCUPIED)
    source = as_map(cells, origin=Pose2D(100.0, 200.0))
    corridor = find_corridor(source)
    measures = measure_corridor(corridor, find_centerline(corridor))
    assert measures.width_min == pytest.approx(0.7, abs=CELL)
    assert measures.width_min_at[0] == pytest.approx(103.5, abs=0.7)
    assert measures.width_min_at[1] == pytest.approx(204.85, abs=0.1)
    assert measures.width_max >= measures.width_mean >= measures.width_min
    assert measures.area == pytest.approx(20 - 0.3)
    assert measures.lap_length == pytest.approx(2 * 6 + 2 * 4, rel=0.1)
    assert 0.2 < measures.min_radius < 1.0
