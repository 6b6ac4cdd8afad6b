"""Words and phrases of each language, looked up by the longest phrase that fits."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from roboracer_arena.llm.grammar.lexicon_de import GERMAN
from roboracer_arena.llm.grammar.lexicon_en import ENGLISH
from roboracer_arena.llm.grammar.lexicon_fr import FRENCH
from roboracer_arena.llm.grammar.lexicon_zh import CHINESE
from roboracer_arena.llm.grammar.tokens import FEATURE_OF, Kind
from roboracer_arena.llm.grammar.units import ODD_UNITS

__all__ = ["LANGUAGES", "LONGEST_PHRASE", "Entry", "odd_units", "phrases", "vocabulary"]

LANGUAGES = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "zh": CHINESE}
"""Phrases by kind: alternatives separated by ``|``, optional letters or words in brackets; a
comparison names its property after ``:``."""
Entry = tuple[Kind, bool, Kind | None]
"""Kind, whether a feature stands in the plural, and the property of a comparison."""
LONGEST_PHRASE = 8

_OPTIONAL = re.compile(r"\(([^)]*)\)")
_PLURAL_ENDS = ("s", "en", "n")


def _expand(pattern: str) -> list[tuple[str, bool]]:
    """Return every spelling of a pattern, and whether its last optional ending is present."""
    parts = _OPTIONAL.split(pattern)
    choices = [(part,) if i % 2 == 0 else ("", part) for i, part in enumerate(parts)]
    spellings = []
    for choice in product(*choices):
        plural = len(parts) > 1 and parts[-1] == "" and choice[-2] in _PLURAL_ENDS
        spellings.append(("".join(choice), plural))
    return spellings


def _words(spelling: str, language: str) -> tuple[str, ...]:
    return tuple(spelling.replace(" ", "")) if language == "zh" else tuple(spelling.split())


@lru_cache(maxsize=4)
def phrases(language: str) -> dict[tuple[str, ...], Entry]:
    """Return the phrases of a language together with the English ones, which come second.

    Technical words of racing are English in every paddock; German or French words win where both
    languages have the same spelling.
    """
    table: dict[tuple[str, ...], Entry] = {}
    for name in dict.fromkeys(("en", language)):
        own: dict[tuple[str, ...], Entry] = {}
        for kind, patterns in LANGUAGES[name].items():
            for pattern in patterns.split("|"):
                text, _, hint = pattern.strip().partition(":")
                for spelling, plural in _expand(text):
                    words = _words(spelling, name)
                    if kind in FEATURE_OF:
                        plural = plural or words[-1] in ("esses", "lignes", "courbes", "bögen")
                    if words:
                        own.setdefault(words, (kind, plural, Kind[hint] if hint else None))
        table |= own
    return table


@lru_cache(maxsize=1)
def odd_units() -> frozenset[tuple[str, ...]]:
    """Return the units that are no lengths."""
    return frozenset(
        tuple(spelling.split()) for pattern in ODD_UNITS for spelling, _ in _expand(pattern)
    )


@lru_cache(maxsize=4)
def vocabulary(language: str) -> frozenset[str]:
    """Return the single words that speak for a language."""
    own = {
        word
        for patterns in LANGUAGES[language].values()
        for pattern in patterns.split("|")
        for spelling, _ in _expand(pattern.partition(":")[0].strip())
        for word in _words(spelling, language)
    }
    return frozenset(own)
