"""Tubes swept along single lines, and the ring prototype."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
import trimesh

from roboracer_arena.mesh import DuctSettings, SurfaceMesh, ring_prototype
from roboracer_arena.mesh.axis import DuctLine
from roboracer_arena.mesh.surface import triangle_normals
from roboracer_arena.mesh.tube import sweep_tube
from tests.mesh.measurements import measure_mesh
from tests.mesh.shapes import circle, stadium

ROUND = DuctLine(circle(2.0, 250), closed=True)
STRAIGHT = DuctLine(np.stack([np.linspace(1.0, 6.0, 101), np.full(101, 2.0)], axis=1), closed=False)


def as_trimesh(mesh: SurfaceMesh) -> trimesh.Trimesh:
    joined = trimesh.Trimesh(mesh.points, mesh.triangles, process=False)
    joined.merge_vertices(merge_tex=True, merge_norm=True)
    return joined


@pytest.mark.parametrize("line", [ROUND, STRAIGHT], ids=["round", "straight"])
def test_an_independent_library_finds_the_tube_closed_and_outward(line: DuctLine) -> None:
    mesh = as_trimesh(sweep_tube(line, DuctSettings(sides=32)))
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(line.length * np.pi * 0.165**2, rel=0.01)


@pytest.mark.parametrize("line", [ROUND, STRAIGHT], ids=["round", "straight"])
def test_normals_are_unit_and_agree_with_the_faces(line: DuctLine) -> None:
    mesh = sweep_tube(line, DuctSettings(sides=16))
    assert mesh.normals is not None
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, rtol=1e-5)
    smooth = mesh.normals[mesh.triangles].mean(axis=1)
    assert (
        np.einsum("ij,ij->i", smooth, triangle_normals(mesh.points, mesh.triangles)) > 0.95
    ).all()


def test_straight_tube_needs_few_sections_and_a_bend_as_many_as_its_tolerance_asks() -> None:
    settings = DuctSettings(chord_tolerance=0.004, max_section=1.0)
    straight = sweep_tube(STRAIGHT, settings)
    shell = len(straight.points) - 2 * (settings.sides + 1)
    assert shell == (5 + 1) * (settings.sides + 1)
    bent = sweep_tube(ROUND, settings).points.reshape(-1, settings.sides + 1, 3)
    middle = 0.5 * (bent[:, 3] + bent[:, 9])[:, :2]
    assert (
        shapely.hausdorff_distance(
            shapely.LinearRing(middle), shapely.LinearRing(ROUND.points), densify=0.1
        )
        < 0.0045
    )
    # A chord of 0.004 m sagitta on a radius of 2 m is 0.25 m long: 50 of them go around.
    assert 48 <= len(bent) <= 90


@pytest.mark.parametrize("longest", [0.2, 0.7])
def test_no_section_is_longer_than_allowed(longest: float) -> None:
    settings = DuctSettings(max_section=longest)
    line = DuctLine(stadium(6.0, 1.0), closed=True)
    rows = sweep_tube(line, settings).points.reshape(-1, settings.sides + 1, 3)
    assert np.linalg.norm(np.diff(rows[:, 0], axis=0), axis=1).max() <= longest + 1e-5


def test_texture_closes_around_a_closed_tube_and_along_it() -> None:
    settings = DuctSettings(texture_tile=0.5)
    mesh = sweep_tube(ROUND, settings)
    assert mesh.uvs is not None
    uvs = mesh.uvs.reshape(-1, settings.sides + 1, 2)
    points = mesh.points.reshape(-1, settings.sides + 1, 3)
    np.testing.assert_array_equal(points[0], points[-1])
    np.testing.assert_array_equal(points[:, 0], points[:, -1])
    assert uvs[-1, 0, 0] == round(ROUND.length / 0.5) == 25
    assert uvs[0, -1, 1] == 2.0
    assert (np.diff(uvs[:, :, 0], axis=0) > 0).all()


def test_texture_runs_in_metres_along_an_open_tube() -> None:
    settings = DuctSettings(texture_tile=2.0)
    mesh = sweep_tube(STRAIGHT, settings)
    assert mesh.uvs is not None
    shell = 2 * (settings.sides + 1)
    np.testing.assert_allclose(mesh.uvs[:-shell, 0] * 2.0, mesh.points[:-shell, 0] - 1.0, atol=1e-5)


def test_flat_ends_look_along_the_tube() -> None:
    mesh = sweep_tube(STRAIGHT, DuctSettings())
    assert mesh.normals is not None
    for x, facing in ((1.0, -1.0), (6.0, 1.0)):
        faces = (mesh.points[mesh.triangles][:, :, 0] == x).all(axis=1)
        assert faces.sum() == DuctSettings().sides
        np.testing.assert_allclose(
            triangle_normals(mesh.points, mesh.triangles)[faces, 0], facing, atol=1e-6
        )
        np.testing.assert_array_equal(mesh.normals[mesh.triangles[faces]][..., 0], facing)


def test_tube_touches_floor_and_face_exactly() -> None:
    mesh = sweep_tube(STRAIGHT, DuctSettings())
    assert mesh.points[:, 2].min() == 0.0
    np.testing.assert_allclose(
        [mesh.points[:, 1].min(), mesh.points[:, 1].max()], [2.0 - 0.165, 2.0 + 0.165], rtol=1e-6
    )


@pytest.mark.parametrize("sides", [8, 12, 20])
def test_ring_is_a_closed_torus_around_the_x_axis(sides: int) -> None:
    settings = DuctSettings(sides=sides, ring_thickness=0.02)
    ring = ring_prototype(settings)
    assert measure_mesh(ring).watertight
    assert as_trimesh(ring).euler_number == 0
    assert ring.normals is not None
    np.testing.assert_allclose(np.linalg.norm(ring.normals, axis=1), 1.0, rtol=1e-5)
    radius = np.linalg.norm(ring.points[:, 1:], axis=1)
    assert radius.max() == pytest.approx(0.165 + 0.01, rel=1e-5)
    assert radius.min() == pytest.approx(0.165 - 0.01, rel=1e-5)
    assert np.abs(ring.points[:, 0]).max() <= 0.01
