"""What an amount describes: the noun or adjective beside it decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roboracer_arena.llm.grammar.tokens import FEATURE_OF, Kind, Token

__all__ = [
    "ADJECTIVES",
    "CLAUSE_ENDS",
    "FILLERS",
    "LOOSE",
    "NOUNS",
    "Target",
    "find_target",
    "left_target",
    "opens_statement",
    "second_bound",
    "skip",
    "skip_back",
]

NOUNS = {
    Kind.LAP: "lap_length_m", Kind.LAPS: "lap_length_m", Kind.TRACK: "lap_length_m",
    Kind.WIDTH: "corridor_width_m", Kind.CORRIDOR: "corridor_width_m", Kind.HALL: "hall",
    Kind.HALL_X: "hall_x_m", Kind.HALL_Y: "hall_y_m", Kind.RADIUS: "min_radius_m",
    Kind.STRAIGHT: "longest_straight_m", Kind.TIGHTER: "min_radius_m",
}  # fmt: skip
ADJECTIVES = {Kind.LONG, Kind.WIDE, Kind.DEEP}
TIGHT = {Kind.COLON, Kind.ABOUT, Kind.MIN, Kind.MAX, Kind.OF, Kind.IS, Kind.BETWEEN, Kind.FROM}
LOOSE = TIGHT | {
    Kind.ARTICLE, Kind.THE, Kind.WITH, Kind.STOP, Kind.ADJECTIVE, Kind.CODE, Kind.NONE, Kind.HYPHEN,
    Kind.NUMBER_OF, Kind.LENGTH, Kind.SQUARE,
}  # fmt: skip
FILLERS = {Kind.HYPHEN, Kind.MIN, Kind.MAX, Kind.OR_MORE, Kind.OR_LESS, Kind.ABOUT}
CLAUSE_ENDS = {
    Kind.COMMA, Kind.SENTENCE_END, Kind.BRACKET, Kind.COLON, Kind.AND, Kind.BUT, Kind.PREPOSITION,
    Kind.WITH,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """A field, or a side of the hall that is told by an adjective."""

    field: str
    side: Kind | None = None
    noun: int | None = None


def find_target(
    tokens: Sequence[Token], i: int, taken: set[int], *, hall_known: bool
) -> Target | None:
    """Return what an amount describes; None where nothing near it says so."""
    unit = tokens[i].amounts[0].unit
    right = skip(tokens, i + 1, FILLERS)
    following = tokens[right].kind if right < len(tokens) else None
    if following is Kind.AWAY or (following in FEATURE_OF and unit and not _left_noun(tokens, i)):
        return Target("ignored")
    if following in ADJECTIVES and (unit or following is not Kind.DEEP):
        return _by_adjective(tokens, i, right, hall_known=hall_known)
    left = left_target(tokens, i, taken, TIGHT)
    if not unit:
        return _without_unit(tokens, i, left, following)
    weak = left is not None and (
        left.field == "hall" or tokens[left.noun or 0].kind is Kind.TRACK
    )  # "in the hall 60 m lap", "the track 1.2 m corridor": the noun behind says more
    if left is not None and not (weak and following in NOUNS):
        return left
    near = _right_noun(tokens, right, taken)
    if near is not None:
        return near
    left = left_target(tokens, i, taken, LOOSE)
    return left or _right_loose(tokens, right, taken)


def second_bound(tokens: Sequence[Token], i: int, fields: dict[int, str]) -> Target | None:
    """Return the field of "at most 80 m" in "a lap of at least 60 m but at most 80 m"."""
    if i < 3 or tokens[i - 1].kind not in (Kind.MIN, Kind.MAX):
        return None
    at = skip_back(tokens, i - 2, {Kind.AND, Kind.BUT, Kind.COMMA, *ADJECTIVES})
    return Target(fields[at]) if at in fields and at < i - 2 else None


def _without_unit(
    tokens: Sequence[Token], i: int, left: Target | None, following: Kind | None
) -> Target:
    """Accept a number without a unit only right behind the name of its field."""
    counted = following in (Kind.UNKNOWN, Kind.OTHER, Kind.CODE, Kind.TURN, Kind.TRACK, Kind.LAPS)
    if left is None or counted or following in FEATURE_OF or left.field in ("hall", "ignored"):
        return Target("ignored")
    noun = tokens[left.noun or 0].kind
    if noun is Kind.TRACK and not _joined(tokens, left.noun or 0, i):
        return Target("ignored")
    return left


def _joined(tokens: Sequence[Token], noun: int, i: int) -> bool:
    """Tell whether "of", "is" or a colon joins a noun and a number."""
    return any(token.kind in (Kind.OF, Kind.IS, Kind.COLON) for token in tokens[noun + 1 : i])


def skip(tokens: Sequence[Token], i: int, kinds: set[Kind]) -> int:
    """Return the first index from ``i`` on whose token is none of ``kinds``."""
    while i < len(tokens) and tokens[i].kind in kinds:
        # "50 m, minimum radius 1 m": a bound before a noun belongs to that noun.
        if tokens[i].kind in (Kind.MIN, Kind.MAX) and opens_statement(tokens, i):
            break
        i += 1
    return i


def opens_statement(tokens: Sequence[Token], i: int) -> bool:
    """Tell whether a bound at ``i`` belongs to what follows ("minimum radius", "at least 2")."""
    following = tokens[i + 1].kind if i + 1 < len(tokens) else None
    return following in NOUNS or following in (Kind.AMOUNT, Kind.PAIR) or following in FEATURE_OF


def _left_noun(tokens: Sequence[Token], i: int) -> bool:
    return left_target(tokens, i, set(), LOOSE) is not None


def left_target(
    tokens: Sequence[Token], i: int, taken: set[int], skipped: set[Kind]
) -> Target | None:
    """Return the noun before an amount: "lap of 50 m", "width: 1.2 m", "no turn tighter than"."""
    at = i - 1
    while at >= 0 and (tokens[at].kind in skipped or tokens[at].text == "("):
        if tokens[at].hint in ADJECTIVES:
            break
        at -= 1
    if at < 0 or at in taken:
        return None
    token = tokens[at]
    if any(item.text in ("was", "were") for item in tokens[at + 1 : i]):  # of another track
        return Target("ignored")
    if token.hint in ADJECTIVES:
        return _by_comparison(tokens, at)
    if token.kind is Kind.UNKNOWN and skipped is LOOSE and _copula(tokens, at, i):
        return Target("ignored")
    match token.kind:
        case Kind.OTHER:
            return Target("ignored", noun=at)
        case Kind.WIDTH | Kind.LENGTH:
            return _by_property(tokens, at)
        case Kind.HALL:
            return _by_hall(tokens, at, i)
        case _:
            return Target(NOUNS[token.kind], noun=at) if token.kind in NOUNS else None


def _by_comparison(tokens: Sequence[Token], at: int) -> Target:
    """Resolve "wider than" and "longer than"."""
    if tokens[at].hint is Kind.WIDE:
        return Target("corridor_width_m", noun=at)
    straight = _subject(tokens, at, hall_known=True) == "straight"
    return Target("longest_straight_m" if straight else "lap_length_m", noun=at)


def _by_hall(tokens: Sequence[Token], at: int, i: int) -> Target:
    """Resolve "width of the hall", "square hall of" and a hall with one side."""
    before = skip_back(tokens, at - 1, {Kind.THE, Kind.OF, Kind.ARTICLE, Kind.ADJECTIVE})
    kind = tokens[before].kind if before >= 0 else None
    if kind in (Kind.WIDTH, Kind.LENGTH) and before < at - 1:
        return Target("hall", Kind.WIDE if kind is Kind.WIDTH else Kind.LONG, at)
    square = any(item.kind is Kind.SQUARE for item in tokens[max(0, at - 1) : i])
    return Target("hall", Kind.SQUARE if square else Kind.LONG, at)


def _copula(tokens: Sequence[Token], noun: int, i: int) -> bool:
    return any(token.kind in (Kind.IS, Kind.OF) for token in tokens[noun + 1 : i])


def skip_back(tokens: Sequence[Token], i: int, kinds: set[Kind]) -> int:
    """Return the last index up to ``i`` whose token is none of ``kinds``; -1 for none."""
    while i >= 0 and tokens[i].kind in kinds:
        i -= 1
    return i


def _by_property(tokens: Sequence[Token], at: int) -> Target:
    """Resolve "width" or "length" by the noun before it: "hall width", "straight length"."""
    width = tokens[at].kind is Kind.WIDTH
    before = tokens[at - 1].kind if at > 0 else None
    if before is Kind.HALL or _belongs_to_hall(tokens, at):
        return Target("hall", Kind.WIDE if width else Kind.LONG, at)
    if before is Kind.OTHER:
        return Target("ignored", noun=at)
    if not width and before is Kind.STRAIGHT:
        return Target("longest_straight_m", noun=at)
    return Target("corridor_width_m" if width else "lap_length_m", noun=at)


def _belongs_to_hall(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a property is listed for the hall: "room: length 18 m, width 12 m"."""
    joints = {Kind.COLON, Kind.WITH, Kind.IS, Kind.OF}
    listed = joints | {Kind.COMMA, Kind.AND, Kind.AMOUNT, Kind.WIDTH, Kind.LENGTH, Kind.ARTICLE}
    hall = skip_back(tokens, at - 1, listed)
    return 0 <= hall < at - 1 and tokens[hall].kind is Kind.HALL and tokens[hall + 1].kind in joints


