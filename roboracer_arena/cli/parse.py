"""``arena parse``: a sentence becomes a specification."""

from __future__ import annotations

from typing import Literal

from roboracer_arena.cli.options import Flag
from roboracer_arena.cli.output import print_json, print_table, print_text
from roboracer_arena.cli.requests import read_request
from roboracer_arena.errors import UsageError

__all__ = ["parse"]


def parse(
    text: str = "",
    /,
    *,
    parser: Literal["auto", "ollama", "grammar"] = "auto",
    model: str = "gemma4:31b",
    audit: Flag = False,
    json: Flag = False,
) -> int:
    """Read a track request; what it does not state stays unset.

    Parameters
    ----------
    text
        The request, such as "three hairpins and one chicane in a 20 x 15 m hall".
    parser
        A language model through Ollama, the built-in grammar, or the first of the two at hand.
    model
        Model for Ollama.
    audit
        Run the request sets instead and print how exact the parser is.
    json
        Print one JSON document.
    """
    if audit:
        return _audit(parser, model, as_json=json)
    if not text:
        raise UsageError("is missing; write what the track should be like", where="TEXT")
    found = read_request(text, parser, model, quiet=json)
    if json:
        print_json(found)
        return 0
    values = found.spec.model_dump()
    print_table([(name, str(values[name])) for name in found.stated])
    return 0


def _audit(parser: Literal["auto", "ollama", "grammar"], model: str, *, as_json: bool) -> int:
    """Print the parser's table."""
    from roboracer_arena.llm.audit import run_audit
    from roboracer_arena.llm.choose import choose_parser

    table = run_audit([choose_parser(parser, model=model).parser])
    if as_json:
        print_json(table)
    else:
        print_text(table.text())
    return 0
