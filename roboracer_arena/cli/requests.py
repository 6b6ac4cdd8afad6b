"""What the commands about track requests share: reading a request, and their reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from roboracer_arena.cli.output import print_warnings
from roboracer_arena.errors import InputError

if TYPE_CHECKING:
    from roboracer_arena.llm.choose import ParserName
    from roboracer_arena.llm.protocol import Parsed

__all__ = ["GenerateReport", "ScreenReport", "read_request"]


class ScreenReport(BaseModel):
    """Every bound of a request."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    passed: bool
    spec: dict[str, Any]
    """The twelve fields, defaults filled in."""
    stated: tuple[str, ...]
    defaulted: tuple[str, ...]
    screen: dict[str, Any]
    """Every bound with its numbers."""


class GenerateReport(BaseModel):
    """How a request for a track ended."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    outcome: str
    """``accepted``, ``rejected`` or ``failed``."""
    folder: str | None
    """Where the track was written; None unless accepted."""
    seed: int
    candidate: int | None
    """Number of the candidate that passed."""
    spec: dict[str, Any]
    stated: tuple[str, ...]
    defaulted: tuple[str, ...]
    reasons: tuple[str, ...]
    """Why it was rejected, or what was tried."""
    notes: tuple[str, ...]
    """Choices that the parser took."""
    screen: dict[str, Any]
    validation: dict[str, Any] | None
    """Every measurement with wanted, measured and tolerance."""


def read_request(text: str, parser: ParserName, model: str, *, quiet: bool) -> Parsed:
    """Read a request with the parser that was asked for.

    Args:
        text: What somebody wrote.
        parser: ``auto``, ``ollama`` or ``grammar``.
        model: Model for Ollama.
        quiet: Whether to keep the parser's notes to the report.

    Raises:
        InputError: The request was refused; the message says why.
    """
    from roboracer_arena.llm.choose import choose_parser
    from roboracer_arena.llm.protocol import Refused

    chosen = choose_parser(parser, model=model)
    outcome = chosen.parser.parse(text)
    if isinstance(outcome, Refused):
        raise InputError(outcome.reason, where=outcome.field)
    if not quiet:
        print_warnings([note for note in (chosen.reason, *outcome.notes) if note])
    return outcome
