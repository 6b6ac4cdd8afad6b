"""Which field a length or a pair of sides belongs to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from roboracer_arena.llm.grammar.claims import Claim
from roboracer_arena.llm.grammar.targets import (
    ADJECTIVES,
    CLAUSE_ENDS,
    FILLERS,
    LOOSE,
    NOUNS,
    find_target,
    left_target,
    opens_statement,
    second_bound,
    skip,
    skip_back,
)
from roboracer_arena.llm.grammar.tokens import FEATURE_OF, Amount, Kind, Token

__all__ = ["LengthFindings", "read_lengths"]

_HARMLESS = LOOSE | ADJECTIVES | FILLERS | set(FEATURE_OF) | {
    Kind.TRACK, Kind.LAP, Kind.CW, Kind.CCW, Kind.AMOUNT, Kind.PAIR, Kind.COUPLE, Kind.VAGUE,
    Kind.OR_MORE, Kind.OR_LESS, Kind.THEN, Kind.ANOTHER, Kind.FROM,
    Kind.ORDER, Kind.NO_ORDER, Kind.EITHER,
}  # fmt: skip
_SHORTEST_ALONE = 5.0
"""Shorter lengths without a name [m] are more likely a width or a radius than a lap."""


@dataclass
class LengthFindings:
    """What was read about lengths."""

    claims: list[Claim] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    """Amounts that belong to no field, as written."""
    unitless: bool = False
    """Whether metres were assumed somewhere."""
    unclear: str = ""
    refused: tuple[str, str] | None = None
    """Field and reason of a wish that no field can hold."""


def read_lengths(tokens: Sequence[Token], used: set[int]) -> LengthFindings:
    """Read lengths, widths, radii and halls.

    Args:
        tokens: Tokens with merged amounts.
        used: Indices of amounts that are counts of features.
    """
    findings = LengthFindings()
    taken: set[int] = set()
    bare: list[int] = []
    sides: list[tuple[Kind, Claim]] = []
    amounts = [i for i, token in enumerate(tokens)
               if token.kind in (Kind.AMOUNT, Kind.PAIR) and i not in used]  # fmt: skip
    fields: dict[int, str] = {}
    has_pair = any(tokens[i].kind is Kind.PAIR for i in amounts)
    for i in amounts:
        if tokens[i].kind is Kind.PAIR:
            _read_pair(tokens, i, taken, findings)
            continue
        target = find_target(tokens, i, taken, hall_known=has_pair) or second_bound(
            tokens, i, fields
        )
        if target is not None:
            fields[i] = target.field
        if target is None:
            bare.append(i)
        elif target.field == "ignored":
            _ignore(tokens, i, findings)
        elif target.field == "hall":
            side = target.side or Kind.SQUARE
            sides.append((side, _claim(tokens, i, "hall_x_m", findings)))
        else:
            findings.claims.append(_claim(tokens, i, target.field, findings))
        if target is not None and target.noun is not None:
            taken.add(target.noun)
    _settle_hall(sides, findings)
    _settle_bare(tokens, bare, findings)
    return findings


def _ignore(tokens: Sequence[Token], i: int, findings: LengthFindings) -> None:
    if tokens[i].kind is Kind.PAIR or tokens[i].amounts[0].unit or tokens[i].amounts[0].low != 1.0:
        findings.ignored.append(tokens[i].text)


def _read_pair(tokens: Sequence[Token], i: int, taken: set[int], findings: LengthFindings) -> None:
    right = skip(tokens, i + 1, {Kind.HYPHEN, Kind.ADJECTIVE})
    following = tokens[right].kind if right < len(tokens) else None
    further = tokens[right + 1].kind if right + 1 < len(tokens) else None
    left = left_target(tokens, i, taken, LOOSE)
    foreign = following in (Kind.OTHER, Kind.UNKNOWN, Kind.AWAY) and further is not Kind.HALL
    if (foreign and not (left and left.field == "hall")) or (left and left.field == "ignored"):
        _ignore(tokens, i, findings)
        return
    if following is Kind.HALL:
        taken.add(right)
    elif left is not None and left.noun is not None and left.field == "hall":
        taken.add(left.noun)
    for name, amount in zip(("hall_x_m", "hall_y_m"), tokens[i].amounts, strict=True):
        _assume_metres(amount, findings)
        findings.claims.append(_bounded(tokens, i, name, amount))


def _settle_hall(sides: list[tuple[Kind, Claim]], findings: LengthFindings) -> None:
    """Give single sides of the hall to x and y: the long one is x."""
    kinds = {kind for kind, _ in sides}
    if any(claim.field == "hall_x_m" for claim in findings.claims):
        kinds.add(Kind.LONG)
    y_kind = Kind.WIDE if Kind.LONG in kinds else Kind.DEEP
    for kind, claim in sides:
        if kind is Kind.SQUARE:
            findings.claims += [claim, _moved(claim, "hall_y_m")]
            findings.notes.append(f"'{claim.text}' was taken for both sides of the hall")
        elif kind is y_kind:
            findings.claims.append(_moved(claim, "hall_y_m"))
        else:
            findings.claims.append(claim)
    stated = {claim.field for claim in findings.claims}
    if len(stated & {"hall_x_m", "hall_y_m"}) == 1:
        findings.notes.append("only one side of the hall is stated")


def _moved(claim: Claim, name: str) -> Claim:
    return Claim(name, claim.low, claim.high, claim.text, claim.choice)


# ---------------------------------------------------------------- claims


def _claim(tokens: Sequence[Token], i: int, name: str, findings: LengthFindings) -> Claim:
    amount = tokens[i].amounts[0]
    _assume_metres(amount, findings)
    claim = _bounded(tokens, i, name, amount)
    if name == "min_radius_m":
        return _radius(tokens, i, claim, findings)
    capped = math.isinf(claim.low) and not math.isinf(claim.high)
    if name == "longest_straight_m" and (capped or _ruled_out(tokens, i)):
        findings.refused = (name, (
            f"'{claim.text}' limits the straights from above, which cannot be asked; the longest "
            "straight is a length that must at least be reached"
        ))  # fmt: skip
    return claim


def _ruled_out(tokens: Sequence[Token], i: int) -> bool:
    """Tell whether "no" stands before the straight of an amount: "no straight over 6 m"."""
    at = i - 1
    while at >= 0 and tokens[at].kind is not Kind.STRAIGHT:
        if tokens[at].kind in CLAUSE_ENDS:
            return False
        at -= 1
    at = skip_back(tokens, at - 1, {Kind.ADJECTIVE, Kind.ARTICLE, Kind.STOP})
    return at >= 0 and tokens[at].kind is Kind.NONE


def _assume_metres(amount: Amount, findings: LengthFindings) -> None:
    findings.unitless = findings.unitless or not amount.unit


def _bounded(tokens: Sequence[Token], i: int, name: str, amount: Amount) -> Claim:
    """Return the statement with the bound that stands around the amount."""
    first, bound = _bound(tokens, i)
    text = " ".join(token.text for token in tokens[first : i + 1]).lstrip(":=- ")
    if amount.low != amount.high:
        return Claim(name, amount.low, amount.high, text)
    if bound is Kind.MIN:
        return Claim(name, amount.low, math.inf, text)
    if bound is Kind.MAX:
        return Claim(name, -math.inf, amount.high, text)
    choice = amount.choice
    if bound is Kind.ABOUT:
        choice = f"'{text}' was taken as {amount.low:.6g} m"
    elif choice:
        choice = f"'{text}' was taken as {choice}"
    return Claim(name, amount.low, amount.high, text, choice)


_EXACTLY = ("exactly", "precisely", "just", "only", "genau", "exactement")
_BEFORE_AMOUNT = {Kind.COLON, Kind.OF, Kind.IS, Kind.ARTICLE, Kind.HYPHEN, *NOUNS, Kind.ABOUT,
                  Kind.LENGTH, Kind.ADJECTIVE, Kind.THE, Kind.MIN, Kind.MAX}  # fmt: skip


def _bound(tokens: Sequence[Token], i: int) -> tuple[int, Kind | None]:
    """Return where the statement begins, and MIN, MAX or ABOUT where one applies."""
    first, found = _bound_before(tokens, i)
    if found in (Kind.MIN, Kind.MAX):
        return first, found
    return first, _bound_behind(tokens, i) or found


def _bound_before(tokens: Sequence[Token], i: int) -> tuple[int, Kind | None]:
    """Look for "at least", "minimum width of", "not longer than", "about" before an amount."""
    found: Kind | None = None
    first, nouns = i, 0
    for at in range(i - 1, -1, -1):
        kind = tokens[at].kind
        nouns += kind in NOUNS
        beyond = nouns > 1 or (nouns and kind in (Kind.OF, Kind.COLON, Kind.IS))
        if kind not in _BEFORE_AMOUNT or beyond:
            break
        if kind in (Kind.MIN, Kind.MAX):
            other = Kind.MAX if kind is Kind.MIN else Kind.MIN
            return at, other if _turned_round(tokens, at) else kind
        if kind is Kind.ABOUT and tokens[at].text not in _EXACTLY:
            found = Kind.ABOUT
        if kind not in (Kind.THE, Kind.ARTICLE):
            first = at
    return first, found


def _bound_behind(tokens: Sequence[Token], i: int) -> Kind | None:
    """Look for "or more", "max", "or so" behind an amount."""
    at = i + 1
    if at < len(tokens) and tokens[at].kind in ADJECTIVES:
        at += 1
    if at >= len(tokens):
        return None
    kind = tokens[at].kind
    if kind in (Kind.OR_MORE, Kind.OR_LESS):
        return Kind.MIN if kind is Kind.OR_MORE else Kind.MAX
    if kind in (Kind.MIN, Kind.MAX):
        return None if opens_statement(tokens, at) else kind
    loose = kind is Kind.ABOUT and tokens[at].text not in _EXACTLY
    return Kind.ABOUT if loose and not opens_statement(tokens, at) else None


def _turned_round(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "not" stands before a comparison: "must not be longer than 60 m"."""
    if not tokens[at].text.endswith(("than", "below", "above", "over", "under", "exceeding")):
        return False
    before = skip_back(tokens, at - 1, {Kind.IS, Kind.STOP, Kind.ARTICLE})
    return before >= 0 and tokens[before].kind is Kind.NONE


