"""The name of a track and its driving direction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from roboracer_arena.generate.spec import Direction
from roboracer_arena.llm.grammar.tokens import Kind, Token

__all__ = ["DirectionFound", "read_direction", "take_name"]

_NAMING = re.compile(
    r"""(?:
      \b(?:name|call|title)\s+(?:it|this|the\s+(?:track|circuit|course|lap|loop))\s*(?:as\s+)?[:=]?\s+
    | \b(?:named|called|titled|dubbed|entitled|namens|nommée?|appelée?)\s*[:=]?\s+
    | \b(?:track\s+)?(?:name|title|nom)(?:\s+(?:is|shall\s+be|should\s+be))?\s*[:=]\s*
    | \b(?:its|the|track)\s+name\s+(?:is|shall\s+be|should\s+be|will\s+be)\s+
    | \b(?:with|by|under)\s+the\s+name\s+(?:of\s+)?
    | \bnenne\s+(?:sie|ihn|es|die\s+strecke)\s+ | \b(?:mit\s+dem\s+)?name(?:n)?\s*[:=]\s*
    | (?:名为|命名为|取名|叫做|名字是|名称为)\s*
    )""",
    re.VERBOSE,
)
_QUOTED = re.compile(r"[\"']([^\"'\n]{1,100})[\"']")
_UNQUOTED = re.compile(r"[^\s,;:.!?()\"\n，。]+(?:\.\d+)?")
_NAME_ENDS = frozenset(
    re.findall(
        r"\w+",
        """
    with and for in of that which having has is should at on mit und für avec et dans the a
    lap length width hall track circuit clockwise ccw cw please running where but it
    """,
    )
)
_NAME_WORDS = 5


def take_name(clean: str, folded: str) -> tuple[str | None, str]:
    """Return the name that a request gives to its track, and the folded text without it.

    Args:
        clean: The request with its capitals.
        folded: The same in lower case, equally long.
    """
    for match in _NAMING.finditer(folded):
        start = match.end()
        found = _QUOTED.match(clean, start)
        name, end = (found.group(1).strip(), found.end()) if found else _plain_name(clean, start)
        if name:
            blank = "," + " " * (end - match.start() - 1)
            return name, folded[: match.start()] + blank + folded[end:]
    return None, folded


def _plain_name(clean: str, start: int) -> tuple[str, int]:
    """Return a name without quotes: its first word, and capitalised or numbered words behind it."""
    words: list[str] = []
    position = end = start
    while len(words) < _NAME_WORDS:
        match = _UNQUOTED.match(clean, position)
        if match is None:
            break
        word = match.group()
        known = word.lower() in _NAME_ENDS
        follows = word[:1].isupper() or word.isdigit() or "\u4e00" <= word[0] <= "\u9fff"
        if words and (known or not follows) and [item.lower() for item in words] != ["the"]:
            break
        barred = (known and not word[:1].isupper()) or word.lower() in ("after", "by", "for")
        if not words and barred and word.lower() != "the":
            break
        words.append(word)
        end = match.end()
        gap = re.compile(r"[ \t]+").match(clean, end)
        if gap is None:
            break
        position = gap.end()
    return " ".join(words), end


class DirectionFound(NamedTuple):
    """A driving direction, and what to say about it."""

    direction: Direction | None
    note: str = ""
    conflict: bool = False


def read_direction(tokens: Sequence[Token]) -> DirectionFound:
    """Return the driving direction that the tokens state."""
    stated: set[Direction] = set()
    loose = any(token.kind is Kind.EITHER for token in tokens)
    for i, token in enumerate(tokens):
        if token.kind not in (Kind.CW, Kind.CCW):
            continue
        clockwise = token.kind is Kind.CW
        at = i - 1
        while at >= 0 and tokens[at].kind in (Kind.STOP, Kind.ADJECTIVE, Kind.IS, Kind.THE):
            at -= 1
        if at >= 0 and tokens[at].text in ("rather than", "instead of"):
            continue
        if at >= 0 and tokens[at].kind is Kind.NONE:
            clockwise = not clockwise
        stated.add("cw" if clockwise else "ccw")
        loose = loose or any(
            other.kind is Kind.OR and tokens[k - 1].kind in (Kind.CW, Kind.CCW) and
            k + 1 < len(tokens) and tokens[k + 1].kind in (Kind.CW, Kind.CCW)
            for k, other in enumerate(tokens) if k > 0
        )  # fmt: skip
    if loose and len(stated) != 1:
        return DirectionFound(None, "either direction is welcome, so none is set" if stated else "")
    if len(stated) > 1:
        return DirectionFound(None, conflict=True)
    return DirectionFound(stated.pop() if stated else None)
