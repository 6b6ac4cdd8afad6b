from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN
from roboracer_arena.maps.classify import cells_of_percents, classify
from roboracer_arena.maps.metadata import MapMetadata
from roboracer_arena.maps.pixels import Pixels


def metadata(**fields: object) -> MapMetadata:
    return MapMetadata(image="map.png", resolution=0.05, origin=(0, 0, 0), **fields)


def every_level(white: int) -> Pixels:
    """One row with each level once."""
    dtype = np.uint8 if white < 256 else np.uint16 if white < 65536 else np.uint32
    return Pixels(np.arange(white + 1, dtype=dtype)[np.newaxis], white)


def classes(white: int = 255, **fields: object) -> list[int]:
    return classify(every_level(white), metadata(**fields)).cells[0].tolist()


def test_the_classes_of_map_saver_are_read_back():
    cells = classes()
    assert (cells[0], cells[205], cells[254], cells[255]) == (OCCUPIED, UNKNOWN, FREE, FREE)


def test_row_zero_of_the_image_is_the_highest_row_of_the_map():
    pixels = Pixels(np.array([[0, 0], [205, 205], [254, 254]], np.uint8), 255)
    assert classify(pixels, metadata()).cells[:, 0].tolist() == [FREE, UNKNOWN, OCCUPIED]
    wide = Pixels(pixels.levels.astype(np.uint16) * 257, 65535)
    assert classify(wide, metadata()).cells[:, 0].tolist() == [FREE, UNKNOWN, OCCUPIED]


def test_grey_204_equals_a_free_thresh_of_a_fifth_and_is_unknown():
    cells = classes(free_thresh=0.2)
    assert (cells[204], cells[205 + 1]) == (UNKNOWN, FREE)


def test_grey_that_equals_occupied_thresh_is_unknown():
    cells = classes(occupied_thresh=0.6)  # p = 0.6 is grey 102
    assert (cells[101], cells[102]) == (OCCUPIED, UNKNOWN)


def test_negate_reverses_the_greys_not_the_thresholds():
    cells = classes(negate=True)
    assert (cells[0], cells[50], cells[255], cells[205]) == (FREE, UNKNOWN, OCCUPIED, OCCUPIED)
    assert cells == classes()[::-1]


@pytest.mark.parametrize(("white", "level"), [(255, 205), (65535, 52685), (765, 615), (100, 80)])
@pytest.mark.parametrize("negate", [False, True])
def test_the_grey_of_unseen_space_is_never_free(white, level, negate):
    level = white - level if negate else level
    pixels = every_level(white)
    found = classify(pixels, metadata(free_thresh=0.25, negate=negate))
    assert found.cells[0, level] == UNKNOWN
    brighter = level - 1 if negate else level + 1
    assert found.cells[0, brighter] == FREE
    (warning,) = found.warnings
    assert warning.startswith("1 cells of grey 205")
    assert "free_thresh 0.25" in warning


def test_no_warning_when_the_grey_of_unseen_space_does_not_occur():
    pixels = Pixels(np.array([[0, 254, 204]], np.uint8), 255)
    assert classify(pixels, metadata(free_thresh=0.25)).warnings == ()


def test_no_warning_when_the_threshold_reads_that_grey_as_unknown_anyway():
    assert classify(every_level(255), metadata(free_thresh=0.196)).warnings == ()


@pytest.mark.parametrize("white", [1, 2])
def test_white_stays_free_where_the_grey_of_unseen_space_cannot_be_expressed(white):
    assert classes(white, free_thresh=0.25)[white] == FREE


def test_transparent_pixels_are_never_drivable():
    levels = np.full((2, 2), 765, np.uint16)
    transparent = np.array([[True, False], [False, False]])
    found = classify(Pixels(levels, 765, transparent), metadata())
    assert found.cells.tolist() == [[FREE, FREE], [UNKNOWN, FREE]]
    assert found.warnings == ()
    found = classify(Pixels(levels, 765, transparent), metadata(mode="scale"))
    assert found.probability is not None
    assert found.probability.tolist() == [[0, 0], [-1, 0]]


