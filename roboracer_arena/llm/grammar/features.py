"""How many hairpins, chicanes and sweepers, and in which order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from roboracer_arena.generate.spec import FEATURES, Feature
from roboracer_arena.llm.grammar.claims import Claim
from roboracer_arena.llm.grammar.tokens import BREAKS, FEATURE_OF, Kind, Token

__all__ = ["FeatureFindings", "Mention", "read_features"]

# What may stand between a number and its feature ("two nice tight hairpins").
_BETWEEN = frozenset(
    {Kind.ADJECTIVE, Kind.HYPHEN, Kind.MEASURE_WORD, Kind.STOP, Kind.SQUARE, Kind.WIDE, Kind.LONG,
     Kind.AWAY, Kind.FREE}
)  # fmt: skip
_AFTER_FEATURE = frozenset({Kind.COLON, Kind.IS, Kind.BRACKET, Kind.BY, Kind.NUMBER_OF})
_LISTING = _BETWEEN | {
    Kind.COMMA, Kind.AND, Kind.OR, Kind.BRACKET, Kind.AMOUNT, Kind.ARTICLE, Kind.ANOTHER,
    Kind.COUPLE, Kind.THE, Kind.DOUBLE, Kind.ABOUT, Kind.WITH, Kind.MIN, Kind.MAX,
}  # fmt: skip
_COUNTED = ("number", "article", "another", "bare", "the")
"""Determiners of a mention in an order that stand for a number of features."""
_ENDS = BREAKS | {Kind.AND, Kind.OR, Kind.BUT, Kind.THEN, Kind.BEFORE, Kind.AFTER}


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a feature is named.

    Attributes:
        feature: Which one.
        at: Index of its token.
        low: Least number that is stated here; None where none is.
        high: Largest number that is stated here.
        how: ``number``, ``article``, ``another``, ``bare``, ``the``,
            ``the many``, ``vague``, ``none``,
            ``plural``.
        text: What stands in the request.
        choice: What was chosen where the text leaves it open.
    """

    feature: Feature
    at: int
    low: float | None
    high: float | None
    how: str
    text: str
    choice: str = ""


@dataclass
class FeatureFindings:
    """What was read about features."""

    claims: list[Claim] = field(default_factory=list)
    order: tuple[Feature, ...] = ()
    notes: list[str] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    """Indices of tokens that were taken as counts."""
    unclear: str = ""
    """Why the order cannot be told, or an empty string."""


def read_features(tokens: Sequence[Token]) -> FeatureFindings:
    """Read counts and order from the tokens of a request."""
    findings = FeatureFindings()
    mentions = [_mention(tokens, i, findings.used) for i in range(len(tokens))
                if tokens[i].kind in FEATURE_OF]  # fmt: skip
    mentions = _spread_negation(tokens, mentions)
    runs = [] if _has(tokens, Kind.NO_ORDER) else _ordered_runs(tokens, mentions)
    chained = {mention.at for run in runs for mention in run}
    for feature in FEATURES:
        _count(feature, mentions, chained, findings)
    if len(runs) > 1:
        findings.unclear = "several orders of features are stated; state one list"
    if runs:
        findings.order = tuple(name for mention in runs[0] for name in _repeated(mention))
    return findings


def _has(tokens: Sequence[Token], kind: Kind) -> bool:
    return any(token.kind is kind for token in tokens)


