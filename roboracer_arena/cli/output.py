"""What goes where: results to stdout, progress and warnings to stderr, JSON as one document."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from roboracer_arena.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

__all__ = [
    "discard_stdout",
    "make_streams_safe",
    "print_error",
    "print_json",
    "print_table",
    "print_text",
    "print_warnings",
    "show_progress",
]


def make_streams_safe() -> None:
    """Let names in any script pass through any terminal."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def discard_stdout() -> None:
    """Send what is still to come nowhere, so that Python's own last flush cannot fail."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def print_text(text: str) -> None:
    """Write a result to stdout at once.

    A reader that has gone, as with ``arena ... | head``, is no error, and neither is a stdout that
    was closed from the start.

    Raises:
        OutputError: stdout takes no more, as on a full disk.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()
    except OSError as error:
        discard_stdout()
        raise OutputError(f"cannot be written: {error.strerror}", where="stdout") from error


def print_json(document: BaseModel) -> None:
    """Write a result as the one JSON document on stdout."""
    _write_json(document.model_dump(mode="json"))


def print_error(kind: str, message: str, where: str | None, *, as_json: bool) -> None:
    """Report a failure: a line on stderr, or the one JSON document on stdout."""
    if as_json:
        with suppress(OutputError):
            _write_json({"error": {"kind": kind, "message": message, "where": where}})
        return
    _tell(f"{where}: {message}" if where else message)


def print_warnings(warnings: Iterable[str]) -> None:
    """Write warnings to stderr, one a line."""
    for warning in warnings:
        _tell(f"warning: {warning}")


def print_table(rows: Sequence[tuple[str, str]]) -> None:
    """Write name and value pairs to stdout, aligned."""
    width = max((len(name) for name, _ in rows), default=0)
    print_text("\n".join(f"{name:<{width}}  {value}".rstrip() for name, value in rows))


@contextmanager
def show_progress(title: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that tells of each step; on a terminal as one changing line.

    Where stderr is no terminal, only the title is written: a log needs no steps of a job that takes
    seconds.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        _tell(title)
        yield lambda step: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(title)) as status:
        yield lambda step: status.update(f"{escape(title)}: {escape(step)}")


def _tell(text: str) -> None:
    """Write a line to stderr; where that is closed or full, there is nobody to tell."""
    if sys.stderr is None:
        return  # print would take that for stdout
    with suppress(OSError):
        print(f"arena: {text}", file=sys.stderr)  # noqa: T201


def _write_json(document: dict[str, Any]) -> None:
    """ASCII only, so that any stdout can carry it."""
    print_text(json.dumps(document, indent=2, allow_nan=False))
