"""Steering geometry: signs, radii, inner and outer wheel."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.vehicle import (
    curvature,
    steering_for_curvature,
    turning_radius,
    wheel_angles,
)

ANGLES = st.floats(-0.6, 0.6)


def test_a_positive_angle_turns_left_about_the_wheelbase() -> None:
    assert float(turning_radius(0.2, 0.3275)) == pytest.approx(1.6156, abs=1e-3)
    assert float(turning_radius(-0.2, 0.3275)) == pytest.approx(-1.6156, abs=1e-3)
    assert math.isinf(float(turning_radius(0.0, 0.3275)))


@pytest.mark.shared
def test_inner_and_outer_angle_of_the_case(shared_dir: Path) -> None:
    case = shared_dir / "cases" / "e14-ackermann-inner-wheel"
    command = json.loads((case / "command.json").read_text())
    expected = json.loads((case / "expected.json").read_text())
    left, right = wheel_angles(
        command["steering_angle"], command["wheelbase"], command["track_width"]
    )
    assert expected["left_rad"][0] <= float(left) <= expected["left_rad"][1]
    assert expected["right_rad"][0] <= float(right) <= expected["right_rad"][1]


@given(ANGLES)
def test_both_wheels_roll_about_one_point_on_the_rear_axle(angle: float) -> None:
    wheelbase, track = 0.3275, 0.265
    left, right = (float(a) for a in wheel_angles(angle, wheelbase, track))
    bend = math.tan(angle) / wheelbase
    # cot(wheel) = R/L -+ w/2L, multiplied through by tan(angle) to hold at zero.
    half = 0.5 * track
    assert math.tan(left) * (1.0 - half * bend) == pytest.approx(math.tan(angle), abs=1e-12)
    assert math.tan(right) * (1.0 + half * bend) == pytest.approx(math.tan(angle), abs=1e-12)
    inner, outer = (left, right) if angle > 0 else (right, left)
    assert abs(inner) >= abs(outer)


@given(ANGLES)
def test_curvature_and_steering_are_inverse(angle: float) -> None:
    back = steering_for_curvature(curvature(angle, 0.3275), 0.3275)
    assert float(back) == pytest.approx(angle, abs=1e-12)


def test_arrays_keep_their_shape() -> None:
    left, right = wheel_angles(np.zeros((3, 2)), 0.3275, 0.265)
    assert left.shape == right.shape == (3, 2)