def _mention(tokens: Sequence[Token], at: int, used: set[int]) -> Mention:
    """Find the determiner of one feature, before it or behind it."""
    i, factor = at - 1, 1.0
    while i >= 0 and tokens[i].kind in _BETWEEN | {Kind.DOUBLE, Kind.TRIPLE}:
        factor *= {Kind.DOUBLE: 2.0, Kind.TRIPLE: 3.0}.get(tokens[i].kind, 1.0)
        i -= 1
    before = tokens[i].kind if i >= 0 else None
    if _free_behind(tokens, at) or _refused_behind(tokens, at):
        return _made(tokens, at, at + 1, "none", 0.0)
    count = i if before is Kind.AMOUNT else i - 1 if before is Kind.BY else -1  # "2x hairpin"
    if not _is_count(tokens, count, used) and before not in (Kind.COUPLE, Kind.NONE):
        count = _count_behind(tokens, at, used)
    if _is_count(tokens, count, used):
        used.add(count)
        return _counted(tokens, at, count, factor)
    if factor > 1.0:
        return _made(tokens, at, i + 1, "number", factor, f"taken as {factor:g}")
    return _by_word(tokens, at, i)


def _is_count(tokens: Sequence[Token], i: int, used: set[int]) -> bool:
    if i < 0 or i in used or tokens[i].kind is not Kind.AMOUNT:
        return False
    return not tokens[i].amounts[0].unit


def _by_word(tokens: Sequence[Token], at: int, i: int) -> Mention:
    """Read a determiner that is no number: "a", "no", "some", "another", "the", or none."""
    plural = tokens[at].plural
    match tokens[i].kind if i >= 0 else None:
        case Kind.COUPLE:
            return _made(tokens, at, i, "number", 2.0, "a couple was taken as 2")
        case Kind.NONE:
            return _made(tokens, at, i, "none", 0.0)
        case Kind.VAGUE:
            return _made(tokens, at, i, "vague", None)
        case Kind.ANOTHER:
            return _made(tokens, at, i, "another", 1.0)
        case Kind.THE if i > 0 and tokens[i - 1].kind is Kind.NONE:  # "skip the chicanes"
            return _made(tokens, at, i - 1, "none", 0.0)
        case Kind.THE:
            return _made(tokens, at, i, "the many" if plural else "the", None)
        case Kind.ARTICLE if not plural:
            return _made(tokens, at, i, "article", 1.0)
        case _:
            return _made(tokens, at, at, "plural" if plural else "bare", None)


def _made(
    tokens: Sequence[Token], at: int, first: int, how: str, number: float | None, choice: str = ""
) -> Mention:
    low, end = min(at, first), max(at, first)
    text = " ".join(token.text for token in tokens[low : end + 1])
    return Mention(FEATURE_OF[tokens[at].kind], at, number, number, how, text, choice)


def _counted(tokens: Sequence[Token], at: int, i: int, factor: float) -> Mention:
    amount = tokens[i].amounts[0]
    low, high, choice = amount.low * factor, amount.high * factor, amount.choice
    bound = i - 1
    while bound >= 0 and tokens[bound].kind in (Kind.ABOUT, Kind.OF, Kind.IS, Kind.ARTICLE):
        bound -= 1
    kind = tokens[bound].kind if bound >= 0 else None
    behind = tokens[i + 1].kind if i + 1 < len(tokens) else None
    first = i
    if low == high and (kind is Kind.MIN or behind is Kind.OR_MORE):
        strict = kind is Kind.MIN and tokens[bound].text in ("more than", "over", "mehr als")
        low, high, first = low + strict, math.inf, bound if kind is Kind.MIN else i
    elif low == high and (kind is Kind.MAX or behind is Kind.OR_LESS):
        strict = kind is Kind.MAX and tokens[bound].text in ("less than", "fewer than", "under")
        low, high, first = -math.inf, high - strict, bound if kind is Kind.MAX else i
    mention = _made(tokens, at, first, "number", low, "" if choice == "range" else choice)
    return replace(mention, high=high)


