"""Reading a map's image: size checked before decoding, brightness exact."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from roboracer_arena.errors import MapError
from roboracer_arena.maps.netpbm import decode_netpbm, parse_netpbm_header
from roboracer_arena.maps.pixels import Pixels, average_colours
from roboracer_arena.maps.png import PNG_SIGNATURE, decode_png, parse_png_header
from roboracer_arena.maps.regular_file import GIT_LFS_SIGNATURE, open_regular_file

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["MAX_PIXELS", "looks_like_image", "read_image"]

MAX_PIXELS = 100_000_000
"""Largest image that is read unless the caller raises the limit [pixels]: 500 m x 500 m in 5 cm
cells, and about 300 MB while it is decoded."""

_HEAD_BYTES = 65536
# No encoding of a pixel is longer (P3 with four 16-bit values as text); the rest is metadata.
_MAX_BYTES_PER_PIXEL, _MAX_METADATA_BYTES = 24, 16 * 1024 * 1024
_NETPBM = (b"P2", b"P3", b"P5", b"P6")
_PILLOW_FORMATS = {b"BM": "BMP", b"\xff\xd8\xff": "JPEG", b"P1": "PPM", b"P4": "PPM"}
_UNSUPPORTED = {
    b"GIF8": "a GIF",
    b"II*\0": "a TIFF",
    b"MM\0*": "a TIFF",
    b"RIFF": "a WebP or another RIFF",
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP",
    b"\x1f\x8b": "a gzip",
}


def looks_like_image(head: bytes) -> bool:
    """Whether a file that begins like this is an image rather than a YAML."""
    known = (PNG_SIGNATURE, *_NETPBM, *_PILLOW_FORMATS, *_UNSUPPORTED)
    return head.startswith(known)


def read_image(path: Path, *, max_pixels: int = MAX_PIXELS) -> Pixels:
    """Read a PNG, PGM, PPM, PBM, BMP or JPEG file; the content decides, not the suffix.

    Args:
        path: The file.
        max_pixels: Larger images are refused before they are decoded.

    Raises:
        MapError: The file is no image, damaged, animated, empty or too large.
    """
    with open_regular_file(path) as (handle, size):
        try:
            return _decode(handle, size, max_pixels)
        except ValueError as error:
            raise MapError(str(error), where=str(path)) from error
        except MemoryError as error:
            raise MapError("does not fit into memory", where=str(path)) from error


def _decode(handle: BinaryIO, size: int, max_pixels: int) -> Pixels:
    """Choose the decoder by the first bytes. Every failure is a ValueError."""
    head = handle.read(_HEAD_BYTES)
    if head.startswith(PNG_SIGNATURE):
        png = parse_png_header(head)
        limit = _check_size(png.width, png.height, max_pixels)
        return decode_png(_read_rest(handle, head, size, limit), png)
    if head.startswith(_NETPBM):
        netpbm = parse_netpbm_header(head)
        limit = _check_size(netpbm.width, netpbm.height, max_pixels)
        return decode_netpbm(_read_rest(handle, head, size, limit), netpbm)
    for magic, format_name in _PILLOW_FORMATS.items():
        if head.startswith(magic):
            limit = _MAX_BYTES_PER_PIXEL * max_pixels + _MAX_METADATA_BYTES
            return _decode_with_pillow(
                _read_rest(handle, head, size, limit), format_name, max_pixels
            )
    raise ValueError(_why_no_image(head))


def _check_size(width: int, height: int, max_pixels: int) -> int:
    """Refuse a size of zero or above the limit; return the most bytes such a file may have."""
    if width == 0 or height == 0:
        raise ValueError(f"has no pixels (its size is {width} x {height})")
    if width * height > max_pixels:
        raise ValueError(
            f"has {width} x {height} = {width * height:,} pixels; the limit is {max_pixels:,}."
            " Crop it to the track, or lower its resolution"
        )
    return _MAX_BYTES_PER_PIXEL * width * height + _MAX_METADATA_BYTES


def _read_rest(handle: BinaryIO, head: bytes, size: int, limit: int) -> bytes:
    if size > limit:
        raise ValueError(
            f"has {size:,} bytes, more than an image of that size can need ({limit:,})"
        )
    if size <= len(head):
        return head
    handle.seek(0)
    return handle.read(limit)


def _decode_with_pillow(data: bytes, format_name: str, max_pixels: int) -> Pixels:
    from PIL import Image

    with warnings.catch_warnings():
        # Pillow's own size warning stands below our limit, and its others concern metadata.
        warnings.simplefilter("ignore")
        with _decoder_errors(format_name):
            image = Image.open(io.BytesIO(data), formats=(format_name,))
        with image:
            _check_size(image.width, image.height, max_pixels)
            with _decoder_errors(format_name):
                return _from_pillow(image)


@contextmanager
def _decoder_errors(format_name: str) -> Iterator[None]:
    """Turn the assorted errors that Pillow's decoders let through into a ValueError."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise ValueError(f"is a damaged {format_name} image: {error}") from error


def _from_pillow(image: Image.Image) -> Pixels:
    if image.mode in ("1", "L"):
        return Pixels(np.array(image.convert("L")), 255)
    transparent = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    return average_colours(np.array(image.convert("RGBA" if transparent else "RGB")), 255)


def _why_no_image(head: bytes) -> str:
    """Say what the file is instead, as far as its first bytes tell."""
    if not head:
        return "is empty, not an image"
    if head.startswith(GIT_LFS_SIGNATURE):
        return "is a Git LFS pointer, not the image itself; run 'git lfs pull' to fetch it"
    for magic, name in _UNSUPPORTED.items():
        if head.startswith(magic):
            return f"is {name} file; save the map as PNG or PGM"
    start = head[:60].lstrip().partition(b"\n")[0].decode("latin-1").strip()
    if not (start.isascii() and start.isprintable() and start):
        return "is not an image of a known format; save the map as PNG or PGM"
    return f"is not an image but a text file (it begins with '{start}'); save the map as PNG or PGM"
