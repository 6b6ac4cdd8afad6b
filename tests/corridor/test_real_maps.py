"""Published maps: what each gives, measured against the map itself."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import pytest
from scipy import ndimage
from scipy.spatial import cKDTree

from roboracer_arena.corridor import find_centerline, find_corridor, measure_corridor
from roboracer_arena.errors import OpenCorridorError
from roboracer_arena.maps import FREE, read_map

pytestmark = pytest.mark.shared

# Lap length [m], mean width [m], drivable area [m²], seen in pictures of the results; rounded.
_LAPS = {
    "Austin_map": (420.5, 2.02, 851),
    "Germany2022": (33.8, 1.60, 56.5),
    "IPZ33": (26.2, 1.98, 55.9),
    "RCA1": (107.0, 2.90, 346),
    "SaoPaulo_map": (344.6, 2.24, 771),
    "basement_fixed": (156.4, 3.35, 685),
    "berlin": (70.8, 3.75, 270),
    "hangar12": (47.6, 2.86, 142),
    "hangar3": (27.6, 2.62, 73.7),
    "icra2022": (64.9, 1.88, 126),
    "levine": (64.0, 1.66, 143),
    "skirk": (33.7, 4.04, 166),
    "track_barca": (215.5, 1.52, 332),
    "vegas": (475.9, 4.07, 1948),
}
_OPEN = {"corridor_r02": r"498\.\d m² around .* its largest island has 0\.71 m²"}


@pytest.fixture(params=sorted(_LAPS))
def corridor(request, shared_dir):
    return _corridor(shared_dir, request.param)


@cache
def _corridor(shared_dir, name):
    return find_corridor(_read(shared_dir, name))


@cache
def _read(shared_dir, name):
    return read_map(next((shared_dir / "data" / "maps" / name).glob("*.yaml")))


def test_every_map_is_in_the_table(shared_dir):
    names = {folder.name for folder in (shared_dir / "data" / "maps").iterdir()}
    assert names == {*_LAPS, *_OPEN}


@pytest.mark.parametrize("name", sorted(_LAPS))
def test_a_map_has_its_lap_width_and_area(shared_dir, name):
    corridor = _corridor(shared_dir, name)
    assert corridor.closed
    measures = measure_corridor(corridor, find_centerline(corridor))
    lap, width, area = _LAPS[name]
    assert measures.lap_length == pytest.approx(lap, rel=0.01)
    assert measures.width_mean == pytest.approx(width, rel=0.01)
    assert measures.area == pytest.approx(area, rel=0.01)
    assert measures.width_min > 0.4


@pytest.mark.parametrize("name", sorted(_OPEN))
def test_a_hallway_that_does_not_close_is_an_error_with_its_place(shared_dir, name):
    with pytest.raises(OpenCorridorError, match=_OPEN[name]):
        find_corridor(_read(shared_dir, name))


def test_walls_lie_on_the_boundary_of_the_free_cells(corridor):
    """Mean within one cell, 95 % within two, sampled every 2 cm along all walls."""
    free = np.pad(corridor.source.cells == FREE, 1)
    if corridor.source.dim_free is not None:
        free[1:-1, 1:-1] &= ~corridor.source.dim_free
    edges = []
    for axis in (0, 1):
        row, column = np.nonzero(np.diff(free.astype(np.int8), axis=axis))
        edges.append(np.column_stack([column + 0.5 * (axis == 1), row + 0.5 * (axis == 0)]) - 0.5)
    face = cKDTree(np.concatenate(edges) * corridor.resolution)
    walls = np.concatenate([_sampled(border.points, 0.02) for border in corridor.borders])
    distance = face.query(walls)[0] / corridor.resolution
    assert distance.mean() < 1.0
    assert np.quantile(distance, 0.95) < 2.0


def test_every_cell_with_enough_clearance_is_inside(corridor):
    free = np.pad(corridor.source.cells == FREE, 1)
    if corridor.source.dim_free is not None:
        free[1:-1, 1:-1] &= ~corridor.source.dim_free
    distance = cv2.distanceTransform(free.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    wide = distance * corridor.resolution > 0.2 + 1e-6
    inside = np.zeros_like(free)
    rows, columns = np.nonzero(corridor.free)
    inside[rows + corridor.window[0] + 1, columns + corridor.window[1] + 1] = True
    parts, _ = ndimage.label(wide, np.ones((3, 3)))
    own = np.unique(parts[inside & wide])
    assert np.all(inside[wide & np.isin(parts, own)])


def test_no_ball_of_five_centimetres_leaves(corridor):
    """Walls are drawn 1 cm fine; a ball's centre stays 2.5 cm away from them."""
    scale = 100.0
    low = corridor.borders[0].points.min(axis=0) - 0.2
    size = np.ceil((corridor.borders[0].points.max(axis=0) + 0.2 - low) * scale).astype(int)
    if size[0] * size[1] > 40_000_000:
        scale, size = scale / 4, size // 4
    picture = np.ones(size[::-1], dtype=np.uint8)
    for border in corridor.borders:
        pixels = np.round((border.points - low) * scale * 16).astype(np.int32)
        cv2.polylines(picture, [pixels], True, 0, 1, cv2.LINE_8, 4)
    reach = max(1, math.floor(0.025 * scale))
    room = cv2.erode(picture, np.ones((2 * reach + 1,) * 2, dtype=np.uint8))
    start = find_centerline(corridor).points[0]
    seed = tuple(int(v) for v in (start - low) * scale)
    assert room[seed[::-1]] == 1
    cv2.floodFill(room, None, seed, 2, flags=4)
    assert not np.any(room[0] == 2)
    outside = picture.copy()
    cv2.floodFill(outside, None, (0, 0), 3, flags=4)
    assert not np.any((room == 2) & (outside == 3))


def _sampled(points, step):
    pieces = []
    for a, b in zip(points, np.roll(points, -1, axis=0), strict=True):
        count = max(1, math.ceil(np.hypot(*(b - a)) / step))
        pieces.append(a + (b - a) * np.arange(count)[:, None] / count)
    return np.concatenate(pieces)
