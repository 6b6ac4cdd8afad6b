from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.maps import OccupancyMap, Pose2D

coordinates = st.floats(-1e6, 1e6)
poses = st.builds(Pose2D, coordinates, coordinates, st.floats(-10, 10))


def grid(origin: Pose2D, resolution: float = 0.05) -> OccupancyMap:
    return OccupancyMap(np.full((4, 6), 254, np.uint8), resolution, origin)


def test_the_origin_is_the_corner_of_the_lowest_left_cell():
    occupancy = grid(Pose2D(1.0, 2.0))
    corner, centre = occupancy.cell_to_world(np.array([[-0.5, -0.5], [0.0, 0.0]]))
    assert corner == pytest.approx([1.0, 2.0])
    assert centre == pytest.approx([1.025, 2.025])
    assert (occupancy.height, occupancy.width) == (4, 6)


def test_yaw_turns_the_map_counter_clockwise_about_its_corner():
    occupancy = grid(Pose2D(1.5, -2.0, 0.6))
    row, column = 77.0, 30.0
    x, y = (column + 0.5) * 0.05, (row + 0.5) * 0.05
    expected = [
        1.5 + x * math.cos(0.6) - y * math.sin(0.6),
        -2.0 + x * math.sin(0.6) + y * math.cos(0.6),
    ]
    assert occupancy.cell_to_world(np.array([[row, column]]))[0] == pytest.approx(expected)


@given(
    poses,
    st.floats(0.005, 1.0),
    st.lists(st.tuples(st.integers(-50, 5000), st.integers(-50, 5000)), min_size=1, max_size=20),
)
def test_a_cell_is_found_again_from_its_centre(pose, resolution, cells):
    occupancy = grid(pose, resolution)
    indices = np.array(cells, dtype=np.int64)
    world = occupancy.cell_to_world(indices.astype(np.float64))
    np.testing.assert_array_equal(occupancy.world_to_cell(world), indices)


@given(poses, st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=20))
def test_a_pose_and_its_inverse_cancel(pose, points):
    array = np.array(points)
    np.testing.assert_allclose(pose.inverse_transform(pose.transform(array)), array, atol=1e-8)
