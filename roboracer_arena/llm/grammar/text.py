"""Preparing a request: one spelling of every mark, lower case, sentences."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["clean", "cut_model_talk", "fold", "sentences"]

_VULGAR = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}
# NFKC would turn the double prime into two single ones and keep the many dashes apart.
_MARKS: dict[str, str | int | None] = {
          "″": '"', "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "′": "'", "’": "'", "‘": "'",
          "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "→": ">", "⇒": ">", "⟶": ">",
          "。": ". ", "！": "! ", "？": "? ", "；": "; ", "、": ", "}  # fmt: skip

_SENTENCE = re.compile(r"(?:[^.!?\n;]|[.](?=\w)|(?<=\bapprox)[.]|(?<=\bca)[.]|(?<=\bsq)[.])+")
# Speech to a language model. Words that also occur in plain wishes ("ignore the old lap") count
# only together with what they would act on.
_MODEL_TALK = re.compile(
    r"""
    \b(?:ignor\w*|disregard\w*|forget\w*|overrid\w*|bypass\w*|vergiss|oublie\w*)\b
        [^.!?\n]{0,60}?
        \b(?:instructions?|prompts?|rules?|everything|anweisung\w*|consignes?|validat\w+|checks?|
             schema|limits?|guidelines?|above|previous|prior)\b
    | \b(?:disable|skip|turn\s+off|switch\s+off|deactivate)\b[^.!?\n]{0,30}?
        \b(?:validat\w+|validator|checks?|screen(?:ing)?|safety|filters?)\b
    | \bsystem\s*(?:prompt|message|:) | \b(?:your|the)\s+(?:system\s+|hidden\s+)?prompt\b
    | \byour\s+(?:instructions?|rules|guidelines|training)\b
    | \byou\s+are\s+(?:now|an?|no\s+longer|the)\b | \b(?:act|behave)\s+as\b | \bpretend\b
    | \b(?:jailbreak|developer\s+mode|language\s+model|chatbot|chatgpt|llm)\b | \bas\s+an\s+ai\b
    | \badd\s+(?:a|an|the|another|extra)\s+(?:new\s+|extra\s+)?(?:field|key|property)\b
    | \b(?:reply|respond|answer)\s+(?:only\s+)?(?:with|in)\b
    | \b(?:output|return|print|emit)\s+(?:only\b|json\b|the\s+json\b|your\b|raw\b|exactly\b)
    | \b(?:reveal|repeat|leak)\b[^.!?\n]{0,30}?\b(?:prompt|instructions?|above)\b
    | \b(?:execute|eval|rm\s+-rf|sudo|subprocess|os\.system|__import__|drop\s+table)\b
    | <\|.*?\|> | \[/?inst\] | ```+ | <\s*/?\s*(?:system|script|assistant|user)\b
    | ^\s*(?:assistant|user|system)\s*:
    | 忽略[^。.]{0,12}(?:指令|提示|规则)
    """,
    re.VERBOSE | re.MULTILINE,
)
_CLAUSE_START = re.compile(r"[,:]\s|\s(?:and|but|then|und|et|mais|aber)\s")


def clean(text: str) -> str:
    """Spell equal marks alike: fractions, quotes, dashes, full-width forms, spaces."""
    for sign, spelled in _VULGAR.items():
        text = text.replace(sign, f" {spelled}")
    text = text.translate(str.maketrans(_MARKS))
    text = unicodedata.normalize("NFKC", text).replace("⁄", "/")
    text = text.translate(str.maketrans(_MARKS))
    return "".join(
        character if character in "\n" or unicodedata.category(character)[0] != "C" else " "
        for character in text
    )


def fold(text: str) -> str:
    """Return the lower-case text, of the same length so that positions stay valid."""
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a text begin and end; decimal points do not end one."""
    return [match.span() for match in _SENTENCE.finditer(text) if match.group().strip()]


def cut_model_talk(text: str) -> tuple[str, bool]:
    """Blank out what addresses a language model instead of describing a track.

    From the clause in which such speech begins to the end of its sentence the text is replaced by
    blanks: it is data about nothing, and it is never shown again.

    Args:
        text: The cleaned request.

    Returns:
        The text, of the same length, and whether anything was cut.
    """
    folded = fold(text)
    kept = list(text)
    cut = False
    for start, end in sentences(folded):
        found = _MODEL_TALK.search(folded, start, end)
        if found is None:
            continue
        clause = start
        for joint in _CLAUSE_START.finditer(folded, start, found.start() + 1):
            clause = joint.start()
        kept[clause:end] = " " * (end - clause)
        cut = True
    return "".join(kept), cut
