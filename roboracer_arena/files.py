"""Writing files so that nothing is lost: a temporary name beside the target, then a rename."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from roboracer_arena.errors import OutputError, OutputExistsError

__all__ = ["atomic_path", "check_target"]


def check_target(target: Path, *, force: bool) -> None:
    """Refuse a target that cannot or must not be written, before any work is done.

    Raises:
        OutputExistsError: The target exists and ``force`` is false.
        OutputError: The target is a folder, a device or a dangling or looping link, or it or its
            folder is missing or read-only.
    """
    where = str(target)
    try:
        if target.is_dir():
            raise OutputError("is a folder; name the file to write", where=where)
        if not target.parent.is_dir():
            raise OutputError(
                f"the folder {target.parent} does not exist; create it first", where=where
            )
        if not os.access(target.parent, os.W_OK):
            raise OutputError(f"the folder {target.parent} is read-only", where=where)
        if os.path.lexists(target):
            _check_existing(target, force=force)
    except (OSError, ValueError) as error:  # a name too long, a null byte, a symlink loop
        raise OutputError(f"is no usable file name: {error}", where=where) from error


def _check_existing(target: Path, *, force: bool) -> None:
    """Refuse to replace what is no regular writable file, or anything without ``force``."""
    if target.exists() and not target.is_file():
        raise OutputError("is not a regular file; name another", where=str(target))
    if not force:
        raise OutputExistsError("exists already; use --force to replace it", where=str(target))
    if target.exists() and not os.access(target, os.W_OK):
        raise OutputError("exists and is read-only", where=str(target))


@contextmanager
def atomic_path(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside ``target``; rename it onto the target if the block succeeds.

    On any failure, an interrupt included, the temporary file is removed and an existing target
    keeps its content. The suffix of the target is kept, since writers choose a format by it. A
    process killed outright cannot clean up; its leftover is removed by the next write of the same
    target.

    Raises:
        OutputExistsError: The target exists and ``force`` is false.
        OutputError: The target cannot be written.
    """
    check_target(target, force=force)
    real = target.resolve() if target.is_symlink() else target
    _remove_orphans(real)
    temporary = real.with_name(f".{real.name}.{os.getpid()}.tmp{real.suffix}")
    try:
        _create(temporary, target)
        yield temporary
        _publish(temporary, real, target)
    finally:
        with suppress(OSError):
            temporary.unlink()


def _create(temporary: Path, target: Path) -> None:
    """Create the temporary file, so that an unwritable place is noticed before the work."""
    try:
        temporary.touch()
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=str(target)) from error


def _publish(temporary: Path, real: Path, target: Path) -> None:
    """Give the temporary file ordinary permissions, flush it to disk and rename it."""
    umask = os.umask(0)
    os.umask(umask)
    try:
        temporary.chmod(0o666 & ~umask)
        with temporary.open("rb") as handle:
            os.fsync(handle.fileno())
        temporary.replace(real)
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=str(target)) from error


def _remove_orphans(target: Path) -> None:
    """Remove temporary files of this target whose process is gone."""
    pattern = re.compile(
        rf"\.{re.escape(target.name)}\.(\d+)\.tmp{re.escape(target.suffix)}", flags=re.ASCII
    )
    with suppress(OSError):
        for entry in target.parent.iterdir():
            match = pattern.fullmatch(entry.name)
            if match and not _is_running(int(match[1])):
                with suppress(OSError):
                    entry.unlink()


def _is_running(process_id: int) -> bool:
    """Whether a process of that number exists on this machine."""
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
