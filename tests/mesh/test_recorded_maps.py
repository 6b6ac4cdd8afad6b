"""Meshes of recorded maps, whose walls are rough and of all thicknesses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely

from roboracer_arena.corridor import Border, find_corridor
from roboracer_arena.maps import read_map
from roboracer_arena.mesh import duct_barriers, floor_mesh, obstacle_blocks, wall_mesh
from roboracer_arena.mesh.medial import sample_borders
from roboracer_arena.mesh.slicing import slice_mesh
from tests.mesh.measurements import measure_mesh, wall_faces_corridor

pytestmark = pytest.mark.shared
MAPS = ["Germany2022", "IPZ33", "RCA1", "basement_fixed", "hangar12", "icra2022", "skirk", "vegas"]


@pytest.fixture(scope="module", params=MAPS)
def borders(request: pytest.FixtureRequest, shared_dir: Path) -> tuple[Border, ...]:
    folder = shared_dir / "data" / "maps" / request.param
    if not folder.is_dir():
        pytest.skip(f"the map {request.param} is not there")
    return find_corridor(read_map(next(iter(sorted(folder.glob("*.yaml")))))).borders


def test_walls_are_sound_and_face_the_corridor(borders: tuple[Border, ...]) -> None:
    for border in borders:
        mesh = wall_mesh(border)
        assert measure_mesh(mesh).sound
        # A speck or a gap may be thinner than the step of the check.
        assert wall_faces_corridor(mesh, borders).mean() > 0.99


def test_slice_of_the_walls_is_the_border(borders: tuple[Border, ...]) -> None:
    for border in borders:
        cut = slice_mesh(wall_mesh(border), 0.1)
        face = shapely.LinearRing(border.points)
        # Neighbours within a millimetre are one point.
        assert shapely.distance(face, shapely.points(cut.reshape(-1, 2))).max() < 1e-3


def test_ducts_are_closed_and_stay_outside(borders: tuple[Border, ...]) -> None:
    ducts = duct_barriers(borders)
    for duct in ducts:
        assert measure_mesh(duct.tube).watertight
    walls = [border for border in borders if border.kind != "obstacle"]
    samples = sample_borders(walls, 0.05, 0.3)
    corridor = shapely.Polygon(walls[0].points, [border.points for border in walls[1:]])
    axis = np.concatenate([duct.axis for duct in ducts])
    distance, nearest = samples.nearest(axis)
    thick = samples.radius[nearest] >= 0.29
    inside = shapely.contains_xy(corridor, axis[:, 0], axis[:, 1])
    entered = 0.165 - np.where(inside, -distance, distance)
    assert np.quantile(entered[thick], 0.99) < 0.02
    assert np.quantile(np.abs(entered[thick]), 0.9) < 0.02


def test_blocks_and_floor_are_sound(borders: tuple[Border, ...]) -> None:
    for block in obstacle_blocks(borders):
        assert measure_mesh(block).watertight
    floor = floor_mesh(borders, [duct.tube for duct in duct_barriers(borders)])
    assert measure_mesh(floor).sound
