"""From the characters of a request to tokens: numbers, units, phrases, marks."""

from __future__ import annotations

import re
from typing import NamedTuple

from roboracer_arena.llm.grammar.language import Language
from roboracer_arena.llm.grammar.lexicon import LONGEST_PHRASE, odd_units, phrases
from roboracer_arena.llm.grammar.numbers import DIGITS, digits_value, read_chinese, read_words
from roboracer_arena.llm.grammar.tokens import Kind, Token
from roboracer_arena.llm.grammar.units import LENGTHS, NUMBER_ONLY

__all__ = ["lex"]

_CODE = re.compile(
    r"""(?<![\w.])(?:
      https?://\S+ | www\.\S+ | [\w.+-]+@[\w-]+\.[\w.]+
    | \d{4}-\d{1,2}-\d{1,2}\b | \d{1,2}[./]\d{1,2}[./]\d{2,4}\b
    | \d{1,2}:\d{2}(?::\d{2})?\b | 1:\d+\b
    | \+\d[\d\ ()/-]{6,}\d | \d{3,}[-/]\d{3,}(?:[-/]\d+)*\b | \#\d+
    | \d+(?:st|nd|rd|th|er|ère|ème)\b
    | (?!(?:x|u|by|to|mal|sur|par|bis|and|is|of|at|lap|hall|width)-?\d)[a-z]{1,6}-?\d[\w-]*
    )""",
    re.VERBOSE,
)
"""Dates, times, telephone numbers, addresses, ordinals, room numbers: digits that count nothing."""

_HALF_CIRCLES = re.compile(r"(?<!\w)180'?s\b")
_ATOM = re.compile(
    r"(?P<word>[^\W\d_]+(?:'(?:t|d|m|s|ll|re|ve)(?!\w))?)|\+/-|\.{2,3}|->|=>|>=|<=|(?P<mark>\S)"
)
_SHORT = re.compile(r"(?:approx|ca|min|max|env)(?=\.\s*\d)")
_UNIT_BEFORE_X = re.compile(r"(?<=\d)(?:mm|cm|m|ft)(?=x\s?\d)")
_MARKS = {
    ",": Kind.COMMA, ":": Kind.COLON, "=": Kind.COLON, ".": Kind.SENTENCE_END,
    "!": Kind.SENTENCE_END, "?": Kind.SENTENCE_END, ";": Kind.SENTENCE_END,
    "-": Kind.HYPHEN, "_": Kind.HYPHEN, "/": Kind.HYPHEN, "(": Kind.BRACKET, ")": Kind.BRACKET,
    "[": Kind.BRACKET, "]": Kind.BRACKET, "~": Kind.ABOUT,
}  # fmt: skip
_AFTER_INCH = frozenset(
    re.findall(
        r"\w+",
        """
    wide long deep corridor lane lap track straight radius width hall room by x broad
    """,
    )
)
_AFTER_MIN = frozenset({"radius", "width", "corridor", "lap", "straight", "turn", "corner"})
_ENGLISH_ONLY_ODD = frozenset({"am", "pm", "day", "days", "n", "w", "v", "s"})


class _Atom(NamedTuple):
    text: str
    start: int
    end: int
    kind: str
    """``word``, ``mark``, ``number``, ``code``, ``half_circles`` or ``line``."""
    value: float = 0.0


def lex(folded: str, language: Language) -> list[Token]:
    """Split a folded text into tokens.

    Args:
        folded: Clean text in lower case.
        language: Its language, which decides about decimal commas and words.
    """
    atoms = _split(folded, decimal_comma=language in ("de", "fr"))
    tokens: list[Token] = []
    i = 0
    while i < len(atoms):
        made, i = _next_tokens(atoms, i, language)
        tokens.extend(made)
    return tokens


def _split(folded: str, *, decimal_comma: bool) -> list[_Atom]:
    atoms: list[_Atom] = []
    position = 0
    while position < len(folded):
        if folded[position].isspace():
            if folded[position] == "\n":
                atoms.append(_Atom("\n", position, position + 1, "line"))
            position += 1
            continue
        atom = _atom_at(folded, position, decimal_comma, atoms)
        atoms.append(atom)
        position = atom.end
    return atoms


