from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.errors import InputError
from roboracer_arena.generate.spec import SPEC_FIELDS, TrackSpec, parse_spec, read_spec

FIELDS = (
    "name",
    "lap_length_m",
    "corridor_width_m",
    "hall_x_m",
    "hall_y_m",
    "direction",
    "hairpins",
    "chicanes",
    "sweepers",
    "feature_order",
    "min_radius_m",
    "longest_straight_m",
)


def test_there_are_exactly_the_twelve_fields() -> None:
    assert SPEC_FIELDS == FIELDS
    assert tuple(TrackSpec.model_json_schema()["properties"]) == FIELDS


def test_nothing_stated_is_all_null_and_an_empty_order() -> None:
    document = TrackSpec().model_dump(mode="json")
    assert document.pop("feature_order") == []
    assert set(document.values()) == {None}
    assert TrackSpec().stated() == ()


def test_stated_fields_are_listed_in_field_order() -> None:
    spec = TrackSpec(hairpins=0, lap_length_m=40.0, feature_order=("chicane",))
    assert spec.stated() == ("lap_length_m", "hairpins", "feature_order")


def test_json_round_trip_is_the_identity() -> None:
    spec = TrackSpec(name="Kite", lap_length_m=72.5, hairpins=2, feature_order=("hairpin",))
    assert parse_spec(spec.model_dump_json()) == spec


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"lap_length_m": -50}', ("lap_length_m", "-50", "positive")),
        ('{"lap_length_m": 0}', ("lap_length_m", "0", "positive")),
        ('{"lap_length_m": NaN}', ("lap_length_m", "nan", "finite")),
        ('{"hall_x_m": Infinity}', ("hall_x_m", "inf")),
        ('{"lap_length_m": 1e9}', ("lap_length_m", "at most 2000")),
        ('{"corridor_width_m": 0}', ("corridor_width_m", "at least 0.4")),
        ('{"corridor_width_m": 55}', ("corridor_width_m", "at most 10")),
        ('{"hairpins": -2}', ("hairpins", "-2", "at least 0")),
        ('{"hairpins": 2.5}', ("hairpins", "2.5", "integer")),
        ('{"hairpins": true}', ("hairpins", "True", "integer")),
        ('{"chicanes": 1000}', ("chicanes", "at most 40")),
        ('{"min_radius_m": -1}', ("min_radius_m", "at least 0")),
        ('{"lap_length_m": "45"}', ("lap_length_m", "'45'", "number")),
        ('{"direction": "left"}', ("direction", "'left'", "'cw' or 'ccw'")),
        ('{"feature_order": ["loop"]}', ("feature_order", "'loop'", "'hairpin'")),
        ('{"name": ""}', ("name", "at least 1")),
        ('{"speed": 3}', ("speed is no field", "lap_length_m")),
        ('{"sweepers": 0, "feature_order": ["sweeper"]}', ("1 x sweeper", "sweepers is 0")),
        ("[]", ("JSON object",)),
        ("{", ("no JSON",)),
    ],
)  # fmt: skip
def test_impossible_values_are_refused_by_field(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        parse_spec(text)
    for word in words:
        assert word in str(caught.value)


def test_all_wrong_fields_are_named_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_spec('{"lap_length_m": -50, "corridor_width_m": 0, "hairpins": -2}')
    assert all(
        field in str(caught.value) for field in ("lap_length_m", "corridor_width_m", "hairpins")
    )


def test_zero_radius_and_straight_ask_for_none() -> None:
    spec = parse_spec('{"min_radius_m": 0, "longest_straight_m": 0, "feature_order": null}')
    assert (spec.min_radius_m, spec.longest_straight_m, spec.feature_order) == (0.0, 0.0, ())


def test_a_written_specification_with_marks_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    document = {
        **TrackSpec(lap_length_m=40.0).model_dump(mode="json"),
        "stated": ["lap_length_m"],
        "defaulted": [],
    }
    path.write_text("\ufeff" + json.dumps(document), encoding="utf-8")
    assert read_spec(path) == TrackSpec(lap_length_m=40.0)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.json"):
        read_spec(tmp_path / "missing.json")
    (tmp_path / "noise.json").write_bytes(b"\xff\xfe\x00\x9f")
    with pytest.raises(InputError, match=r"noise\.json"):
        read_spec(tmp_path / "noise.json")


@given(st.text(max_size=60))
def test_no_text_escapes_as_anything_but_an_input_error(text: str) -> None:
    with suppress(InputError):
        parse_spec(text)


@given(
    st.dictionaries(
        st.sampled_from(FIELDS),
        st.one_of(st.none(), st.floats(), st.integers(), st.text(max_size=5), st.booleans()),
    )
)
def test_no_json_value_escapes_as_anything_but_an_input_error(values: dict[str, object]) -> None:
    try:
        spec = parse_spec(json.dumps(values))
    except InputError:
        return
    assert parse_spec(spec.model_dump_json()) == spec
