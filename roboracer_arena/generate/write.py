"""The folder that a generated track becomes: all of its files, or nothing."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from roboracer_arena import __version__
from roboracer_arena.corridor import write_centerline_csv
from roboracer_arena.errors import OutputError, OutputExistsError
from roboracer_arena.files import atomic_path
from roboracer_arena.generate.defaults import ResolvedSpec
from roboracer_arena.generate.outcome import Acceptance
from roboracer_arena.maps import write_map

__all__ = ["check_track_folder", "report_text", "spec_text", "track_folder", "write_track"]

_MARK = "spec.json"
"""A folder that holds this beside ``map.yaml`` is one that this module wrote."""


def write_track(
    track: Acceptance,
    folder: Path,
    *,
    force: bool = False,
    extras: Callable[[Path], None] | None = None,
) -> None:
    """Write a generated track: map, centreline, specification and report.

    Args:
        track: What the pipeline accepted.
        folder: The folder to make; its parent must exist.
        force: Whether a folder that holds a generated track may be replaced.
        extras: Called with the unfinished folder to add what other layers make: a preview, a
            stage. Whatever it raises, nothing is left and an old folder keeps its content.

    Raises:
        OutputExistsError: The folder is not empty and ``force`` is false.
        OutputError: The folder cannot be written, or holds something else than a track.
    """
    with track_folder(folder, force=force) as unfinished:
        write_map(track.track, unfinished / "map.yaml")
        write_centerline_csv(unfinished / "centerline.csv", track.centerline, track.track.origin)
        _write_text(unfinished / "spec.json", spec_text(track.spec))
        _write_text(unfinished / "report.json", report_text(track))
        if extras is not None:
            extras(unfinished)


def spec_text(spec: ResolvedSpec) -> str:
    """Return the content of ``spec.json``: the twelve fields, then which of them were stated."""
    document = {
        **spec.values.model_dump(mode="json"),
        "stated": list(spec.stated),
        "defaulted": list(spec.defaulted),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def report_text(track: Acceptance) -> str:
    """Return the content of ``report.json``: every bound and every measurement."""
    document = {
        "outcome": "accepted",
        "generator": f"roboracer-arena {__version__}",
        "seed": track.seed,
        "candidate": track.candidate,
        "screen": track.screen.model_dump(mode="json"),
        "validation": track.report.model_dump(mode="json"),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _write_text(path: Path, text: str) -> None:
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def check_track_folder(folder: Path, *, force: bool) -> None:
    """Refuse a folder that cannot or must not be written, before any work is done.

    Raises:
        OutputExistsError: The folder is not empty and ``force`` is false.
        OutputError: It is a file, its parent is missing or read-only, or it holds something else
            than a generated track.
    """
    where = str(folder)
    parent = folder.absolute().parent
    try:
        if not parent.is_dir():
            raise OutputError(f"the folder {parent} does not exist; create it first", where=where)
        if not os.access(parent, os.W_OK):
            raise OutputError(f"the folder {parent} is read-only", where=where)
        if not os.path.lexists(folder):
            return
        if folder.is_symlink() or not folder.is_dir():
            raise OutputError("exists and is no folder; name another", where=where)
        if not any(folder.iterdir()):
            return
        if not (folder / _MARK).is_file() or not (folder / "map.yaml").is_file():
            raise OutputError(
                "holds something else than a generated track; name another folder", where=where
            )
    except (OSError, ValueError) as error:
        raise OutputError(f"is no usable folder name: {error}", where=where) from error
    if not force:
        raise OutputExistsError("exists already; use --force to replace it", where=where)


@contextmanager
def track_folder(folder: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a hidden folder beside the target; rename it onto the target if the block succeeds.

    On any failure, an interrupt included, the hidden folder is removed and the target is as it was.

    Raises:
        OutputExistsError: The folder is not empty and ``force`` is false.
        OutputError: The folder cannot be written.
    """
    check_track_folder(folder, force=force)
    target = folder.absolute()
    try:
        unfinished = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=str(folder)) from error
    try:
        yield unfinished
        _publish(unfinished, target, str(folder))
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _publish(unfinished: Path, target: Path, where: str) -> None:
    """Rename the finished folder into place, and take an old one away only after that."""
    umask = os.umask(0)
    os.umask(umask)
    old = unfinished.with_name(unfinished.name + ".old")
    try:
        unfinished.chmod(0o777 & ~umask)
        if target.exists():
            target.rename(old)
        try:
            unfinished.rename(target)
        except OSError:
            with suppress(OSError):
                old.rename(target)
            raise
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=where) from error
    shutil.rmtree(old, ignore_errors=True)
