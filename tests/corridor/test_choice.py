"""Which part of a map is taken for the corridor, and what is said when none is."""

from __future__ import annotations

import re

import numpy as np
import pytest

from roboracer_arena.corridor import CorridorSettings, find_centerline, find_corridor
from roboracer_arena.errors import (
    AmbiguousCorridorError,
    CorridorError,
    LeakError,
    NoCorridorError,
    OpenCorridorError,
    SettingsError,
    UsageError,
)
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, Pose2D
from tests.corridor.drawings import (
    SQUARE_LOOP,
    as_map,
    centres,
    drivable,
    hall,
    kinds,
    lined,
    paint,
    ring_cells,
    ring_map,
    to_circle,
)


def test_the_image_border_is_a_wall_where_it_cuts_the_corridor():
    cells = ring_cells(2.0, 1.0)[:, 34:]  # the outer wall and 5 cm of the corridor are cut away
    corridor = find_corridor(as_map(cells))
    assert corridor.closed
    assert any("touches the image border in 1 place" in text for text in corridor.warnings)
    assert corridor.borders[0].points[:, 0].min() == pytest.approx(0.0, abs=0.02)


def test_the_outside_of_a_drawing_is_never_the_corridor():
    cells = ring_cells(2.0, 1.0, style=lined)
    x, y = centres(8, 8)
    cells[np.hypot(x - 4, y - 4) < 2.5] = FREE  # only the outer line is left
    with pytest.raises(OpenCorridorError, match="does not close into a lap"):
        find_corridor(as_map(cells))


def test_a_hall_without_outer_walls_needs_a_start_to_be_taken():
    cells = np.full((120, 160), FREE, dtype=np.uint8)
    paint(cells, 3, 2, 5, 4, OCCUPIED)
    with pytest.raises(NoCorridorError, match=r"100 % of the image border.*--start X Y"):
        find_corridor(as_map(cells))
    corridor = find_corridor(as_map(cells), start=(1.0, 1.0))
    assert corridor.closed
    assert any("image border" in text for text in corridor.warnings)


def test_a_frame_around_a_drawing_does_not_make_its_outside_the_corridor():
    cells = np.pad(ring_cells(2.0, 1.0, style=lined), 20, constant_values=FREE)
    cells[[0, -1]] = cells[:, [0, -1]] = OCCUPIED
    corridor = find_corridor(as_map(cells))
    assert drivable(corridor, (5.0, 3.0), (0.5, 0.5)) == [True, False]
    assert any("innermost was taken" in text for text in corridor.warnings)


def _two_rings(first=1.5, second=1.5):
    x, y = centres(10, 5)
    distance = np.minimum(to_circle(x, y, (2.5, 2.5), first), to_circle(x, y, (7.5, 2.5), second))
    cells = np.full(x.shape, UNKNOWN, dtype=np.uint8)
    cells[distance <= 0.6] = OCCUPIED
    cells[distance <= 0.5] = FREE
    return as_map(cells, origin=Pose2D(100.0, 50.0))


def test_two_equal_loops_are_ambiguous_and_both_places_are_named():
    with pytest.raises(AmbiguousCorridorError) as caught:
        find_corridor(_two_rings())
    assert "(102.50, 52.50) m (column 50, row 50 from the bottom)" in caught.value.message
    assert "(107.50, 52.50) m" in caught.value.message
    assert "--start X Y" in caught.value.message


@pytest.mark.parametrize("x", [101.0, 106.0])
def test_a_start_chooses_between_loops(x):
    corridor = find_corridor(_two_rings(), start=(x, 52.5))
    assert drivable(corridor, (101.0, 52.5), (106.0, 52.5)) == [x == 101.0, x == 106.0]


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ((0.1, 0.1), "lies in unknown space"),
        ((0.4, 3.0), "lies in a wall"),
        ((-7.0, 2.0), "lies outside of the map"),
    ],
)
def test_a_start_off_the_track_is_refused_with_the_nearest_place(start, reason):
    with pytest.raises(CorridorError) as caught:
        find_corridor(as_map(hall(*SQUARE_LOOP)), start=start)
    assert f"the start pose ({start[0]:.2f}, {start[1]:.2f}) m" in caught.value.message
    assert reason in caught.value.message
    assert "nearest point with 0.2 m clearance is (0.7" in caught.value.message
    assert caught.value.where == "track: start"


