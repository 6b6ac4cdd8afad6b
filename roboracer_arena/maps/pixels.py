"""What an image decoder hands on: exact integer brightness and transparency."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Levels", "Pixels", "average_colours"]

Levels = NDArray[np.integer]
"""Unsigned integers: uint8 for an 8-bit grey image, wider for the others."""


@dataclass(frozen=True, slots=True, eq=False)
class Pixels:
    """A decoded image, row 0 at the top."""

    levels: Levels
    """Shape [height, width]; brightness is ``levels / white``, exactly. For a colour image the
    sum of its channels, since map_server averages them."""
    white: int
    """The level of full brightness; at least 1."""
    transparent: NDArray[np.bool_] | None = None
    """Shape [height, width]; where the image is partly or fully transparent, or None if nowhere."""


def average_colours(channels: Levels, white: int) -> Pixels:
    """Return the pixels of a colour image.

    Args:
        channels: Shape [height, width, 3 or 4]: three colours in any order, then opacity.
        white: The level of full brightness and of full opacity.
    """
    dtype = np.dtype(np.uint16 if 3 * white <= np.iinfo(np.uint16).max else np.uint32)
    total: Levels = channels[..., 0].astype(dtype)
    for channel in (1, 2):
        np.add(total, channels[..., channel], out=total)
    transparent = None
    if channels.shape[2] == 4:
        transparent = channels[..., 3] < white
        if not transparent.any():
            transparent = None
    return Pixels(total, 3 * white, transparent)
