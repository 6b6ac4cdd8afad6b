"""Flaws of recorded maps: what is repaired, what is kept, what is refused, and what is said."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from roboracer_arena.corridor import CorridorSettings, find_centerline, find_corridor
from roboracer_arena.errors import LeakError, OpenCorridorError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN
from tests.corridor.drawings import (
    CELL,
    SQUARE_LOOP,
    as_map,
    drivable,
    hall,
    kinds,
    lined,
    paint,
    ring_cells,
)

_LOOP_AREA = 7.0 * 5.0 - 5.0 * 3.0


def _loop():
    return hall(*SQUARE_LOOP)


def _warning(corridor, words):
    found = [text for text in corridor.warnings if words in text]
    assert len(found) == 1, corridor.warnings
    return found[0]


def _place(text):
    """The last place that a text names [m]."""
    return tuple(map(float, re.findall(r"\(([-\d.]+), ([-\d.]+)\) m", text)[-1]))


@pytest.mark.parametrize("width", [0.2, 0.5, 1.0])
def test_a_hole_in_a_wall_to_unknown_space_is_closed_and_said(width):
    cells = paint(_loop(), 4.0, 5.5, 4.0 + width, 5.7, UNKNOWN)
    corridor = find_corridor(as_map(cells))
    assert corridor.area == pytest.approx(_LOOP_AREA)
    text = _warning(corridor, "unknown space behind")
    assert "1 stretch(es)" in text
    assert _place(text) == pytest.approx((4.0 + width / 2, 5.5), abs=0.06)


@pytest.mark.parametrize("width", [0.1, 0.2, 0.35])
def test_a_thin_ray_through_a_wall_is_cut_off_and_said(width):
    cells = paint(_loop(), 4.0, 5.5, 4.0 + width, 6.0, FREE)
    corridor = find_corridor(as_map(cells))
    assert corridor.area == pytest.approx(_LOOP_AREA, abs=0.1)
    place = _place(_warning(corridor, "too narrow to drive"))
    assert place == pytest.approx((4.0 + width / 2, 5.6), abs=0.2)
    assert corridor.borders[0].points[:, 1].max() < 5.8


@pytest.mark.parametrize("ray", [2, 3])
def test_single_cell_wide_necks_do_not_hold_the_border_apart(ray):
    cells = _loop()
    cells[110:, 80 : 80 + ray] = FREE
    cells[110:, 84 : 84 + ray] = FREE
    assert find_corridor(as_map(cells)).closed


@pytest.mark.parametrize("width", [0.5, 0.7])
def test_a_leak_names_the_hole_in_metres_and_cells(width):
    cells = ring_cells(style=lined)
    paint(cells, 4.0 - width / 2, 6.3, 4.0 + width / 2, 6.8, FREE)
    with pytest.raises(LeakError) as caught:
        find_corridor(as_map(cells))
    found = re.search(
        r"hole in a wall about ([\d.]+) m wide at \(([\d.]+), ([\d.]+)\) m"
        r" \(column (\d+), row (\d+) from the bottom\)",
        caught.value.message,
    )
    assert float(found[1]) == pytest.approx(width, abs=0.15)
    assert math.hypot(float(found[2]) - 4.0, float(found[3]) - 6.55) < 0.4
    assert int(found[4]) == pytest.approx(80, abs=8)
    assert "--close-gaps" in caught.value.message


def test_a_leak_into_the_infield_is_found_too():
    cells = ring_cells(2.0, 1.0, style=lined)
    paint(cells, 3.7, 2.3, 4.3, 2.7, FREE)
    with pytest.raises(LeakError, match=r"hole in a wall about 0\.[5-7]\d m wide"):
        find_corridor(as_map(cells))


def test_a_leak_is_closed_where_that_is_asked_for():
    cells = ring_cells(style=lined)
    paint(cells, 3.7, 6.3, 4.3, 6.8, FREE)
    corridor = find_corridor(as_map(cells), close_gaps=0.8)
    assert corridor.closed
    assert corridor.area == pytest.approx(4 * math.pi, rel=0.03)
    assert corridor.style == "thin-line"
    assert "hole in a wall about 0." in _warning(corridor, "the wall was closed across")


def test_a_leak_wider_than_allowed_is_not_closed():
    cells = ring_cells(style=lined)
    paint(cells, 3.7, 6.3, 4.3, 6.8, FREE)
    with pytest.raises(LeakError):
        find_corridor(as_map(cells), close_gaps=0.3)


def _with_stripe(cells=3):
    return paint(_loop(), 4.0, 4.5, 4.0 + cells * CELL, 5.5, UNKNOWN)


@pytest.mark.parametrize("cells", [1, 2, 3, 8])
def test_an_unseen_stripe_across_breaks_the_loop_and_its_place_is_named(cells):
    with pytest.raises(OpenCorridorError) as caught:
        find_corridor(as_map(_with_stripe(cells)))
    text = caught.value.message
    assert "loop is broken by a stripe of unknown space" in text
    width = float(re.search(r"about ([\d.]+) m thick", text)[1])
    assert width == pytest.approx(cells * CELL, abs=CELL)
    x, y = map(float, re.search(r"thick at \(([\d.]+), ([\d.]+)\)", text).groups())
    assert (x, y) == pytest.approx((4.0 + cells * CELL / 2, 5.0), abs=0.1)


def test_an_unseen_stripe_is_bridged_where_that_is_asked_for():
    corridor = find_corridor(as_map(_with_stripe()), close_gaps=0.15)
    assert corridor.closed
    assert corridor.area == pytest.approx(_LOOP_AREA, abs=0.05)
    assert "stripe of unknown space" in _warning(corridor, "bridged")


def test_an_unseen_stripe_wider_than_allowed_is_not_bridged():
    with pytest.raises(OpenCorridorError, match="broken by a stripe"):
        find_corridor(as_map(_with_stripe(8)), close_gaps=0.15)


def test_a_wall_across_is_never_bridged():
    cells = paint(_loop(), 4.0, 4.5, 4.05, 5.5, OCCUPIED)
    with pytest.raises(OpenCorridorError, match="does not close"):
        find_corridor(as_map(cells), close_gaps=1.0)


def test_two_stripes_are_both_named_and_both_bridged():
    cells = paint(_with_stripe(), 4.0, 0.5, 4.1, 1.5, UNKNOWN)
    with pytest.raises(OpenCorridorError, match=r"stripe .* and a stripe"):
        find_corridor(as_map(cells))
    assert find_corridor(as_map(cells), close_gaps=0.2).area == pytest.approx(_LOOP_AREA, abs=0.05)


def test_an_unseen_spot_on_the_track_is_floor():
    cells = paint(_loop(), 3.0, 4.8, 3.5, 5.2, UNKNOWN)
    corridor = find_corridor(as_map(cells))
    assert kinds(corridor) == ["outer", "infield"]
    assert corridor.area == pytest.approx(_LOOP_AREA)
    assert "0.20 m², is at (3.2" in _warning(corridor, "were taken for floor")


def test_unseen_spots_can_be_kept():
    cells = paint(_loop(), 3.0, 4.8, 3.5, 5.2, UNKNOWN)
    corridor = find_corridor(as_map(cells), CorridorSettings(max_phantom_area=0.0))
    assert kinds(corridor) == ["outer", "infield", "obstacle"]


def test_an_infield_of_unknown_without_a_wall_is_never_filled():
    cells = _loop()
    cells[cells == OCCUPIED] = UNKNOWN
    corridor = find_corridor(as_map(cells))
    assert kinds(corridor) == ["outer", "infield"]
    assert drivable(corridor, (4.0, 3.0)) == [False]


def test_a_thin_unseen_streak_along_the_track_is_floor():
    """Without it, the lane above would be 0.45 m wide and the one below a dead end."""
    cells = paint(_loop(), 1.0, 4.95, 6.0, 5.05, UNKNOWN)
    cells = paint(cells, 0.9, 4.95, 1.0, 5.6, UNKNOWN)
    corridor = find_corridor(as_map(cells))
    assert drivable(corridor, (3.0, 5.0)) == [True]
    assert "5.1 m, is at" in _warning(corridor, "thin unknown streaks")


def test_a_box_on_the_track_is_kept_as_an_obstacle():
    cells = paint(_loop(), 3.0, 4.85, 3.3, 5.15, OCCUPIED)
    corridor = find_corridor(as_map(cells))
    assert corridor.closed
    assert kinds(corridor) == ["outer", "infield", "obstacle"]
    assert corridor.area == pytest.approx(_LOOP_AREA - 0.09)
    assert drivable(corridor, (3.15, 5.0), (3.15, 4.7), (3.15, 5.3)) == [False, True, True]
    assert "0.09 m², is at (3.1" in _warning(corridor, "kept as walls")


def test_boxes_that_leave_little_room_do_not_end_the_track():
    cells = paint(_loop(), 3.0, 4.8, 3.4, 5.2, OCCUPIED)
    paint(cells, 3.0, 0.8, 3.4, 1.2, OCCUPIED)
    corridor = find_corridor(as_map(cells))
    assert kinds(corridor) == ["outer", "infield", "obstacle", "obstacle"]
    assert corridor.area == pytest.approx(_LOOP_AREA - 0.32)
    _warning(corridor, "little room")


def test_single_black_cells_on_the_track_are_kept_and_counted():
    cells = _loop()
    spots = np.random.default_rng(5).integers((92, 12), (108, 148), (30, 2))
    cells[spots[:, 0], spots[:, 1]] = OCCUPIED
    corridor = find_corridor(as_map(cells))
    assert corridor.closed
    obstacles = [border for border in corridor.borders if border.kind == "obstacle"]
    assert all(border.area > 0 for border in obstacles)
    assert f"{len(obstacles)} obstacle(s)" in _warning(corridor, "kept as walls")
    assert not any(drivable(corridor, *((spots[:, ::-1] + 0.5) * CELL)))


def test_the_lap_does_not_swerve_around_obstacles():
    plain = find_centerline(find_corridor(as_map(_loop())))
    cells = paint(_loop(), 3.0, 4.85, 3.3, 5.15, OCCUPIED)
    with_box = find_centerline(find_corridor(as_map(cells)))
    assert with_box.length == pytest.approx(plain.length, rel=1e-3)
    assert with_box.width_left.min() == pytest.approx(plain.width_left.min(), abs=0.02)
