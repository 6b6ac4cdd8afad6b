from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from roboracer_arena.maps.netpbm import NetpbmHeader, decode_netpbm, parse_netpbm_header
from roboracer_arena.maps.pixels import Pixels


def decode(data: bytes) -> Pixels:
    return decode_netpbm(data, parse_netpbm_header(data))


@pytest.mark.parametrize(
    "head",
    [
        b"P5\n3 2\n255\n",
        b"P5 3 2 255 ",
        b"P5\n# CREATOR: map_saver 0.050 m/pix\n3 2\n255\n",
        b"P5 # one\n#two\n3#three\n\t2\r\n# 9 9\n255\n",
        b"P5\r\n3 2\r\n255\n",
    ],
)
def test_header_may_hold_comments_and_any_white_space(head):
    data = head + bytes([0, 205, 254, 1, 2, 3])
    assert parse_netpbm_header(data) == NetpbmHeader(3, 2, 255, 1, False, len(head))
    assert decode(data).levels.tolist() == [[0, 205, 254], [1, 2, 3]]


def test_pixels_that_look_like_white_space_or_comments_are_pixels():
    assert decode(b"P5\n2 2\n255\n#\n #").levels.tolist() == [[35, 10], [32, 35]]


def test_a_windows_line_end_before_binary_pixels_is_no_pixel():
    assert decode(b"P5\r\n2 1\r\n255\r\n\x07\x08").levels.tolist() == [[7, 8]]


def test_text_pixels_may_be_broken_and_commented_anywhere():
    data = b"P2\n# by hand\n3 2 # size\n255\n0 205\n254 # half\n\n001 2\r\n3"
    assert decode(data).levels.tolist() == [[0, 205, 254], [1, 2, 3]]


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (b"P5", "damaged PGM header"),
        (b"P5\n3\n", "damaged PGM header"),
        (b"P5\n-3 2\n255\n", "damaged PGM header"),
        (b"P5\n3 2\n255", "damaged PGM header"),
        (b"P5\n3 2\n0\n", "maximum value 0"),
        (b"P5\n3 2\n65536\n", "maximum value 65536"),
        (b"P5\n99999999999999999999 2\n255\n", "damaged PGM header"),
    ],
)
def test_a_broken_header_is_an_error(head, message):
    with pytest.raises(ValueError, match=message):
        parse_netpbm_header(head)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"P5\n3 2\n255\n12345", "truncated: it holds 5 of 6 bytes"),
        (b"P5\n3 2\n65535\n123456", "truncated: it holds 6 of 12 bytes"),
        (b"P2\n3 2\n255\n1 2 3", "truncated: it holds 3 of 6 pixel values"),
        (b"P2\n3 2\n255\n", "truncated: it holds 0 of 6"),
        (b"P2\n1 1\n255\n-1", "has b'-' where numbers are expected"),
        (b"P2\n1 1\n255\n0.5", "has b'.' where numbers"),
        (b"P5\n1 1\n100\n\xcd", "value 205 above its maximum 100"),
        (b"P2\n1 1\n255\n256", "value 256 above its maximum 255"),
        (b"P2\n1 1\n255\n99999999999999999999999", "above its maximum"),
    ],
)
def test_pixels_that_contradict_the_header_are_an_error(data, message):
    with pytest.raises(ValueError, match=message):
        decode(data)


images = st.integers(1, 65535).flatmap(
    lambda maxval: st.tuples(
        st.just(maxval),
        hnp.arrays(
            np.uint16,
            hnp.array_shapes(min_dims=2, max_dims=2, max_side=6),
            elements=st.integers(0, maxval),
        ),
    )
)


@given(images, st.booleans())
def test_every_maximum_value_keeps_every_level(image, plain):
    maxval, values = image
    head = b"P%d\n%d %d\n%d\n" % (2 if plain else 5, values.shape[1], values.shape[0], maxval)
    if plain:
        body = b" ".join(b"%d" % value for value in values.ravel())
    else:
        body = values.astype(">u2" if maxval > 255 else np.uint8).tobytes()
    pixels = decode(head + body)
    assert pixels.white == maxval
    np.testing.assert_array_equal(pixels.levels, values)
    assert pixels.levels.dtype == (np.uint16 if maxval > 255 else np.uint8)
    assert pixels.levels.dtype.isnative


@pytest.mark.parametrize("kind", [3, 6])
def test_colours_are_summed(kind):
    values = [255, 254, 100, 0, 0, 7]
    body = b" ".join(b"%d" % v for v in values) if kind == 3 else bytes(values)
    pixels = decode(b"P%d\n2 1\n255\n" % kind + body)
    assert pixels.levels.tolist() == [[609, 7]]
    assert pixels.white == 765
