"""Which language a request is written in."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from roboracer_arena.llm.grammar.lexicon import vocabulary

__all__ = ["Language", "detect_language"]

Language = Literal["en", "de", "fr", "zh"]

_WORD = re.compile(r"[^\W\d_]+")
# Small words that English, German and French do not have; two of them settle the language.
_FOREIGN = frozenset(
    re.findall(
        r"\w+",
        """
    el los las una unos unas con metros metro ancho largo vuelta pista dos tres curvas
    horquilla horquillas sala quiero necesito por favor sentido horario di il lo gli della
    nella due tre tornanti tornante giro larga lungo lunga metri senso orario um uma com de
    os voltas largura een het met van voor meter breed lang bocht bochten haarspeldbocht
    zaal rondje en och med bana varv ett av jeden dwa trzy metrów tor okrążenie szerokość
    bir iki metre pist genişlik viraj salon uzunluk jedna długości radan leveä mutka banan
    tá pistes para anchura
    """,
    )
)
_OWN_SMALL = {
    "en": frozenset(
        re.findall(
            r"\w+",
            """
    the and of with for in by wide long lap hall track one two no is it at
    """,
        )
    ),
    "de": frozenset(
        re.findall(
            r"\w+",
            """
    eine einen ein mit und der die das in für halle strecke breit lang ohne m
    """,
        )
    ),
    "fr": frozenset(
        re.findall(
            r"\w+",
            """
    un une de et avec dans la le les des sur salle circuit largeur sans
    """,
        )
    ),
}


def detect_language(folded: str) -> Language | None:
    """Return the language of a text; None where it is none that the grammar reads.

    Args:
        folded: The request in lower case.
    """
    scripts = [
        unicodedata.name(character, "").split(" ")[0] for character in folded if character.isalpha()
    ]
    han = scripts.count("CJK")
    strange = sum(
        name not in ("LATIN", "CJK", "FEMININE", "MASCULINE", "MICRO") for name in scripts
    )
    if strange > 0.2 * len(scripts) or scripts.count("HIRAGANA") + scripts.count("KATAKANA"):
        return None
    if han > 0.2 * len(scripts):
        return "zh"
    words = _WORD.findall(folded)
    scores: dict[Language, float] = {
        language: sum(
            (word in vocabulary(language)) + (word in _OWN_SMALL[language]) for word in words
        )
        for language in ("en", "de", "fr")
    }
    best: Language = max(scores, key=lambda language: scores[language])
    known = frozenset().union(*(vocabulary(name) for name in scores))
    foreign = sum(word in _FOREIGN and word not in known for word in words)
    if foreign >= 2 and foreign >= 0.34 * len(words):
        return None
    if foreign >= 2 and 2 * foreign > scores[best]:
        return None
    return best
