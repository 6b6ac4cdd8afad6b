"""Collision walls."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.corridor import Border
from roboracer_arena.errors import ValidationError
from roboracer_arena.mesh import WallSettings, wall_mesh
from roboracer_arena.mesh.slicing import slice_mesh
from tests.mesh.measurements import inside_corridor, measure_mesh, wall_faces_corridor
from tests.mesh.shapes import border_from, circle, oval, paperclip, rectangle, ring, star_lines


@pytest.mark.parametrize("borders", [ring(), oval(), paperclip(0.1)], ids=["ring", "oval", "clip"])
def test_every_panel_faces_the_corridor(borders: list[Border]) -> None:
    for border in borders:
        mesh = wall_mesh(border)
        assert wall_faces_corridor(mesh, borders).all()


def test_a_border_that_runs_the_wrong_way_is_noticed() -> None:
    outer, infield = ring()
    wrong = Border(points=infield.points[::-1], kind="infield", area=infield.area)
    assert not wall_faces_corridor(wall_mesh(wrong), [outer, infield]).any()


@given(line=star_lines(), outer=st.booleans(), shift=st.floats(0.0, 3.0))
@settings(max_examples=40, deadline=None)
def test_wall_is_a_sound_sheet_with_two_rims(line: np.ndarray, outer: bool, shift: float) -> None:
    border = border_from(line + shift, "outer" if outer else "infield")
    report = measure_mesh(wall_mesh(border, WallSettings(height=0.5, skirt=0.1)))
    assert report.sound
    assert report.unused_points == 0
    # Open only at the upper and at the lower rim, once each way around.
    mesh = wall_mesh(border)
    assert report.open_edges == len(mesh.points)
    assert len(mesh.triangles) == len(mesh.points)


@given(line=star_lines())
@settings(max_examples=30, deadline=None)
def test_wall_stands_exactly_on_its_border(line: np.ndarray) -> None:
    border = border_from(line)
    cut = slice_mesh(wall_mesh(border), 0.1)
    face = shapely.LinearRing(border.points)
    assert shapely.distance(face, shapely.points(cut.reshape(-1, 2))).max() < 1e-5
    around = shapely.MultiLineString(list(cut))
    assert around.length == pytest.approx(face.length, rel=1e-6)
    assert around.hausdorff_distance(face) < 1e-5


def test_slice_runs_with_the_corridor_on_the_left() -> None:
    for border in ring():
        cut = slice_mesh(wall_mesh(border), 0.2)
        along = cut[:, 1] - cut[:, 0]
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        left = cut.mean(axis=1) + 0.01 * np.stack([-along[:, 1], along[:, 0]], axis=1)
        assert inside_corridor(left, ring()).all()


@pytest.mark.parametrize("height", [-0.02, 0.0, 0.33, 0.499])
def test_slice_closes_at_every_height(height: float) -> None:
    cut = slice_mesh(wall_mesh(ring()[0]), height)
    starts, ends = np.unique(cut[:, 0].round(6), axis=0), np.unique(cut[:, 1].round(6), axis=0)
    np.testing.assert_array_equal(starts, ends)


def test_slice_above_the_wall_is_empty() -> None:
    assert slice_mesh(wall_mesh(ring()[0]), 0.6).shape == (0, 2, 2)


def test_wall_reaches_from_below_the_floor_to_its_height() -> None:
    mesh = wall_mesh(ring()[0], WallSettings(height=0.7, skirt=0.04))
    assert set(mesh.points[:, 2].tolist()) == {np.float32(-0.04), np.float32(0.7)}


def test_long_edges_are_split_into_equal_panels() -> None:
    corners = np.array([[0.0, 0.0], [21.0, 0.0], [21.0, 1.0], [0.0, 1.0]])
    mesh = wall_mesh(border_from(corners), WallSettings(max_edge=2.0))
    line = mesh.points[: len(mesh.points) // 2, :2]
    lengths = np.linalg.norm(np.roll(line, -1, axis=0) - line, axis=1)
    assert lengths.max() <= 2.0
    assert len(line) == 2 * (11 + 1)


def test_repeated_and_nearly_repeated_points_make_no_sliver() -> None:
    line = np.repeat(circle(2.0, 50), 3, axis=0)
    line[1::3] += 2e-5
    line = np.concatenate([line, line[:1]])
    report = measure_mesh(wall_mesh(border_from(line)))
    assert report.sound
    assert report.open_edges == 100


def test_border_without_extent_is_refused() -> None:
    speck = Border(points=np.full((9, 2), 3.0) + 1e-6, kind="obstacle", area=0.0)
    with pytest.raises(ValidationError, match="only 1 points"):
        wall_mesh(speck)


def test_same_border_gives_same_bytes() -> None:
    first, second = (wall_mesh(border_from(rectangle(0, 0, 3, 2))) for _ in range(2))
    assert first.points.tobytes() == second.points.tobytes()
    assert first.triangles.tobytes() == second.triangles.tobytes()
