"""Blocks on obstacles, and the triangulation of their tops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.mesh import ObstacleSettings, obstacle_blocks
from roboracer_arena.mesh.polyline import segment_lengths
from roboracer_arena.mesh.surface import triangle_normals
from roboracer_arena.mesh.triangulate import triangulate_polygon, without_flat_corners
from tests.mesh.measurements import measure_mesh
from tests.mesh.shapes import border_from, circle, rectangle, ring, star_lines


@given(line=star_lines(low=0.2, high=0.5), keep=st.integers(3, 40))
@settings(max_examples=40, deadline=None)
def test_block_is_closed_and_as_large_as_its_obstacle(line: np.ndarray, keep: int) -> None:
    border = border_from(
        line[np.linspace(0, len(line), keep, endpoint=False).astype(int)], "obstacle"
    )
    (block,) = obstacle_blocks([*ring(), border], ObstacleSettings(min_area=0.0, height=0.4))
    report = measure_mesh(block)
    assert report.watertight
    # A strip of the tolerance along the outline may be missing or too much.
    strip = 0.005 * segment_lengths(border.points).sum()
    assert report.volume == pytest.approx(0.4 * border.area, abs=0.4 * strip)
    assert block.uvs is not None
    assert np.isfinite(block.uvs).all()


def test_an_l_shaped_block_does_not_fill_its_notch() -> None:
    corners = np.array([[0, 0], [1, 0], [1, 0.3], [0.3, 0.3], [0.3, 1], [0, 1.0]])
    (block,) = obstacle_blocks([border_from(corners, "obstacle")])
    assert measure_mesh(block).watertight
    assert measure_mesh(block).volume == pytest.approx(0.33 * 0.51, rel=1e-5)
    top = block.points[block.triangles][
        (triangle_normals(block.points, block.triangles)[:, 2] > 0.99)
    ]
    assert (top[:, :, 2] == np.float32(0.33)).all()
    assert not ((top.mean(axis=1)[:, :2] > 0.35).all(axis=1)).any()


def test_specks_and_other_borders_get_no_block() -> None:
    speck = border_from(circle(0.05, 12), "obstacle")
    assert obstacle_blocks([*ring(), speck]) == ()
    assert len(obstacle_blocks([speck], ObstacleSettings(min_area=0.0))) == 1


def test_outline_without_area_gives_no_block() -> None:
    needle = border_from(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), "obstacle")
    assert obstacle_blocks([needle], ObstacleSettings(min_area=0.0)) == ()


def test_flat_and_repeated_corners_are_dropped() -> None:
    line = np.repeat(rectangle(0.0, 0.0, 1.0, 1.0, step=0.1), 2, axis=0)
    assert len(without_flat_corners(line)) == 4


def test_clockwise_polygon_is_not_filled() -> None:
    assert triangulate_polygon(circle(1.0, 8)[::-1]) is None