def _right_noun(tokens: Sequence[Token], right: int, taken: set[int]) -> Target | None:
    """Return the noun behind an amount: "50 m lap", "1.2 m wide corridor", "20 m hall width"."""
    at = skip(tokens, right, {Kind.ADJECTIVE, Kind.HYPHEN})
    if at + 1 < len(tokens) and tokens[at].kind is Kind.UNKNOWN and tokens[at + 1].kind in NOUNS:
        at += 1
    if at >= len(tokens):
        return None
    token = tokens[at]
    if token.kind in (Kind.OTHER, Kind.UNKNOWN):
        return Target("ignored", noun=at)
    following = tokens[at + 1].kind if at + 1 < len(tokens) else None
    if token.kind is Kind.HALL:
        side = {Kind.WIDTH: Kind.WIDE, Kind.LENGTH: Kind.LONG}.get(
            following or Kind.HALL, Kind.LONG
        )
        return Target("hall", side, at)
    if token.kind is Kind.SQUARE and following is Kind.HALL:
        return Target("hall", Kind.SQUARE, at + 1)
    if token.kind is Kind.TRACK and following is Kind.WIDTH:
        return Target("corridor_width_m", noun=at + 1)
    if token.kind is Kind.LENGTH:
        return Target("lap_length_m", noun=at)
    return Target(NOUNS[token.kind], noun=at) if token.kind in NOUNS else None


