"""From an :class:`OccupancyMap` to a map YAML and its image."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from roboracer_arena.errors import MapError, OutputError, UsageError
from roboracer_arena.files import atomic_path, check_target
from roboracer_arena.maps.classify import cells_of_percents
from roboracer_arena.maps.metadata import (
    DEFAULT_FREE_THRESH,
    DEFAULT_OCCUPIED_THRESH,
    MapMetadata,
    as_map_error,
)
from roboracer_arena.maps.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap

__all__ = ["ImageFormat", "write_map"]

ImageFormat = Literal["png", "pgm"]

_PNG_COMPRESSION = 9
"""zlib level: 0.1 s for 7 million pixels, a quarter smaller than the default."""


def write_map(
    occupancy: OccupancyMap,
    yaml_path: Path,
    *,
    force: bool = False,
    image_format: ImageFormat = "png",
) -> None:
    """Write a map as map_server YAML with its image beside it; reading it back is the identity.

    The same map gives the same bytes. A map with ``probability`` is written in mode ``raw``,
    others in mode ``trinary``.

    Args:
        occupancy: The map; its name, its warnings and ``dim_free`` are not stored.
        yaml_path: Where the YAML goes; the image gets the same name with the other suffix.
        force: Whether existing files may be replaced.
        image_format: ``png`` or ``pgm``.

    Raises:
        UsageError: The name does not end in ``.yaml`` or ``.yml``.
        OutputExistsError: One of the files exists and ``force`` is false.
        OutputError: The files cannot be written.
        MapError: The map contradicts itself.
    """
    if yaml_path.suffix.lower() not in (".yaml", ".yml"):
        raise UsageError("the name of a map must end in .yaml", where=str(yaml_path))
    image_path = yaml_path.with_suffix(f".{image_format}")
    for target in (yaml_path, image_path):
        check_target(target, force=force)
    where = str(yaml_path)
    text = _yaml_text(occupancy, image_path.name, where).encode()
    image = _encode(_image(occupancy, where), image_format)
    # Both files are complete before the first is renamed. The image comes first, so that a new
    # YAML never names an old image.
    with atomic_path(yaml_path, force=force) as new_yaml:
        new_yaml.write_bytes(text)
        with (
            _without_wrong_pair(yaml_path, image_path, text),
            atomic_path(image_path, force=force) as new_image,
        ):
            new_image.write_bytes(image)


@contextmanager
def _without_wrong_pair(yaml_path: Path, image_path: Path, text: bytes) -> Iterator[None]:
    """Take an old YAML away while the image that it may name is replaced.

    A process killed in between leaves no YAML instead of one whose image is another map's. Any
    other failure brings the old YAML back.
    """
    old = yaml_path.read_bytes() if image_path.exists() and yaml_path.exists() else text
    if old == text:
        yield
        return
    yaml_path.resolve().unlink()
    try:
        yield
    except BaseException:
        with atomic_path(yaml_path, force=True) as restored:
            restored.write_bytes(old)
        raise


def _yaml_text(occupancy: OccupancyMap, image_name: str, where: str) -> str:
    """Return the YAML; ``repr`` keeps every float to the last bit."""
    origin = occupancy.origin
    try:
        metadata = MapMetadata(
            image=image_name,
            resolution=occupancy.resolution,
            origin=(origin.x, origin.y, origin.yaw),
            mode="trinary" if occupancy.probability is None else "raw",
        )
    except ValidationError as error:
        raise as_map_error(error, where) from error
    lines = (
        f"image: {_quoted(image_name, where)}",
        f"mode: {metadata.mode}",
        f"resolution: {metadata.resolution!r}",
        f"origin: [{', '.join(repr(number) for number in metadata.origin)}]",
        "negate: 0",
        f"occupied_thresh: {DEFAULT_OCCUPIED_THRESH}",
        f"free_thresh: {DEFAULT_FREE_THRESH}",
    )
    return "\n".join(lines) + "\n"


def _quoted(name: str, where: str) -> str:
    """Return a file name as a YAML scalar."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", name):
        return name
    if not name.isprintable():
        raise OutputError("the file name has characters that cannot be shown", where=where)
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _image(occupancy: OccupancyMap, where: str) -> NDArray[np.uint8]:
    """Return the image, row 0 at the top: the cells, or the occupancy [%] with 255 for unknown."""
    cells, percents = occupancy.cells, occupancy.probability
    if cells.dtype != np.uint8 or cells.ndim != 2 or cells.size == 0:
        raise MapError(
            f"cells are {cells.dtype} of shape {cells.shape}, not uint8 [height, width]",
            where=where,
        )
    if percents is None:
        if not np.isin(cells, (OCCUPIED, UNKNOWN, FREE)).all():
            raise MapError("cells hold values other than 0, 205 and 254", where=where)
        return np.ascontiguousarray(cells[::-1])
    if percents.shape != cells.shape or not np.array_equal(cells_of_percents(percents), cells):
        raise MapError(
            "cells and probability contradict each other: free must be 0 %, occupied 100 %",
            where=where,
        )
    # int8 -1 is the byte 255, which mode raw reads as unknown.
    return np.ascontiguousarray(percents.astype(np.int8)[::-1]).view(np.uint8)


def _encode(image: NDArray[np.uint8], image_format: ImageFormat) -> bytes:
    if image_format == "pgm":
        return b"P5\n%d %d\n255\n" % image.shape[::-1] + image.tobytes()
    done, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, _PNG_COMPRESSION])
    if not done:
        raise OutputError("the image cannot be encoded as PNG")
    return bytes(data)
