"""Images for the looks: made here from a colour, or taken from the user.

Made with integer arithmetic from a fixed bit stream, so that the pixels are the same on every
machine. Every image tiles without a seam.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from roboracer_arena.errors import MapError, SettingsError
from roboracer_arena.maps.regular_file import read_regular_file
from roboracer_arena.usd.settings import LookSettings

__all__ = ["Texture", "make_texture"]

Pattern = Literal["floor", "duct", "obstacle"]

_IMAGE_BYTES = 32 * 2**20
"""Largest image file accepted from a user."""
_IMAGE_PIXELS = 64 * 10**6
"""Most pixels accepted in an image of a user; 8k x 8k is the largest common texture."""
_DIGEST_CHARACTERS = 12
_NEUTRAL = 64
"""The shade that shows a colour as it is; half of it is half as bright."""


@dataclass(frozen=True, slots=True)
class Texture:
    """An image file to stand beside the stage."""

    file_name: str
    """Name with a hash of the picture, so that one name never means two pictures."""
    data: bytes
    """Content of the PNG or JPEG file."""


def make_texture(pattern: Pattern, settings: LookSettings) -> Texture | None:
    """Return the image of a look, or None for a plain colour.

    Raises:
        SettingsError: The user's image is missing, too large, or no PNG or JPEG.
    """
    if settings.texture == "none":
        return None
    if isinstance(settings.texture, Path):
        return _own_image(pattern, settings.texture)
    return _procedural(pattern, settings.colour)


@lru_cache(maxsize=16)
def _procedural(pattern: Pattern, colour: str) -> Texture:
    """Paint a pattern in shades of a colour, as an image with a palette."""
    shades = _PAINTERS[pattern]()
    lowest = int(shades.min())
    base = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    levels = np.arange(lowest, int(shades.max()) + 1)
    palette = np.clip(levels[:, None] * base // _NEUTRAL, 0, 255).astype(np.uint8)
    image = Image.fromarray((shades - lowest).astype(np.uint8))
    image.putpalette(palette.tobytes())
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=6)
    digest = hashlib.sha256(palette.tobytes() + image.tobytes()).hexdigest()[:_DIGEST_CHARACTERS]
    return Texture(f"{pattern}-{digest}.png", buffer.getvalue())


def _noise(shape: tuple[int, int], cell: int, seed: int) -> NDArray[np.int64]:
    """Return tiling noise in 0..1023 whose grains are about ``cell`` pixels wide."""
    count = shape[0] * shape[1]
    # Raw bits of PCG64 are fixed for all time; the derived distributions are not.
    raw = np.random.PCG64(seed).random_raw(-(-count // 8))
    noise = np.asarray(raw, dtype="<u8").view(np.uint8)[:count].reshape(shape).astype(np.int64)
    for axis in (0, 1) * (2 if cell > 1 else 0):
        noise = _box_sum(noise, cell, axis)
    low, high = int(noise.min()), int(noise.max())
    return (noise - low) * 1023 // max(high - low, 1)


def _box_sum(values: NDArray[np.int64], width: int, axis: int) -> NDArray[np.int64]:
    """Sum over ``width`` neighbours, wrapping around; sums, not means, to lose no digit."""
    turned = np.moveaxis(values, axis, 0)
    total = np.cumsum(np.concatenate([turned, turned[:width]]), axis=0)
    return np.moveaxis(total[width:] - total[:-width], 0, axis)


def _floor() -> NDArray[np.int64]:
    """Return sealed concrete: faint clouds, fine grain and a few dark aggregate specks."""
    shape = (256, 256)
    clouds = (_noise(shape, 40, 1) - 512) * 10 + (_noise(shape, 12, 2) - 512) * 7
    grain = (_noise(shape, 1, 3) - 512) * 16
    specks = np.where(_noise(shape, 2, 4) < 190, 9 * 1024, 0)
    return _NEUTRAL + (clouds + grain - specks) // 2048


def _duct() -> NDArray[np.int64]:
    """Return corrugated fabric: eight ribs a tile along u, light on the crests, faint weave."""
    height, width, ribs = 64, 256, 8
    period = width // ribs
    along = np.abs(np.arange(width, dtype=np.int64) % period - period // 2)  # 0 crest, 16 groove
    rib = _NEUTRAL * 11 // 8 - along * along * (_NEUTRAL * 3 // 4) // (period // 2) ** 2
    return rib[None, :] + (_noise((height, width), 2, 5) - 512) // 192


def _obstacle() -> NDArray[np.int64]:
    """Return cardboard: faint clouds, streaked along u."""
    clouds = (_noise((128, 128), 16, 6) - 512) * 5
    streaks = (_noise((128, 128), 2, 7)[:, :1] - 512) * 4
    return _NEUTRAL + (clouds + streaks) // 512


_PAINTERS: dict[Pattern, Callable[[], NDArray[np.int64]]] = {
    "floor": _floor,
    "duct": _duct,
    "obstacle": _obstacle,
}


def _own_image(pattern: Pattern, path: Path) -> Texture:
    """Read and check an image of the user; its file is used unchanged."""
    where = str(path)
    try:
        data = read_regular_file(path, limit=_IMAGE_BYTES)
    except MapError as error:
        raise SettingsError(
            f"the texture of stage.{pattern}_look {error.message}", where=where
        ) from error
    kind = _checked_format(data, where)
    digest = hashlib.sha256(data).hexdigest()[:_DIGEST_CHARACTERS]
    return Texture(f"{pattern}-{digest}.{'png' if kind == 'PNG' else 'jpg'}", data)


def _checked_format(data: bytes, where: str) -> str:
    """Return ``PNG`` or ``JPEG`` of an image that decodes whole."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
                if image.width * image.height > _IMAGE_PIXELS:
                    raise SettingsError(
                        f"the texture has {image.width} x {image.height} pixels; the limit is "
                        f"{_IMAGE_PIXELS // 10**6} million",
                        where=where,
                    )
                image.load()
                return str(image.format)
    except UnidentifiedImageError as error:
        raise SettingsError("the texture is neither PNG nor JPEG", where=where) from error
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise SettingsError(f"the texture is damaged: {error}", where=where) from error
