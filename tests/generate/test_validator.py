"""Every test of the validator refuses a map that violates just that property."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.generate.path import fillet_polygon
from roboracer_arena.generate.spec import TrackSpec
from roboracer_arena.generate.validator import validate
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D

from .shapes import JOGS, OVAL, ROUNDED_SQUARE, drawn, rounded

WIDTH = 1.55
JOGS_PATH = rounded(JOGS, 1.2)
JOGS_MAP = drawn(JOGS_PATH)
JOGS_SPEC = TrackSpec(
    lap_length_m=JOGS_PATH.length,
    corridor_width_m=WIDTH,
    hall_x_m=14.0,
    hall_y_m=11.0,
    hairpins=1,
    chicanes=2,
    sweepers=0,
    feature_order=("hairpin", "chicane", "chicane"),
    longest_straight_m=6.0,
)


def failed(track: OccupancyMap, spec: TrackSpec) -> set[str]:
    return {item.name for item in validate(track, spec).failures}


def changed(spec: TrackSpec = JOGS_SPEC, **values: object) -> TrackSpec:
    return TrackSpec.model_validate({**spec.model_dump(), **values})


def painted(track: OccupancyMap, paint: Callable[[np.ndarray], None]) -> OccupancyMap:
    cells = track.cells.copy()
    paint(cells)
    return replace(track, cells=cells)


def test_a_map_as_asked_is_accepted() -> None:
    report = validate(JOGS_MAP, JOGS_SPEC)
    assert report.failures == ()
    assert report.accepted


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("lap_length", {"lap_length_m": JOGS_PATH.length * 1.035}),
        ("lap_length", {"lap_length_m": JOGS_PATH.length * 0.965}),
        ("mean_width", {"corridor_width_m": WIDTH * 1.06, "min_radius_m": 1.1625}),
        ("mean_width", {"corridor_width_m": WIDTH * 0.94, "min_radius_m": 1.1625}),
        ("hairpins", {"hairpins": 2}),
        ("hairpins", {"hairpins": 0, "feature_order": ()}),
        ("chicanes", {"chicanes": 3}),
        ("chicanes", {"chicanes": 1, "feature_order": ("hairpin", "chicane")}),
        ("sweepers", {"sweepers": 1}),
        ("longest_straight", {"longest_straight_m": 6.7}),
        ("hall_x", {"hall_x_m": 13.8}),
        ("hall_y", {"hall_y_m": 10.3}),
    ],
)
def test_a_wish_that_the_map_misses_is_named(name: str, values: dict[str, object]) -> None:
    assert failed(JOGS_MAP, changed(**values)) == {name}


def test_a_feature_that_is_absent_from_the_order_is_named() -> None:
    outline = np.array([[0, 0], [9, 0], [9, 2.6], [6.3, 2.6], [6.3, 9], [0, 9]], dtype=float)
    path = fillet_polygon(outline, np.array([1.2, 1.2, 1.2, 1.2, 2.3, 1.2]))
    assert path is not None
    track = drawn(path)
    wishes = {"lap_length_m": path.length, "corridor_width_m": WIDTH}
    two = TrackSpec(**wishes, feature_order=("hairpin", "sweeper"), direction="ccw")
    report = validate(track, two)
    assert report.features == ("hairpin", "sweeper")
    assert failed(track, two) == set()
    assert failed(track, changed(two, feature_order=("chicane",))) == {"feature_order"}


def test_three_features_in_the_wrong_sense_are_refused() -> None:
    outline = np.array(
        [
            [0, 0],
            [5, 0],
            [5, -2.6],
            [14, -2.6],
            [14, 6],
            [11.4, 6],
            [11.4, 2],
            [6, 2],
            [6, 7],
            [0, 7],
        ],
        dtype=float,
    )
    radii = np.array([2.3, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2])
    path = fillet_polygon(outline, radii)
    assert path is not None
    track = drawn(path)
    found = validate(track, TrackSpec(corridor_width_m=WIDTH)).features
    assert found in [
        ("sweeper", "chicane", "hairpin"),
        ("chicane", "hairpin", "sweeper"),
        ("hairpin", "sweeper", "chicane"),
    ]
    rising = TrackSpec(corridor_width_m=WIDTH, feature_order=found)
    assert failed(track, rising) == set()
    assert failed(track, changed(rising, direction="cw")) == {"feature_order"}
    falling = changed(rising, feature_order=found[::-1], direction="cw")
    assert failed(track, falling) == set()
    assert validate(track, falling).features == found[::-1]


def test_a_radius_below_the_wish_is_refused() -> None:
    path = rounded(ROUNDED_SQUARE, 1.0)
    spec = TrackSpec(lap_length_m=path.length, corridor_width_m=WIDTH)
    assert failed(drawn(path), spec) == {"min_radius"}
    assert failed(drawn(path), changed(spec, min_radius_m=1.0)) == set()


def test_a_second_corridor_is_refused() -> None:
    one = drawn(rounded(ROUNDED_SQUARE, 1.2))
    lost = painted(one, lambda cells: cells[40:60, 40:60].fill(OCCUPIED))
    island = painted(lost, lambda cells: cells[45:55, 45:55].fill(FREE))
    spec = TrackSpec(corridor_width_m=WIDTH)
    assert "corridors" in failed(island, spec)
    assert "infields" not in failed(one, spec)


def test_an_obstacle_on_the_track_makes_a_second_infield() -> None:
    def put_box(cells: np.ndarray) -> None:
        rows, columns = np.nonzero(cells == FREE)
        middle = len(rows) // 2
        cells[rows[middle], columns[middle] + 12] = OCCUPIED

    assert "infields" in failed(painted(JOGS_MAP, put_box), JOGS_SPEC)


def test_a_corridor_without_an_infield_is_refused_without_measures() -> None:
    cells = np.full((60, 60), UNKNOWN, dtype=np.uint8)
    cells[10:50, 10:50] = OCCUPIED
    cells[14:46, 14:46] = FREE
    room = OccupancyMap(cells=cells, resolution=0.05, origin=Pose2D(0.0, 0.0))
    report = validate(room, JOGS_SPEC)
    names = {item.name for item in report.failures}
    assert {"infields", "lap_length", "mean_width", "hairpins"} <= names
    assert not {"corridors", "sealed", "hall_x", "hall_y"} & names
    assert all(item.measured is None for item in report.failures if item.name == "lap_length")


def test_an_empty_map_is_refused() -> None:
    cells = np.full((20, 20), UNKNOWN, dtype=np.uint8)
    empty = OccupancyMap(cells=cells, resolution=0.05, origin=Pose2D(0.0, 0.0))
    assert {"corridors", "infields"} <= failed(empty, JOGS_SPEC)


def test_a_missing_wall_is_a_leak() -> None:
    def open_wall(cells: np.ndarray) -> None:
        column = cells.shape[1] // 2
        top = np.flatnonzero(cells[:, column] == OCCUPIED)[-4:]
        cells[top, column - 2 : column + 3] = UNKNOWN

    assert failed(painted(JOGS_MAP, open_wall), JOGS_SPEC) == {"sealed"}


def test_a_corridor_that_runs_off_the_image_is_a_leak() -> None:
    rows, columns = np.nonzero(JOGS_MAP.cells == FREE)
    track = replace(JOGS_MAP, cells=JOGS_MAP.cells[rows.min() :, columns.min() :])
    assert "sealed" in failed(track, JOGS_SPEC)


def test_a_local_pinch_is_refused() -> None:
    path = rounded(OVAL, 1.2)
    whole = drawn(path)

    def pinch(cells: np.ndarray) -> None:
        column = cells.shape[1] // 2
        lower = np.flatnonzero(cells[:, column] == FREE)[:30]
        cells[lower[[0, 1, -2, -1]], column - 1 : column + 2] = OCCUPIED

    spec = TrackSpec(lap_length_m=path.length, corridor_width_m=WIDTH, hairpins=2)
    assert failed(whole, spec) == set()
    assert failed(painted(whole, pinch), spec) == {"narrowest_width"}


def test_parts_with_a_shared_thin_wall_are_refused() -> None:
    # The slot between the arms is a corridor beside a corridor with a wall of 0.2 m between,
    # where two walls of 0.15 m belong.
    arms = np.array(
        [[0, 0], [14, 0], [14, 9], [7.875, 9], [7.875, 4], [6.125, 4], [6.125, 9], [0, 9]],
        dtype=float,
    )
    path = fillet_polygon(arms, np.array([1.2, 1.2, 1.2, 1.2, 0.85, 0.85, 1.2, 1.2]))
    assert path is not None
    spec = TrackSpec(lap_length_m=path.length, corridor_width_m=WIDTH, min_radius_m=0.85)
    assert failed(drawn(path), spec) == {"self_clearance"}


def test_unstated_wishes_are_measured_but_cannot_fail() -> None:
    report = validate(JOGS_MAP, TrackSpec())
    assert report.accepted
    lap = next(item for item in report.measurements if item.name == "lap_length")
    assert lap.wanted is None
    assert lap.measured == pytest.approx(JOGS_PATH.length, rel=0.003)


def test_the_report_does_not_depend_on_where_the_map_lies() -> None:
    moved = replace(JOGS_MAP, origin=Pose2D(-812.0, 3.25))
    assert validate(moved, JOGS_SPEC) == validate(JOGS_MAP, JOGS_SPEC)


@settings(max_examples=60, deadline=None)
@given(
    data=st.binary(min_size=144, max_size=144),
    stated=st.booleans(),
)
def test_no_map_breaks_the_validator(data: bytes, stated: bool) -> None:
    kinds = np.array([OCCUPIED, UNKNOWN, FREE, FREE], dtype=np.uint8)
    coarse = kinds[np.frombuffer(data, dtype=np.uint8).reshape(12, 12) % 4]
    cells = np.kron(coarse, np.ones((5, 5), dtype=np.uint8))
    track = OccupancyMap(cells=cells, resolution=0.05, origin=Pose2D(0.0, 0.0))
    report = validate(track, JOGS_SPEC if stated else TrackSpec())
    assert len(report.measurements) == 15


@settings(max_examples=40, deadline=None)
@given(
    inner=st.tuples(st.integers(0, 20), st.integers(0, 20)),
    size=st.tuples(st.integers(1, 30), st.integers(1, 30)),
    grown=st.integers(1, 8),
)
def test_rings_of_any_shape_are_measured(
    inner: tuple[int, int], size: tuple[int, int], grown: int
) -> None:
    cells = np.full((80, 80), UNKNOWN, dtype=np.uint8)
    row, column = inner[0] + 15, inner[1] + 15
    high, wide = row + size[0], column + size[1]
    cells[row - grown - 2 : high + grown + 2, column - grown - 2 : wide + grown + 2] = OCCUPIED
    cells[row - grown : high + grown, column - grown : wide + grown] = FREE
    cells[row:high, column:wide] = OCCUPIED
    report = validate(OccupancyMap(cells, 0.05, Pose2D(0.0, 0.0)), TrackSpec())
    lap = next(item for item in report.measurements if item.name == "lap_length")
    around = 2.0 * (size[0] + size[1]) + np.pi * grown
    if grown >= 4 and around > 60:
        assert lap.measured == pytest.approx(0.05 * around, rel=0.2, abs=0.3)


def test_the_oval_of_the_thin_hall_is_two_hairpins() -> None:
    report = validate(drawn(rounded(OVAL, 1.2)), TrackSpec(corridor_width_m=WIDTH, hairpins=2))
    assert report.accepted