def _radius(tokens: Sequence[Token], i: int, claim: Claim, findings: LengthFindings) -> Claim:
    """Read a radius as the least one; "no turn tighter than 1 m" says the same."""
    clause = range(max(0, i - 8), i)
    negated = any(tokens[k].kind is Kind.NONE for k in clause)
    tighter = any(tokens[k].kind is Kind.TIGHTER for k in clause)
    capped = math.isinf(claim.low) and not math.isinf(claim.high)
    if (tighter and not negated) or (capped and not negated):
        findings.refused = ("min_radius_m", (
            f"'{claim.text}' limits the radius from above, which cannot be asked; only a smallest "
            "radius can be"
        ))  # fmt: skip
    value = claim.high if capped else claim.low
    choice = f"'{claim.text}' was taken as {value:.6g} m" if claim.low < claim.high and not (
        capped or math.isinf(claim.high)) else claim.choice  # fmt: skip
    return Claim("min_radius_m", value, value, claim.text, choice)


def _settle_bare(tokens: Sequence[Token], bare: list[int], findings: LengthFindings) -> None:
    """Take a length that stands alone ("47 m") as the lap, unless the lap is stated."""
    candidates = []
    for i in bare:
        if _stands_alone(tokens, i) and not 0.0 <= tokens[i].amounts[0].low < _SHORTEST_ALONE:
            candidates.append(i)
        else:
            _ignore(tokens, i, findings)
    stated = any(claim.field == "lap_length_m" for claim in findings.claims)
    values = {tokens[i].amounts[0].low for i in candidates}
    if stated or not candidates:
        findings.ignored += [tokens[i].text for i in candidates]
    elif len(values) > 1:
        texts = " and ".join(f"'{tokens[i].text}'" for i in candidates)
        findings.unclear = f"it is not said what {texts} are; name the lap, the width or the hall"
    else:
        claim = _bounded(tokens, candidates[0], "lap_length_m", tokens[candidates[0]].amounts[0])
        findings.claims.append(claim)
        findings.notes.append(f"'{tokens[candidates[0]].text}' alone was taken as the lap length")


def _stands_alone(tokens: Sequence[Token], i: int) -> bool:
    """Tell whether the clause around an amount names nothing else that could be as long."""
    for step in (-1, 1):
        at = i + step
        while 0 <= at < len(tokens) and tokens[at].kind not in CLAUSE_ENDS:
            if tokens[at].kind not in _HARMLESS:
                return False
            at += step
    return True
