"""Choosing a parser: the one that was asked for, or the best at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from roboracer_arena.errors import ArenaError
from roboracer_arena.llm.grammar import GrammarParser
from roboracer_arena.llm.ollama import DEFAULT_MODEL, DEFAULT_TIMEOUT_S, OllamaParser
from roboracer_arena.llm.protocol import SpecParser

__all__ = ["ChosenParser", "ParserName", "choose_parser"]

ParserName = Literal["auto", "ollama", "grammar"]
"""``auto`` asks Ollama where it answers and has the model, else the grammar."""


@dataclass(frozen=True)
class ChosenParser:
    """A parser and why it was taken.

    Attributes:
        parser: The parser.
        reason: One sentence for the user; empty where the parser was asked for by name.
    """

    parser: SpecParser
    reason: str = ""


def choose_parser(
    name: ParserName = "auto",
    *,
    model: str = DEFAULT_MODEL,
    host: str | None = None,
    timeout_s: float = DEFAULT_TIMEOUT_S,
) -> ChosenParser:
    """Return the parser of that name.

    Args:
        name: ``auto``, ``ollama`` or ``grammar``.
        model: Model for Ollama.
        host: Address of the Ollama server; None takes the usual one.
        timeout_s: Longest wait for one answer of a model [s].

    Raises:
        MissingExtraError: ``ollama`` was asked for and does not answer.
        InputError: ``ollama`` was asked for and lacks the model.
    """
    if name == "grammar":
        return ChosenParser(GrammarParser())
    try:
        parser = OllamaParser(model, host=host, timeout_s=timeout_s)
    except ArenaError as error:
        if name == "ollama":
            raise
        return ChosenParser(GrammarParser(), f"reading by the grammar: {error.message}")
    if name == "ollama":
        return ChosenParser(parser)
    return ChosenParser(parser, f"reading with the model '{parser.record.model}' through Ollama")
