"""Opening an input file without being held up by what is not a plain file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from roboracer_arena.errors import MapError

__all__ = ["GIT_LFS_SIGNATURE", "open_regular_file", "read_regular_file"]

GIT_LFS_SIGNATURE = b"version https://git-lfs.github.com/spec/"
"""First bytes of the text that stands in for a file when Git LFS is not installed."""

# A named pipe would make open() wait for a writer; the check before it has a race, this has none.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def open_regular_file(path: Path) -> Iterator[tuple[BinaryIO, int]]:
    """Yield a binary file and its size [bytes].

    Raises:
        MapError: There is no such file, or it is a folder, a device, a pipe, a link that leads
            nowhere or in a circle, or not readable.
    """
    where = str(path)
    try:
        _refuse_special(path.stat().st_mode, where)
        with os.fdopen(os.open(path, _FLAGS), "rb") as handle:
            status = os.fstat(handle.fileno())
            _refuse_special(status.st_mode, where)
            yield handle, status.st_size
    except FileNotFoundError as error:
        reason = (
            "is a link to a file that does not exist" if path.is_symlink() else "does not exist"
        )
        raise MapError(reason, where=where) from error
    except (OSError, ValueError) as error:  # ValueError: a null byte or a lone surrogate
        reason = getattr(error, "strerror", None) or str(error)
        raise MapError(f"cannot be read: {reason}", where=where) from error


def read_regular_file(path: Path, *, limit: int) -> bytes:
    """Return the content of a file of at most ``limit`` bytes.

    Raises:
        MapError: As :func:`open_regular_file`, or the file is larger.
    """
    with open_regular_file(path) as (handle, size):
        data = b"" if size > limit else handle.read(limit + 1)
    if size > limit or len(data) > limit:
        size = max(size, len(data))
        raise MapError(f"has {size} bytes; the limit is {limit}", where=str(path))
    return data


def _refuse_special(mode: int, where: str) -> None:
    if stat.S_ISDIR(mode):
        raise MapError("is a folder, not a file", where=where)
    if not stat.S_ISREG(mode):
        raise MapError("is a pipe or a device, not a regular file", where=where)
