"""The definitions of docs/track-conventions.md, rule by rule. The reference radius is 1 m."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.generate.features import (
    Turn,
    classify,
    join_turns,
    name_features,
    order_matches,
)

LAP = 100.0


def lap_of(*turns: tuple[float, float, float]) -> list[Turn]:
    """Turns as (degrees, radius, straight after it)."""
    placed, place = [], 0.0
    for degrees, radius, gap in turns:
        length = radius * math.radians(abs(degrees))
        placed.append(Turn(place, place + length, math.radians(degrees), radius))
        place += length + gap
    return placed


def names(*turns: tuple[float, float, float]) -> list[str]:
    return [item.feature for item in name_features(lap_of(*turns), LAP, 1.0)]


@pytest.mark.parametrize(
    ("degrees", "radius", "kind"),
    [
        (180, 1.0, "hairpin"),
        (-150.5, 1.95, "hairpin"),
        (149, 1.0, "corner"),
        (180, 2.1, "sweeper"),
        (149, 1.6, "sweeper"),
        (61, 1.5, "sweeper"),
        (59, 1.6, "corner"),
        (90, 1.4, "corner"),
        (-31, 1.0, "corner"),
        (29, 1.0, "kink"),
        (13, 9.0, "kink"),
    ],
)
def test_a_turn_is_of_its_kind(degrees: float, radius: float, kind: str) -> None:
    assert classify(lap_of((degrees, radius, 0.0))[0], 1.0) == kind


def test_two_right_angles_across_a_short_straight_are_a_hairpin() -> None:
    assert names((90, 1.0, 1.1), (90, 1.0, 9.0)) == ["hairpin"]
    assert names((90, 1.0, 1.3), (90, 1.0, 9.0)) == []


def test_two_arcs_of_45_degrees_are_a_sweeper() -> None:
    assert names((45, 1.8, 0.5), (45, 1.8, 9.0)) == ["sweeper"]
    assert names((45, 1.8, 1.5), (45, 1.8, 9.0)) == []


def test_a_hairpin_with_too_long_a_straight_in_it_is_too_wide() -> None:
    turns = join_turns(lap_of((90, 1.7, 1.1), (90, 1.7, 9.0)), LAP, 1.0)
    assert len(turns) == 1
    assert turns[0].effective_radius > 2.0
    assert classify(turns[0], 1.0) == "sweeper"


def test_turns_are_not_joined_beyond_200_degrees() -> None:
    assert names((110, 1.0, 0.5), (110, 1.0, 9.0)) == []
    assert names((100, 1.0, 0.5), (100, 1.0, 9.0)) == ["hairpin"]


def test_the_smallest_gap_is_joined_first() -> None:
    joined = join_turns(lap_of((90, 1.0, 0.8), (90, 1.0, 0.4), (90, 1.0, 9.0)), LAP, 1.0)
    assert [round(math.degrees(turn.angle)) for turn in joined] == [90, 180]


def test_turns_of_opposite_sign_are_never_joined() -> None:
    assert len(join_turns(lap_of((90, 1.0, 0.1), (-90, 1.0, 9.0)), LAP, 1.0)) == 2


def test_joining_works_across_the_start_line() -> None:
    turns = [
        Turn(0.5, 0.5 + math.pi / 2, math.pi / 2, 1.0),
        Turn(LAP - math.pi / 2, LAP, math.pi / 2, 1.0),
    ]
    joined = join_turns(turns, LAP, 1.0)
    assert len(joined) == 1
    assert joined[0].end == pytest.approx(LAP + 0.5 + math.pi / 2)
    assert classify(joined[0], 1.0) == "hairpin"


def test_a_circle_stays_one_turn() -> None:
    assert names((360, 1.5, 0.0)) == ["hairpin"]
    assert names((360, 3.0, 0.0)) == ["sweeper"]


@pytest.mark.parametrize(("count", "chicanes"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_a_chain_of_n_corners_is_half_as_many_chicanes(count: int, chicanes: int) -> None:
    chain = [(60.0 * (-1) ** index, 1.0, 0.5) for index in range(count - 1)]
    chain.append((60.0 * (-1) ** (count - 1), 1.0, 9.0))
    assert names(*chain) == ["chicane"] * chicanes


def test_corners_far_apart_or_of_one_sign_are_no_chicane() -> None:
    assert names((60, 1.0, 1.3), (-60, 1.0, 9.0)) == []
    assert names((60, 1.0, 1.3), (60, 1.0, 9.0)) == []


@pytest.mark.parametrize("other", [(111.0, 1.0), (29.0, 1.0), (90.0, 1.6), (180.0, 1.0)])
def test_only_corners_of_30_to_110_degrees_make_a_chicane(other: tuple[float, float]) -> None:
    assert "chicane" not in names((-60, 1.0, 0.5), (*other, 9.0))


def test_a_kink_between_two_corners_parts_them() -> None:
    assert names((60, 1.0, 0.4), (20, 1.0, 0.4), (-60, 1.0, 9.0)) == ["chicane"]
    assert names((60, 1.0, 0.4), (-20, 1.0, 0.4), (60, 1.0, 9.0)) == []


def test_a_chicane_may_lie_across_the_start_line() -> None:
    quarter = math.radians(60.0)
    turns = [Turn(0.2, 0.2 + quarter, quarter, 1.0), Turn(LAP - quarter, LAP, -quarter, 1.0)]
    found = name_features(turns, LAP, 1.0)
    assert [item.feature for item in found] == ["chicane"]
    assert found[0].end > LAP


@pytest.mark.parametrize(
    ("found", "wanted", "matches"),
    [
        ("HCS", "", True),
        ("HCS", "HCS", True),
        ("HCS", "CSH", True),
        ("HCS", "HSC", False),
        ("HHCS", "HC", True),
        ("HHCS", "CHH", True),
        ("HHCS", "HHH", False),
        ("HCHS", "SHC", True),
        ("", "H", False),
    ],
)
def test_an_order_matches_up_to_rotation(found: str, wanted: str, matches: bool) -> None:
    words = {"H": "hairpin", "C": "chicane", "S": "sweeper"}
    assert (
        order_matches([words[x] for x in found], [words[x] for x in wanted]) is matches  # type: ignore[misc]
    )


degrees = st.one_of(st.floats(12.0, 200.0), st.floats(-200.0, -12.0))


@given(st.lists(st.tuples(degrees, st.floats(0.5, 4.0), st.floats(0.0, 3.0)), max_size=14))
def test_joining_keeps_the_turned_angle_and_the_order(
    turns: list[tuple[float, float, float]],
) -> None:
    placed = lap_of(*turns)
    lap = (placed[-1].end if placed else 0.0) + 5.0
    joined = join_turns(placed, lap, 1.0)
    assert sum(turn.angle for turn in joined) == pytest.approx(sum(turn.angle for turn in placed))
    assert all(here.end <= there.start + 1e-9 for here, there in pairwise(joined))
    assert join_turns(joined, lap, 1.0) == joined
    assert len(name_features(placed, lap, 1.0)) <= len(placed)
