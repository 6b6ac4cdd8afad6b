"""The tyre law: friction circle, peak, inverse, behaviour at no slip and no speed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.vehicle import load_vehicle
from roboracer_arena.vehicle.tyre import (
    damped_slip,
    magic_formula,
    peak_slip,
    secant,
    slip_for,
    transient_slip,
    travel_speed,
)

SHAPES = st.tuples(st.floats(1.0, 50.0), st.floats(1.05, 1.95), st.floats(-10.0, 0.95))


@given(SHAPES, st.floats(0.0, 1e6))
def test_force_lies_between_zero_and_the_peak(
    shape: tuple[float, float, float], rho: float
) -> None:
    _, c, e = shape
    assert 0.0 <= magic_formula(rho, c, e) <= 1.0


@given(SHAPES)
def test_peak_slip_is_where_the_force_peaks(shape: tuple[float, float, float]) -> None:
    b, c, e = shape
    slip = peak_slip(b, c, e)
    assert magic_formula(b * slip, c, e) == pytest.approx(1.0, abs=1e-6)


@given(SHAPES, st.floats(0.0, 1.0))
def test_inverse_gives_back_the_fraction_below_the_peak(
    shape: tuple[float, float, float], fraction: float
) -> None:
    b, c, e = shape
    slip = slip_for(fraction, b, c, e)
    assert magic_formula(b * slip, c, e) == pytest.approx(fraction, abs=1e-6)
    assert slip <= peak_slip(b, c, e) * (1.0 + 1e-9)


@given(SHAPES)
def test_secant_is_smooth_at_no_slip(shape: tuple[float, float, float]) -> None:
    _, c, e = shape
    assert secant(0.0, c, e) == pytest.approx(c, rel=1e-6)
    assert secant(1e-4, c, e) == pytest.approx(c, rel=1e-4)


def test_the_front_tyre_follows_the_identified_curve_up_to_its_peak() -> None:
    tyre = load_vehicle().deployment.tyre
    angle = np.linspace(0.0, 0.2, 81)
    # The same law over the slip angle with the identified numbers, whose shape factor the models
    # do not allow.
    identified = magic_formula(4.799 * angle, 2.164, 0.373)
    ours = magic_formula(tyre.front_b * np.tan(angle), tyre.front_c, tyre.front_e)
    assert np.abs(ours - identified).max() < 0.003


def test_slip_builds_up_over_the_relaxation_length() -> None:
    slip, length, speed, dt = 0.0, 0.05, 2.0, 1e-5
    for _ in range(round(length / speed / dt)):
        slip = transient_slip(slip, -0.1 * speed, speed, length, dt)
    assert slip == pytest.approx(0.1 * (1.0 - math.exp(-1.0)), rel=1e-3)


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(-10, 10), st.floats(1e-4, 0.05))
def test_steady_slip_is_bounded_whatever_moves(
    along: float, across: float, rolling: float, dt: float
) -> None:
    speed = travel_speed(along, across, rolling)
    slip = 0.0
    for _ in range(50):
        slip = transient_slip(slip, along - rolling, speed, 0.05, dt)
    assert abs(slip) <= 2.0


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_spring_at_rest_holds_its_slip(slip: float, dt: float) -> None:
    assert transient_slip(slip, 0.0, 0.0, 0.05, abs(dt)) == pytest.approx(slip)
    assert damped_slip(slip, 0.0, 0.0) == slip


def test_damping_opposes_sliding_at_low_speed_only() -> None:
    assert damped_slip(0.0, 1.0, 0.0) < 0.0
    assert damped_slip(0.1, 1.0, 5.0) == 0.1
