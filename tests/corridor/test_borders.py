"""What holds of the borders of any corridor, however odd the map."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import ndimage
from shapely import prepare
from shapely.geometry import MultiPoint, Polygon

from roboracer_arena.corridor import CorridorSettings, find_corridor
from roboracer_arena.corridor.crossing import crossing_lines
from roboracer_arena.errors import CorridorError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN
from tests.corridor.drawings import CELL, as_map, paint, recorded, ring_cells

_ANY = CorridorSettings(allow_open=True, allow_branches=True)


@st.composite
def _corridors(draw):
    """Corridors of maps made of random rooms, with random specks of wall and unknown."""
    cells = np.full((70, 70), draw(st.sampled_from([OCCUPIED, UNKNOWN])), dtype=np.uint8)
    corner, side = st.integers(0, 55), st.integers(8, 45)
    for _ in range(draw(st.integers(1, 5))):
        row, column = draw(corner), draw(corner)
        cells[row : row + draw(side), column : column + draw(side)] = FREE
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    noise = random.random(cells.shape)
    cells[noise < draw(st.sampled_from([0.0, 0.005, 0.02]))] = OCCUPIED
    cells[noise > draw(st.sampled_from([1.0, 0.99]))] = UNKNOWN
    try:
        return find_corridor(as_map(cells, resolution=draw(st.sampled_from([0.03, 0.05]))), _ANY)
    except CorridorError:
        assume(False)


def _polygons(corridor):
    return [Polygon(border.points) for border in corridor.borders]


def _inside(corridor):
    """The corridor as a shape: within the outer border, outside of all islands."""
    outer, *islands = _polygons(corridor)
    return Polygon(outer.exterior, [island.exterior for island in islands])


@given(_corridors())
@settings(max_examples=150, deadline=None)
def test_borders_are_simple_polygons_that_do_not_meet(corridor):
    for polygon in _polygons(corridor):
        assert polygon.is_valid
        assert polygon.area > 0
    # Valid includes that no hole crosses the shell or another hole.
    assert _inside(corridor).is_valid
    assert not crossing_lines([border.points for border in corridor.borders])


@given(_corridors())
@settings(max_examples=150, deadline=None)
def test_the_corridor_is_one_part_with_its_islands_sorted_and_on_the_right(corridor):
    assert ndimage.label(corridor.free)[1] == 1
    assert corridor.borders[0].kind == "outer"
    assert _signed(corridor.borders[0].points) > 0
    assert all(_signed(border.points) < 0 for border in corridor.borders[1:])
    for kind in ("infield", "obstacle"):
        areas = [round(b.area / CELL**2) for b in corridor.borders if b.kind == kind]
        assert all(a >= b - 1 for a, b in pairwise(areas))


@given(_corridors())
@settings(max_examples=150, deadline=None)
def test_borders_run_within_the_stated_tolerance_of_the_cell_faces(corridor):
    """0.3 cells of smoothing, 1 cm of thinning, and half a diagonal of a cell's corner."""
    rows, columns = np.nonzero(corridor.free)
    left, low = corridor.window[1], corridor.window[0]
    centres = np.column_stack([columns + left + 0.5, rows + low + 0.5]) * corridor.resolution
    shape = _inside(corridor)
    prepare(shape)
    reach = (0.3 + 0.5) * corridor.resolution + 0.01
    assert shape.buffer(reach).covers(MultiPoint(centres))
    walls = np.argwhere(np.pad(corridor.free, 1) == 0) - 1
    walls = (walls[:, ::-1] + [left + 0.5, low + 0.5]) * corridor.resolution
    assert not shape.buffer(-reach).intersects(MultiPoint(walls))


@given(_corridors())
@settings(max_examples=150, deadline=None)
def test_every_free_cell_with_enough_clearance_is_inside(corridor):
    """Of the part that the corridor belongs to."""
    free = np.pad(corridor.source.cells == FREE, 1)
    distance = ndimage.distance_transform_edt(free) * corridor.resolution
    parts, _ = ndimage.label(distance > 0.2 + 1e-6, np.ones((3, 3)))
    inside = _on_the_map(corridor)
    for part in np.unique(parts[inside & (parts > 0)]):
        assert inside[parts == part].all()


@given(_corridors())
@settings(max_examples=150, deadline=None)
def test_no_occupied_cell_is_ever_drivable(corridor):
    inside = _on_the_map(corridor)[1:-1, 1:-1]
    assert not np.any(inside & (corridor.source.cells == OCCUPIED))


def _on_the_map(corridor):
    """The corridor's cells in a raster one cell larger than the map on every side."""
    inside = np.zeros(np.add(corridor.source.cells.shape, 2), dtype=bool)
    rows, columns = np.nonzero(corridor.free)
    inside[rows + corridor.window[0] + 1, columns + corridor.window[1] + 1] = True
    return inside


def _signed(points):
    x, y = (points - points[0]).T
    return (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 2), (3, 1)])
def test_the_smallest_obstacles_keep_a_wall_of_about_their_size(shape):
    cells = ring_cells()
    cells[40 : 40 + shape[0], 80 : 80 + shape[1]] = OCCUPIED
    border = find_corridor(as_map(cells)).borders[-1]
    assert border.kind == "obstacle"
    assert len(border.points) >= 3
    assert border.area == pytest.approx((shape[0] * shape[1] - 0.5) * CELL**2, rel=0.1)


def test_thinning_keeps_long_walls_cheap():
    corridor = find_corridor(as_map(ring_cells(5.0, 1.2)))
    assert len(corridor.borders[0].points) < 150


def test_walls_one_cell_thick_keep_their_two_faces_apart():
    cells = np.full((100, 160), OCCUPIED, dtype=np.uint8)
    paint(cells, 0.5, 0.5, 7.5, 4.5, FREE)
    rows = np.arange(30, 130)
    cells[(50 + rows // 7 - 9), rows] = OCCUPIED
    corridor = find_corridor(as_map(cells), CorridorSettings(min_infield_area=0.2))
    island = Polygon(corridor.borders[1].points)
    assert island.is_valid
    assert island.area == pytest.approx(100 * CELL**2, rel=0.25)


def test_the_mask_is_as_wide_at_a_fine_resolution():
    """Beyond 8 cells of clearance another way of eroding is used."""
    coarse = find_corridor(as_map(ring_cells(1.5, 0.8, 0.05), resolution=0.05))
    fine = find_corridor(as_map(ring_cells(1.5, 0.8, 0.01), resolution=0.01))
    assert fine.area == pytest.approx(coarse.area, rel=0.02)
    drawn = np.count_nonzero(ring_cells(1.5, 0.8, 0.01) == FREE)
    assert np.count_nonzero(fine.free) == drawn


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_turning_a_map_turns_its_corridor(turn):
    cells = recorded(np.abs(np.hypot(*np.mgrid[-3:3:0.05, -2.5:2.5:0.05]) - 1.6), 0.9)
    plain = find_corridor(as_map(cells))
    turned = find_corridor(as_map(np.ascontiguousarray(np.rot90(cells, turn))))
    assert np.array_equal(np.rot90(plain.free, turn), turned.free)


def test_opencv_still_follows_walls_the_way_outlines_need():
    """A canary for new versions: contours of 8-connected walls, holes as children."""
    wall = np.array([[1, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 1]], dtype=np.uint8)
    chains, hierarchy = cv2.findContours(wall, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    assert len(chains) == 3
    assert sorted(hierarchy[0][:, 3].tolist()) == sorted([-1, 0, 0])
