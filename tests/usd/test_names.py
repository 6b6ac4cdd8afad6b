from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.usd.names import is_identifier, track_identifier


@given(st.text())
def test_any_name_becomes_an_identifier(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", track_identifier(name))


@given(
    st.text(alphabet="_0123456789abAB- é", max_size=6),
    st.text(alphabet="_0123456789abAB- é", max_size=6),
)
def test_distinct_names_become_distinct_identifiers(one: str, other: str) -> None:
    assert (track_identifier(one) == track_identifier(other)) == (one == other)


def test_leading_digits_are_kept_behind_an_underscore() -> None:
    assert track_identifier("2024_icra") == "_2024_icra"
    assert track_identifier("1024_icra") == "_1024_icra"


def test_plain_names_stay_as_they_are() -> None:
    assert track_identifier("Spa") == "Spa"


def test_identifier_check_refuses_other_scripts_and_dashes() -> None:
    assert is_identifier("_2024")
    assert not is_identifier("27th-race")
    assert not is_identifier("übung")
    assert not is_identifier("")
