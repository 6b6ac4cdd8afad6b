"""The grammar parser: rules, no model, the same answer every time."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

from roboracer_arena.errors import InputError
from roboracer_arena.generate.spec import FEATURES, TrackSpec, parse_spec
from roboracer_arena.llm.grammar.amounts import merge_amounts
from roboracer_arena.llm.grammar.claims import NAMES, Claim, Conflict, settle
from roboracer_arena.llm.grammar.features import FeatureFindings, read_features
from roboracer_arena.llm.grammar.language import Language, detect_language
from roboracer_arena.llm.grammar.lengths import LengthFindings, read_lengths
from roboracer_arena.llm.grammar.lexer import lex
from roboracer_arena.llm.grammar.naming import read_direction, take_name
from roboracer_arena.llm.grammar.text import clean, cut_model_talk, fold
from roboracer_arena.llm.grammar.tokens import FEATURE_OF, Kind, Token
from roboracer_arena.llm.grammar.unsupported import find_unsupported
from roboracer_arena.llm.protocol import (
    MAX_CHARACTERS,
    Parsed,
    ParseOutcome,
    ParserRecord,
    RefusalKind,
    Refused,
)

__all__ = ["MODEL_TALK_NOTE", "GrammarParser", "Prepared", "prepare", "refuse_size"]

_RECORD = ParserRecord(name="grammar")
MODEL_TALK_NOTE = (
    "a part of the request speaks to a program instead of describing a track; it was ignored"
)
"""Says that something was cut, without repeating it."""
_ON_TOPIC = {
    Kind.TRACK, Kind.LAP, Kind.LAPS, Kind.CORRIDOR, Kind.HALL, Kind.STRAIGHT, Kind.TURN,
    Kind.RADIUS, Kind.CW, Kind.CCW, *FEATURE_OF,
}  # fmt: skip
_OFF_TOPIC = re.compile(
    r"(?<!\w)(?:poem|recipe|essay|story|joke|song|lyrics|translate|capital of|password|homework"
    r"|python|javascript|source code|stock price|who (?:is|was|won)|what (?:is|was)"
    r"|when (?:is|was|did)|why (?:is|did|do)|how (?:do|does|did|many|much|fast|old))(?!\w)"
)


class _Stop(Exception):  # noqa: N818 - carries a refusal, not a fault
    """Ends the reading of a request with a refusal."""

    def __init__(self, kind: RefusalKind, reason: str, field: str | None = None) -> None:
        super().__init__(reason)
        self.kind, self.reason, self.field = kind, reason, field


@dataclass(frozen=True)
class Prepared:
    """A request that is ready to be read.

    Attributes:
        clean: The text with equal marks spelled alike, without speech to a model.
        folded: The same in lower case, equally long.
        cut: Whether speech to a model was taken out.
    """

    clean: str
    folded: str
    cut: bool


@dataclass
class _Reading:
    """What was found in one request."""

    tokens: list[Token]
    values: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class GrammarParser:
    """Reads requests by rules, in English, German, French and Chinese.

    It never guesses: what the text does not state stays None, and a text that it cannot read as
    one consistent wish is refused with the reason.
    """

    def __init__(self) -> None:
        # The tables take some 10 ms; a request itself takes less than one.
        detect_language("lap")
        lex("two hairpins, one m", "en")

    @property
    def record(self) -> ParserRecord:
        """Which parser this is."""
        return _RECORD

    def parse(self, text: str) -> ParseOutcome:
        """Read one request; see :class:`roboracer_arena.llm.protocol.SpecParser`."""
        try:
            return _parse(text)
        except _Stop as stop:
            return Refused(reason=stop.reason, kind=stop.kind, field=stop.field, parser=_RECORD)


def refuse_size(text: str, record: ParserRecord) -> Refused | None:
    """Refuse a request that is empty or longer than :data:`MAX_CHARACTERS`."""
    if not text.strip():
        reason = "the request is empty; describe the track, such as 'two hairpins, 45 m lap'"
        return Refused(reason=reason, kind="empty", parser=record)
    if len(text) > MAX_CHARACTERS:
        reason = (
            f"the request has {len(text)} characters, but at most {MAX_CHARACTERS} are read; "
            "shorten it to the wishes about the track"
        )
        return Refused(reason=reason, kind="too_long", parser=record)
    return None


def prepare(text: str) -> Prepared:
    """Clean a request and take out what speaks to a model."""
    cleaned, cut = cut_model_talk(clean(text))
    return Prepared(cleaned, fold(cleaned), cut)


def _parse(text: str) -> ParseOutcome:
    refused = refuse_size(text, _RECORD)
    if refused is not None:
        return refused
    prepared = prepare(text)
    if not any(character.isalnum() for character in prepared.folded):
        raise _Stop("off_topic", _nothing_said(prepared.cut))
    name, folded = take_name(prepared.clean, prepared.folded)
    language = _language(folded)
    reading = _Reading(merge_amounts(lex(folded, language)))
    if prepared.cut:
        reading.notes.append(MODEL_TALK_NOTE)
    if name:
        reading.values["name"] = name
    _refuse_unsupported(folded)
    _read(reading)
    _refuse_off_topic(reading, folded, language, cut=prepared.cut)
    spec = _specification(reading.values)
    return Parsed(spec=spec, stated=spec.stated(), notes=tuple(reading.notes), parser=_RECORD)


def _nothing_said(cut: bool) -> str:
    reason = "the text says nothing about a track"
    if cut:
        reason += " besides a part that speaks to a program"
    return f"{reason}; state a lap length, a hall, a width or features"


def _language(folded: str) -> Language:
    language = detect_language(folded)
    if language is None:
        raise _Stop(
            "language",
            "the language of the request is not understood; write it in English, German, French "
            "or Chinese, or use a language model with --parser ollama",
        )
    return language


def _refuse_unsupported(folded: str) -> None:
    wish = find_unsupported(folded)
    if wish is not None:
        raise _Stop(
            "unsupported",
            f"'{wish.words}' cannot be asked: {wish.what} are not supported; leave it out",
        )


def _read(reading: _Reading) -> None:
    """Fill the values of a reading, or stop with the reason."""
    tokens = reading.tokens
    direction = read_direction(tokens)
    if direction.conflict:
        raise _Stop(
            "contradiction",
            "the direction is contradictory: both clockwise and counter-clockwise are asked",
            "direction",
        )
    features = read_features(tokens)
    lengths = read_lengths(tokens, features.used)
    for unclear, name in ((features.unclear, "feature_order"), (lengths.unclear, "lap_length_m")):
        if unclear:
            raise _Stop("unclear", unclear, name)
    if lengths.refused:
        raise _Stop("unsupported", lengths.refused[1], lengths.refused[0])
    if direction.direction:
        reading.values["direction"] = direction.direction
    _settle(reading, [*features.claims, *lengths.claims])
    _order(reading, features)
    reading.notes += [note for note in (direction.note, *features.notes, *lengths.notes) if note]
    _closing_notes(reading, lengths)


def _settle(reading: _Reading, claims: list[Claim]) -> None:
    for name in dict.fromkeys(claim.field for claim in claims):
        own = [claim for claim in claims if claim.field == name]
        for claim in own:
            _refuse_impossible(claim)
        try:
            value, choice = settle(name, own)
        except Conflict as conflict:
            raise _Stop("contradiction", conflict.sentence(), name) from None
        counted = name.removesuffix("s") in FEATURES
        reading.values[name] = int(value) if counted else value
        if choice:
            reading.notes.append(f"{NAMES[name]}: {choice}")


def _refuse_impossible(claim: Claim) -> None:
    """Refuse numbers that no track can have, in plain words."""
    counted = claim.field.removesuffix("s") in FEATURES
    numbers = [value for value in (claim.low, claim.high) if math.isfinite(value)]
    zero = counted or claim.field in ("min_radius_m", "longest_straight_m")
    for value in numbers:
        if value < 0.0 or (value == 0.0 and not zero):
            least = "zero or more" if zero else "positive"
            reason = (
                f"the {NAMES[claim.field]} must be {least}, but '{claim.text}' asks for {value:g}"
            )
            raise _Stop("impossible", reason, claim.field)
        if counted and value != int(value):
            reason = f"the {NAMES[claim.field]} must be a whole number, not {value:g}"
            raise _Stop("impossible", reason, claim.field)


def _order(reading: _Reading, features: FeatureFindings) -> None:
    if not features.order:
        return
    for feature in FEATURES:
        listed, count = features.order.count(feature), reading.values.get(f"{feature}s")
        if count is not None and listed > count:
            raise _Stop(
                "contradiction",
                f"the order names {listed} x {feature}, but the number of {feature}s is {count}; "
                "make the two agree",
                "feature_order",
            )
    reading.values["feature_order"] = features.order


def _closing_notes(reading: _Reading, lengths: LengthFindings) -> None:
    if lengths.unitless:
        reading.notes.append("numbers without a unit were taken as metres")
    tokens = reading.tokens
    if any(
        token.kind is Kind.TURN and i > 0 and tokens[i - 1].kind is Kind.AMOUNT
        for i, token in enumerate(tokens)
    ):
        reading.notes.append("a number of plain corners cannot be asked and was left out")
    if lengths.ignored:
        shown = ", ".join(dict.fromkeys(lengths.ignored))
        reading.notes.append(f"not taken as a property of the track: {shown}")


def _refuse_off_topic(reading: _Reading, folded: str, language: Language, *, cut: bool) -> None:
    """Refuse a text that states nothing and does not even speak of a track."""
    if set(reading.values) - {"name"}:
        return
    tokens = reading.tokens
    speaks = any(token.kind in _ON_TOPIC for token in tokens)
    strange = sum(token.kind is Kind.UNKNOWN for token in tokens)
    if speaks and not _OFF_TOPIC.search(folded) and strange <= max(4, 0.5 * len(tokens)):
        return
    if language == "zh" and strange > 0.5 * len(tokens):
        raise _Stop("language", "the text is not understood as a request in Chinese; use English")
    raise _Stop("off_topic", _nothing_said(cut))


def _specification(values: dict[str, Any]) -> TrackSpec:
    try:
        return parse_spec(json.dumps(values), where="request")
    except InputError as error:
        named = next((name for name in values if name in error.message), None)
        raise _Stop("impossible", error.message, named) from error
