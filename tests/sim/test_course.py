"""Where along the lap a car is, and where cars start."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapes import circle, stadium

from roboracer_arena.errors import StageError, UsageError
from roboracer_arena.sim.course import Course


def ring_course(count: int = 400) -> Course:
    """Return a lap of radius 8.5 m with 1.5 m on either side."""
    return Course(circle(8.5, count), np.full(count, 1.5), np.full(count, 1.5))


def test_the_lap_is_as_long_as_its_line() -> None:
    assert ring_course(2000).length == pytest.approx(2 * np.pi * 8.5, rel=1e-5)


@given(angle=st.floats(0.0, 6.28), offset=st.floats(-1.4, 1.4))
def test_positions_project_to_arc_length_and_signed_offset(angle: float, offset: float) -> None:
    course = ring_course()
    radius = 8.5 - offset  # left of a counter-clockwise lap is inwards
    here = np.array([[radius * np.cos(angle), radius * np.sin(angle)]])
    found = course.locate(here)
    gap = (found.s[0] - 8.5 * angle + course.length / 2) % course.length - course.length / 2
    assert abs(gap) < 0.02
    assert found.lateral[0] == pytest.approx(offset, abs=0.002)


def test_a_known_place_keeps_a_car_on_its_own_road() -> None:
    # Two straights 0.6 m apart: a car between them belongs to the one it came along.
    line = stadium(20.0, 0.3, 60)
    course = Course(line, np.full(len(line), 0.3), np.full(len(line), 0.3))
    here = np.array([[0.0, 0.05], [0.0, -0.05]])
    lower = course.locate(np.array([[0.0, -0.3]])).s[0]
    upper = course.locate(np.array([[0.0, 0.3]])).s[0]
    found = course.locate(here, near=np.array([lower, upper]))
    assert found.s == pytest.approx([lower, upper], abs=0.2)


def test_a_moved_start_line_keeps_the_lap() -> None:
    course = ring_course()
    moved = course.from_start(10.123)
    assert moved.length == pytest.approx(course.length)
    assert moved.points[0] == pytest.approx(course.point_at(10.123)[0])
    assert moved.point_at(5.0)[0] == pytest.approx(course.point_at(15.123)[0], abs=1e-6)


def test_the_grid_stands_behind_the_line_in_rows_of_two() -> None:
    course = ring_course()
    grid = course.grid(6)
    assert grid.shape == (6, 3)
    places = course.locate(grid[:, :2])
    behind = course.length - places.s
    assert np.all((behind > 0.2) & (behind < 4.0))
    gaps = np.linalg.norm(grid[:, None, :2] - grid[None, :, :2], axis=2) + 9 * np.eye(6)
    assert gaps.min() > 0.31
    assert np.all(np.cos(grid[:, 2] - places.heading) > 0.99)


def test_too_many_cars_and_broken_lines_are_refused() -> None:
    with pytest.raises(UsageError, match="fit"):
        ring_course().grid(1000)
    with pytest.raises(StageError, match="repeats"):
        Course(np.array([[0.0, 0], [1, 0], [1, 0], [0, 1]]), np.ones(4), np.ones(4))
    with pytest.raises(StageError, match="at least"):
        Course(np.array([[0.0, 0], [1, 0], [1, 1]]), np.ones(3), np.ones(3))