def test_a_start_outside_of_a_drawn_track_is_refused():
    with pytest.raises(CorridorError, match="lies outside of the track"):
        find_corridor(ring_map(style=lined), start=(0.1, 0.1))


def test_a_start_in_a_dead_end_beside_the_track_is_refused():
    cells = np.pad(hall(*SQUARE_LOOP), ((0, 0), (0, 60)), constant_values=UNKNOWN)
    paint(cells, 8.5, 1.0, 10.0, 3.0, FREE)
    with pytest.raises(CorridorError, match="lies beside the track"):
        find_corridor(as_map(cells), start=(9.0, 2.0))


def test_a_start_that_is_no_number_is_refused():
    with pytest.raises(UsageError, match="no place"):
        find_corridor(ring_map(), start=(float("nan"), 0.0))


def test_grey_that_only_reads_as_free_is_unexplored_space():
    """The inner wall is left out: by the thresholds, corridor and infield are one."""
    x, y = centres(6, 6)
    distance = to_circle(x, y, (3, 3), 2.0)
    cells = np.full(x.shape, FREE, dtype=np.uint8)
    cells[(np.hypot(x - 3, y - 3) > 2.5) & (distance < 0.65)] = OCCUPIED
    dim = (cells == FREE) & (distance > 0.5)
    corridor = find_corridor(as_map(cells, dim_free=dim))
    assert kinds(corridor) == ["outer", "infield"]
    assert any("taken for unexplored space" in text for text in corridor.warnings)
    with pytest.raises(OpenCorridorError):
        find_corridor(as_map(cells))


def _with_cross_lane():
    return hall(*SQUARE_LOOP, (3.5, 0.5, 4.5, 5.5))


def test_a_short_cut_makes_the_lap_ambiguous_and_names_the_infields():
    with pytest.raises(AmbiguousCorridorError) as caught:
        find_corridor(as_map(_with_cross_lane()))
    assert "2 infields" in caught.value.message
    assert "6.00 m² at (2.50, 3.00) m" in caught.value.message
    assert "6.00 m² at (5.50, 3.00) m" in caught.value.message


def test_branches_can_be_allowed_and_the_lap_goes_around_all_infields():
    settings = CorridorSettings(allow_branches=True)
    corridor = find_corridor(as_map(_with_cross_lane()), settings)
    assert kinds(corridor) == ["outer", "infield", "infield"]
    assert corridor.closed
    assert any("lap goes around all of them" in text for text in corridor.warnings)
    line = find_centerline(corridor)
    assert not np.any((np.abs(line.points[:, 0] - 4) < 2) & (np.abs(line.points[:, 1] - 3) < 1.7))


def test_smaller_infields_can_be_taken_for_obstacles():
    cells = paint(_with_cross_lane(), 4.5, 1.5, 6.5, 3.5, FREE)
    corridor = find_corridor(as_map(cells), CorridorSettings(min_infield_area=4.0))
    assert kinds(corridor) == ["outer", "infield", "obstacle"]
    assert corridor.closed


def test_on_a_small_track_a_small_island_is_the_infield():
    corridor = find_corridor(ring_map(0.7, 0.6))
    assert corridor.borders[1].area < 0.6
    assert kinds(corridor) == ["outer", "infield"]


def test_an_open_corridor_is_an_error_that_says_where_it_is():
    cells = as_map(hall((0.5, 2.0, 7.5, 3.0)))
    with pytest.raises(OpenCorridorError) as caught:
        find_corridor(cells)
    assert "7.0 m² around (4.0" in caught.value.message
    assert "it has no island" in caught.value.message


