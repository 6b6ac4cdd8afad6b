"""Writing files so that nothing is lost: a temporary name beside the target, then a rename."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from roboracer_arena.errors import OutputError, OutputExistsError

__all__ = ["atomic_path", "check_target"]


def check_target(target: Path, *, force: bool) -> None:
    """Refuse a target that cannot or must not be written, before any work is done.

    Raises:
        OutputExistsError: The target exists and ``force`` is false.
        OutputError: The target is a folder, or its folder is missing or read-only.
    """
    if target.is_dir():
        raise OutputError("is a folder; name the file to write", where=str(target))
    if not target.parent.is_dir():
        raise OutputError(
            f"the folder {target.parent} does not exist; create it first", where=str(target)
        )
    if not os.access(target.parent, os.W_OK):
        raise OutputError(f"the folder {target.parent} is read-only", where=str(target))
    if os.path.lexists(target):
        if not force:
            raise OutputExistsError("exists already; use --force to replace it", where=str(target))
        if target.exists() and not os.access(target, os.W_OK):
            raise OutputError("exists and is read-only", where=str(target))


@contextmanager
def atomic_path(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside ``target``; rename it onto the target if the block succeeds.

    On any failure, an interrupt included, the temporary file is removed and an existing target
    keeps its content. The suffix of the target is kept, since writers choose a format by it.

    Raises:
        OutputExistsError: The target exists and ``force`` is false.
        OutputError: The target cannot be written.
    """
    check_target(target, force=force)
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{target.stem}.", suffix=f".tmp{target.suffix}", dir=target.parent
        )
        os.close(handle)
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=str(target)) from error
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(target)
    except OSError as error:
        raise OutputError(f"cannot be written: {error}", where=str(target)) from error
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
