"""What the pipeline asks of whatever turns words into a specification."""

from __future__ import annotations

from typing import Protocol

from roboracer_arena.generate.spec import TrackSpec

__all__ = ["SpecParser"]


class SpecParser(Protocol):
    """Reads a request in natural language. It never invents: what is not stated stays unset."""

    def parse(self, request: str) -> TrackSpec:
        """Return what the request states.

        Raises:
            InputError: The request is refused: it contradicts itself, asks for what no track has,
                or is about no track at all. The message gives the reason.
            MissingExtraError: The parser's backend is not available.
        """
        ...