def _free_behind(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "free" follows: "hairpin-free"."""
    i = at + 1
    while i < len(tokens) and tokens[i].kind is Kind.HYPHEN:
        i += 1
    return i < len(tokens) and tokens[i].kind is Kind.FREE


def _refused_behind(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "none", "not wanted" or "forbidden" follows: "hairpins: none"."""
    i = at + 1
    passed = False
    while i < len(tokens) and tokens[i].kind in (Kind.COLON, Kind.IS):
        i, passed = i + 1, True
    if not passed or i >= len(tokens) or tokens[i].kind is not Kind.NONE:
        return False
    following = tokens[i + 1].kind if i + 1 < len(tokens) else None
    return following is None or following in _ENDS or tokens[i + 1].kind is Kind.STOP


def _count_behind(tokens: Sequence[Token], at: int, used: set[int]) -> int:
    """Return where a number follows ("hairpins: 2", "hairpins x2", "hairpins (2)"), or -1."""
    i = at + 1
    marked = at > 0 and tokens[at - 1].kind is Kind.NUMBER_OF
    while i < len(tokens) and tokens[i].kind in _AFTER_FEATURE:
        marked, i = True, i + 1
    if i >= len(tokens) or tokens[i].kind is not Kind.AMOUNT or i in used:
        return -1
    if tokens[i].amounts[0].unit:
        return -1
    following = tokens[i + 1].kind if i + 1 < len(tokens) else None
    if following is None or following in _ENDS:
        return i
    return i if marked and following not in FEATURE_OF else -1


def _spread_negation(tokens: Sequence[Token], mentions: list[Mention]) -> list[Mention]:
    """Let "no hairpins or chicanes" and "without hairpins and chicanes" hold for the whole list."""
    out: list[Mention] = []
    for mention in mentions:
        previous = out[-1] if out else None
        loose = mention.how in ("plural", "bare", "article")
        if previous is not None and previous.how == "none" and loose:
            between = {token.kind for token in tokens[previous.at + 1 : mention.at]}
            simple = between <= {Kind.COMMA, Kind.OR, Kind.AND, Kind.ADJECTIVE, Kind.ARTICLE}
            joined = Kind.OR in between or (Kind.AND in between and mention.how != "article")
            listed = between == {Kind.COMMA} and _list_goes_on(tokens, mention.at)
            if simple and (joined or listed):
                text = f"{previous.text} ... {mention.text}"
                mention = Mention(mention.feature, mention.at, 0.0, 0.0, "none", text)
        out.append(mention)
    return out


def _list_goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "or", "and" or "nor" and another feature follow in the same list."""
    i = at + 1
    while i < len(tokens) and (tokens[i].kind is Kind.COMMA or tokens[i].kind in FEATURE_OF):
        i += 1
    joint = i < len(tokens) and tokens[i].kind in (Kind.OR, Kind.AND, Kind.NONE)
    return joint and i + 1 < len(tokens) and tokens[i + 1].kind in FEATURE_OF


def _ordered_runs(tokens: Sequence[Token], mentions: list[Mention]) -> list[list[Mention]]:
    """Return the chains of features that are given in driving order."""
    kept = [mention for mention in mentions if mention.how != "none"]
    runs: list[list[Mention]] = []
    chain: list[Mention] = []
    ordered = False
    for i, mention in enumerate(kept):
        link = _link(tokens, kept[i - 1], mention) if i else "break"
        if link == "break":
            if ordered and len(chain) > 1:
                runs.append(chain)
            chain, ordered = [mention], _cue_before(tokens, mention)
        elif link == "after":
            chain, ordered = [*chain[:-1], mention, chain[-1]], True
        else:
            chain, ordered = [*chain, mention], ordered or link == "then"
        ordered = ordered or _cue_behind(tokens, mention)
    if ordered and len(chain) > 1:
        runs.append(chain)
    return runs


def _link(tokens: Sequence[Token], first: Mention, second: Mention) -> str:
    inside = tokens[first.at + 1 : second.at]
    kinds = [token.kind for token in inside]
    if Kind.SENTENCE_END in kinds:
        last = len(kinds) - 1 - kinds[::-1].index(Kind.SENTENCE_END)
        opening = kinds[last + 1 :]
        return "then" if Kind.THEN in opening[:3] else "break"
    if Kind.THEN in kinds or Kind.BEFORE in kinds:
        return "then"
    if Kind.AFTER in kinds:
        return "after"
    if Kind.COLON in kinds or Kind.BUT in kinds or Kind.ORDER in kinds:
        return "break"
    free = all(token.kind in _LISTING for token in inside)
    return "list" if free and not any(t.amounts and t.amounts[0].unit for t in inside) else "break"


def _cue_before(tokens: Sequence[Token], mention: Mention) -> bool:
    """Tell whether an order is announced before: "order: ...", "first ...", "after the ..."."""
    for i in range(mention.at - 1, -1, -1):
        kind = tokens[i].kind
        if kind is Kind.SENTENCE_END or kind in FEATURE_OF:
            return False
        if kind is Kind.ORDER or kind is Kind.AFTER:
            return True
    return False


def _cue_behind(tokens: Sequence[Token], mention: Mention) -> bool:
    """Tell whether "in that order" follows."""
    for token in tokens[mention.at + 1 :]:
        if token.kind is Kind.SENTENCE_END or token.kind in FEATURE_OF:
            return False
        if token.kind is Kind.ORDER:
            return token.text.startswith(("in ", "one after", "driven", "dans", "按", "依"))
    return False


def _repeated(mention: Mention) -> tuple[Feature, ...]:
    times = 1
    if mention.how == "number" and mention.low is not None and mention.high is not None:
        low, high = mention.low, mention.high
        times = int(low if math.isfinite(low) else high)
    return (mention.feature,) * max(0, times)


def _count(
    feature: Feature, mentions: list[Mention], chained: set[int], findings: FeatureFindings
) -> None:
    """Turn the mentions of one feature into statements about its number."""
    name = f"{feature}s"
    own = [mention for mention in mentions if mention.feature == feature]
    loose = [mention for mention in own if mention.at not in chained]
    plain = [m for m in loose if m.how in ("number", "none")]
    singles = [m for m in loose if m.how in ("article", "another")]
    for mention in plain:
        findings.claims.append(_claim(name, mention))
    added = sum(mention.how == "another" for mention in loose)
    if singles and not added and not plain:
        findings.claims.append(_sum(name, singles))
    elif singles and added and len(plain) + len(singles) > 1:
        base = [*plain, *singles]
        if all(m.low == m.high for m in base):
            findings.claims[:] = [c for c in findings.claims if c.field != name]
            findings.claims.append(_sum(name, base))
    elif singles:
        findings.claims.extend(_claim(name, mention) for mention in singles)
    inside = [mention for mention in own if mention.at in chained]
    if inside and not plain and not singles:
        if all(mention.how in _COUNTED for mention in inside):
            total = sum(len(_repeated(mention)) for mention in inside)
            text = ", ".join(mention.text for mention in inside)
            findings.claims.append(Claim(name, float(total), float(total), text))
    elif not inside and own and not plain and not singles:
        _open(feature, own, findings)


def _claim(name: str, mention: Mention) -> Claim:
    low = -math.inf if mention.low is None else mention.low
    high = math.inf if mention.high is None else mention.high
    return Claim(name, low, high, mention.text, mention.choice)


def _sum(name: str, mentions: list[Mention]) -> Claim:
    total = sum(mention.low or 0.0 for mention in mentions)
    text = ", ".join(mention.text for mention in mentions)
    choice = "" if len(mentions) == 1 else f"{total:g}: each mention was counted"
    return Claim(name, total, total, text, choice)


def _open(feature: Feature, own: list[Mention], findings: FeatureFindings) -> None:
    """Note a feature that is named without a number; it stays unstated."""
    if own[0].how == "bare" and len(own) == 1:
        findings.claims.append(
            Claim(f"{feature}s", 1.0, 1.0, own[0].text, f"a bare '{own[0].text}' was taken as one")
        )
        return
    findings.notes.append(f"{feature}s are named without a number, so none is set")
