"""Numbers, units and joints put together: lengths, ranges, and pairs of sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roboracer_arena.llm.grammar.tokens import Amount, Kind, Token
from roboracer_arena.llm.grammar.units import LENGTHS, in_metres

__all__ = ["merge_amounts"]

_Found = tuple[Token, int]
_SAME = 0.02
"""Two lengths closer than this share are one, converted and rounded."""
_LARGEST_SPLIT = 3.0
"""Beyond this [m], "8 m and 80 cm" are two lengths and not one."""
_SIDES = {Kind.LONG, Kind.WIDE, Kind.DEEP, Kind.LENGTH, Kind.WIDTH}


def merge_amounts(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with every number, range and pair of sides as one token.

    A unit that stands only behind the second of two numbers counts for both.
    """
    merged = _pass(tokens, _length)
    merged = _pass(merged, _and_fraction)
    merged = _pass(merged, _aside)
    merged = _pass(merged, _range)
    return _pass(merged, _pair)


def _pass(
    tokens: Sequence[Token], rule: Callable[[Sequence[Token], int], _Found | None]
) -> list[Token]:
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        found = rule(tokens, i)
        if found is None:
            out.append(tokens[i])
            i += 1
        else:
            out.append(found[0])
            i = found[1]
    return out


def _kind(tokens: Sequence[Token], i: int) -> Kind | None:
    return tokens[i].kind if 0 <= i < len(tokens) else None


def _make(tokens: Sequence[Token], i: int, end: int, amounts: tuple[Amount, ...]) -> Token:
    text = " ".join(token.text for token in tokens[i:end])
    kind = Kind.AMOUNT if len(amounts) == 1 else Kind.PAIR
    return Token(kind, tokens[i].start, tokens[end - 1].end, text, amounts=amounts)


def _length(tokens: Sequence[Token], i: int) -> _Found | None:
    """Join a number and its unit: ``1.4 m``, ``a metre``, ``half a metre``, ``5 ft 6 in``."""
    if _kind(tokens, i) is Kind.ARTICLE and _kind(tokens, i + 1) is Kind.UNIT:
        factor = tokens[i + 1].value
        return _make(tokens, i, i + 2, (Amount(factor, factor, True),)), i + 2
    if _kind(tokens, i) is not Kind.NUMBER:
        return None
    number, end = tokens[i].value, i + 1
    if 0.0 < number < 1.0:
        while _kind(tokens, end) in (Kind.OF, Kind.ARTICLE):
            end += 1
        if _kind(tokens, end) is not Kind.UNIT:
            end = i + 1
    if _kind(tokens, end) is not Kind.UNIT:
        return _make(tokens, i, i + 1, (Amount(number, number, False),)), i + 1
    metres = in_metres(number, tokens[end].value)
    more = _smaller_unit(tokens, end)
    if more is not None:
        metres, end = metres + more[0], more[1]
    return _make(tokens, i, end + 1, (Amount(metres, metres, True),)), end + 1


def _smaller_unit(tokens: Sequence[Token], unit: int) -> tuple[float, int] | None:
    """Return the second part of ``5 ft 6 in`` or ``1 m 40 cm``, and its last index."""
    at, whole = unit + 1, tokens[unit - 1].value * tokens[unit].value
    if _kind(tokens, at) is Kind.AND and whole < _LARGEST_SPLIT:
        at += 1
    if _kind(tokens, at) is not Kind.NUMBER:
        return None
    number = tokens[at]
    if _kind(tokens, at + 1) is Kind.UNIT and tokens[at + 1].value < 0.5 * tokens[unit].value:
        if number.value * tokens[at + 1].value < tokens[unit].value:
            return in_metres(number.value, tokens[at + 1].value), at + 1
        return None
    ending = _kind(tokens, at + 1) in (None, Kind.COMMA, Kind.SENTENCE_END, *_SIDES)
    small = tokens[unit - 1].value < 10.0 <= number.value < 100.0
    if (
        small
        and ending
        and not any(character.isdigit() for character in number.text)
        and "m" in tokens[unit].text
    ):
        return number.value / 100.0, at  # "one metre twenty"
    glued = number.start == tokens[unit].end and len(number.text) == 2
    if glued and tokens[unit].text == "m":  # "1m40"
        return number.value / 100.0, at
    return None


def _and_fraction(tokens: Sequence[Token], i: int) -> _Found | None:
    """Join ``a metre and a half``."""
    if _kind(tokens, i) is not Kind.AMOUNT or _kind(tokens, i + 1) is not Kind.AND:
        return None
    if _kind(tokens, i + 2) is not Kind.AMOUNT:
        return None
    whole, part = tokens[i].amounts[0], tokens[i + 2].amounts[0]
    unit = next((1.0 for word in ("metre", "meter", "mètre") if word in tokens[i].text), None)
    if unit is None and any(word in tokens[i].text for word in ("foot", "feet")):
        unit = 0.3048
    if unit is None and "yard" in tokens[i].text:
        unit = 0.9144
    if unit is None or not whole.unit or part.unit or not 0.0 < part.low < 1.0:
        return None
    metres = whole.low + part.low * unit
    return _make(tokens, i, i + 3, (Amount(metres, metres, True),)), i + 3


