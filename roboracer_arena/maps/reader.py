"""From a map YAML and its image to an :class:`OccupancyMap`."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path, PureWindowsPath

from roboracer_arena.errors import MapError
from roboracer_arena.maps.classify import classify
from roboracer_arena.maps.image import MAX_PIXELS, looks_like_image, read_image
from roboracer_arena.maps.metadata import MapMetadata, read_metadata
from roboracer_arena.maps.occupancy import OccupancyMap
from roboracer_arena.maps.plateau import dim_free_cells
from roboracer_arena.maps.regular_file import open_regular_file
from roboracer_arena.maps.yaml_scalars import shorten

__all__ = ["find_map_yaml", "read_map"]

_YAML_SUFFIXES = (".yaml", ".yml")
_MAX_CANDIDATES = 100
"""YAML files of a folder that are tried before the user is asked to name one."""
_NAMELESS = frozenset({"map", "maps", "track", "my_map", "mymap"})
"""File names that say nothing, so that the folder names the map."""


def read_map(path: Path | str, *, max_pixels: int = MAX_PIXELS) -> OccupancyMap:
    """Read a map_server map: its YAML and the image that the YAML names.

    Args:
        path: The YAML file; or the image, or the folder, if that leaves one YAML to choose.
        max_pixels: Larger images are refused before they are decoded.

    Returns:
        The map; its ``warnings`` say what had to be decided.

    Raises:
        MapError: The YAML or the image cannot be read or makes no sense.
    """
    yaml_path = find_map_yaml(Path(path))
    metadata = read_metadata(yaml_path)
    pixels = read_image(_image_path(yaml_path, metadata.image), max_pixels=max_pixels)
    classes = classify(pixels, metadata)
    return OccupancyMap(
        cells=classes.cells,
        resolution=metadata.resolution,
        origin=metadata.pose,
        name=_display_name(yaml_path),
        probability=classes.probability,
        dim_free=dim_free_cells(pixels, metadata, classes.cells),
        warnings=metadata.warnings + classes.warnings,
    )


def find_map_yaml(path: Path) -> Path:
    """Return the map YAML that a path given by the user means.

    Raises:
        MapError: There is none, or several.
    """
    if path.is_dir():
        candidates = _map_yamls(path)
        if len(candidates) != 1:
            raise MapError(_not_one(candidates, "this folder"), where=str(path))
        return next(iter(candidates))
    with open_regular_file(path) as (handle, _):
        head = handle.read(16)
    if not looks_like_image(head):
        return path
    named = {
        yaml: metadata
        for yaml, metadata in _map_yamls(path.parent).items()
        if (yaml.parent / metadata.image).name == path.name
    }
    if len(named) != 1:
        raise MapError(_not_one(named, "this image"), where=str(path))
    return next(iter(named))


def _map_yamls(folder: Path) -> dict[Path, MapMetadata]:
    """Return the readable map descriptions of a folder, by name."""
    try:
        files = sorted(p for p in folder.iterdir() if p.suffix.lower() in _YAML_SUFFIXES)
    except OSError as error:
        raise MapError(f"cannot be listed: {error.strerror}", where=str(folder)) from error
    if len(files) > _MAX_CANDIDATES:
        raise MapError(f"has {len(files)} YAML files; name the one to read", where=str(folder))
    if len(files) == 1:
        return {files[0]: read_metadata(files[0])}
    found = {}
    for file in files:
        try:
            found[file] = read_metadata(file)
        except MapError:
            continue
    return found


def _not_one(candidates: dict[Path, MapMetadata], place: str) -> str:
    if not candidates:
        return (
            f"there is no YAML map description for {place}; hand over the YAML file that"
            " map_saver wrote beside the image"
        )
    names = ", ".join(shorten(p.name) for p in list(candidates)[:10])
    return f"several maps fit {place}; name one of: {names}"


def _image_path(yaml_path: Path, image: str) -> Path:
    """Return the path of the image, which must lie in the folder of the YAML or below.

    A map is handed on with its folder. A path out of it works on one machine only, and lets a
    downloaded map read any file of whoever opens it.

    Raises:
        MapError: The path leads out of the folder, or to nothing.
    """
    where, shown = f"{yaml_path}: image", shorten(image)
    remedy = "put the image beside the YAML file and write only its name"
    path = yaml_path.parent / image
    try:
        real = Path(os.path.realpath(path))
        # A workspace built with symlinks holds a link to each file; then both have another home.
        homes = {Path(os.path.realpath(yaml_path.parent)), Path(os.path.realpath(yaml_path)).parent}
        exists = os.path.lexists(path)
    except (OSError, ValueError) as error:
        raise MapError(f"is '{shown}', which is no usable path: {error}", where=where) from error
    if Path(image).is_absolute() or (PureWindowsPath(image).drive and not exists):
        raise MapError(f"is the absolute path '{shown}'; {remedy}", where=where)
    if not any(real.is_relative_to(home) for home in homes):
        raise MapError(f"is '{shown}', which leads out of the map's folder; {remedy}", where=where)
    if not exists:
        raise MapError(f"is '{shown}', but there is no such file{_hint(path)}", where=where)
    return path


def _hint(path: Path) -> str:
    """Name a file that may be meant."""
    if "\\" in path.name:
        return "; write '/' between folders"
    try:
        names = sorted(p.name for p in path.parent.iterdir())
    except OSError:
        return "; its folder is missing too"
    for name in names:
        same_name = name.lower() == path.name.lower()
        same_stem = Path(name).stem == path.stem and Path(name).suffix not in _YAML_SUFFIXES
        if same_name or same_stem:
            return f"; is '{shorten(name)}' meant?"
    return "; copy the image there"


def _display_name(yaml_path: Path) -> str:
    """Return the name that a person would call the map: the file's, or its folder's."""
    stem = yaml_path.name
    for suffix in (*_YAML_SUFFIXES, ".map"):
        if stem.lower().endswith(suffix):
            stem = stem[: -len(suffix)]
    folder = yaml_path.parent.resolve().name
    if stem.lower() in _NAMELESS and folder and folder.lower() not in _NAMELESS:
        stem = folder
    printable = stem.encode("utf-8", errors="replace").decode("utf-8")
    return unicodedata.normalize("NFC", printable) or "track"
