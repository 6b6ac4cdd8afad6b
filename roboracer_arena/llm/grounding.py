"""Whether what a model answers is said in the text at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roboracer_arena.generate.spec import FEATURES, TrackSpec
from roboracer_arena.llm.grammar.amounts import merge_amounts
from roboracer_arena.llm.grammar.language import detect_language
from roboracer_arena.llm.grammar.lexer import lex
from roboracer_arena.llm.grammar.text import clean, fold
from roboracer_arena.llm.grammar.tokens import FEATURE_OF, Kind, Token

__all__ = ["Ungrounded", "find_ungrounded"]

_LENGTHS = (
    "lap_length_m",
    "corridor_width_m",
    "hall_x_m",
    "hall_y_m",
    "min_radius_m",
    "longest_straight_m",
)
# What must be spoken of for a field to be stated. A lap or a hall may go without a noun
# ("47 m", "in 14 by 10"), so they are not listed.
_SUBJECTS: dict[str, frozenset[Kind]] = {
    "corridor_width_m": frozenset({Kind.WIDTH, Kind.WIDE, Kind.CORRIDOR, Kind.TRACK}),
    "min_radius_m": frozenset({Kind.RADIUS, Kind.TIGHTER, Kind.TURN}),
    "longest_straight_m": frozenset({Kind.STRAIGHT}),
    "direction": frozenset({Kind.CW, Kind.CCW, Kind.EITHER}),
    "hairpins": frozenset({Kind.HAIRPIN}),
    "chicanes": frozenset({Kind.CHICANE}),
    "sweepers": frozenset({Kind.SWEEPER}),
}
# Metres per unit: a model may read a bare number in any of them.
_UNITS = (1.0, 0.01, 0.001, 1000.0, 0.3048, 0.0254, 0.9144)
_RELATIVE = 0.005
"""Models round conversions: 54.86 for 180 feet."""


@dataclass(frozen=True, slots=True)
class Ungrounded:
    """A value that the text does not state.

    Attributes:
        field: The field.
        value: What the model answered.
        why: What is missing in the text.
    """

    field: str
    value: object
    why: str

    def sentence(self) -> str:
        """Say it in words."""
        return f"{self.field} is {self.value!r}, but {self.why}"


def find_ungrounded(spec: TrackSpec, text: str) -> tuple[Ungrounded, ...]:
    """Return every value of a specification for which the text holds no evidence.

    A length needs a number of the text, in some unit, or a value inside a stated range; a count
    needs its number, or zero a negation, or one a mention; a name must stand in the text. Apart
    from the lap and the hall, the text must also speak of the thing itself, as far as its language
    is one that the grammar knows; in other languages only digits and the name can be checked.
    """
    folded = fold(clean(text))
    language = detect_language(folded)
    tokens = merge_amounts(lex(folded, language or "en"))
    known = language is not None
    found = [_name(spec, folded)]
    found += [_length(spec, name, tokens, known) for name in _LENGTHS]
    found += [_count(spec, f"{feature}s", tokens, known) for feature in FEATURES]
    found += [_direction(spec, tokens, known), _order(spec, tokens, known)]
    return tuple(item for item in found if item is not None)


def _name(spec: TrackSpec, folded: str) -> Ungrounded | None:
    if spec.name is None or fold(clean(spec.name)).strip() in folded:
        return None
    return Ungrounded("name", spec.name, "the text does not contain it")


def _length(spec: TrackSpec, name: str, tokens: Sequence[Token], known: bool) -> Ungrounded | None:
    value: float | None = getattr(spec, name)
    if value is None:
        return None
    if not any(_reaches(value, token) for token in tokens):
        return Ungrounded(name, value, "no such number stands in the text")
    return _subject(spec, name, tokens, known)


def _reaches(value: float, token: Token) -> bool:
    slack = _RELATIVE * abs(value)
    for amount in token.amounts:
        for unit in (1.0,) if amount.unit else _UNITS:
            if amount.low * unit - slack <= value <= amount.high * unit + slack:
                return True
    return False


def _subject(spec: TrackSpec, name: str, tokens: Sequence[Token], known: bool) -> Ungrounded | None:
    kinds = _SUBJECTS.get(name)
    if not known or kinds is None:
        return None
    if any(token.kind in kinds or token.hint in kinds for token in tokens):
        return None
    return Ungrounded(name, getattr(spec, name), "the text does not speak of it")


def _count(spec: TrackSpec, name: str, tokens: Sequence[Token], known: bool) -> Ungrounded | None:
    value: int | None = getattr(spec, name)
    if value is None:
        return None
    missing = _subject(spec, name, tokens, known)
    if missing is not None or not known:
        return missing
    mentions = [token for token in tokens if token.kind in FEATURE_OF]
    named = sum(f"{FEATURE_OF[token.kind]}s" == name for token in mentions)
    if value == 0 and any(token.kind in (Kind.NONE, Kind.FREE) for token in tokens):
        return None
    if 1 <= value <= named and not all(token.plural for token in mentions):
        return None
    double = any(token.kind in (Kind.COUPLE, Kind.DOUBLE) for token in tokens)
    numbers = [amount for token in tokens for amount in token.amounts if not amount.unit]
    near = any(amount.low - 1.0 <= value <= amount.high + 1.0 for amount in numbers)
    if (value == 2 and double) or (value == 3 and _has(tokens, Kind.TRIPLE)) or near:
        # "more than two" is three: one off is still that number; the grammar tells exactly.
        return None
    return Ungrounded(name, value, "no such number stands in the text")


def _has(tokens: Sequence[Token], kind: Kind) -> bool:
    return any(token.kind is kind for token in tokens)


def _direction(spec: TrackSpec, tokens: Sequence[Token], known: bool) -> Ungrounded | None:
    return None if spec.direction is None else _subject(spec, "direction", tokens, known)


def _order(spec: TrackSpec, tokens: Sequence[Token], known: bool) -> Ungrounded | None:
    if not spec.feature_order or not known:
        return None
    cues = {Kind.THEN, Kind.BEFORE, Kind.AFTER, Kind.ORDER}
    if not any(token.kind in cues for token in tokens):
        return Ungrounded("feature_order", spec.feature_order, "the text gives no order")
    spoken = {FEATURE_OF[token.kind] for token in tokens if token.kind in FEATURE_OF}
    if not set(spec.feature_order) <= spoken:
        return Ungrounded("feature_order", spec.feature_order, "the text does not name them all")
    return None
