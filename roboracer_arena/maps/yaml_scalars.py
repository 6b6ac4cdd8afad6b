"""YAML as yaml-cpp reads it: every scalar is text until a field says what it wants.

ROS reads map descriptions with yaml-cpp, which converts the text of a scalar on request. Python's
YAML libraries decide the type by the look of the text instead, and differ from yaml-cpp on
``5e-2``, ``1_000``, ``-nan`` or ``no``. So the text is taken from the node graph and converted
here by yaml-cpp's rules (``yaml-cpp/node/convert.h``).
"""

from __future__ import annotations

import math
import re

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from roboracer_arena.errors import MapError

__all__ = ["Scalars", "parse_bool", "parse_mapping", "parse_number", "shorten"]

Scalars = str | tuple[str, ...] | None
"""Text of a scalar, texts of a list of scalars, or None for anything deeper."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", flags=re.ASCII)
# yaml-cpp knows .inf and .nan; printf-style writers of broken maps leave "nan" and "-nan".
_NOT_FINITE = re.compile(r"[+-]?\.?(?P<kind>inf|infinity|nan)", flags=re.ASCII | re.IGNORECASE)
_WORDS = {
    **dict.fromkeys(("y", "yes", "true", "on", "1"), True),
    **dict.fromkeys(("n", "no", "false", "off", "0"), False),
}


def parse_number(text: str) -> float:
    """Return the number that yaml-cpp would read; infinities and NaN included.

    Raises:
        ValueError: The text is no number.
    """
    text = text.strip(" \t\r\n")
    if _NUMBER.fullmatch(text):
        return float(text)
    if match := _NOT_FINITE.fullmatch(text):
        if match["kind"].lower() == "nan":
            return math.nan
        return -math.inf if text.startswith("-") else math.inf
    raise ValueError(f"is '{shorten(text)}', which is not a number")


def parse_bool(text: str) -> bool:
    """Return a truth value written as a word, or as 0 or 1.

    Raises:
        ValueError: The text is neither.
    """
    word = text.strip(" \t\r\n").lower()
    if word not in _WORDS:
        raise ValueError(f"is '{shorten(text)}'; write 0 (no) or 1 (yes)")
    return _WORDS[word]


def parse_mapping(text: str, *, where: str) -> list[tuple[str, Scalars]]:
    """Return the keys of a YAML mapping with the texts of their values, in order.

    Nothing is constructed from the node graph, so that tags run no code and aliases do not
    multiply.

    Raises:
        MapError: The text is no YAML, empty, or no mapping at its top level.
    """
    try:
        root: Node | None = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f" in line {mark.line + 1}" if mark else ""
        reason = ", ".join(part for part in (error.context, error.problem) if part)
        raise MapError(f"is not valid YAML{line}: {shorten(reason)}", where=where) from error
    except RecursionError as error:
        raise MapError("is not a map description: nested too deeply", where=where) from error
    except Exception as error:  # ruamel lets assorted errors through on mangled text
        raise MapError(f"is not valid YAML: {shorten(str(error))}", where=where) from error
    if root is None:
        raise MapError("is empty, not a map description", where=where)
    if not isinstance(root, MappingNode):
        raise MapError(
            "is not a map description: it holds no 'key: value' lines"
            " (a space must follow each colon)",
            where=where,
        )
    return [
        (str(key.value), _scalars(value))
        for key, value in root.value
        if isinstance(key, ScalarNode)
    ]


def _scalars(node: Node) -> Scalars:
    """Return the text of a scalar or of a flat list."""
    if isinstance(node, ScalarNode):
        return str(node.value)
    if isinstance(node, SequenceNode) and all(isinstance(n, ScalarNode) for n in node.value):
        return tuple(str(n.value) for n in node.value)
    return None


def shorten(text: str, limit: int = 120) -> str:
    """Return the text on one line, in printable characters and at most ``limit`` of them."""
    text = "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
    return text if len(text) <= limit else text[: limit - 3] + "..."
