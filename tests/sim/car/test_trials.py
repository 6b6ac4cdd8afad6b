"""Both models against theory and the recorded car: the numbers that the project promises."""

from __future__ import annotations

import pytest

from roboracer_arena.sim.car import trials
from roboracer_arena.sim.car.trials import Finding
from roboracer_arena.vehicle import load_vehicle

KINDS = ("double_track", "single_track")


def assert_all_passed(rows: list[Finding], count: int) -> None:
    assert len(rows) == count
    assert [row for row in rows if not row.passed] == []


@pytest.mark.parametrize(("kind", "count"), [("double_track", 10), ("single_track", 9)])
def test_steady_circles_agree_with_the_closed_form_within_two_percent(
    kind: trials.CarKind, count: int
) -> None:
    assert_all_passed(trials.steady_circles(kind, load_vehicle()), count)


@pytest.mark.parametrize("kind", KINDS)
def test_largest_lateral_acceleration_is_friction_times_g(kind: trials.CarKind) -> None:
    assert_all_passed(trials.lateral_ramp(kind, load_vehicle()), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_braking_takes_the_distance_that_friction_allows(kind: trials.CarKind) -> None:
    assert_all_passed(trials.full_braking(kind, load_vehicle()), 4)


@pytest.mark.parametrize("kind", KINDS)
def test_cars_carry_their_weight_rest_still_and_lose_energy_coasting(kind: trials.CarKind) -> None:
    assert_all_passed(trials.resting_and_rolling(kind, load_vehicle()), 3)


@pytest.mark.parametrize("kind", KINDS)
def test_cars_reach_what_the_recorded_car_reached(kind: trials.CarKind) -> None:
    assert_all_passed(trials.recorded_envelope(kind, load_vehicle()), 3)


def test_both_models_agree_below_four_tenths_of_g() -> None:
    assert_all_passed(trials.models_agree(load_vehicle()), 8)


def test_a_finding_fails_outside_its_limits() -> None:
    assert trials.within("x", 1.019, 1.0, 0.02, "m").passed
    assert not trials.within("x", 1.021, 1.0, 0.02, "m").passed
    assert not trials.within("x", float("nan"), 1.0, 0.02, "m").passed
