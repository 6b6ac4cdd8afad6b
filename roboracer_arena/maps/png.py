"""The structure of a PNG file, checked before a decoder sees it."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from roboracer_arena.maps.pixels import Levels, Pixels, average_colours

__all__ = ["PNG_SIGNATURE", "PngHeader", "check_png", "decode_png", "parse_png_header"]

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY = 0
_CRITICAL = (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS")


@dataclass(frozen=True, slots=True)
class PngHeader:
    """The IHDR chunk."""

    width: int
    height: int
    depth: int
    """Bits per channel: 1, 2, 4, 8 or 16."""
    colour_type: int
    """0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha."""


def parse_png_header(head: bytes) -> PngHeader:
    """Read the header from the first bytes of the file.

    Raises:
        ValueError: The header is damaged.
    """
    if len(head) < 33 or head[12:16] != b"IHDR":
        raise ValueError("is truncated or damaged: the PNG header is incomplete")
    width, height, depth, colour_type = struct.unpack(">IIBB", head[16:26])
    return PngHeader(width, height, depth, colour_type)


def check_png(data: bytes) -> bytes | None:
    """Walk through the chunks of a whole file; return the content of tRNS, if there is one.

    Decoders disagree on what to do with a damaged file (older OpenCV returns a picture that is
    black from the damage on), so it is found out here.

    Raises:
        ValueError: The file is truncated, damaged or animated.
    """
    position, transparency = len(PNG_SIGNATURE), None
    view = memoryview(data)
    while True:
        if position + 12 > len(data):
            raise ValueError("is truncated: the PNG ends before its end mark")
        (size,) = struct.unpack_from(">I", data, position)
        kind = data[position + 4 : position + 8]
        end = position + 8 + size
        if end + 4 > len(data):
            raise ValueError("is truncated: the PNG ends inside its data")
        if kind in _CRITICAL and struct.unpack_from(">I", data, end)[0] != zlib.crc32(
            view[position + 4 : end]
        ):
            raise ValueError(f"is damaged: a checksum of the PNG is wrong ({kind.decode()})")
        if kind == b"acTL" and size >= 4 and struct.unpack_from(">I", data, position + 8)[0] > 1:
            raise ValueError("is an animation; save a single picture")
        if kind == b"tRNS":
            transparency = data[position + 8 : end]
        if kind == b"IEND":
            return transparency
        position = end + 4


def decode_png(data: bytes, header: PngHeader) -> Pixels:
    """Return the pixels of a whole file.

    Raises:
        ValueError: The file is damaged or animated.
    """
    transparency = check_png(data)
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise ValueError(f"is a damaged PNG: {error.err}") from error
    if decoded is None:
        raise ValueError("is a damaged PNG: its data cannot be decoded")
    image = cast("Levels", decoded)
    if image.shape[:2] != (header.height, header.width):
        raise ValueError("is a damaged PNG: its data has another size")
    white = 65535 if image.dtype == np.uint16 else 255
    if image.ndim == 3:
        return average_colours(image, white)
    transparent = None
    if transparency is not None and header.colour_type == _GREY and len(transparency) >= 2:
        # One grey level is declared transparent; OpenCV ignores that for grey images.
        level = struct.unpack_from(">H", transparency)[0] * white // (2**header.depth - 1)
        transparent = image == level
    return Pixels(image, white, transparent)
