"""What every request parser takes and gives: text in, a specification or a refusal out."""

from __future__ import annotations

from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from roboracer_arena.generate.spec import TrackSpec

__all__ = [
    "MAX_CHARACTERS",
    "ParseOutcome",
    "Parsed",
    "ParserRecord",
    "RefusalKind",
    "Refused",
    "SpecParser",
]

MAX_CHARACTERS = 4000
"""Longest request that is read; a page of text, far more than twelve wishes need."""

RefusalKind = Literal[
    "empty",
    "too_long",
    "language",
    "off_topic",
    "unsupported",
    "contradiction",
    "impossible",
    "unclear",
    "model_reply",
]
"""Why a request was refused: stable names for programs."""


class ParserRecord(BaseModel):
    """Which parser read a request, so that a result can be traced and repeated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """``grammar`` or ``ollama``."""
    model: str | None = None
    """Name of the language model; None for the grammar."""
    digest: str | None = None
    """Digest of the model as its server reports it."""
    prompt_sha256: str | None = None
    """SHA-256 of the system prompt and the schema, in hexadecimal."""


class Parsed(BaseModel):
    """A request that was understood."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    spec: TrackSpec
    """What the text states; everything else is None."""
    stated: tuple[str, ...]
    """Names of the fields that hold a value."""
    notes: tuple[str, ...] = ()
    """Choices that were taken and parts that were left out, one sentence each."""
    parser: ParserRecord


class Refused(BaseModel):
    """A request that was not turned into a specification, with the reason in plain words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: str
    """What is wrong and what to do."""
    kind: RefusalKind
    field: str | None = None
    """The field that the reason is about, where it is about one."""
    parser: ParserRecord


ParseOutcome = Parsed | Refused


class SpecParser(Protocol):
    """Turns a request in natural language into a specification."""

    @property
    def record(self) -> ParserRecord:
        """Which parser this is."""
        ...

    def parse(self, text: str) -> ParseOutcome:
        """Read one request.

        Args:
            text: The request, as somebody wrote it.

        Raises:
            MissingExtraError: The parser needs a program that does not answer.
            InputError: The parser cannot work as it was set up, such as with an unknown model.
        """
        ...
