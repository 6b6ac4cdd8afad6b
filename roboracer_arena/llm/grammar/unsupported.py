"""Wishes that no field of a specification can hold."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Unsupported", "find_unsupported"]


class Unsupported(NamedTuple):
    """A wish that no field of a specification can hold."""

    words: str
    """The words of the request."""
    what: str
    """What they ask for, in general."""


# One pattern a line; matched as whole words in the lower-case request.
_WISHES: dict[str, str] = {
    "tracks are flat, so differences in height": r"""
        elevations?|hills?|hilly|uphill|downhill|slopes?|sloped|sloping|inclines?|inclined|gradients?
        ramps?|height differences?|multi-?level|two levels|steigung|hügel|gefälle|pente|colline""",
    "tracks are flat, so banked turns": r"""
        bank(?:ed|ing)s?\s*(?:turns?|corners?|curves?)?|cambered|camber|steilkurven?""",
    "jumps": r"jumps?|jumping|tabletops?|whoops|sprünge|sprung",
    "bridges and tunnels": r"""
        bridges?|overpass(?:es)?|underpass(?:es)?|flyovers?|tunnels?|brücken?|pont""",
    "a track must not cross itself, so crossings": r"""
        figure[ -](?:of[ -])?(?:8|eight)|cross(?:es|ing)? (?:over )?itself|self-?crossing
        crossovers?|crossings?|intersections?|intersects? itself|criss-?cross|kreuzung(?:en)?
        achterbahn""",
    "a track has one lane, so several lanes or a pit lane": r"""
        (?:two|three|four|multiple|several|2|3|4|double|dual)[ -]lanes?|multi-?lanes?
        pit[ -]?lanes?|pit[ -]?stops?|pit area|boxengasse|lanes each way""",
    "a track is one closed loop, so branches and shortcuts": r"""
        short-?cuts?|forks?|forked|branch(?:es|ing)?|alternative routes?|joker laps?|split lanes?
        abkürzung""",
    "a track is one closed loop, so open routes": r"""
        point[ -]to[ -]point|drag strip|dead[ -]end|not closed|open[ -]ended|out and back""",
    "weather and light": r"""
        (?:rain|snow|ice|fog|wind|wet|icy|snowy|rainy|foggy|slippery|muddy)(?=\ (?:track|surface)\b)
        (?:rain|wet|icy|snowy|rainy|foggy|muddy)(?=\ (?:road|circuit|conditions?|course|floor)\b)
        weather|puddles?|(?:in|with) (?:the )?(?:rain|snow|ice|fog)|night race|at night""",
    "obstacles": r"obstacles?|traffic cones?|boxes on the track|hindernisse?|speed bumps?|rivals?",
    "coordinates": r"""
        coordinates?|waypoints?|way points?|control points?|spline points?|x\s*=\s*-?\d
        \(\s*-?\d[\d.]*\s*,\s*-?\d[\d.]*\s*\)""",
    "shapes beyond hairpins, chicanes and sweepers": r"""
        (?:in the )?shape of|shaped like|looks? like (?:a|an|the)|heart[ -]shaped|star[ -]shaped
        l[ -]shaped|u[ -]shaped hall|t[ -]shaped|copy of|replica of|corkscrew|loop-the-loop|spiral
        (?:same as|like) (?:the )?(?:monza|spa|silverstone|suzuka|monaco|nürburgring|imola)
        loopings?""",
    "the corridor has one width, so varying widths": r"""
        (?:changing|varying|variable|different|alternating) (?:corridor |track |lane )?widths?
        narrows? (?:down )?to|widens? to|width (?:varies|changes)|tapers?""",
    "halls are rectangles, so other shapes of halls": r"""
        (?:round|circular|l-shaped|triangular|oval) (?:hall|room|space|gym|arena)""",
    "one request describes one track, so several tracks at once": r"""
        (?:make|generate|create|build|draw|design|give me|want|need) (?:me |us )?(?:two|three|four
        |five|six|seven|eight|nine|ten|\d+) (?:different |new |random )?(?:tracks|circuits|layouts)
        """,
    "sizes have to be stated in numbers, so sizes relative to others": r"""
        (?:twice|half|double|triple|times) (?:as|the)(?: \w+)?""",
    "changing layouts": r"moving walls?|changing layout|reconfigurable|time-?varying",
}


def _compile(lines: str) -> re.Pattern[str]:
    # A line that begins with "|" goes on with the alternatives of the line before.
    joined = "|".join(line.strip() for line in lines.strip().splitlines()).replace("||", "|")
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)")


_PATTERNS = [(_compile(lines), what) for what, lines in _WISHES.items()]
_NEGATED = re.compile(
    r"(?<!\w)(?:no|not|without|none|avoid|never|neither|nor|don't|do not|free of|isn't|flat|zero"
    r"|instead of|ohne|keine?n?|sans|pas de|aucune?)(?!\w)[^.;:!?]*$"
)
_CHANGES_SIDE = re.compile(r"(?<!\w)(?:but|with|plus|and (?:a|an|one|two|three|some)|only)(?!\w)")


def find_unsupported(folded: str) -> Unsupported | None:
    """Return the first wish in a text that no field can hold, unless it is only ruled out.

    Args:
        folded: The request in lower case.
    """
    for pattern, what in _PATTERNS:
        for match in pattern.finditer(folded):
            negated = _NEGATED.search(folded[: match.start()])
            if negated and not _CHANGES_SIDE.search(negated.group()):
                continue
            return Unsupported(match.group().strip(), what)
    return None
