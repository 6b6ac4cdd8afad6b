"""The clearance field and its level sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon

from roboracer_arena.corridor import (
    clearance_field,
    find_corridor,
    level_set,
)
from roboracer_arena.maps import OCCUPIED
from tests.corridor.drawings import (
    CELL,
    SQUARE_LOOP,
    as_map,
    hall,
    paint,
    ring_map,
)

_RING = clearance_field(find_corridor(ring_map(2.0, 1.0)))
_CELLS = paint(hall(*SQUARE_LOOP), 3.0, 4.85, 3.3, 5.15, OCCUPIED)
_LOOP = clearance_field(find_corridor(as_map(_CELLS)))


def _region(borders):
    shape = Polygon()
    for border in borders:
        polygon = Polygon(border.points)
        shape = shape.union(polygon) if border.kind == "outer" else shape.difference(polygon)
    return shape


def test_the_field_is_the_signed_distance_to_the_wall():
    rows, columns = np.indices(_RING.values.shape)
    x = (columns + _RING.window[1] + 0.5) * CELL - 4.0
    y = (rows + _RING.window[0] + 0.5) * CELL - 4.0
    exact = 0.5 - np.abs(np.hypot(x, y) - 2.0)
    near = np.abs(exact) < 0.45
    assert np.abs(_RING.values - exact)[near].max() < 0.8 * CELL
    assert np.abs(np.mean(_RING.values - exact, where=near)) < 0.15 * CELL


def test_the_field_is_exact_beside_straight_walls():
    row = round(1.0 / CELL) - _LOOP.window[0]
    column = round(4.0 / CELL) - _LOOP.window[1]
    across = _LOOP.values[row - 15 : row + 15, column]
    y = (np.arange(row - 15, row + 15) + _LOOP.window[0] + 0.5) * CELL
    assert np.allclose(across, np.minimum(y - 0.5, 1.5 - y), atol=1e-6)


def test_the_margin_is_covered():
    field = clearance_field(find_corridor(ring_map()), margin=1.0)
    assert field.values.min() < -1.0
    assert np.all(np.concatenate([field.values[0], field.values[:, -1]]) < -0.99)


def test_level_zero_is_the_wall_face():
    corridor = find_corridor(ring_map())
    for exact, border in zip(level_set(_RING, 0.0), corridor.borders, strict=True):
        assert exact.kind == border.kind
        face = LineString(np.vstack([exact.points, exact.points[:1]]))
        distance = face.hausdorff_distance(Polygon(border.points).exterior)
        assert distance < 0.3 * CELL + 0.01 + 1e-6


@pytest.mark.parametrize("level", [-0.3, -0.1, 0.05, 0.2, 0.4])
def test_a_level_lies_at_its_distance_from_the_wall(level):
    outer, infield = level_set(_RING, level)
    assert (outer.kind, infield.kind) == ("outer", "infield")
    for border, radius in ((outer, 2.5 - level), (infield, 1.5 + level)):
        error = np.hypot(*(border.points - 4.0).T) - radius
        assert np.abs(error).mean() < 0.3 * CELL
        assert border.area == pytest.approx(np.pi * radius**2, rel=0.025)


@given(st.tuples(st.floats(-0.45, 0.55), st.floats(-0.45, 0.55)), st.booleans())
@example((0.0, 0.025), False)
def test_a_higher_level_lies_within_a_lower_one(levels, box):
    field = _LOOP if box else _RING
    low, high = sorted(levels)
    inner, outer = _region(level_set(field, high)), _region(level_set(field, low))
    assert inner.difference(outer).area < 1e-6


@given(st.floats(-0.45, 0.55), st.booleans())
@example(0.075, False)
def test_level_sets_are_simple_and_keep_the_corridor_on_the_left(level, box):
    for border in level_set(_LOOP if box else _RING, level):
        polygon = Polygon(border.points)
        assert polygon.is_valid or polygon.buffer(0).area == pytest.approx(polygon.area)
        assert polygon.exterior.is_ccw == (border.kind == "outer")


def test_a_level_above_the_largest_clearance_is_empty():
    assert level_set(_RING, 0.6) == ()


def test_a_level_beyond_the_margin_is_refused():
    with pytest.raises(ValueError, match="edge of the clearance field"):
        level_set(_RING, -0.7)


def test_thinning_stays_within_its_tolerance():
    exact, thin = level_set(_RING, 0.1)[0], level_set(_RING, 0.1, tolerance=0.02)[0]
    assert len(thin.points) < len(exact.points) / 4
    line = LineString(np.vstack([thin.points, thin.points[:1]]))
    assert line.hausdorff_distance(LineString(exact.points)) < 0.02 + 1e-4


@pytest.mark.parametrize("level", [0.0, 0.025, 0.05, 0.075, 0.1])
def test_levels_that_samples_hit_exactly_have_no_two_points_in_one_place(level):
    for border in (*level_set(_RING, level), *level_set(_LOOP, level)):
        step = np.roll(border.points, -1, axis=0) - border.points
        assert np.hypot(step[:, 0], step[:, 1]).min() > 1e-3 * CELL
