"""Walls at a level of the clearance field keep what each border was, and infields stay infields."""

from __future__ import annotations

import numpy as np
import pytest

from roboracer_arena.corridor import CorridorSettings, find_corridor, wall_faces
from roboracer_arena.errors import OpenCorridorError, SettingsError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D
from tests.drawn import stadium_map


def ring(inner: float, outer: float, *, infield: int, cell: float = 0.05) -> OccupancyMap:
    """A ring road whose infield is of one kind of cell."""
    half = round((outer + 0.5) / cell)
    y, x = (np.mgrid[-half:half, -half:half] + 0.5) * cell
    radius = np.hypot(x, y)
    cells = np.full(radius.shape, UNKNOWN, np.uint8)
    cells[radius <= outer + 0.1] = OCCUPIED
    cells[radius <= outer] = FREE
    cells[radius <= inner] = infield
    return OccupancyMap(cells, cell, Pose2D(0.0, 0.0))


@pytest.mark.parametrize(
    ("inner", "outer", "settings"),
    [(0.5, 1.5, CorridorSettings()), (1.5, 3.5, CorridorSettings(max_phantom_area=30.0))],
)
def test_an_infield_that_was_never_seen_is_not_filled(
    inner: float, outer: float, settings: CorridorSettings
) -> None:
    corridor = find_corridor(ring(inner, outer, infield=UNKNOWN), settings)
    assert corridor.closed
    assert [border.kind for border in corridor.borders] == ["outer", "infield"]


@pytest.mark.parametrize("level", [-0.1, 0.05, 0.1, 0.15])
def test_an_obstacle_stays_one_however_its_wall_moves(level: float) -> None:
    source = stadium_map(obstacle=True, width=2.0, scale=2.0)
    corridor = find_corridor(source, CorridorSettings(min_infield_area=0.12))
    faces = wall_faces(corridor, level, tolerance=0.01)
    kinds = [border.kind for border in corridor.borders]
    assert sorted(face.kind for face in faces) == sorted(kinds)
    areas = {face.kind: face.area for face in faces}
    for border in corridor.borders:
        grows = (level > 0.0) == (border.kind != "outer")
        assert (areas[border.kind] > border.area) == grows


def test_a_table_top_track_takes_a_level_too() -> None:
    corridor = find_corridor(ring(0.4, 1.0, infield=OCCUPIED, cell=0.02))
    faces = wall_faces(corridor, 0.01, tolerance=0.002)
    assert [face.kind for face in faces] == ["outer", "infield"]


def test_a_level_that_closes_the_corridor_is_refused() -> None:
    corridor = find_corridor(stadium_map())
    with pytest.raises(SettingsError, match="nearer to 0"):
        wall_faces(corridor, 0.7, tolerance=0.01)


@pytest.mark.parametrize("thickness", [1, 2, 3])
def test_a_thin_wall_is_an_infield_if_the_lap_goes_around_it(thickness: int) -> None:
    cells = np.full((100, 260), UNKNOWN, np.uint8)
    cells[20:80, 20:240] = OCCUPIED
    cells[22:78, 22:238] = FREE
    cells[50 : 50 + thickness, 55:205] = OCCUPIED
    corridor = find_corridor(OccupancyMap(cells, 0.05, Pose2D(0.0, 0.0)))
    assert corridor.closed
    assert [border.kind for border in corridor.borders] == ["outer", "infield"]


def test_a_short_bar_in_a_long_hallway_is_no_lap() -> None:
    cells = np.full((100, 700), UNKNOWN, np.uint8)
    cells[20:80, 20:680] = OCCUPIED
    cells[22:78, 22:678] = FREE
    cells[50:52, 300:345] = OCCUPIED
    with pytest.raises(OpenCorridorError, match="min_infield_area"):
        find_corridor(OccupancyMap(cells, 0.05, Pose2D(0.0, 0.0)))