def _atom_at(folded: str, position: int, decimal_comma: bool, before: list[_Atom]) -> _Atom:
    if match := _HALF_CIRCLES.match(folded, position):
        return _Atom(match.group(), position, match.end(), "half_circles")
    if match := _CODE.match(folded, position):
        return _Atom(match.group(), position, match.end(), "code")
    number = _number_at(folded, position, before)
    if number is not None:
        value = digits_value(number, decimal_comma=decimal_comma)
        return _Atom(number.group(), position, number.end(), "number", value)
    if unit := _UNIT_BEFORE_X.match(folded, position):
        return _Atom(unit.group(), position, unit.end(), "word")
    if short := _SHORT.match(folded, position):
        return _Atom(short.group(), position, short.end() + 1, "word")
    match = _ATOM.match(folded, position)
    if match is None or not match.group():
        return _Atom(folded[position], position, position + 1, "mark")
    if match["word"] and "\u4e00" <= folded[position] <= "\u9fff":
        return _Atom(folded[position], position, position + 1, "word")
    text = match.group()
    if match["word"] and re.search(r"[\u4e00-\u9fff]", text):
        text = re.split(r"[\u4e00-\u9fff]", text)[0]
    return _Atom(text, position, position + len(text), "word" if match["word"] else "mark")


def _number_at(folded: str, position: int, before: list[_Atom]) -> re.Match[str] | None:
    """Return a number in digits; a minus sign counts unless it joins to what stands before."""
    match = DIGITS.match(folded, position)
    if match is None:
        return None
    if match["sign"] and before and before[-1].end == position and before[-1].text not in ",:=(;":
        return None
    return match


def _next_tokens(atoms: list[_Atom], i: int, language: Language) -> tuple[list[Token], int]:
    atom = atoms[i]
    if atom.kind == "line":
        return [_token(Kind.SENTENCE_END, atom, atom)], i + 1
    if atom.kind == "code":
        return [_token(Kind.CODE, atom, atom)], i + 1
    if atom.kind == "half_circles":
        return [Token(Kind.HAIRPIN, atom.start, atom.end, atom.text, plural=True)], i + 1
    phrase = _phrase(atoms, i, language)
    number = _number(atoms, i, language)
    if number and (phrase is None or _number_wins(atoms, number, phrase)):
        return _number_tokens(atoms, i, number, language)
    if atom.text in LENGTHS and atom.text not in NUMBER_ONLY:
        return [_token(Kind.UNIT, atom, atom, LENGTHS[atom.text])], i + 1
    if phrase:
        (kind, plural, hint), end = phrase
        last = atoms[end - 1]
        text = " ".join(item.text for item in atoms[i:end])
        return [Token(kind, atom.start, last.end, text, plural=plural, hint=hint)], end
    if atom.text in _MARKS:
        return [_token(_MARKS[atom.text], atom, atom)], i + 1
    return ([_token(Kind.UNKNOWN, atom, atom)] if atom.kind == "word" else []), i + 1


def _token(kind: Kind, first: _Atom, last: _Atom, value: float = 0.0) -> Token:
    return Token(kind, first.start, last.end, first.text, value)


def _run(atoms: list[_Atom], i: int, limit: int) -> list[tuple[str, int]]:
    """Return the next words or marks, hyphens between words left out, with the index after each."""
    run: list[tuple[str, int]] = []
    while i < len(atoms) and len(run) < limit:
        atom = atoms[i]
        if atom.kind in ("line", "code"):
            break
        if run and atom.text in "-_" and i + 1 < len(atoms) and atoms[i + 1].kind == "word":
            i += 1
            continue
        if atom.text == "'" and run:
            i += 1
            continue
        run.append((atom.text, i + 1))
        i += 1
    return run


def _phrase(
    atoms: list[_Atom], i: int, language: Language
) -> tuple[tuple[Kind, bool, Kind | None], int] | None:
    table = phrases(language)
    run = _run(atoms, i, LONGEST_PHRASE)
    for count in range(len(run), 0, -1):
        words = tuple(word for word, _ in run[:count])
        entry = table.get(words) or table.get((*words[:-1], words[-1].removesuffix("'s")))
        if entry:
            return entry, run[count - 1][1]
    return None


def _number(atoms: list[_Atom], i: int, language: Language) -> tuple[float, int] | None:
    """Return a number that begins at an atom, and the index after it."""
    if atoms[i].kind == "number":
        return _with_fraction(atoms, i, language)
    if atoms[i].kind != "word":
        return None
    if language == "zh":
        text = "".join(atom.text for atom in atoms[i : i + 12] if atom.kind == "word")
        found = read_chinese(text)
        return (found[0], i + found[1]) if found else None
    sign, first = 1.0, i
    if atoms[i].text in ("minus", "negative") and i + 1 < len(atoms):
        if atoms[i + 1].kind == "number":
            return -abs(atoms[i + 1].value), i + 2
        sign, first = -1.0, i + 1
    run = _run(atoms, first, LONGEST_PHRASE + 1)
    found = read_words([word for word, _ in run], language)
    return (sign * found[0], run[found[1] - 1][1]) if found else None


