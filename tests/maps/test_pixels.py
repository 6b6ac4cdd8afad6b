from __future__ import annotations

import numpy as np
import pytest

from roboracer_arena.maps.pixels import average_colours


@pytest.mark.parametrize(("dtype", "white"), [(np.uint8, 255), (np.uint16, 65535)])
def test_full_colours_do_not_overflow(dtype, white):
    pixels = average_colours(np.full((2, 3, 3), white, dtype), white)
    assert (pixels.levels == 3 * white).all()
    assert pixels.white == 3 * white
    assert pixels.transparent is None


def test_only_partly_and_fully_transparent_pixels_are_transparent():
    channels = np.full((1, 3, 4), 255, np.uint8)
    channels[0, :, 3] = [255, 254, 0]
    pixels = average_colours(channels, 255)
    assert pixels.transparent is not None
    assert pixels.transparent.tolist() == [[False, True, True]]
    assert (pixels.levels == 765).all()


def test_an_opaque_image_has_no_transparency():
    assert average_colours(np.full((2, 2, 4), 255, np.uint8), 255).transparent is None
