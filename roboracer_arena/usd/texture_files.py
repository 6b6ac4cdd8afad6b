"""The folder of images beside a stage, replaced together with the stage.

File names carry a hash of the picture, so a file never changes its content: new images are added
before the stage is replaced, and what the new stage does not use is removed after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from roboracer_arena.errors import OutputError
from roboracer_arena.files import atomic_path
from roboracer_arena.usd.textures import Texture

__all__ = ["published_textures", "texture_folder"]

_OURS = re.compile(r"(floor|duct|obstacle)-[0-9a-f]{12}\.(png|jpg)")


def texture_folder(stage: Path) -> Path:
    """Return the folder of the images of a stage; beside the file itself, not beside a link."""
    stage = stage.resolve() if stage.is_symlink() else stage
    # The suffix belongs to the name: track.usda beside track.usdc has images of its own.
    return stage.with_name(f"{stage.stem}_{stage.suffix.removeprefix('.')}_textures")


@contextmanager
def published_textures(stage: Path, textures: tuple[Texture, ...]) -> Iterator[None]:
    """Put images beside a stage for the block that replaces the stage.

    If the block fails, the images it added are removed again; if it succeeds, images that only
    the old stage used are removed. Other files in the folder are left alone.

    Raises:
        OutputError: The folder or a file in it cannot be written.
    """
    folder = texture_folder(stage)
    wanted = {texture.file_name for texture in textures}
    added: list[Path] = []
    try:
        _write_missing(folder, textures, added)
        yield
    except BaseException:
        _remove(folder, added)
        raise
    stale = [path for path in _entries(folder) if _OURS.fullmatch(path.name)]
    _remove(folder, [path for path in stale if path.name not in wanted])


def _write_missing(folder: Path, textures: tuple[Texture, ...], added: list[Path]) -> None:
    """Write the images that are not there yet, noting each before it is written."""
    for texture in textures:
        path = folder / texture.file_name
        try:
            folder.mkdir(exist_ok=True)
            if path.is_file() and path.read_bytes() == texture.data:
                continue
        except OSError as error:
            raise OutputError(
                f"the texture folder cannot be written: {error.strerror}", where=str(folder)
            ) from error
        if not path.exists():
            added.append(path)
        with atomic_path(path, force=True) as temporary:
            temporary.write_bytes(texture.data)


def _entries(folder: Path) -> list[Path]:
    """Return what is in a folder, nothing if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _remove(folder: Path, paths: list[Path]) -> None:
    """Remove files, and the folder if nothing is left in it."""
    for path in paths:
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):
        folder.rmdir()  # refuses a folder that is not empty
