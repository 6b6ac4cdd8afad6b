"""Numbers in digits and in words: English, German, French, Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

__all__ = ["DIGITS", "digits_value", "read_chinese", "read_words"]

DIGITS = re.compile(
    r"""(?P<sign>[-+](?=[\d.]))?
    (?: (?P<whole>\d+)\s+(?P<top>\d)/(?P<bottom>\d)(?![\d/])
      | (?P<ratio>\d{1,2}/\d{1,2})(?![\d/])
      | (?P<plain>(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])
                 | \d{1,3}(?:[ ']\d00|'\d{3})+(?!\d)(?:[.,]\d+)?
                 | \d{1,3}(?:\.\d{3}){2,}(?:,\d+)?
                 | \d{1,3}\.\d{3},\d+
                 | \d+[.,]\d+ | [.]\d+ | \d+)(?:e[-+]?\d{1,3})?))
    """,
    re.VERBOSE,
)
"""A number in digits: 20, 1.4, 1,4, 1,200, 1 200, .5, 5e1, 3/4, 1 1/2."""

_COMMA_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DOT_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")

_EN_SMALL: list[str] = re.findall(
    r"\w+",
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen
    """,
)
_EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DE_SMALL: list[str] = re.findall(
    r"\w+",
    """
    null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn
    fünfzehn sechzehn siebzehn achtzehn neunzehn
    """,
)
_DE_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
_FR_SMALL: list[str] = re.findall(
    r"\w+",
    """
    zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze
    seize
    """,
)
_FR_TENS = ["vingt", "trente", "quarante", "cinquante", "soixante"]
_ZH_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "兩": 2, "〇": 0}
_ZH_POWERS = {"十": 10, "百": 100, "千": 1000}

_FRACTIONS = {
    "en": {
        ("half",): 0.5, ("a", "half"): 0.5, ("one", "half"): 0.5, ("quarter",): 0.25,
        ("a", "quarter"): 0.25, ("one", "quarter"): 0.25, ("three", "quarters"): 0.75,
        ("a", "third"): 1 / 3, ("one", "third"): 1 / 3, ("two", "thirds"): 2 / 3,
        ("a", "fifth"): 0.2, ("one", "fifth"): 0.2, ("a", "tenth"): 0.1, ("one", "tenth"): 0.1,
    },
    "de": {("eineinhalb",): 1.5, ("anderthalb",): 1.5, ("zweieinhalb",): 2.5,
           ("halb",): 0.5, ("halben",): 0.5, ("halber",): 0.5, ("halbe",): 0.5,
           ("einen", "halben"): 0.5, ("ein", "halber"): 0.5},
    "fr": {("demi",): 0.5, ("demie",): 0.5, ("un", "demi"): 0.5, ("un", "quart"): 0.25,
           ("quart",): 0.25},
    "zh": {},
}  # fmt: skip
_AND = {"en": "and", "de": "und", "fr": "et", "zh": ""}
_POINT = {"en": ("point",), "de": ("komma",), "fr": ("virgule",), "zh": ()}
_THOUSAND = {"en": "thousand", "de": "tausend", "fr": "mille", "zh": ""}
_LONGEST = 8


def digits_value(match: re.Match[str], *, decimal_comma: bool) -> float:
    """Return the value of a match of :data:`DIGITS`.

    Args:
        match: The match.
        decimal_comma: Whether the language writes 1,250 for one and a quarter.
    """
    sign = -1.0 if match["sign"] == "-" else 1.0
    if match["whole"]:
        bottom = int(match["bottom"])
        return sign * (int(match["whole"]) + (int(match["top"]) / bottom if bottom else 0.0))
    if match["ratio"]:
        over, under = match["ratio"].split("/")
        return sign * (int(over) / int(under) if int(under) else float(over))
    plain = match["plain"].replace(" ", "").replace("'", "")
    mantissa = plain.split("e")[0]
    if _DOT_THOUSANDS.fullmatch(mantissa):
        plain = plain.replace(".", "").replace(",", ".")
    elif _COMMA_THOUSANDS.fullmatch(mantissa) and not (decimal_comma and mantissa.count(",") == 1):
        plain = plain.replace(",", "")
    else:
        plain = plain.replace(",", ".")
    return sign * float(plain)


def read_words(words: Sequence[str], language: str) -> tuple[float, int] | None:
    """Read a number in words from the beginning of a list of words.

    Args:
        words: Lower-case words, hyphens taken out.
        language: ``en``, ``de`` or ``fr``.

    Returns:
        The number and how many words it takes, or None.
    """
    found = _read_cardinal(words, language)
    if found is None:
        return _longest(words, _FRACTIONS[language])
    value, used = found
    fraction = _read_fraction(words, language)
    if fraction and fraction[1] > used:
        return fraction
    rest = words[used:]
    if rest[:1] and rest[0] in _POINT[language]:
        decimals = _read_decimals(rest[1:], language)
        if decimals:
            return float(f"{value:g}.{decimals}"), used + 1 + len(decimals)
    if rest[:1] == [_AND[language]]:
        fraction = _read_fraction(rest[1:], language)
        if fraction and fraction[0] < 1.0:
            return value + fraction[0], used + 1 + fraction[1]
    return value, used


def _read_fraction(words: Sequence[str], language: str) -> tuple[float, int] | None:
    return _longest(words, _FRACTIONS[language])


