"""Files that a command is to write, looked at before any work is done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roboracer_arena.errors import UsageError

__all__ = ["check_targets", "inputs_of_map"]


def check_targets(targets: Sequence[Path | None], *, inputs: Sequence[Path]) -> None:
    """Refuse targets that would replace an input or one another, ``--force`` or not.

    Raises:
        UsageError: Two of the files are one.
    """
    named = [target for target in targets if target is not None]
    for number, target in enumerate(named):
        for other in named[:number]:
            if _are_one(target, other):
                raise UsageError("is named for two results; name two files", where=str(target))
        for source in inputs:
            if _are_one(target, source):
                raise UsageError("is an input of this command; name another", where=str(target))


def inputs_of_map(map_yaml: Path) -> list[Path]:
    """Return the files that make up a map.

    Raises:
        MapError: There is no such map.
    """
    from roboracer_arena.maps import find_map_yaml, read_metadata

    yaml = find_map_yaml(map_yaml)
    return [yaml, yaml.parent / read_metadata(yaml).image]


def _are_one(first: Path, second: Path) -> bool:
    """Whether two paths lead to one file, by whatever way."""
    try:
        return first.resolve() == second.resolve() or first.samefile(second)
    except (OSError, ValueError, RuntimeError):  # one of them does not exist, or cannot
        return False