def test_an_open_corridor_can_be_allowed_and_has_no_centreline():
    corridor = find_corridor(as_map(hall((0.5, 2, 7.5, 3))), CorridorSettings(allow_open=True))
    assert not corridor.closed
    assert kinds(corridor) == ["outer"]
    assert corridor.area == pytest.approx(7.0)
    assert any("does not close" in text for text in corridor.warnings)
    with pytest.raises(OpenCorridorError, match="no infield"):
        find_centerline(corridor)


@pytest.mark.parametrize("value", [OCCUPIED, UNKNOWN])
def test_a_map_with_nothing_to_drive_on_is_an_error(value):
    with pytest.raises(NoCorridorError, match="resolution, negate and the thresholds"):
        find_corridor(as_map(np.full((50, 60), value)))


def test_a_map_that_is_all_free_is_an_error():
    with pytest.raises(NoCorridorError, match="nothing drivable is enclosed"):
        find_corridor(as_map(np.full((50, 60), FREE)))


def test_white_pockets_and_specks_beside_the_track_are_not_drivable():
    cells = ring_cells()
    paint(cells, 0.0, 0.0, 0.5, 0.5, OCCUPIED)
    paint(cells, 0.1, 0.1, 0.4, 0.4, FREE)
    cells[5:100:13, 2] = FREE
    corridor = find_corridor(as_map(cells))
    assert drivable(corridor, (0.25, 0.25), (0.125, 0.275)) == [False, False]
    assert kinds(corridor) == ["outer", "infield"]


@pytest.mark.parametrize("gaps", [-0.1, 6.0, float("nan")])
def test_gaps_beyond_reason_are_refused(gaps):
    with pytest.raises(SettingsError):
        find_corridor(ring_map(), close_gaps=gaps)


def test_a_leak_is_preferred_over_open_as_an_explanation():
    cells = ring_cells(style=lined)
    paint(cells, 3.6, 6.3, 4.3, 6.8, FREE)
    with pytest.raises(LeakError):
        find_corridor(as_map(cells), CorridorSettings(allow_open=True))


def _with_stubs(opening):
    """Two walls from both sides leave an opening of that many metres in the upper straight."""
    cells = hall(*SQUARE_LOOP)
    paint(cells, 4.0, 4.5, 4.1, 5.0 - opening / 2, OCCUPIED)
    return paint(cells, 4.0, 5.0 + opening / 2, 4.1, 5.5, OCCUPIED)


@pytest.mark.parametrize("opening", [0.2, 0.3])
def test_a_loop_that_is_blocked_by_a_neck_names_it(opening):
    with pytest.raises(OpenCorridorError) as caught:
        find_corridor(as_map(_with_stubs(opening)))
    found = re.search(
        r"blocked at \(([\d.]+), ([\d.]+)\) m .* about ([\d.]+) m are free", caught.value.message
    )
    assert float(found[1]) == pytest.approx(4.05, abs=0.2)
    assert float(found[2]) == pytest.approx(5.0, abs=0.2)
    assert float(found[3]) == pytest.approx(opening, abs=0.06)


def test_a_neck_can_be_passed_with_less_clearance():
    corridor = find_corridor(as_map(_with_stubs(0.3)), CorridorSettings(core_clearance=0.12))
    assert corridor.closed


def test_a_loop_behind_a_neck_is_no_lap_of_an_open_corridor():
    corridor = find_corridor(as_map(_with_stubs(0.2)), CorridorSettings(allow_open=True))
    assert not corridor.closed
    assert kinds(corridor) == ["outer", "obstacle"]


def test_a_start_chooses_an_open_corridor_where_that_is_allowed():
    cells = np.pad(hall(*SQUARE_LOOP), ((0, 0), (0, 60)), constant_values=UNKNOWN)
    paint(cells, 8.5, 1.0, 10.0, 3.0, FREE)
    settings = CorridorSettings(allow_open=True)
    corridor = find_corridor(as_map(cells), settings, start=(9.0, 2.0))
    assert corridor.area == pytest.approx(3.0, abs=0.05)
    assert not corridor.closed
