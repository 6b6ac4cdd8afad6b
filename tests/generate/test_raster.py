from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.generate.path import Path, Piece, fillet_polygon
from roboracer_arena.generate.raster import PAD_CELLS, rasterise
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap

from .shapes import JOGS, OCTAGON, OVAL, U_SHAPE, drawn, rotated, rounded


def brute_force(track: OccupancyMap, path: Path, width: float, wall: float) -> np.ndarray:
    """Eq. 3 by the distance of every cell centre to every piece of the path."""
    rows, columns = np.indices(track.cells.shape)
    centres = track.cell_to_world(np.column_stack([rows.ravel(), columns.ravel()]).astype(float))
    best = np.full(len(centres), np.inf)
    x, y, heading = path.x, path.y, path.heading
    for piece in path.pieces:
        start = np.array([x, y])
        forward = np.array([math.cos(heading), math.sin(heading)])
        if piece.angle == 0.0:
            along = np.clip((centres - start) @ forward, 0.0, piece.length)
            nearest = start + along[:, None] * forward
            best = np.minimum(best, np.hypot(*(centres - nearest).T))
            x, y = start + piece.length * forward
        else:
            radius = piece.length / abs(piece.angle)
            side = math.copysign(1.0, piece.angle)
            middle = start + side * radius * np.array([-forward[1], forward[0]])
            around = np.arctan2(*(centres - middle).T[::-1])
            first = math.atan2(*(start - middle)[::-1])
            turned = np.mod(side * (around - first), 2.0 * math.pi)
            gap = np.abs(np.hypot(*(centres - middle).T) - radius)
            best = np.where(turned <= abs(piece.angle), np.minimum(best, gap), best)
            heading += piece.angle
            x, y = middle + radius * side * np.array([math.sin(heading), -math.cos(heading)])
    cells = np.full(len(centres), UNKNOWN, dtype=np.uint8)
    cells[best <= width / 2.0 + wall + 1e-9] = OCCUPIED
    cells[best <= (width - track.resolution) / 2.0 + 1e-9] = FREE
    return cells.reshape(track.cells.shape)


@pytest.mark.parametrize("shape", [OVAL, U_SHAPE, JOGS, OCTAGON], ids=["oval", "u", "jogs", "oct"])
@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_every_cell_is_as_equation_3_says(shape: np.ndarray, angle: float) -> None:
    path = rounded(rotated(shape, angle) + 0.017, 1.2)
    track = drawn(path)
    differing = np.count_nonzero(track.cells != brute_force(track, path, 1.55, 0.15))
    # The polyline between samples runs up to 0.04 mm inside an arc.
    assert differing <= 2


def test_straights_on_the_grid_have_clean_walls() -> None:
    track = drawn(rounded(OVAL + 0.025, 1.2))
    middle = track.cells[:, track.width // 2 - 20 : track.width // 2 + 20]
    assert np.array_equal(middle, np.repeat(middle[:, :1], 40, axis=1))


@settings(max_examples=25, deadline=None)
@given(
    x=st.floats(-50.0, 50.0),
    y=st.floats(-50.0, 50.0),
    width=st.floats(0.6, 2.0),
    wall=st.floats(0.1, 0.4),
)
def test_walls_enclose_the_corridor_wherever_it_lies(
    x: float, y: float, width: float, wall: float
) -> None:
    path = rounded(OVAL * 1.5 + np.array([x, y]), 1.5)
    track = drawn(path, width=width, wall=wall)
    border = np.concatenate([track.cells[[0, -1]].ravel(), track.cells[:, [0, -1]].ravel()])
    assert set(border.tolist()) == {UNKNOWN}
    area = np.count_nonzero(track.cells == FREE) * track.resolution**2
    assert area == pytest.approx(path.length * (width - 0.05), rel=0.08)
    inside = track.cell_to_world(np.argwhere(track.cells != UNKNOWN).astype(float))
    low, high = path.curve(0.02).points.min(axis=0), path.curve(0.02).points.max(axis=0)
    reach = width / 2.0 + wall + 1e-6
    assert (inside >= low - reach).all()
    assert (inside <= high + reach).all()


def test_a_hall_on_the_grid_is_never_left() -> None:
    # Outer wall flush with a hall of 12 x 6 m whose corner is the origin.
    reach = 1.55 / 2.0 + 0.15
    box = np.array([[0, 0], [12 - 2 * reach, 0], [12 - 2 * reach, 6 - 2 * reach],
                    [0, 6 - 2 * reach]]) + reach  # fmt: skip
    track = drawn(rounded(box, 1.3))
    rows, columns = np.nonzero(track.cells != UNKNOWN)
    assert (np.ptp(rows) + 1) * 0.05 == pytest.approx(6.0)
    assert (np.ptp(columns) + 1) * 0.05 == pytest.approx(12.0)
    assert track.origin.x <= -PAD_CELLS * 0.05 + 1e-9


def test_same_curve_same_cells() -> None:
    points = rounded(U_SHAPE, 1.2).curve(0.02).points
    one, two = (rasterise(points, width=1.5, wall=0.15, cell=0.05) for _ in range(2))
    assert one.cells.tobytes() == two.cells.tobytes()


def test_a_path_closes_and_keeps_its_length() -> None:
    path = rounded(JOGS, 1.2)
    curve = path.curve(0.01)
    gaps = np.hypot(*(np.roll(curve.points, -1, axis=0) - curve.points).T)
    assert gaps.max() < 0.0101
    assert gaps.sum() == pytest.approx(path.length, rel=1e-5)
    turned = curve.heading[-1] - curve.heading[0]
    assert turned == pytest.approx(2.0 * math.pi, abs=0.02)
    back = curve.reversed()
    assert np.array_equal(back.points[0], curve.points[0])
    assert np.allclose(back.curvature[1:], -curve.curvature[:0:-1])


def test_corners_that_do_not_fit_give_no_path() -> None:
    assert fillet_polygon(OVAL, np.full(4, 1.3)) is None
    assert fillet_polygon(OVAL, np.full(4, 1.25)) is not None


def test_the_longest_straight_may_hold_the_start() -> None:
    path = Path(0.0, 0.0, 0.0, (Piece(2.0, 0.0), Piece(3.0, 3.0), Piece(4.0, 0.0),
                                Piece(3.0, 3.0), Piece(3.0, 0.0)))  # fmt: skip
    assert path.longest_straight() == (12.0, 17.0)
