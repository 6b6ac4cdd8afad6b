"""Ducts beside the corridor."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.corridor import Border
from roboracer_arena.mesh import DuctBarrier, DuctSettings, duct_barriers
from tests.mesh.measurements import measure_mesh
from tests.mesh.shapes import (
    border_from,
    circle,
    hairpin,
    oval,
    paperclip,
    rectangle,
    ring,
    rough_bar,
    star_lines,
    stub,
    teardrop,
    wedge,
)

RADIUS = DuctSettings().radius
TRACKS = {
    "ring": ring(),
    "oval": oval(),
    "thin-clip": paperclip(0.1),
    "thick-clip": paperclip(0.6),
    "teardrop": teardrop(),
    "thin-hairpin": hairpin(0.1),
    "hairpin": hairpin(0.5),
    "stub": stub(),
    "wedge-15": wedge(15.0),
    "wedge-70": wedge(70.0),
    "rough": rough_bar(0.42, seed=1),
}


def corridor_of(borders: list[Border]) -> shapely.Polygon:
    return shapely.Polygon(borders[0].points, [border.points for border in borders[1:]])


def reach_into(corridor: shapely.Polygon, ducts: tuple[DuctBarrier, ...]) -> float:
    """How far the furthest point of any tube is inside the corridor [m]."""
    points = shapely.points(np.concatenate([duct.tube.points[:, :2] for duct in ducts]))
    inside = shapely.contains(corridor, points)
    return float(shapely.distance(corridor.boundary, points[inside]).max(initial=0.0))


@pytest.mark.parametrize("name", TRACKS)
def test_tubes_are_closed_and_wound_outwards(name: str) -> None:
    ducts = duct_barriers(TRACKS[name])
    assert ducts
    for duct in ducts:
        report = measure_mesh(duct.tube)
        assert report.watertight
        assert report.unused_points == 0
        # A 12-sided tube fills 95 % of the round one; a fold would take from that.
        assert report.volume / (duct.length * np.pi * RADIUS**2) == pytest.approx(0.953, abs=0.012)


@pytest.mark.parametrize("name", TRACKS)
def test_tubes_lie_on_the_floor(name: str) -> None:
    for duct in duct_barriers(TRACKS[name]):
        assert duct.tube.points[:, 2].min() == 0.0
        assert duct.tube.points[:, 2].max() == pytest.approx(0.33)


@pytest.mark.parametrize("name", ["ring", "oval", "thick-clip", "hairpin", "wedge-70"])
def test_no_duct_enters_the_corridor_where_walls_are_thick(name: str) -> None:
    borders = TRACKS[name]
    if name == "hairpin":
        borders = [borders[0]]  # the infield of the hairpin is thin
    assert reach_into(corridor_of(borders), duct_barriers(borders)) < 0.02


@given(line=star_lines(low=4.0), hole=st.floats(0.35, 0.7))
@settings(max_examples=25, deadline=None)
def test_ducts_of_any_smooth_track_touch_the_walls_from_outside(
    line: np.ndarray, hole: float
) -> None:
    center = line.mean(axis=0)
    borders = [border_from(line), border_from(center + (line - center) * hole, "infield")]
    ducts = duct_barriers(borders)
    assert [duct.closed for duct in ducts] == [True, True]
    assert reach_into(corridor_of(borders), ducts) < 0.01
    for border, duct in zip(borders, ducts, strict=True):
        face, axis = shapely.LinearRing(border.points), shapely.LinearRing(duct.axis)
        gap = shapely.distance(axis, shapely.points(border.points)) - RADIUS
        assert np.abs(gap).max() < 0.02
        assert np.abs(shapely.distance(face, shapely.points(duct.axis)) - RADIUS).max() < 0.02
        assert measure_mesh(duct.tube).watertight
        headings = np.diff(np.unwrap(duct.ring_headings))
        assert np.abs(headings).max() < 2.0


@pytest.mark.parametrize("thickness", [0.02, 0.05, 0.1, 0.2, 0.3, 0.33, 0.36, 0.4])
def test_one_duct_along_the_middle_of_a_thin_wall(thickness: float) -> None:
    borders = paperclip(thickness)
    outer, *middle = sorted(duct_barriers(borders), key=lambda duct: -duct.length)
    assert outer.closed
    assert len(middle) == 1
    assert not middle[0].closed
    assert np.abs(middle[0].axis[:, 1]).max() < 0.005
    # From tip to tip, without standing out over them by more than half the thickness.
    assert 8.0 - 0.12 < middle[0].length < 8.0 + thickness + 0.05
    assert reach_into(corridor_of(borders), (middle[0],)) == pytest.approx(
        max(0.0, RADIUS - thickness / 2.0), abs=0.02
    )


@pytest.mark.parametrize("thickness", [0.45, 0.5, 0.6, 0.8, 1.5])
def test_two_ducts_in_a_wall_that_holds_them(thickness: float) -> None:
    borders = paperclip(thickness)
    inner = sorted(duct_barriers(borders), key=lambda duct: -duct.length)[1:]
    axes = shapely.MultiLineString([shapely.LineString(duct.axis) for duct in inner])
    for x in np.linspace(-3.5, 3.5, 15):
        across = shapely.LineString([[x, -1.0], [x, 1.0]]).intersection(axes)
        heights = sorted(point.y for point in across.geoms)
        np.testing.assert_allclose(
            heights, [RADIUS - thickness / 2, thickness / 2 - RADIUS], atol=0.01
        )
    assert reach_into(corridor_of(borders), tuple(inner)) < 0.02


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("thickness", [0.25, 0.32, 0.38])
def test_a_rough_wall_about_as_thick_as_a_duct_gets_one_unbroken_duct(
    thickness: float, seed: int
) -> None:
    inner = sorted(duct_barriers(rough_bar(thickness, seed)), key=lambda duct: -duct.length)[1:]
    assert len(inner) == 1
    assert inner[0].length == pytest.approx(8.2, abs=0.4)
    assert np.abs(inner[0].axis[:, 1]).max() < 0.08


@pytest.mark.parametrize("name", TRACKS)
def test_every_wall_face_has_a_duct(name: str) -> None:
    axes = shapely.MultiLineString(
        [
            shapely.LinearRing(duct.axis) if duct.closed else shapely.LineString(duct.axis)
            for duct in duct_barriers(TRACKS[name])
        ]
    )
    faces = np.concatenate([border.points for border in TRACKS[name]])
    gap = shapely.distance(axes, shapely.points(faces)) - RADIUS
    # A duct turns before it is at the tip of a corner, since it cannot bend as sharply.
    assert gap.max() < RADIUS + 0.13
    assert np.mean(gap > 0.06) < 0.2


def test_a_stub_joins_the_duct_that_passes_it_and_that_one_stays_closed() -> None:
    outer, passing, short = sorted(duct_barriers(stub()), key=lambda duct: -duct.length)
    assert outer.closed
    assert passing.closed
    assert not short.closed
    assert short.length == pytest.approx(1.1, abs=0.15)
    start = shapely.distance(shapely.LinearRing(passing.axis), shapely.points(short.axis))
    assert start.min() < 0.1


def test_duct_runs_on_from_a_round_wall_into_its_spike() -> None:
    _, inner = sorted(duct_barriers(teardrop()), key=lambda duct: -duct.length)
    ends = inner.axis[[0, -1]]
    assert ends[:, 0].max() == pytest.approx(5.0, abs=0.1)
    # The other end lies against the duct itself, where the spike begins.
    assert ends[:, 0].min() == pytest.approx(3.2, abs=0.4)


@pytest.mark.parametrize("name", TRACKS)
def test_rings_stand_evenly_along_each_duct(name: str) -> None:
    for duct in duct_barriers(TRACKS[name]):
        line = shapely.LineString(
            np.concatenate([duct.axis, duct.axis[:1]]) if duct.closed else duct.axis
        )
        places = shapely.line_locate_point(line, shapely.points(duct.ring_positions[:, :2]))
        spacing = np.diff(np.concatenate([places, places[:1] + duct.length]))
        if not duct.closed:
            spacing = spacing[:-1]
            assert places[0] == pytest.approx(duct.length - places[-1], abs=1e-3)
        wanted = duct.length / len(places)
        np.testing.assert_allclose(spacing, wanted, rtol=0.01)
        assert wanted == pytest.approx(0.25, rel=0.2)
        np.testing.assert_allclose(duct.ring_positions[:, 2], RADIUS)


def test_ring_orientations_turn_x_into_the_direction_of_the_duct() -> None:
    duct = duct_barriers(ring())[0]
    w, x, y, z = duct.ring_orientations.T
    np.testing.assert_allclose(w**2 + x**2 + y**2 + z**2, 1.0)
    direction = np.stack([1.0 - 2.0 * z**2, 2.0 * w * z], axis=1)
    radial = (
        duct.ring_positions[:, :2] / np.linalg.norm(duct.ring_positions[:, :2], axis=1)[:, None]
    )
    np.testing.assert_allclose(np.abs(np.einsum("ij,ij->i", direction, radial)), 0.0, atol=0.01)


def test_obstacles_get_no_duct() -> None:
    box = border_from(rectangle(3.8, -0.2, 4.2, 0.2), "obstacle")
    with_box, without = duct_barriers([*ring(), box]), duct_barriers(ring())
    assert len(with_box) == len(without)
    assert all(
        a.tube.points.tobytes() == b.tube.points.tobytes()
        for a, b in zip(with_box, without, strict=True)
    )


def test_no_borders_give_no_ducts() -> None:
    assert duct_barriers([]) == ()
    assert duct_barriers([border_from(circle(0.1, 20), "obstacle")]) == ()


def test_same_borders_give_same_bytes() -> None:
    first, second = (duct_barriers(teardrop()) for _ in range(2))
    for a, b in zip(first, second, strict=True):
        assert a.tube.points.tobytes() == b.tube.points.tobytes()
        assert a.tube.triangles.tobytes() == b.tube.triangles.tobytes()
        assert a.ring_headings.tobytes() == b.ring_headings.tobytes()


@given(
    diameter=st.floats(0.05, 1.5),
    single=st.floats(1.0, 4.0),
    smoothing=st.floats(0.0, 1.0),
    sides=st.sampled_from([8, 12, 32]),
    name=st.sampled_from(sorted(TRACKS)),
)
@settings(max_examples=40, deadline=None)
def test_any_settings_give_sound_tubes(
    diameter: float, single: float, smoothing: float, sides: int, name: str
) -> None:
    wished = DuctSettings(
        diameter=diameter,
        single_below=single,
        smoothing=smoothing,
        sides=sides,
        ring_thickness=diameter / 20.0,
    )
    for duct in duct_barriers(TRACKS[name], wished):
        report = measure_mesh(duct.tube)
        assert report.watertight
        assert len(duct.ring_positions) == len(duct.ring_headings) > 0
        assert duct.tube.points[:, 2].max() == pytest.approx(diameter, rel=1e-5)
