from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from roboracer_arena.errors import MapError
from roboracer_arena.maps.image import looks_like_image, read_image

GREY = np.array([[0, 205, 254], [254, 255, 1]], np.uint8)


def failure(path: Path, **options: int) -> MapError:
    with pytest.raises(MapError) as caught:
        read_image(path, **options)
    assert caught.value.where == str(path)
    return caught.value


@pytest.mark.parametrize("suffix", ["png", "pgm", "bmp"])
def test_lossless_formats_keep_every_level(tmp_path, suffix):
    path = tmp_path / f"map.{suffix}"
    Image.fromarray(GREY).save(path)
    pixels = read_image(path)
    np.testing.assert_array_equal(pixels.levels, GREY)
    assert pixels.white == 255


def test_content_decides_not_the_suffix(tmp_path):
    path = tmp_path / "map.png"
    Image.fromarray(GREY).save(path, format="PPM")
    np.testing.assert_array_equal(read_image(path).levels, GREY)


def test_jpeg_is_read(tmp_path):
    path = tmp_path / "map.jpg"
    Image.fromarray(np.full((16, 16), 254, np.uint8)).save(path, quality=95)
    pixels = read_image(path)
    assert pixels.levels.shape == (16, 16)
    assert (pixels.levels.astype(float) / pixels.white > 0.98).all()


def test_colour_bitmap_is_summed(tmp_path):
    path = tmp_path / "map.bmp"
    Image.fromarray(np.array([[[10, 20, 30]]], np.uint8)).save(path)
    pixels = read_image(path)
    assert pixels.levels.tolist() == [[60]]
    assert pixels.white == 765


@pytest.mark.parametrize("body", [b"P1\n3 1\n1 0 1\n", b"P4\n3 1\n\xa0"])
def test_bitmap_ones_are_black(tmp_path, body):
    path = tmp_path / "map.pbm"
    path.write_bytes(body)
    assert read_image(path).levels.tolist() == [[0, 255, 0]]


def test_size_is_checked_before_decoding(tmp_path):
    # A PNG of a few bytes that claims 10^10 pixels.
    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 0, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + header
    chunk += struct.pack(">I", zlib.crc32(b"IHDR" + header))
    (tmp_path / "png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk)
    (tmp_path / "pgm").write_bytes(b"P5\n100000 100000\n255\n")
    bitmap = tmp_path / "bmp"
    Image.fromarray(GREY).save(bitmap, format="BMP")
    data = bytearray(bitmap.read_bytes())
    data[18:26] = struct.pack("<ii", 20_000, 6_000)
    bitmap.write_bytes(data)
    for name in ("png", "pgm"):
        assert "10,000,000,000 pixels; the limit is 100,000,000" in failure(tmp_path / name).message
    assert "120,000,000 pixels" in failure(bitmap).message


@pytest.mark.parametrize("suffix", ["png", "pgm", "bmp"])
def test_the_limit_is_the_largest_size_that_is_read(tmp_path, suffix):
    path = tmp_path / f"map.{suffix}"
    Image.fromarray(GREY).save(path)
    assert read_image(path, max_pixels=6).levels.size == 6
    assert "3 x 2 = 6 pixels; the limit is 5" in failure(path, max_pixels=5).message


def test_a_file_far_larger_than_its_pixels_is_refused(tmp_path):
    path = tmp_path / "map.pgm"
    with path.open("wb") as handle:
        handle.write(b"P5\n2 1\n255\n\0\0")
        handle.truncate(1 << 30)
    assert "more than an image of that size can need" in failure(path).message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer"),
        (b"<!DOCTYPE html>\n<html>", "a text file (it begins with '<!DOCTYPE html>')"),
        (b"GIF89a\1\0\1\0", "is a GIF file"),
        (b"%PDF-1.7", "is a PDF file"),
        (b"\x00\x01\x02\xff", "known format"),
        (b"\n", "known format"),
        (b"P5\n0 5\n255\n", "has no pixels (its size is 0 x 5)"),
        (b"P5\n5 5\n255\n123", "truncated"),
        (b"P7\nWIDTH 2\n", "text file"),
        (b"BM\x00\x00", "damaged BMP"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "damaged JPEG"),
        (b"P1\n3 9\n1 0", "PPM"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "header is incomplete"),
    ],
)
def test_what_is_no_whole_image_is_named(tmp_path, data, message):
    path = tmp_path / "map.png"
    path.write_bytes(data)
    assert message in failure(path).message


def test_a_truncated_jpeg_is_an_error(tmp_path):
    path = tmp_path / "map.jpg"
    Image.fromarray(np.zeros((64, 64), np.uint8)).save(path)
    path.write_bytes(path.read_bytes()[:-30])
    assert "damaged JPEG" in failure(path).message


def test_what_is_no_file_is_an_error(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "pipe" in failure(tmp_path / "pipe").message
    assert "folder" in failure(tmp_path).message
    assert "does not exist" in failure(tmp_path / "missing.png").message


def test_images_are_told_from_yaml_by_their_first_bytes():
    assert looks_like_image(b"P5\n")
    assert looks_like_image(b"\x89PNG\r\n\x1a\n")
    assert not looks_like_image(b"image: map.pgm\n")
    assert not looks_like_image(b"")
