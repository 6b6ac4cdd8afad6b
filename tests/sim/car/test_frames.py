"""base_link and centre of mass: there and back, and the twist of an odometry message."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.sim.car import (
    Fleet,
    base_link_pose,
    base_link_velocity,
    com_pose,
    com_velocity,
)
from roboracer_arena.sim.rotation import yaw_of
from roboracer_arena.vehicle import load_vehicle

COORDINATES = st.floats(-100.0, 100.0)
RATES = st.floats(-10.0, 10.0)


@given(COORDINATES, COORDINATES, st.floats(-3.1, 3.1), RATES, RATES, RATES)
def test_poses_and_twists_survive_the_way_there_and_back(
    x: float, y: float, yaw: float, ahead: float, left: float, turn: float
) -> None:
    fleet = Fleet.of(load_vehicle(), 1)
    pose = com_pose(fleet, np.array([[x, y, yaw]]))
    twist = np.array([[ahead, left, turn]])
    state = np.hstack((pose, com_velocity(fleet, pose, twist)))
    back = base_link_pose(fleet, state)
    np.testing.assert_allclose(back[0, :3], [x, y, 0.0], atol=1e-9)
    np.testing.assert_allclose(yaw_of(back[:, 3:7]), [yaw], atol=1e-9)
    velocity = base_link_velocity(fleet, state)
    np.testing.assert_allclose(velocity[0], [ahead, left, 0, 0, 0, turn], atol=1e-9)


def test_the_centre_of_mass_lies_ahead_of_the_rear_axle() -> None:
    fleet = Fleet.of(load_vehicle(), 1)
    pose = com_pose(fleet, np.array([[3.0, 1.0, np.pi / 2]]))
    np.testing.assert_allclose(pose[0, :3], [3.0, 1.1522, 0.063], atol=1e-12)