def _right_loose(tokens: Sequence[Token], right: int, taken: set[int]) -> Target | None:
    """Return the noun of "50 m for the lap" or "1.4 m of width"."""
    if right >= len(tokens) or tokens[right].kind not in (Kind.PREPOSITION, Kind.OF, Kind.THE):
        return None
    if tokens[right].kind is Kind.PREPOSITION and tokens[right].text not in ("for", "as", "für",
                                                                            "pour"):  # fmt: skip
        return None
    at = skip(tokens, right, {Kind.PREPOSITION, Kind.OF, Kind.THE, Kind.ARTICLE, Kind.ADJECTIVE})
    if at >= len(tokens) or tokens[at].kind not in NOUNS or at in taken:
        return None
    if tokens[at].kind is Kind.HALL:
        return None
    return Target(NOUNS[tokens[at].kind], noun=at)


def _by_adjective(tokens: Sequence[Token], i: int, adjective: int, *, hall_known: bool) -> Target:
    """Resolve "20 m long" and "1.4 m wide" by what is long or wide."""
    kind = tokens[adjective].kind
    at = skip(tokens, adjective + 1, {Kind.HYPHEN, Kind.ADJECTIVE})
    noun = {Kind.HALL: "hall", Kind.STRAIGHT: "straight", Kind.OTHER: "other", Kind.LAP: "track",
            Kind.TRACK: "track", Kind.CORRIDOR: "track"}  # fmt: skip
    subject = noun.get(tokens[at].kind) if at < len(tokens) else None
    if subject is None:
        subject = _subject(tokens, i, hall_known=hall_known)
    if subject == "other":
        return Target("ignored")
    if subject == "hall":
        return Target("hall", kind)
    if kind is Kind.DEEP:
        return Target("hall", Kind.DEEP)
    if kind is Kind.WIDE:
        return Target("corridor_width_m")
    return Target("longest_straight_m" if subject == "straight" else "lap_length_m")


def _subject(tokens: Sequence[Token], i: int, *, hall_known: bool) -> str:
    """Return what the sentence speaks of before an amount: hall, straight, track or other."""
    names = {Kind.HALL: "hall", Kind.TRACK: "track", Kind.LAP: "track", Kind.CORRIDOR: "track",
             Kind.STRAIGHT: "straight", Kind.OTHER: "other"}  # fmt: skip
    passed = False
    for at in range(i - 1, -1, -1):
        kind = tokens[at].kind
        if kind is Kind.SENTENCE_END:
            break
        passed = passed or kind in (Kind.COMMA, Kind.BRACKET)
        if kind is Kind.UNKNOWN and not passed and tokens[at + 1].kind in TIGHT | {Kind.AMOUNT}:
            return "other"
        name = names.get(kind)
        if name == "hall" and hall_known:
            continue
        if name in ("straight", "other") and passed:
            continue
        if name is not None:
            return name
    return "track"
