"""PGM and PPM, text and binary, with every legal maximum value.

Pillow and OpenCV read these formats too, but both rescale a maximum value other than 255 to 255
with rounding, after which the class of a cell near a threshold is no longer exact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from roboracer_arena.maps.pixels import Levels, Pixels, average_colours

__all__ = ["NetpbmHeader", "decode_netpbm", "parse_netpbm_header"]

_HEADER = re.compile(
    # The magic, then three numbers with white space and comments between them; the last number
    # ends with exactly one white-space character, or with a comment line.
    rb"P([2356])"
    + 3 * rb"(?:[ \t\r\n\v\f]|#[^\r\n]*[\r\n])+(\d{1,10})"
    + rb"(?:[ \t\r\n\v\f]|#[^\r\n]*[\r\n])"
)
_COMMENT = re.compile(rb"#[^\r\n]*")
_PLAIN_RASTER = re.compile(rb"[0-9 \t\r\n\v\f]*")


@dataclass(frozen=True, slots=True)
class NetpbmHeader:
    """What stands before the pixels."""

    width: int
    height: int
    maxval: int
    channels: int
    plain: bool
    """Whether the pixels are decimal text."""
    offset: int
    """Where the pixels begin [bytes]."""


def parse_netpbm_header(head: bytes) -> NetpbmHeader:
    """Read the header.

    Args:
        head: The first bytes of the file.

    Raises:
        ValueError: The header is incomplete or out of range.
    """
    match = _HEADER.match(head)
    if match is None:
        raise ValueError("has a damaged PGM header (width, height and maximum value expected)")
    kind, width, height, maxval = (int(group) for group in match.groups())
    if not 1 <= maxval <= 65535:
        raise ValueError(f"has the maximum value {maxval}; PGM allows 1 to 65535")
    offset = match.end()
    # A text editor on Windows writes two characters where the format has one.
    if head[offset - 1 : offset + 1] == b"\r\n" and kind in (2, 3):
        offset += 1
    return NetpbmHeader(width, height, maxval, 1 if kind in (2, 5) else 3, kind in (2, 3), offset)


def decode_netpbm(data: bytes, header: NetpbmHeader) -> Pixels:
    """Return the pixels of a whole file.

    Raises:
        ValueError: There are too few pixels, or one exceeds the maximum value.
    """
    count = header.width * header.height * header.channels
    values: Levels = (
        _plain_values(data, header, count) if header.plain else _raw_values(data, header, count)
    )
    # A maximum value that fills its type cannot be exceeded; the common case costs nothing.
    if header.maxval not in (255, 65535) or header.plain:
        largest = int(values.max())
        if largest > header.maxval:
            raise ValueError(f"has a pixel of value {largest} above its maximum {header.maxval}")
    dtype = np.dtype(np.uint8 if header.maxval < 256 else np.uint16)
    narrow: Levels = values.astype(dtype, copy=False)
    if header.channels == 1:
        return Pixels(narrow.reshape(header.height, header.width), header.maxval)
    return average_colours(narrow.reshape(header.height, header.width, 3), header.maxval)


def _raw_values(data: bytes, header: NetpbmHeader, count: int) -> Levels:
    width = 1 if header.maxval < 256 else 2
    offset, expected = header.offset, count * width
    if len(data) == offset + expected + 1 and data[offset - 1 : offset + 1] == b"\r\n":
        offset += 1
    if len(data) < offset + expected:
        raise ValueError(
            f"is truncated: it holds {len(data) - offset} of {expected} bytes of pixels"
        )
    # Two-byte values are big-endian (netpbm's pgm(5)).
    return np.frombuffer(data, np.uint8 if width == 1 else ">u2", count, offset)


def _plain_values(data: bytes, header: NetpbmHeader, count: int) -> Levels:
    text = _COMMENT.sub(b" ", data[header.offset :])
    end = _PLAIN_RASTER.match(text)
    if end is None or end.end() != len(text):
        place = end.end() if end else 0
        raise ValueError(f"has {text[place : place + 1]!r} where numbers are expected")
    values = np.fromstring(text, dtype=np.int64, sep=" ") if text.strip() else np.empty(0, np.int64)
    if values.size < count:
        raise ValueError(f"is truncated: it holds {values.size} of {count} pixel values")
    return values[:count]