def test_a_wholly_transparent_image_is_reported():
    pixels = Pixels(np.full((1, 1), 765, np.uint16), 765, np.array([[True]]))
    assert "transparent" in classify(pixels, metadata()).warnings[0]


def test_scale_interpolates_between_the_thresholds():
    found = classify(every_level(255), metadata(mode="scale"))
    assert found.probability is not None
    percents, cells = found.probability[0], found.cells[0]
    assert (percents[0], percents[255], percents[140], percents[205]) == (100, 0, 56, -1)
    assert (cells[0], cells[255], cells[140], cells[205]) == (OCCUPIED, FREE, UNKNOWN, UNKNOWN)


def test_raw_takes_the_level_as_percent_and_ignores_negate():
    found = classify(every_level(255), metadata(mode="raw", negate=True))
    assert found.probability is not None
    assert found.probability[0].tolist() == [*range(101), *[-1] * 155]
    assert found.cells[0].tolist() == [FREE, *[UNKNOWN] * 99, OCCUPIED, *[UNKNOWN] * 155]


def test_only_the_ends_of_the_percent_scale_are_sure():
    percents = np.array([-1, 0, 1, 50, 99, 100], np.int8)
    expected = [UNKNOWN, FREE, UNKNOWN, UNKNOWN, UNKNOWN, OCCUPIED]
    assert cells_of_percents(percents).tolist() == expected


# Thresholds that coincide with a grey are the interesting ones, so they are made often.
thresholds = st.one_of(
    st.decimals(0, 1, places=3, allow_nan=False),
    st.integers(0, 255).map(lambda grey: Decimal(grey) / 255),
    st.sampled_from([Decimal(n) / 5 for n in range(6)]),
).map(float)
ordered = st.tuples(thresholds, thresholds).map(sorted).filter(lambda pair: pair[0] < pair[1])
whites = st.sampled_from([1, 3, 100, 254, 255, 765, 1000, 65535])


def is_saver_grey(level: int, white: int, negate: bool) -> bool:
    grey, white_grey = (50, 1) if negate else (205, 254)
    nearest = [round(Fraction(g * white, 255)) for g in (grey, white_grey)]
    return level == nearest[0] != nearest[1]


@given(ordered, st.booleans(), whites, st.data())
def test_trinary_equals_the_rule_in_rational_numbers(pair, negate, white, data):
    free, occupied = pair
    found = classes(white, free_thresh=free, occupied_thresh=occupied, negate=negate)
    for level in data.draw(st.lists(st.integers(0, white), min_size=40, max_size=40)):
        p = Fraction(level if negate else white - level, white)
        expected = UNKNOWN
        if p > Fraction(str(occupied)):
            expected = OCCUPIED
        elif p < Fraction(str(free)) and not is_saver_grey(level, white, negate):
            expected = FREE
        assert found[level] == expected, level


@given(ordered, st.booleans(), whites, st.data())
def test_scale_equals_the_rule_in_rational_numbers(pair, negate, white, data):
    fields = {"free_thresh": pair[0], "occupied_thresh": pair[1], "negate": negate}
    found = classify(every_level(white), metadata(mode="scale", **fields))
    assert found.probability is not None
    free, occupied = Fraction(str(pair[0])), Fraction(str(pair[1]))
    for level in data.draw(st.lists(st.integers(0, white), min_size=40, max_size=40)):
        p = Fraction(level if negate else white - level, white)
        percent = int(found.probability[0, level])
        if p > occupied:
            assert percent == 100
        elif is_saver_grey(level, white, negate):
            assert percent == -1
        elif p < free:
            assert percent == 0
        else:
            assert percent == min(99, max(1, round(100 * (p - free) / (occupied - free))))
    np.testing.assert_array_equal(found.cells, cells_of_percents(found.probability))
