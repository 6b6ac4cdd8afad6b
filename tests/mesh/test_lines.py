"""Lines in the plane, wall balls and bends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.mesh import DuctSettings
from roboracer_arena.mesh.bends import limit_bends
from roboracer_arena.mesh.medial import sample_borders
from roboracer_arena.mesh.polyline import resample, segment_lengths, smooth, windowed_turning
from tests.mesh.shapes import (
    border_from,
    circle,
    densify,
    oval,
    paperclip,
    rectangle,
    ring,
    star_lines,
)

FAR = sample_borders([border_from(circle(9.0, 99, center=(900.0, 900.0)))], 0.5, 0.3)
"""Walls too far away to matter."""


@given(line=star_lines(), step=st.floats(0.03, 0.4), closed=st.booleans())
@settings(max_examples=30, deadline=None)
def test_resampled_points_are_evenly_spaced_on_the_line(
    line: np.ndarray, step: float, closed: bool
) -> None:
    even = resample(line, step, closed=closed)
    np.testing.assert_array_equal(even[0], line[0])
    lengths = segment_lengths(even, closed=closed)
    assert lengths.max() <= segment_lengths(line, closed=closed).sum() / len(lengths) + 1e-9
    assert lengths.min() > 0.7 * lengths.max()
    assert lengths.mean() == pytest.approx(step, rel=0.1)


def test_smoothing_takes_out_ripples_but_keeps_circles() -> None:
    line = circle(1.0, 126)
    ripple = 0.01 * np.cos(np.arange(126) * np.pi)
    kept = smooth(line * (1.0 + ripple[:, None]), 3.0, closed=True)
    np.testing.assert_allclose(np.linalg.norm(kept, axis=1), 1.0, atol=5e-4)


def test_smoothing_keeps_the_ends_of_an_open_line() -> None:
    line = np.stack([np.linspace(0.0, 1.0, 30), np.random.default_rng(1).normal(size=30)], axis=1)
    np.testing.assert_allclose(smooth(line, 2.0, closed=False)[[0, -1]], line[[0, -1]], atol=1e-9)


def test_turning_of_a_circle_is_its_arc_over_its_radius() -> None:
    turning = windowed_turning(circle(2.0, 100), 5, closed=True)
    np.testing.assert_allclose(turning, 9 * 2.0 * np.pi / 100, rtol=1e-9)


def test_turning_of_an_open_line_stops_at_its_ends() -> None:
    corner = densify(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), 0.1)[:21]
    turning = windowed_turning(corner, 3, closed=False)
    assert turning[10] == pytest.approx(np.pi / 2)
    assert turning[0] == turning[-1] == 0.0


@pytest.mark.parametrize("thickness", [0.02, 0.1, 0.25, 0.4])
def test_balls_measure_half_the_thickness_of_a_wall(thickness: float) -> None:
    samples = sample_borders(paperclip(thickness), 0.05, 0.3)
    own = slice(int(samples.starts[1]), int(samples.starts[2]))
    straight = np.abs(samples.points[own][:, 0]) < 3.5
    np.testing.assert_allclose(samples.radius[own][straight], thickness / 2, rtol=0.02, atol=1e-4)
    touched = samples.points[samples.touch[own]][straight]
    assert (np.sign(touched[:, 1]) == -np.sign(samples.points[own][straight][:, 1])).all()


def test_balls_of_thick_walls_stop_at_the_cap() -> None:
    samples = sample_borders(oval(), 0.05, 0.3)
    np.testing.assert_array_equal(samples.radius, 0.3)
    np.testing.assert_array_equal(samples.touch, -1)


def test_no_ball_holds_a_sample() -> None:
    samples = sample_borders(paperclip(0.3), 0.03, 0.5)
    centers = samples.points + samples.radius[:, None] * samples.normals
    distance, _ = samples.nearest(centers)
    assert (distance > samples.radius - 0.002).all()


def test_normals_fan_out_at_corners_of_the_corridor() -> None:
    samples = sample_borders([ring()[0]], 0.05, 0.3)
    assert len(np.unique(samples.points, axis=0)) == len(samples.points)
    corner = sample_borders([border_from(rectangle(0.0, 0.0, 4.0, 4.0))], 0.05, 0.3)
    tips = corner.points + 0.3 * corner.normals
    step = np.linalg.norm(np.roll(tips, -1, axis=0) - tips, axis=1)
    assert step.max() < 0.15


@given(line=star_lines(low=0.8, high=3.0), smoothing=st.floats(0.0, 0.3))
@settings(max_examples=25, deadline=None)
def test_no_duct_bends_tighter_than_it_can(line: np.ndarray, smoothing: float) -> None:
    duct = DuctSettings(smoothing=smoothing)
    for points, closed in limit_bends(line, True, FAR, duct):
        assert closed
        assert sharpest_bend(points) <= 1.0 / duct.min_bend + 1e-9


def test_right_angle_is_rounded_and_stays_in_place_elsewhere() -> None:
    duct = DuctSettings()
    ((points, closed),) = limit_bends(rectangle(0.0, 0.0, 3.0, 2.0), True, FAR, duct)
    assert closed
    assert sharpest_bend(points) <= 1.0 / duct.min_bend + 1e-9
    inner = points[(points[:, 0] > 0.7) & (points[:, 0] < 2.3)]
    assert np.minimum(np.abs(inner[:, 1]), np.abs(inner[:, 1] - 2.0)).max() < 0.005


def test_line_that_doubles_back_is_cut_there() -> None:
    duct = DuctSettings()
    there_and_back = rectangle(0.0, 0.0, 3.0, 0.1)
    lines = limit_bends(there_and_back, True, FAR, duct)
    assert len(lines) == 2
    for points, closed in lines:
        assert not closed
        assert np.ptp(points[:, 0]) > 2.6
        assert np.ptp(points[:, 1]) < 0.1


def test_line_too_short_for_a_duct_is_dropped() -> None:
    assert limit_bends(circle(0.03, 20), True, FAR, DuctSettings()) == []


def sharpest_bend(points: np.ndarray) -> float:
    before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    a, b = points - before, after - points
    turn = np.abs(np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], (a * b).sum(axis=1)))
    chord = 0.5 * (np.linalg.norm(a, axis=1) + np.linalg.norm(b, axis=1))
    return float((turn / chord).max())
