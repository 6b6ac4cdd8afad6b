from __future__ import annotations

import numpy as np
import pytest

from roboracer_arena.maps import FREE, read_map


def hall(outside: int, inside: int, wall: int = 0) -> np.ndarray:
    image = np.full((40, 50), outside, np.uint8)
    image[5:-8, 5:-5] = wall
    image[7:-10, 7:-7] = inside
    return image


def test_a_free_grey_at_the_border_is_told_from_the_white_inside(make_map):
    occupancy = read_map(make_map(hall(216, 254)))
    assert occupancy.cells[0, 0] == FREE
    assert occupancy.dim_free is not None
    assert occupancy.dim_free.dtype == np.bool_
    np.testing.assert_array_equal(occupancy.dim_free, hall(1, 0)[::-1] == 1)


def test_the_same_holds_for_a_negated_map(make_map):
    occupancy = read_map(make_map(hall(39, 1, wall=255), negate="1"))
    assert occupancy.dim_free is not None
    np.testing.assert_array_equal(occupancy.dim_free, hall(1, 0)[::-1] == 1)


@pytest.mark.parametrize(
    ("outside", "inside"),
    [(205, 254), (254, 254), (255, 254), (254, 216), (250, 254), (0, 254)],
)
def test_other_borders_are_not_dim(make_map, outside, inside):
    assert read_map(make_map(hall(outside, inside))).dim_free is None


def test_a_few_bright_specks_are_no_plateau(make_map):
    image = np.full((100, 100), 216, np.uint8)
    image[50, 50:55] = 254
    assert read_map(make_map(image)).dim_free is None


def test_raw_maps_have_no_greys(make_map):
    assert read_map(make_map(hall(0, 50), mode="raw")).dim_free is None


def test_a_transparent_border_is_not_free(make_map):
    image = np.dstack([hall(216, 254)] * 3 + [hall(0, 255, 255)])
    assert read_map(make_map(image)).dim_free is None
