"""The measurements have to notice what is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.mesh import SurfaceMesh
from roboracer_arena.mesh.slicing import slice_mesh
from tests.mesh.measurements import inside_corridor, measure_mesh
from tests.mesh.shapes import border_from, circle, star_lines


@pytest.fixture
def ball() -> SurfaceMesh:
    sphere = trimesh.creation.icosphere(subdivisions=2)
    return SurfaceMesh(sphere.vertices.astype(np.float32), sphere.faces.astype(np.int32))


def test_a_closed_ball_is_watertight(ball: SurfaceMesh) -> None:
    report = measure_mesh(ball)
    assert report.watertight
    assert report.volume == pytest.approx(trimesh.creation.icosphere(subdivisions=2).volume)


def test_an_inside_out_ball_is_not_watertight(ball: SurfaceMesh) -> None:
    report = measure_mesh(replace(ball, triangles=ball.triangles[:, ::-1]))
    assert report.sound
    assert not report.watertight


def test_a_ball_of_loose_triangles_is_taken_as_joined(ball: SurfaceMesh) -> None:
    loose = SurfaceMesh(
        ball.points[ball.triangles].reshape(-1, 3),
        np.arange(ball.triangles.size, dtype=np.int32).reshape(-1, 3),
    )
    assert measure_mesh(loose) == measure_mesh(ball)


def test_a_missing_triangle_opens_three_edges(ball: SurfaceMesh) -> None:
    assert measure_mesh(replace(ball, triangles=ball.triangles[1:])).open_edges == 3


def test_a_flipped_triangle_disagrees_with_its_neighbours(ball: SurfaceMesh) -> None:
    triangles = ball.triangles.copy()
    triangles[7] = triangles[7, ::-1]
    report = measure_mesh(replace(ball, triangles=triangles))
    assert report.flipped_edges == 3
    assert not report.sound


def test_a_doubled_triangle_crowds_its_edges(ball: SurfaceMesh) -> None:
    doubled = np.concatenate([ball.triangles, ball.triangles[:1]])
    assert measure_mesh(replace(ball, triangles=doubled)).crowded_edges == 3


@pytest.mark.parametrize(
    ("corner", "value", "field"),
    [((0, 1), 10_000, "indices_in_range"), ((0, 1), -1, "indices_in_range")],
)
def test_indices_out_of_range_are_noticed(
    ball: SurfaceMesh, corner: tuple[int, int], value: int, field: str
) -> None:
    triangles = ball.triangles.copy()
    triangles[corner] = value
    report = measure_mesh(replace(ball, triangles=triangles))
    assert not getattr(report, field)
    assert not report.sound


def test_repeated_corners_and_slivers_are_noticed(ball: SurfaceMesh) -> None:
    triangles = ball.triangles.copy()
    triangles[3, 1] = triangles[3, 0]
    assert measure_mesh(replace(ball, triangles=triangles)).repeated_corners == 1
    points = np.array([[0, 0, 0], [1e-4, 0, 0], [0, 1e-4, 0]], dtype=np.float32)
    sliver = SurfaceMesh(points, np.array([[0, 1, 2]], dtype=np.int32))
    assert measure_mesh(sliver).min_area == pytest.approx(5e-9)
    assert not measure_mesh(sliver).sound


def test_values_that_are_not_finite_are_noticed(ball: SurfaceMesh) -> None:
    uvs = np.full((len(ball.points), 2), np.nan, dtype=np.float32)
    assert not measure_mesh(replace(ball, uvs=uvs)).sound


def test_an_empty_mesh_is_not_watertight() -> None:
    empty = SurfaceMesh(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32))
    assert not measure_mesh(empty).watertight


@given(line=star_lines(low=3.0), hole=st.floats(0.2, 0.8), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_inside_agrees_with_an_independent_library(
    line: np.ndarray, hole: float, seed: int
) -> None:
    center = line.mean(axis=0)
    inner = center + (line - center) * hole
    borders = [border_from(line), border_from(inner, "infield")]
    points = np.random.default_rng(seed).uniform(line.min(0) - 1, line.max(0) + 1, (500, 2))
    polygon = shapely.Polygon(line, [inner])
    expected = shapely.contains_xy(polygon, points[:, 0], points[:, 1])
    np.testing.assert_array_equal(inside_corridor(points, borders), expected)


def test_slice_of_a_ball_is_its_circle(ball: SurfaceMesh) -> None:
    cut = slice_mesh(ball, 0.3)
    radius = np.linalg.norm(cut.reshape(-1, 2), axis=1)
    assert radius.max() <= np.sqrt(1 - 0.3**2) + 1e-6
    assert radius.min() > 0.9
    # The front, outwards, lies to the left: the circle runs clockwise.
    turn = cut[:, 0, 0] * cut[:, 1, 1] - cut[:, 0, 1] * cut[:, 1, 0]
    assert (turn < 0).all()
    assert len(cut) > 0


def test_slice_agrees_with_an_independent_library(ball: SurfaceMesh) -> None:
    cut = slice_mesh(ball, 0.123)
    other = trimesh.Trimesh(ball.points, ball.triangles).section([0, 0, 1], [0, 0, 0.123])
    length = np.linalg.norm(cut[:, 1] - cut[:, 0], axis=1).sum()
    assert length == pytest.approx(other.length, rel=1e-5)


def test_inside_a_circle_by_distance() -> None:
    points = np.random.default_rng(1).uniform(-6, 6, (2000, 2))
    distance = np.linalg.norm(points, axis=1)
    clear = np.abs(distance - 5.0) > 0.01
    got = inside_corridor(points, [border_from(circle(5.0, 400))])
    np.testing.assert_array_equal(got[clear], (distance < 5.0)[clear])
