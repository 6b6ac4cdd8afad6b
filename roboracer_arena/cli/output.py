"""What goes where: results to stdout, progress and warnings to stderr, JSON as one document."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

__all__ = ["print_error", "print_json", "print_table", "print_warnings", "show_progress"]


def print_json(document: BaseModel) -> None:
    """Write a result as the one JSON document on stdout."""
    _write_json(document.model_dump(mode="json"))


def print_error(kind: str, message: str, where: str | None, *, as_json: bool) -> None:
    """Report a failure: a line on stderr, or the one JSON document on stdout."""
    if as_json:
        _write_json({"error": {"kind": kind, "message": message, "where": where}})
        return
    place = f"{where}: " if where else ""
    print(f"arena: {place}{message}", file=sys.stderr)  # noqa: T201


def print_warnings(warnings: Iterable[str]) -> None:
    """Write warnings to stderr, one a line."""
    for warning in warnings:
        print(f"arena: warning: {warning}", file=sys.stderr)  # noqa: T201


def print_table(rows: Sequence[tuple[str, str]]) -> None:
    """Write name and value pairs to stdout, aligned."""
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        print(f"{name:<{width}}  {value}".rstrip())  # noqa: T201


@contextmanager
def show_progress(title: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that tells of each step; on a terminal as one changing line.

    Where stderr is no terminal nothing is written: logs need no steps of a job that takes a second.
    """
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(title)) as status:
        yield lambda step: status.update(f"{escape(title)}: {escape(step)}")


def _write_json(document: dict[str, Any]) -> None:
    """ASCII only, so that any stdout can carry it."""
    print(json.dumps(document, indent=2, allow_nan=False))  # noqa: T201
