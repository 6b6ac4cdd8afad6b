from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from roboracer_arena.maps.pixels import Pixels
from roboracer_arena.maps.png import PNG_SIGNATURE, check_png, decode_png, parse_png_header

GREY = np.arange(60, dtype=np.uint8).reshape(6, 10) * 4


def chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def png(width: int, height: int, depth: int, colour: int, rows: bytes, *extra: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    parts = [
        chunk(b"IHDR", header),
        *extra,
        chunk(b"IDAT", zlib.compress(rows)),
        chunk(b"IEND", b""),
    ]
    return PNG_SIGNATURE + b"".join(parts)


def saved(image: Image.Image, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", **options)
    return buffer.getvalue()


def decode(data: bytes) -> Pixels:
    return decode_png(data, parse_png_header(data))


def test_grey_levels_are_kept():
    pixels = decode(saved(Image.fromarray(GREY)))
    np.testing.assert_array_equal(pixels.levels, GREY)
    assert (pixels.white, pixels.levels.dtype, pixels.transparent) == (255, np.uint8, None)


def test_sixteen_bit_levels_are_kept():
    values = np.array([[0, 52685, 65535], [255, 256, 1]], np.uint16)
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    pixels = decode(png(3, 2, 16, 0, rows))
    np.testing.assert_array_equal(pixels.levels, values)
    assert pixels.white == 65535


@pytest.mark.parametrize(
    ("depth", "row", "levels"),
    [
        (1, b"\xa0", [255, 0, 255, 0]),
        (2, b"\x1b", [0, 85, 170, 255]),
        (4, b"\x0f\xc1", [0, 255, 204, 17]),
    ],
)
def test_few_bits_per_pixel_are_stretched_exactly(depth, row, levels):
    assert decode(png(4, 1, depth, 0, b"\0" + row)).levels.tolist() == [levels]


def test_palette_colours_are_summed():
    image = Image.new("P", (3, 1))
    image.putpalette([255, 255, 255, 0, 0, 0, 205, 205, 205])
    image.putdata([0, 1, 2])
    pixels = decode(saved(image))
    assert pixels.levels.tolist() == [[765, 0, 615]]
    transparent = decode(saved(image, transparency=0)).transparent
    assert transparent is not None
    assert transparent.tolist() == [[True, False, False]]


def test_grey_with_alpha_keeps_both():
    image = Image.fromarray(np.array([[[254, 255], [254, 128], [0, 0]]], np.uint8), "LA")
    pixels = decode(saved(image))
    assert pixels.levels.tolist() == [[762, 762, 0]]
    assert pixels.transparent is not None
    assert pixels.transparent.tolist() == [[False, True, True]]


def test_sixteen_bit_colour_with_alpha_keeps_full_precision():
    values = np.array([[[52685, 52685, 52684, 65535], [65535, 65535, 65535, 65534]]], ">u2")
    pixels = decode(png(2, 1, 16, 6, b"\0" + values.tobytes()))
    assert pixels.levels.tolist() == [[158054, 196605]]
    assert pixels.white == 196605
    assert pixels.transparent is not None
    assert pixels.transparent.tolist() == [[False, True]]


@pytest.mark.parametrize(("depth", "row", "level"), [(8, b"\xfe\xcd", 254), (2, b"\xc0", 3)])
def test_a_grey_level_that_is_declared_transparent_is(depth, row, level):
    data = png(2, 1, depth, 0, b"\0" + row, chunk(b"tRNS", struct.pack(">H", level)))
    transparent = decode(data).transparent
    assert transparent is not None
    assert transparent.tolist() == [[True, False]]


def test_metadata_that_concerns_display_changes_no_level():
    # gAMA and an EXIF rotation: map_server looks at neither.
    exif = Image.Exif()
    exif[0x0112] = 6
    data = saved(Image.fromarray(GREY), exif=exif)
    with_gamma = data[:33] + chunk(b"gAMA", struct.pack(">I", 100000)) + data[33:]
    np.testing.assert_array_equal(decode(with_gamma).levels, GREY)


@pytest.mark.parametrize("keep", [34, 60, -40, -12, -4, -1])
def test_a_truncated_file_is_an_error(keep):
    data = saved(Image.fromarray(GREY))
    with pytest.raises(ValueError, match="truncated"):
        decode(data[:keep])


def test_a_truncated_header_is_an_error():
    with pytest.raises(ValueError, match="header is incomplete"):
        parse_png_header(saved(Image.fromarray(GREY))[:20])


def test_flipped_bits_are_an_error():
    data = bytearray(saved(Image.fromarray(GREY)))
    data[data.index(b"IDAT") + 8] ^= 0x10
    with pytest.raises(ValueError, match=r"checksum.*IDAT"):
        decode(bytes(data))


def test_too_little_pixel_data_under_right_checksums_is_an_error(capfd):
    with pytest.raises(ValueError, match="damaged PNG"):
        decode(png(10, 6, 8, 0, b"\0" + bytes(10)))
    capfd.readouterr()


def test_an_animation_is_an_error():
    frames = [Image.fromarray(GREY), Image.fromarray(255 - GREY)]
    data = saved(frames[0], save_all=True, append_images=frames[1:])
    with pytest.raises(ValueError, match="animation"):
        check_png(data)


def test_bytes_after_the_end_mark_are_ignored():
    data = saved(Image.fromarray(GREY)) + b"\n"
    np.testing.assert_array_equal(decode(data).levels, GREY)
