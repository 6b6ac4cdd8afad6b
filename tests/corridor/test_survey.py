"""What is reported of a map, whether or not it has a corridor."""

from __future__ import annotations

import numpy as np
import pytest

from roboracer_arena.corridor import survey_map
from roboracer_arena.errors import UsageError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN
from tests.corridor.drawings import (
    SQUARE_LOOP,
    as_map,
    hall,
    lined,
    paint,
    ring_cells,
    ring_map,
)


def test_a_drawing_is_reported_with_every_free_area_and_what_it_is():
    survey = survey_map(ring_map(style=lined))
    assert {region.verdict for region in survey.regions} == {"outside", "chosen", "no infield"}
    chosen = next(region for region in survey.regions if region.verdict == "chosen")
    assert chosen.area == pytest.approx(4 * np.pi, rel=0.01)
    assert chosen.infield_areas == pytest.approx((np.pi * 1.5**2,), rel=0.02)
    assert chosen.border_contact == 0
    assert chosen.center == pytest.approx((4.0, 4.0), abs=0.05)
    outside = next(region for region in survey.regions if region.verdict == "outside")
    assert outside.border_contact > 0.9
    assert survey.measures.lap_length == pytest.approx(4 * np.pi, rel=0.01)
    assert survey.error is None
    assert survey.problems == ()


def test_cells_are_counted():
    cells = ring_cells()
    survey = survey_map(as_map(cells))
    assert survey.free_cells == np.count_nonzero(cells == FREE)
    assert survey.occupied_cells == np.count_nonzero(cells == OCCUPIED)
    assert survey.unknown_cells == np.count_nonzero(cells == UNKNOWN)


def test_a_map_without_a_lap_is_no_error_of_the_survey():
    survey = survey_map(as_map(hall((0.5, 2.0, 7.5, 3.0))))
    assert survey.corridor is None
    assert survey.measures is None
    assert survey.error.kind == "open_corridor"
    assert survey.problems == (survey.error.message,)
    assert [region.verdict for region in survey.regions] == ["no infield"]


def test_an_ambiguous_map_is_reported_with_its_infields():
    survey = survey_map(as_map(hall(*SQUARE_LOOP, (3.5, 0.5, 4.5, 5.5))))
    assert survey.error.kind == "ambiguous_corridor"
    assert [region.verdict for region in survey.regions] == ["several infields"]
    assert survey.regions[0].infield_areas == pytest.approx((6.0, 6.0))


def test_warnings_of_the_map_and_of_the_corridor_are_problems():
    cells = paint(hall(*SQUARE_LOOP), 3.0, 4.85, 3.3, 5.15, OCCUPIED)
    survey = survey_map(as_map(cells, warnings=("something odd",)))
    assert survey.problems[0] == "something odd"
    assert any("obstacle(s)" in text for text in survey.problems)
    assert survey.regions[0].obstacles == 1


def test_a_map_with_nothing_free_is_reported():
    survey = survey_map(as_map(np.full((40, 50), UNKNOWN)))
    assert survey.regions == ()
    assert survey.error.kind == "no_corridor"


def test_options_are_those_of_the_search():
    cells = paint(hall(*SQUARE_LOOP), 4.0, 4.5, 4.1, 5.5, UNKNOWN)
    assert survey_map(as_map(cells)).corridor is None
    assert survey_map(as_map(cells), close_gaps=0.2).corridor is not None
    with pytest.raises(UsageError):
        survey_map(as_map(cells), start=(float("inf"), 0.0))
