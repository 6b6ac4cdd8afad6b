"""Running a command: how results, errors and interrupts end."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from roboracer_arena.cli.output import discard_stdout, make_streams_safe, print_error
from roboracer_arena.errors import ArenaError, OutputError, UsageError

if TYPE_CHECKING:
    from cyclopts import App

__all__ = ["main"]

_BUG = 1
_INTERRUPTED = 130
_MACHINE_IS_FULL = (errno.ENOSPC, errno.EDQUOT)
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        arguments: What was typed after ``arena``; None takes it from the process.
    """
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in tokens
    make_streams_safe()
    with _interrupts_unwind():
        try:
            return _run(tokens)
        except ArenaError as error:
            print_error(error.kind, error.message, error.where, as_json=as_json)
            return error.exit_code
        except KeyboardInterrupt:
            message = "interrupted; nothing was left half done"
            print_error("interrupted", message, None, as_json=as_json)
            return _INTERRUPTED
        except Exception as error:  # the last line of defence
            return _end_unforeseen(error, as_json=as_json)


def _run(tokens: list[str]) -> int:
    """Parse and run one command."""
    from cyclopts import CycloptsError

    from roboracer_arena.cli.app import make_app

    try:
        result = _call(make_app(), tokens)
    except CycloptsError as error:
        raise UsageError(_plain(error)) from error
    return result if isinstance(result, int) else 0


def _call(app: App, tokens: list[str]) -> object:
    """Let Cyclopts parse and call, with errors left to us."""
    return app(
        tokens or ["--help"],
        exit_on_error=False,
        print_error=False,
        result_action="return_value",
    )


def _plain(error: Exception) -> str:
    """Return a parser's message as one sentence, with where to look further."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{text}; see arena --help"


@contextmanager
def _interrupts_unwind() -> Iterator[None]:
    """Let SIGINT and SIGTERM alike raise KeyboardInterrupt, so that temporary files go.

    Only the first one does: a second must not cut the clean-up short. A signal that was ignored
    when the process began, as SIGINT is in a shell's background jobs, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]

    def unwind(number: int, frame: FrameType | None) -> None:
        for each in heeded:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    previous = {number: signal.signal(number, unwind) for number in heeded}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _end_unforeseen(error: Exception, *, as_json: bool) -> int:
    """Tell a machine that has run full from a defect of Arena, and return the exit code."""
    if isinstance(error, OSError) and error.errno in _MACHINE_IS_FULL:
        discard_stdout()
        print_error("output", f"{error.strerror}; make room and try again", None, as_json=as_json)
        return OutputError.exit_code
    _print_bug(error, as_json=as_json)
    return _BUG


def _print_bug(error: Exception, *, as_json: bool) -> None:
    """Say that this is a defect of Arena; the traceback is for those who ask for it."""
    if os.environ.get("ARENA_DEBUG"):
        traceback.print_exc()
    message = (
        f"{type(error).__name__}: {error}. This is a defect in RoboRacer Arena, not in your input; "
        "please report it with the output of ARENA_DEBUG=1 set"
    )
    print_error("bug", message, None, as_json=as_json)