def _with_fraction(atoms: list[_Atom], i: int, language: Language) -> tuple[float, int]:
    """Return a number in digits, with "and a half" where it follows."""
    if language == "zh":
        return atoms[i].value, i + 1
    run = _run(atoms, i + 1, 4)
    joints = {"en": "and", "de": "und", "fr": "et"}
    if run and run[0][0] == joints[language]:
        second = atoms[i + 2] if i + 2 < len(atoms) else None
        if second is not None and second.kind == "number" and 0.0 < second.value < 1.0:
            return atoms[i].value + second.value, i + 3
        fraction = read_words([word for word, _ in run[1:]], language)
        if fraction and 0.0 < fraction[0] < 1.0:
            return atoms[i].value + fraction[0], run[fraction[1]][1]
    return atoms[i].value, i + 1


def _number_wins(
    atoms: list[_Atom],
    number: tuple[float, int],
    phrase: tuple[tuple[Kind, bool, Kind | None], int],
) -> bool:
    """Tell whether a number is meant where a phrase begins at the same word."""
    if phrase[1] != number[1]:
        return number[1] > phrase[1]
    if number[0] == int(number[0]):
        return True
    following = atoms[number[1]].text if number[1] < len(atoms) else ""
    return following in LENGTHS or following in ("of", "a")


def _number_tokens(
    atoms: list[_Atom], i: int, number: tuple[float, int], language: Language
) -> tuple[list[Token], int]:
    value, end = number
    first, last = atoms[i], atoms[end - 1]
    text = " ".join(atom.text for atom in atoms[i:end])
    token = Token(Kind.NUMBER, first.start, last.end, text, value)
    after = end
    if after + 1 < len(atoms) and atoms[after].text == "-" and atoms[after + 1].kind == "word":
        after += 1
    if after >= len(atoms):
        return [token], end
    odd = _odd_unit(atoms, after, language)
    if odd is not None:
        return [Token(Kind.CODE, first.start, atoms[odd - 1].end, first.text)], odd
    unit = atoms[after]
    glued = unit.start == last.end
    if _is_unit(atoms, after, glued=glued):
        made = [token, _token(Kind.UNIT, unit, unit, LENGTHS[unit.text])]
        return made, after + 1 + _abbreviation_stop(atoms, after)
    glued_word = glued and unit.kind == "word" and unit.text.isascii()
    if glued_word and first.kind == "number" and unit.text not in ("x", "by", "to"):
        return [Token(Kind.CODE, first.start, unit.end, first.text)], after + 1
    return [token], end


def _odd_unit(atoms: list[_Atom], i: int, language: Language) -> int | None:
    """Return the index after a unit that is no length."""
    run = _run(atoms, i, 5)
    for count in range(len(run), 0, -1):
        words = tuple(word for word, _ in run[:count])
        if words not in odd_units():
            continue
        if language != "en" and words[0] in _ENGLISH_ONLY_ODD:
            continue
        phrase = _phrase(atoms, i, language)
        if phrase is not None and phrase[1] > run[count - 1][1]:  # "three S-curves"
            continue
        return run[count - 1][1]
    if run and run[0][0] == "min" and (len(run) < 2 or run[1][0] not in _AFTER_MIN):
        return run[0][1]
    return None


def _is_unit(atoms: list[_Atom], i: int, *, glued: bool) -> bool:
    text = atoms[i].text
    if text in ("'", '"'):
        return glued
    if text == "in":
        following = atoms[i + 1] if i + 1 < len(atoms) else None
        return (
            glued
            or following is None
            or following.text in _AFTER_INCH
            or following.kind == "mark"
            or following.kind == "line"
        )
    return text in LENGTHS


def _abbreviation_stop(atoms: list[_Atom], i: int) -> int:
    """Return 1 where a full stop only ends an abbreviated unit ("5 ft. wide")."""
    if atoms[i].text not in ("ft", "in", "yd", "yds") or i + 2 >= len(atoms):
        return 0
    return int(atoms[i + 1].text == "." and atoms[i + 2].text in _AFTER_INCH)
