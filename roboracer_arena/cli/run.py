"""Running a command: how results, errors and interrupts end."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING

from roboracer_arena.cli.output import print_error
from roboracer_arena.errors import ArenaError, UsageError

if TYPE_CHECKING:
    from cyclopts import App

__all__ = ["main"]

_BUG = 1
_INTERRUPTED = 130


class _Terminated(BaseException):
    """SIGTERM arrived: unwind like an interrupt, so that temporary files go."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        arguments: What was typed after ``arena``; None takes it from the process.
    """
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in tokens
    _make_streams_safe()
    previous = signal.signal(signal.SIGTERM, _on_terminate)
    try:
        return _run(tokens)
    except ArenaError as error:
        print_error(error.kind, error.message, error.where, as_json=as_json)
        return error.exit_code
    except (KeyboardInterrupt, _Terminated):
        print_error("interrupted", "interrupted; nothing was left half done", None, as_json=as_json)
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone, as with `arena ... | head`: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # the last line of defence
        _print_bug(error, as_json=as_json)
        return _BUG
    finally:
        signal.signal(signal.SIGTERM, previous)


def _run(tokens: list[str]) -> int:
    """Parse and run one command."""
    from cyclopts import CycloptsError

    from roboracer_arena.cli.app import make_app

    app = make_app()
    try:
        result = _call(app, tokens)
    except CycloptsError as error:
        raise UsageError(_plain(error)) from error
    sys.stdout.flush()
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


def _on_terminate(number: int, frame: FrameType | None) -> None:
    raise _Terminated


def _make_streams_safe() -> None:
    """Let names in any script pass through any terminal."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _print_bug(error: Exception, *, as_json: bool) -> None:
    """Say that this is a defect of Arena; the traceback is for those who ask for it."""
    if os.environ.get("ARENA_DEBUG"):
        traceback.print_exc()
    message = (
        f"{type(error).__name__}: {error}. This is a defect in RoboRacer Arena, not in your input; "
        "please report it with the output of ARENA_DEBUG=1 set"
    )
    print_error("bug", message, None, as_json=as_json)
