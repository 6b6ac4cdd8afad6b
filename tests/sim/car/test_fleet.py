"""Parameters of many cars: one row for each car, nothing of the observed envelope among them."""

from __future__ import annotations

from typing import get_type_hints

import numpy as np
import pytest

from roboracer_arena.errors import SettingsError, UsageError
from roboracer_arena.sim.car import Fleet
from roboracer_arena.vehicle import load_vehicle
from roboracer_arena.vehicle.parameters import VehicleParameters
from roboracer_arena.vehicle.quantities import leaves


def test_columns_are_the_chassis_and_the_deployment_but_never_what_was_observed() -> None:
    paths = {h.__metadata__[0] for h in get_type_hints(Fleet, include_extras=True).values()}
    known = {name for name, _ in leaves(VehicleParameters)}
    # How often commands come and when they are stale concerns whoever hands them over.
    left_out = {n for n in known if n.startswith(("observed.", "deployment.commands."))}
    assert paths == known - left_out


def test_a_fleet_repeats_one_vehicle_or_takes_several() -> None:
    car, other = load_vehicle(), load_vehicle(overrides={"friction": 0.5})
    assert Fleet.of(car, 3).friction.tolist() == [0.83, 0.83, 0.83]
    assert Fleet.of([car, other]).friction.tolist() == [0.83, 0.5]
    assert Fleet.of([car, other]).take([1, 1, 0]).friction.tolist() == [0.5, 0.5, 0.83]


def test_columns_are_replaced_by_numbers_or_arrays() -> None:
    fleet = Fleet.of(load_vehicle(), 2)
    changed = fleet.with_columns(friction=[0.6, 0.7], mass=5.0)
    assert changed.friction.tolist() == [0.6, 0.7]
    assert changed.mass.tolist() == [5.0, 5.0]
    assert fleet.mass.tolist() == [4.885, 4.885]


def test_wrong_columns_are_refused() -> None:
    fleet = Fleet.of(load_vehicle(), 2)
    with pytest.raises(UsageError, match="no column 'grip'"):
        fleet.with_columns(grip=1.0)
    with pytest.raises(UsageError, match=r"friction: has shape \(3,\); needed is \(2,\)"):
        fleet.with_columns(friction=[1.0, 1.0, 1.0])
    with pytest.raises(SettingsError, match="friction: is nan for car 1"):
        fleet.with_columns(friction=[0.8, float("nan")])
    with pytest.raises(SettingsError, match=r"not the wheelbase 0\.3275 m"):
        fleet.with_columns(com_to_front=0.2)
    with pytest.raises(UsageError, match="count: is 0"):
        Fleet.of(load_vehicle(), 0)
    with pytest.raises(UsageError, match="1 vehicles are given for 2 cars"):
        Fleet.of([load_vehicle()], 2)


def test_bodies_have_the_box_where_it_belongs() -> None:
    fleet = Fleet.of(load_vehicle(), 2).with_columns(
        com_to_front=[0.1753, 0.1653], com_to_rear=[0.1522, 0.1622]
    )
    body = fleet.body()
    assert body.half_extents == pytest.approx((0.29, 0.155, 0.06))
    np.testing.assert_allclose(body.box_center[:, 0], [0.01155, 0.00155])
    np.testing.assert_allclose(body.box_center[:, 2], 0.03 + 0.06 - 0.063)
    np.testing.assert_allclose(body.inertia, [[0.0256, 0.0751, 0.089]] * 2)