def _aside(tokens: Sequence[Token], i: int) -> _Found | None:
    """Drop a conversion in brackets: ``180 feet (55 m)``."""
    kinds = [_kind(tokens, at) for at in range(i, i + 4)]
    if kinds != [Kind.AMOUNT, Kind.BRACKET, Kind.AMOUNT, Kind.BRACKET]:
        return None
    stated, again = tokens[i].amounts[0], tokens[i + 2].amounts[0]
    same = abs(stated.low - again.low) <= _SAME * stated.low
    return (tokens[i], i + 4) if stated.unit and again.unit and same else None


def _share_units(tokens: Sequence[Token], first: Token, second: Token) -> tuple[Amount, Amount]:
    """Give both amounts the unit that only one of them carries."""
    a, b = first.amounts[0], second.amounts[0]
    if a.unit == b.unit:
        return a, b
    named, bare = (first, b) if a.unit else (second, a)
    factor = _factor(named)
    scaled = Amount(in_metres(bare.low, factor), in_metres(bare.high, factor), True, bare.choice)
    return (a, scaled) if a.unit else (scaled, b)


def _factor(token: Token) -> float:
    """Return the unit [m] that an amount was written in."""
    for word in reversed(token.text.split()):
        if word in LENGTHS:
            return LENGTHS[word]
    return 1.0


def _range(tokens: Sequence[Token], i: int) -> _Found | None:
    """Join ``40-50 m``, ``1.3 to 1.6 m``, ``between 40 and 50 m``, ``2 or 3``, ``50 ± 2 m``."""
    opened = _kind(tokens, i) in (Kind.BETWEEN, Kind.FROM)
    first = i + 1 if opened else i
    if _kind(tokens, first) is not Kind.AMOUNT or _kind(tokens, first + 2) is not Kind.AMOUNT:
        return None
    joint = tokens[first + 1].kind
    a, b = _share_units(tokens, tokens[first], tokens[first + 2])
    if joint is Kind.PLUS_MINUS:
        one = Amount(a.low, a.high, a.unit, f"{a.low:g} without its tolerance")
        return _make(tokens, i, first + 3, (one,)), first + 3
    if joint is Kind.OR:
        one = Amount(a.low, a.low, a.unit, f"{a.low:g}, the first of the two")
        return _make(tokens, i, first + 3, (one,)), first + 3
    joined = joint is Kind.TO or (joint is Kind.HYPHEN and tokens[first + 1].text == "-")
    if not joined and not (opened and joint is Kind.AND and tokens[i].kind is Kind.BETWEEN):
        return None
    low, high = sorted((a.low, b.low))
    both = Amount(low, high, a.unit, "range" if low < high else "")
    return _make(tokens, i, first + 3, (both,)), first + 3


def _pair(tokens: Sequence[Token], i: int) -> _Found | None:
    """Join ``20 x 15 m``, ``20 m long by 15 m wide`` and ``20 m square``."""
    if _kind(tokens, i) is not Kind.AMOUNT:
        return None
    if _kind(tokens, i + 1) is Kind.SQUARE and tokens[i].amounts[0].unit:
        amount = tokens[i].amounts[0]
        return _make(tokens, i, i + 2, (amount, amount)), i + 2
    joint = i + 1
    if _kind(tokens, joint) in _SIDES:
        joint += 1
    while _kind(tokens, joint) is Kind.HYPHEN:
        joint += 1
    if _kind(tokens, joint) is not Kind.BY and not _two_sides(tokens, i):
        return None
    second = joint + 1
    while _kind(tokens, second) is Kind.HYPHEN:
        second += 1
    if _kind(tokens, second) is not Kind.AMOUNT:
        return None
    a, b = _share_units(tokens, tokens[i], tokens[second])
    end = second + 1
    swap = _kind(tokens, i + 1) in (Kind.WIDE, Kind.WIDTH)
    if _kind(tokens, end) in (Kind.LONG, Kind.WIDE, Kind.DEEP) and tokens[i + 1].kind in _SIDES:
        swap = swap and tokens[end].kind is Kind.LONG
        end += 1
    else:
        swap = False
    if _kind(tokens, end) is Kind.BY and _kind(tokens, end + 1) is Kind.AMOUNT:
        end += 2  # the height of the hall
    return _make(tokens, i, end, (b, a) if swap else (a, b)), end


def _two_sides(tokens: Sequence[Token], i: int) -> bool:
    """Tell whether "and" joins the sides of a hall: "its dimensions are 22 m and 14 m"."""
    joined = _kind(tokens, i + 1) is Kind.AND and _kind(tokens, i + 2) is Kind.AMOUNT
    ended = _kind(tokens, i + 3) in (None, Kind.COMMA, Kind.SENTENCE_END)
    before = tokens[max(0, i - 5) : i]
    sized = any("dimension" in token.text or token.kind is Kind.LENGTH for token in before)
    return joined and ended and sized and any(token.kind is Kind.HALL for token in before)
