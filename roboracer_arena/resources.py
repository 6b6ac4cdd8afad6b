"""Where the data files of the project are: bundled tracks, vehicle parameters, prompts."""

from __future__ import annotations

from pathlib import Path

from roboracer_arena.errors import MissingExtraError

__all__ = ["data_dir"]

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """Return the folder of one kind of data: ``tracks``, ``vehicle`` or ``llm``.

    In a checkout (or an editable install) the folders stand beside the package; a wheel carries
    them as ``_data`` inside it.

    Args:
        name: Folder name at the top level of the repository.

    Raises:
        MissingExtraError: The installation carries no such folder.
    """
    for candidate in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise MissingExtraError(
        f"the data folder '{name}' is missing from this installation; reinstall roboracer-arena",
        where=str(_PACKAGE),
    )
