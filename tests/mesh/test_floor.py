"""The floor."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.corridor import Border
from roboracer_arena.errors import ValidationError
from roboracer_arena.mesh import FloorSettings, SurfaceMesh, floor_mesh
from roboracer_arena.mesh.surface import triangle_normals
from tests.mesh.measurements import measure_mesh
from tests.mesh.shapes import border_from, oval, ring, star_lines


@given(line=star_lines(), margin=st.floats(0.0, 5.0), panel=st.floats(0.5, 20.0))
@settings(max_examples=40, deadline=None)
def test_floor_covers_the_borders_with_its_margin(
    line: np.ndarray, margin: float, panel: float
) -> None:
    mesh = floor_mesh([border_from(line)], settings=FloorSettings(margin=margin, max_panel=panel))
    report = measure_mesh(mesh)
    assert report.sound
    assert report.unused_points == 0
    np.testing.assert_allclose(mesh.points[:, :2].min(0), line.min(0) - margin, atol=1e-4)
    np.testing.assert_allclose(mesh.points[:, :2].max(0), line.max(0) + margin, atol=1e-4)
    sides = mesh.points[mesh.triangles][:, [1, 2, 0]] - mesh.points[mesh.triangles]
    assert np.abs(sides).max() <= panel * (1 + 1e-5)


def test_floor_is_flat_and_faces_up() -> None:
    mesh = floor_mesh(oval())
    assert (mesh.points[:, 2] == 0.0).all()
    np.testing.assert_allclose(
        triangle_normals(mesh.points, mesh.triangles), np.tile([0, 0, 1], (len(mesh.triangles), 1))
    )
    assert mesh.normals is not None
    assert (mesh.normals == [0.0, 0.0, 1.0]).all()


def test_floor_fills_its_rectangle_without_overlap() -> None:
    mesh = floor_mesh(ring(), settings=FloorSettings(margin=2.0, max_panel=3.0))
    corners = mesh.points.astype(float)[mesh.triangles]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2].sum() / 2
    assert area == pytest.approx(14.0**2, rel=1e-3)


def test_floor_reaches_under_ducts_outside_the_borders() -> None:
    far = SurfaceMesh(
        points=np.array([[20.0, 0.0, 0.1]], dtype=np.float32),
        triangles=np.zeros((0, 3), dtype=np.int32),
    )
    mesh = floor_mesh(ring(), [far], FloorSettings(margin=1.0))
    assert mesh.points[:, 0].max() == pytest.approx(21.0)


def test_texture_is_anchored_at_the_origin_whatever_the_margin() -> None:
    for margin in (0.5, 3.7):
        mesh = floor_mesh(ring(), settings=FloorSettings(margin=margin, texture_tile=2.0))
        assert mesh.uvs is not None
        np.testing.assert_allclose(mesh.uvs * 2.0, mesh.points[:, :2], atol=1e-5)


def test_floor_without_borders_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least one border"):
        floor_mesh([])


def test_floor_under_a_border_that_is_not_finite_is_refused() -> None:
    broken = Border(points=np.array([[0.0, 0.0], [np.nan, 1.0], [1.0, 1.0]]), kind="outer", area=1)
    with pytest.raises(ValidationError, match="no rectangle"):
        floor_mesh([broken])