def _read_cardinal(words: Sequence[str], language: str) -> tuple[float, int] | None:
    table, thousand = _cardinals(language), _THOUSAND[language]
    head = _longest(words, table)
    if head is None and words[:2] == ["a", thousand]:
        head = (1.0, 1)
    if head is None and words[:1] == [thousand] and language != "en":
        head = (1.0, 0)
    if head is None:
        return None
    value, used = head
    if words[used : used + 1] == [thousand]:
        value, used = value * 1000.0, used + 1
        skip = int(words[used : used + 1] == [_AND[language]])
        tail = _longest(words[used + skip :], table)
        if tail and tail[0] < 1000.0:
            value, used = value + tail[0], used + skip + tail[1]
    elif words[used : used + 1] == ["dozen"]:
        value, used = value * 12.0, used + 1
    return value, used


def _read_decimals(words: Sequence[str], language: str) -> str:
    digits = ""
    table = _cardinals(language)
    for word in words:
        digit = table.get((word,))
        if digit is None or digit > 9.0:
            break
        digits += f"{digit:g}"
    return digits


def _longest(words: Sequence[str], table: dict[tuple[str, ...], float]) -> tuple[float, int] | None:
    for count in range(min(_LONGEST, len(words)), 0, -1):
        value = table.get(tuple(words[:count]))
        if value is not None:
            return value, count
    return None


@lru_cache(maxsize=4)
def _cardinals(language: str) -> dict[tuple[str, ...], float]:
    """Return every spelling of 0 to 999."""
    spell = {"en": _english, "de": _german, "fr": _french}[language]
    return {tuple(form.split()): float(n) for n in range(1000) for form in spell(n)}


def _english(n: int) -> Iterator[str]:
    if n < 100:
        yield from _english_small(n)
        return
    hundreds, rest = divmod(n, 100)
    heads = [f"{_EN_SMALL[hundreds]} hundred"] + (["a hundred", "hundred"] if hundreds == 1 else [])
    tails = [""] if not rest else [f"{a} {s}" for s in _english_small(rest) for a in ("", "and")]
    yield from (f"{head} {tail}" for head, tail in product(heads, tails))


def _english_small(n: int) -> Iterator[str]:
    if n < 20:
        yield _EN_SMALL[n]
        yield from {0: ("nil", "nought"), 1: ("single", "a single", "just one"),
                    6: ("half a dozen",), 12: ("a dozen", "dozen")}.get(n, ())  # fmt: skip
        return
    tens, unit = _EN_TENS[n // 10 - 2], n % 10
    for name in (tens, "fourty") if tens == "forty" else (tens,):
        yield name if not unit else f"{name} {_EN_SMALL[unit]}"
        if unit:
            yield f"{name}{_EN_SMALL[unit]}"


def _german(n: int) -> Iterator[str]:
    if n == 1:
        yield from ["ein", "eins", "eine", "einen", "einem", "einer", "eines"]
    elif n < 100:
        yield _german_small(n)
    else:
        hundreds, rest = divmod(n, 100)
        heads = [f"{_DE_SMALL[hundreds]}hundert"] + (["hundert"] if hundreds == 1 else [])
        tail = "" if not rest else "eins" if rest == 1 else _german_small(rest)
        yield from (f"{head}{joint}{tail}" for head in heads for joint in ("", "und"))


def _german_small(n: int) -> str:
    if n < 20:
        return _DE_SMALL[n]
    tens, unit = _DE_TENS[n // 10 - 2], n % 10
    return f"{_DE_SMALL[unit]}und{tens}" if unit else tens


def _french(n: int) -> Iterator[str]:
    if n == 1:
        yield from ("un", "une")
    elif n < 100:
        yield _french_small(n)
    else:
        hundreds, rest = divmod(n, 100)
        head = "cent" if hundreds == 1 else f"{_FR_SMALL[hundreds]} cent"
        yield f"{head} {_french_small(rest)}" if rest else head
        if not rest and hundreds > 1:
            yield f"{head}s"


def _french_small(n: int) -> str:
    if n < 17:
        return _FR_SMALL[n]
    if n < 20:
        return f"dix {_FR_SMALL[n - 10]}"
    if n < 70:
        tens, unit = _FR_TENS[n // 10 - 2], n % 10
        return tens if not unit else f"{tens} et un" if unit == 1 else f"{tens} {_FR_SMALL[unit]}"
    if n < 80:
        return "soixante et onze" if n == 71 else f"soixante {_french_small(n - 60)}"
    return "quatre vingts" if n == 80 else f"quatre vingt {_french_small(n - 80)}"


def read_chinese(text: str) -> tuple[float, int] | None:
    """Read a Chinese number from the beginning of a text: 五十, 一百二十, 一点五, 一米半 aside.

    Returns:
        The number and how many characters it takes, or None.
    """
    run = re.match(r"[零〇一二两兩三四五六七八九十百千]+(?:点[零〇一二三四五六七八九]+)?", text)
    if run is None:
        return (0.5, 1) if text[:1] == "半" else None
    whole, _, decimals = run.group().partition("点")
    total, digit = 0, 0
    for character in whole:
        if character in _ZH_DIGITS:
            digit = _ZH_DIGITS[character]
        else:
            total += (digit or 1) * _ZH_POWERS[character]
            digit = 0
    value = float(total + digit)
    if decimals:
        value = float(f"{value:g}." + "".join(str(_ZH_DIGITS[c]) for c in decimals))
    return value, run.end()
