"""Grey that only reads as free."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from roboracer_arena.maps import read_map


def _read(folder, image, **fields):
    cv2.imwrite(str(folder / "m.png"), image)
    lines = {
        "image": "m.png",
        "resolution": 0.05,
        "origin": [0.0, 0.0, 0.0],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.196,
        **fields,
    }
    (folder / "m.yaml").write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
    return read_map(folder / "m.yaml")


def _drawing(background, inside=255, size=40):
    image = np.full((size, size + 10), background, dtype=np.uint8)
    image[10:30, 10:40] = 0
    image[12:20, 12:38] = inside
    return image


def test_a_grey_border_around_a_white_plateau_is_dim(tmp_path):
    dim = _read(tmp_path, _drawing(216)).dim_free
    assert dim is not None
    assert np.array_equal(dim[::-1], _drawing(216) == 216)


def test_a_negated_map_is_judged_by_its_meaning(tmp_path):
    dim = _read(tmp_path, 255 - _drawing(216), negate=1).dim_free
    assert np.array_equal(dim[::-1], _drawing(216) == 216)


def test_a_colour_map_is_judged_by_its_brightness(tmp_path):
    dim = _read(tmp_path, cv2.cvtColor(_drawing(216), cv2.COLOR_GRAY2BGR)).dim_free
    assert np.array_equal(dim[::-1], _drawing(216) == 216)


@pytest.mark.parametrize(
    ("background", "inside"),
    [
        (255, 255),  # white all over
        (254, 255),  # as white as makes no difference
        (205, 255),  # unknown already
        (216, 218),  # two greys that nobody tells apart
        (0, 255),  # a filled map
    ],
)
def test_other_maps_have_no_dim_cells(tmp_path, background, inside):
    assert _read(tmp_path, _drawing(background, inside)).dim_free is None


def test_a_few_bright_pixels_are_noise(tmp_path):
    image = _drawing(216, inside=216, size=400)
    image[200, 200] = 255
    assert _read(tmp_path, image).dim_free is None
