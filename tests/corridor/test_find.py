"""The plain path: one loop, drawn in every way that maps are drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely.geometry import Point, Polygon

from roboracer_arena.corridor import find_corridor
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, Pose2D
from tests.corridor.drawings import (
    CELL,
    as_map,
    centres,
    drivable,
    kinds,
    lined,
    recorded,
    ring_map,
    to_oval,
    to_square,
)


@pytest.mark.parametrize(("style", "name"), [(recorded, "filled"), (lined, "thin-line")])
@pytest.mark.parametrize("resolution", [0.02, 0.05, 0.1])
def test_a_ring_is_found_with_its_area_and_its_wall_faces(style, name, resolution):
    corridor = find_corridor(ring_map(2.0, 1.0, resolution, style))
    assert corridor.closed
    assert corridor.style == name
    assert kinds(corridor) == ["outer", "infield"]
    assert corridor.warnings == ()
    assert corridor.area == pytest.approx(2 * math.pi * 2.0 * 1.0, rel=0.01)
    for border, radius in zip(corridor.borders, (2.5, 1.5), strict=True):
        error = np.hypot(*(border.points - 4.0).T) - radius
        assert np.abs(error).mean() < 0.3 * resolution
        assert np.abs(error).max() < resolution
        assert border.area == pytest.approx(math.pi * radius**2, rel=0.01)


@pytest.mark.parametrize("angle", [0.0, 0.3, math.pi / 4])
def test_corners_of_a_turned_square_are_kept(angle):
    x, y = centres(8, 8)
    corridor = find_corridor(as_map(recorded(to_square(x, y, (4, 4), 4.0, angle), 1.0)))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    for border, half in zip(corridor.borders, (2.5, 1.5), strict=True):
        for corner in np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * half @ turn + 4:
            assert Polygon(border.points).exterior.distance(Point(corner)) < 1.5 * CELL


def test_lines_with_grey_edges_enclose_the_same_corridor():
    x, y = centres(8, 6)
    distance = to_oval(x, y, (4, 3), 3.0, 1.5)
    cells = lined(distance, 1.0)
    cells[(np.abs(distance - 0.475) < 0.025) | (np.abs(distance - 0.625) < 0.025)] = UNKNOWN
    corridor = find_corridor(as_map(cells))
    assert corridor.style == "thin-line"
    assert corridor.warnings == ()
    assert corridor.area == pytest.approx((2 * 3 + 2 * math.pi * 1.5) * 0.9, rel=0.02)


def test_a_diagonal_wall_of_single_cells_keeps_corridor_and_infield_apart():
    x, y = centres(6, 6)
    cells = np.full(x.shape, UNKNOWN, dtype=np.uint8)
    cells[np.maximum(np.abs(x - 3), np.abs(y - 3)) < 2.6] = OCCUPIED
    cells[np.maximum(np.abs(x - 3), np.abs(y - 3)) < 2.5] = FREE
    rows, columns = np.indices(cells.shape)
    cells[np.abs(rows - 60) + np.abs(columns - 60) == 24] = OCCUPIED
    corridor = find_corridor(as_map(cells))
    assert kinds(corridor) == ["outer", "infield"]
    assert drivable(corridor, (0.7, 0.7), (3.0, 3.0)) == [True, False]


def test_borders_keep_the_corridor_on_their_left():
    for border in find_corridor(ring_map()).borders:
        step = np.roll(border.points, -1, axis=0) - border.points
        left = np.column_stack([-step[:, 1], step[:, 0]])
        left /= np.hypot(*left.T)[:, None]
        radius = np.hypot(*(border.points + step / 2 + 0.1 * left - 4.0).T)
        assert np.all((radius > 1.5) & (radius < 2.5))


def test_geometry_is_in_the_grid_frame_whatever_the_origin():
    plain = find_corridor(ring_map())
    moved = find_corridor(ring_map(origin=Pose2D(471234.5, 6543210.25, 0.7)))
    for one, other in zip(plain.borders, moved.borders, strict=True):
        assert np.array_equal(one.points, other.points)


def test_the_same_map_gives_the_same_corridor():
    one, other = (find_corridor(ring_map()) for _ in range(2))
    assert np.array_equal(one.free, other.free)
    assert all(
        np.array_equal(a.points, b.points) for a, b in zip(one.borders, other.borders, strict=True)
    )
