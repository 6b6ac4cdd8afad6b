"""What a user may call a track: a stage, a map, or a name of the library. Builds what is not built.

Stages that are built on the way are kept in a cache folder under a name made of their content: map
bytes, settings and version. The same track is built once.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from roboracer_arena import __version__
from roboracer_arena.errors import InputError, OutputError
from roboracer_arena.resources import data_dir

if TYPE_CHECKING:
    from roboracer_arena.usd import TrackStage

__all__ = ["library_tracks", "open_track"]

_STAGE_SUFFIXES = {".usd", ".usda", ".usdc"}
_MAP_SUFFIXES = {".yaml", ".yml"}


def library_tracks() -> dict[str, Path]:
    """Return the maps of the bundled library by name, in order."""
    root = data_dir("tracks")
    return {path.parent.name: path for path in sorted(root.glob("*/*/map.yaml"))}


def open_track(name: str, *, progress: Callable[[str], None] | None = None) -> TrackStage:
    """Return the track of that name, built if it has to be.

    Args:
        name: A stage file, a map YAML, or the name of a library track.
        progress: Told of the steps of a build.

    Raises:
        InputError: There is no such track, or it cannot be built.
    """
    from roboracer_arena.usd import read_track

    path = Path(name)
    if path.suffix.lower() in _STAGE_SUFFIXES:
        return read_track(path)
    if path.suffix.lower() in _MAP_SUFFIXES or path.is_dir():
        return read_track(_built(path, progress))
    tracks = library_tracks()
    if name not in tracks:
        known = ", ".join(list(tracks)[:8]) + (", ..." if len(tracks) > 8 else "")
        raise InputError(
            "is neither a stage (.usdc, .usd, .usda), nor a map (.yaml), nor a track of the "
            f"library; known are: {known}",
            where=name,
        )
    return read_track(_built(tracks[name], progress))


def _built(map_path: Path, progress: Callable[[str], None] | None) -> Path:
    """Return the stage of a map, from the cache if it was built before."""
    from roboracer_arena.build import build_map
    from roboracer_arena.maps import read_map
    from roboracer_arena.settings import BuildSettings, settings_digest

    source = read_map(map_path)
    settings = BuildSettings()
    digest = hashlib.sha256()
    for part in (
        __version__,
        settings_digest(settings),
        source.name,
        repr((source.resolution, source.origin, source.cells.shape)),
    ):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(source.cells.tobytes())
    if source.dim_free is not None:
        digest.update(source.dim_free.tobytes())
    stage = _cache_folder() / f"track_{digest.hexdigest()[:20]}.usdc"
    if not stage.is_file():
        build_map(source, stage, settings=settings, progress=progress, force=True)
    return stage


def _cache_folder() -> Path:
    """Return the folder for stages built on the way, made if it is missing."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "roboracer-arena"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"the cache folder cannot be made: {error.strerror}; set XDG_CACHE_HOME",
            where=str(folder),
        ) from error
    return folder
