"""From a map YAML and its image to an :class:`OccupancyMap`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from ruamel.yaml import YAML

from roboracer_arena.errors import MapError
from roboracer_arena.maps.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D

__all__ = ["MAX_PIXELS", "read_map"]

MAX_PIXELS = 100_000_000
"""Largest image that is read unless the caller raises the limit [pixels]."""


def read_map(path: Path | str, *, max_pixels: int = MAX_PIXELS) -> OccupancyMap:
    """Read a map_server map: its YAML and the image that the YAML names.

    Args:
        path: The YAML file.
        max_pixels: Largest image that is decoded.

    Raises:
        MapError: The YAML or the image cannot be read or makes no sense.
    """
    path = Path(path)
    if not path.is_file():
        raise MapError("is not a file", where=str(path))
    fields = YAML(typ="safe").load(path.read_bytes())
    image = cv2.imread(str(path.parent / fields["image"]), cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise MapError(f"the image '{fields['image']}' cannot be read", where=str(path))
    if image.size > max_pixels:
        raise MapError(f"the image has {image.size} pixels, the limit is {max_pixels}")
    levels = np.arange(256) if fields["negate"] else 255 - np.arange(256)
    table = np.full(256, UNKNOWN, dtype=np.uint8)
    table[levels > 255 * float(fields["occupied_thresh"])] = OCCUPIED
    table[levels < 255 * float(fields["free_thresh"])] = FREE
    table[levels == 50] = UNKNOWN
    x, y, *yaw = (float(value) for value in fields["origin"])
    return OccupancyMap(
        cells=cv2.LUT(cv2.flip(image, 0), table),
        resolution=float(fields["resolution"]),
        origin=Pose2D(x, y, *yaw),
        name=path.stem,
    )
