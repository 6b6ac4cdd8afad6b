"""Numbers in words and digits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.llm.grammar.numbers import DIGITS, digits_value, read_chinese, read_words

_SMALL = re.findall(
    r"\w+",
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen
    """,
)
_TENS = re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety")


def _spell(n: int) -> str:
    if n < 20:
        return _SMALL[n]
    if n < 100:
        return _TENS[n // 10 - 2] + (f"-{_SMALL[n % 10]}" if n % 10 else "")
    if n < 1000:
        return f"{_SMALL[n // 100]} hundred" + (f" and {_spell(n % 100)}" if n % 100 else "")
    rest = n % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{_spell(n // 1000)} thousand" + (f"{joint}{_spell(rest)}" if rest else "")


@given(st.integers(0, 99_999))
def test_reads_every_spelled_number(n: int) -> None:
    words = _spell(n).replace("-", " ").split()
    assert read_words([*words, "metres"], "en") == (float(n), len(words))


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "one and a quarter", 1.25),
        ("en", "two and a half", 2.5),
        ("en", "half a dozen", 6.0),
        ("en", "three quarters", 0.75),
        ("en", "one point two five", 1.25),
        ("en", "one hundred twenty five point five", 125.5),
        ("de", "fünfundvierzig", 45.0),
        ("de", "hundertzwanzig", 120.0),
        ("de", "anderthalb", 1.5),
        ("de", "eins komma vier", 1.4),
        ("fr", "quarante cinq", 45.0),
        ("fr", "quatre vingt dix sept", 97.0),
        ("fr", "soixante et onze", 71.0),
        ("fr", "un et demi", 1.5),
    ],
)
def test_reads_fractions_and_other_languages(language: str, text: str, value: float) -> None:
    words = text.split()
    assert read_words(words, language) == (value, len(words))


def test_and_between_two_numbers_does_not_join_them() -> None:
    assert read_words(["forty", "and", "fifty"], "en") == (40.0, 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [("五十米", 50), ("一百二十", 120), ("十五", 15), ("一点五", 1.5), ("两个", 2)],
)
def test_reads_chinese_numbers(text: str, value: float) -> None:
    found = read_chinese(text)
    assert found is not None
    assert found[0] == value


@pytest.mark.parametrize(
    ("text", "comma", "value"),
    [
        ("48,5", True, 48.5),
        ("1,4", False, 1.4),
        ("1,200", False, 1200.0),
        ("1,250", True, 1.25),
        ("1.200,5", True, 1200.5),
        ("1,234,567", False, 1234567.0),
        ("4 000", False, 4000.0),
        ("1 1/2", False, 1.5),
        ("3/4", False, 0.75),
        ("1.2e2", False, 120.0),
        ("-3", False, -3.0),
        (".5", False, 0.5),
    ],
)
def test_reads_digits(text: str, comma: bool, value: float) -> None:
    match = DIGITS.match(text)
    assert match is not None
    assert match.group() == text
    assert digits_value(match, decimal_comma=comma) == pytest.approx(value)
