"""Smoothing closed lines, down to no smoothing at all."""

from __future__ import annotations

import numpy as np
import pytest

from roboracer_arena.corridor import CorridorSettings, find_corridor
from roboracer_arena.corridor.smoothing import gaussian_closed
from roboracer_arena.mesh.polyline import smooth
from tests.drawn import stadium_map

_RING = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 40, endpoint=False)])


@pytest.mark.parametrize("deviation", [0.0, 5e-324, 1e-300, 1e-7])
def test_a_vanishing_deviation_leaves_the_points_where_they_are(deviation):
    np.testing.assert_array_equal(gaussian_closed(_RING, deviation), _RING)
    for closed in (True, False):
        np.testing.assert_array_equal(smooth(_RING, deviation, closed=closed), _RING)


def test_a_corridor_takes_the_smallest_smoothing_a_settings_file_may_ask_for():
    settings = CorridorSettings(collision_smoothing=5e-324)
    assert find_corridor(stadium_map(), settings).closed
