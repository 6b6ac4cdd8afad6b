from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.errors import MapError
from roboracer_arena.maps.yaml_scalars import parse_bool, parse_mapping, parse_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5e-2", 0.05),
        ("-68e-2", -0.68),
        ("5E-2", 0.05),
        ("+.5", 0.5),
        ("-.5e1", -5.0),
        ("5.", 5.0),
        ("00.05", 0.05),
        ("010", 10.0),
        (" 0.05\t", 0.05),
        ("1e-400", 0.0),
    ],
)
def test_number_is_read_as_yaml_cpp_reads_it(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "abc", "0x10", "1_000", "1,5", "5e", "0.05 m", "1:30", "٠.٥", "--1", "1 2", ".", "e5"],
)
def test_text_that_yaml_cpp_refuses_is_no_number(text):
    with pytest.raises(ValueError, match="not a number"):
        parse_number(text)


@pytest.mark.parametrize("text", ["nan", "-nan", ".nan", ".NaN", "NAN", "+nan"])
def test_every_spelling_of_nan_is_nan(text):
    assert math.isnan(parse_number(text))


@pytest.mark.parametrize(
    ("text", "value"), [(".inf", math.inf), ("-.INF", -math.inf), ("inf", math.inf)]
)
def test_infinity_keeps_its_sign(text, value):
    assert parse_number(text) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_back_from_its_repr(number):
    assert parse_number(repr(number)) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", False),
        ("1", True),
        ("no", False),
        ("Yes", True),
        ("FALSE", False),
        ("on", True),
        ("n", False),
    ],
)
def test_truth_values_are_words_or_digits(text, value):
    assert parse_bool(text) is value


@pytest.mark.parametrize("text", ["2", "", "maybe", "0.5", "-1"])
def test_other_truth_values_are_refused(text):
    with pytest.raises(ValueError, match="write 0"):
        parse_bool(text)


def test_scalars_stay_text_and_nested_values_are_dropped():
    text = "a: 5e-2\nb: [1, -nan]\nc: {d: 1}\ne:\n- x\n- [y]\n2: no\n"
    assert parse_mapping(text, where="f") == [
        ("a", "5e-2"),
        ("b", ("1", "-nan")),
        ("c", None),
        ("e", None),
        ("2", "no"),
    ]


def test_tags_run_no_code():
    assert parse_mapping("a: !!python/object/apply:os.getcwd []\nb: !x 1\n", where="f") == [
        ("a", ()),
        ("b", "1"),
    ]


def test_aliases_do_not_multiply():
    levels = ["l0: &l0 [x, x, x, x, x, x, x, x]"]
    levels += [f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 8)}]" for i in range(1, 40)]
    pairs = parse_mapping("\n".join(levels), where="f")
    assert len(pairs) == 40
    assert pairs[-1] == ("l39", None)


def test_alias_to_itself_is_harmless():
    assert parse_mapping("a: &x [*x]\n", where="f") == [("a", None)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("# only a comment\n", "is empty"),
        ("resolution:0.05\nimage:x\n", "space must follow"),
        ("- a\n- b\n", "no 'key: value'"),
        ("a: [1, 2\nb: 3\n", "is not valid YAML in line"),
        ("a: 1\n\tb: 2\n", "line 2"),
        ("a: \x01\n", "is not valid YAML"),
        ("a: 1\n---\nb: 2\n", "single document"),
        ("a: *nowhere\n", "undefined alias"),
        ("[" * 5000, "nested too deeply"),
        ('a: "\\UFFFFFFFF"', "is not valid YAML"),
    ],
)
def test_text_that_is_no_mapping_is_an_error_that_says_why(text, message):
    with pytest.raises(MapError, match=message) as caught:
        parse_mapping(text, where="some.yaml")
    assert caught.value.where == "some.yaml"
    assert "\n" not in caught.value.message
