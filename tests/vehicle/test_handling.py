"""The closed-form references of steady cornering."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from roboracer_arena.errors import UsageError
from roboracer_arena.vehicle import load_vehicle
from roboracer_arena.vehicle.handling import (
    lateral_limit,
    steady_steering,
    steady_yaw_rate,
    understeer_gradient,
)


def test_at_walking_pace_the_car_follows_its_geometry() -> None:
    car = load_vehicle()
    for kind in ("single_track", "double_track"):
        rate = steady_yaw_rate(car, 0.1, 0.3, kind=kind)
        # The centre of mass runs on a wider circle than the rear axle.
        slope = math.tan(0.3) / car.chassis.wheelbase
        radius = math.hypot(1.0 / slope, car.chassis.com_to_rear)
        assert rate == pytest.approx(0.1 / radius, rel=1e-3)


def test_small_steering_shows_the_understeer_gradient() -> None:
    car = load_vehicle()
    acceleration = 0.02 * 9.81
    speed = 4.0
    geometric = car.chassis.wheelbase * acceleration / speed**2
    needed = steady_steering(car, speed, acceleration) - geometric
    assert needed / 0.02 == pytest.approx(understeer_gradient(car), rel=0.01)


def test_yaw_rate_is_the_inverse_of_steering_and_odd() -> None:
    car = load_vehicle()
    rate = steady_yaw_rate(car, 4.0, 0.15)
    assert steady_steering(car, 4.0, 4.0 * rate) == pytest.approx(0.15, abs=1e-9)
    assert steady_yaw_rate(car, 4.0, -0.15) == -rate


def test_beyond_the_peak_the_limit_holds() -> None:
    car = load_vehicle()
    assert 6.0 * steady_yaw_rate(car, 6.0, 0.5) == pytest.approx(lateral_limit(car), rel=1e-6)


@settings(max_examples=20, deadline=None)
@given(st.floats(1.0, 5.0), st.floats(0.02, 0.25))
def test_a_flat_narrow_double_track_is_a_single_track(speed: float, steering: float) -> None:
    car = load_vehicle(overrides={"com_height": 0.001, "track_width": 0.05})
    one = steady_yaw_rate(car, speed, steering)
    assume(speed * one < 0.9 * lateral_limit(car))
    two = steady_yaw_rate(car, speed, steering, kind="double_track")
    # What is left is the cosine of the steering angle, which the single-track form neglects.
    assert two == pytest.approx(one, rel=0.03)


def test_load_transfer_costs_grip() -> None:
    car = load_vehicle()
    one = steady_yaw_rate(car, 4.0, 0.2)
    assert 0.95 * one < steady_yaw_rate(car, 4.0, 0.2, kind="double_track") < one


def test_impossible_requests_are_refused() -> None:
    car = load_vehicle()
    with pytest.raises(UsageError, match="positive speed"):
        steady_yaw_rate(car, 0.0, 0.1)
    with pytest.raises(UsageError, match=r"tyres hold up to 8\.14"):
        steady_steering(car, 3.0, 9.0)
