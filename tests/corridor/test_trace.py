"""Outlines of cell masks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import ndimage
from shapely.geometry import Polygon

from roboracer_arena.corridor.trace import signed_area, trace_outlines

_EIGHT = np.ones((3, 3))


@st.composite
def _connected_masks(draw):
    shape = draw(st.tuples(st.integers(1, 9), st.integers(1, 9)))
    cells = draw(arrays.arrays(np.uint8, shape, elements=st.integers(0, 1)))
    cells[draw(st.integers(0, shape[0] - 1)), draw(st.integers(0, shape[1] - 1))] = 1
    labels, count = ndimage.label(np.pad(cells, 1))
    return (labels == draw(st.integers(1, count))).astype(np.uint8)


def _cell_edges(mask):
    """Middles of the edges between 1 and 0 cells, by looking at every cell."""
    return {
        (column + dx / 2, row + dy / 2)
        for row, column in np.argwhere(mask)
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))
        if not mask[row + dy, column + dx]
    }


@given(_connected_masks())
def test_outlines_pass_every_cell_edge_once(mask):
    points = [tuple(point) for outline in trace_outlines(mask) for point in outline.points]
    assert len(points) == len(set(points))
    assert set(points) == _cell_edges(mask)


@given(_connected_masks())
def test_outlines_are_simple_polygons_with_the_mask_on_the_left(mask):
    outlines = trace_outlines(mask)
    assert [outline.is_island for outline in outlines] == [False] + [True] * (len(outlines) - 1)
    for outline in outlines:
        assert Polygon(outline.points).is_valid
        assert (signed_area(outline.points) < 0) == outline.is_island


@given(_connected_masks())
def test_outlines_count_the_cells_they_enclose_and_name_the_wall_beside_them(mask):
    walls, count = ndimage.label(1 - mask, _EIGHT)
    outlines = trace_outlines(mask)
    assert len(outlines) == count
    for outline in outlines:
        assert not mask[outline.wall[:, 1], outline.wall[:, 0]].any()
        assert np.allclose(np.abs(outline.points - outline.wall).sum(axis=1), 0.5)
        body = walls == walls[outline.wall[0, 1], outline.wall[0, 0]] if outline.is_island else mask
        assert outline.cells == ndimage.binary_fill_holes(body, _EIGHT).sum()
