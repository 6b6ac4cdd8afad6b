from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from roboracer_arena.generate.defaults import resolve_defaults
from roboracer_arena.generate.features import order_matches
from roboracer_arena.generate.lattice.anneal import search
from roboracer_arena.generate.lattice.blocks import read_block, read_layout
from roboracer_arena.generate.lattice.cells import CellGrid
from roboracer_arena.generate.lattice.constructor import LatticeConstructor
from roboracer_arena.generate.lattice.corners import Rounding, Slant, find_corners
from roboracer_arena.generate.lattice.goal import Goal, full_order, order_gap, place_sweepers
from roboracer_arena.generate.path import fillet_polygon
from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import Feature, TrackSpec

SETTINGS = TrackSettings()
WORDS: dict[str, Feature] = {"H": "hairpin", "C": "chicane", "T": "sweeper"}


def goal(**values: object) -> Goal:
    usual = {
        "hairpins": 2,
        "chicanes": 1,
        "sweepers": 0,
        "order": "",
        "lap": 24.0,
        "corner_loss": 0.2,
        "sweeper_loss": 0.2,
        "straight": 0,
        "columns": 8,
        "rows": 6,
    }
    return Goal(**{**usual, **values})  # type: ignore[arg-type]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_changed_cells_stay_in_one_piece_without_holes_or_diagonal_contacts(seed: int) -> None:
    rng = Random(seed)
    grid = CellGrid(9, 7)
    grid.fill_rectangle(2, 2, 3, 2)
    for _ in range(300):
        grid.toggle(int(rng.random() * len(grid.filled)))
    filled = np.frombuffer(bytes(grid.filled), dtype=np.uint8).reshape(-1, grid.stride)
    assert ndimage.label(filled)[1] == 1
    assert ndimage.label(1 - filled)[1] == 1
    for turned in (filled, filled[::-1]):
        windows = (turned[:-1, :-1], turned[1:, 1:], turned[1:, :-1], turned[:-1, 1:])
        assert not np.any(windows[0] & windows[1] & ~windows[2] & ~windows[3] & 1)
    walk, edges = grid.outline()
    assert walk.count("L") - walk.count("R") == 4
    area = sum((edge >> 2) % grid.stride + 1 for edge in edges if edge & 3 == 1) - sum(
        (edge >> 2) % grid.stride for edge in edges if edge & 3 == 3
    )
    assert area == int(filled.sum())


def test_the_border_of_the_grid_is_never_filled() -> None:
    grid = CellGrid(2, 1)
    grid.fill_rectangle(0, 0, 2, 1)
    for cell in range(len(grid.filled)):
        if not grid.filled[cell]:
            assert not grid.toggle(cell)


@pytest.mark.parametrize(
    ("corners", "letters", "faults"),
    [
        ("L", "T", 0),
        ("LL", "H", 0),
        ("LR", "C", 0),
        ("RLLR", "H", 0),
        ("LLRR", "HH", 0),
        ("LRL", "C", 0),
        ("LRLR", "CC", 0),
        ("LRLL", "CH", 0),
        ("RRLRLL", "HCH", 0),
        ("LLL", "H", 1),
    ],
)
def test_blocks_hold_their_features(corners: str, letters: str, faults: int) -> None:
    block = read_block(corners)
    assert (block.letters, block.faults) == (letters, faults)
    for index, partner in enumerate(block.partners):
        assert partner < 0 or block.partners[partner] == index


def test_an_oval_has_two_hairpins_at_any_start_of_its_walk() -> None:
    for shift in range(6):
        walk = ("LLSLLS" * 2)[shift : shift + 6]
        assert read_layout(walk).letters == "HH"


@pytest.mark.parametrize(
    ("letters", "order", "gap"),
    [
        ("THTC", "HC", 0),
        ("THTC", "HTC", 0),
        ("THTC", "HTCT", 0),
        ("HTTC", "HTCT", 1),
        ("THTCTH", "HHC", 0),
        ("HCHC", "HHCC", 2),
        ("TTT", "TT", 0),
        ("T", "TT", 1),
    ],
)
def test_the_distance_to_an_order(letters: str, order: str, gap: int) -> None:
    assert order_gap(letters, order) == gap


@settings(max_examples=60)
@given(
    counts=st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)),
    keep=st.integers(0, 7),
    reverse=st.booleans(),
    seed=st.integers(0, 99),
)
def test_a_completed_order_holds_the_asked_one_and_the_counts(
    counts: tuple[int, int, int], keep: int, reverse: bool, seed: int
) -> None:
    rng = Random(seed)
    names: tuple[Feature, ...] = ("hairpin", "chicane", "sweeper")
    wanted = dict(zip(names, counts, strict=True))
    asked = [name for name in names for _ in range(wanted[name])][:keep]
    letters = full_order(tuple(asked), wanted, reverse=reverse, rng=rng)
    if not asked:
        assert letters == ""
        return
    assert tuple(letters.count(letter) for letter in "HCT") == counts
    driven = letters[::-1] if reverse else letters
    assert order_matches([WORDS[letter] for letter in driven], asked)


def test_sweepers_are_placed_where_the_order_has_them() -> None:
    wanted = goal(hairpins=1, chicanes=1, sweepers=1, order="HTC")
    for seed in range(20):
        places = place_sweepers("TTHTTCT", wanted, Random(seed))
        assert places is not None
        assert places[0] in (3, 4)
    assert place_sweepers("TTHCT", wanted, Random(0)) is None


@pytest.mark.parametrize("order", ["", "HCHT"])
def test_found_sets_meet_their_goal(order: str) -> None:
    wanted = goal(sweepers=1 if order else 0, order=order)
    found = [walk for seed in range(10) for walk in islice(search(wanted, Random(seed), 900), 2)]
    assert len(found) >= 5
    for walk in found:
        assert wanted.distance(walk.letters, walk.layout) <= 0.0
        assert (walk.layout.letters.count("H"), walk.layout.letters.count("C")) == (2, 1)
        corners = find_corners(walk)
        assert len(corners) == walk.layout.corners
        for here, there in zip(corners, [*corners[1:], corners[0]], strict=True):
            assert (here.column == there.column) != (here.row == there.row)
            leaving = (here.heading + here.sign) % 4
            assert leaving == there.heading


@pytest.mark.parametrize(
    "rounding",
    [Rounding("corner", 1.2), Rounding("sweeper", 2.0, 1.6), Rounding("cut", 1.2, 2.4)],
    ids=["arc", "sweeper", "cut"],
)
def test_a_rounding_uses_and_loses_what_it_says(rounding: Rounding) -> None:
    corner = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 8.0], [0.0, 8.0]])
    if rounding.chamfer:
        cut = rounding.chamfer
        corner = np.array([[0.0, 0.0], [10.0 - cut, 0.0], [10.0, cut], [10.0, 8.0], [0.0, 8.0]])
        path = fillet_polygon(corner, np.array([1.0, rounding.radius, rounding.radius, 1.0, 1.0]))
    else:
        path = fillet_polygon(corner, np.array([1.0, rounding.radius, 1.0, 1.0]))
    assert path is not None
    others = 3.0 * Rounding("corner", 1.0).loss
    assert path.length == pytest.approx(36.0 - others - rounding.loss)
    straight = next(piece for piece in path.pieces[2:] if piece.angle == 0.0)
    assert straight.length == pytest.approx(10.0 - 1.0 - rounding.tangent)


def test_a_slanted_chicane_uses_and_loses_what_it_says() -> None:
    slant = Slant(angle=0.9, radius=1.1, gap=0.4)
    high, shift = slant.offset, slant.shift
    vertices = np.array(
        [[0, 0], [6 - shift, 0], [6 + shift, high], [14, high], [14, 8], [0, 8]], dtype=float
    )
    path = fillet_polygon(vertices, np.array([1.0, 1.1, 1.1, 1.0, 1.0, 1.0]))
    assert path is not None
    square = 14.0 + 14.0 + 8.0 + 8.0
    others = 4.0 * Rounding("corner", 1.0).loss
    # Both corners of the chicane carry half of its loss; the outline with right angles is as long
    # as the box around it.
    loss = 2.0 * Rounding("corner", 1.1, slant=slant).loss
    assert path.length == pytest.approx(square - others - loss)
    straight = next(piece for piece in path.pieces[2:] if piece.angle == 0.0)
    assert straight.length == pytest.approx(6.0 - 1.0 - slant.tangent)


WISHES = [
    TrackSpec(hairpins=3, chicanes=1, hall_x_m=20, hall_y_m=15),
    TrackSpec(hairpins=1, chicanes=2, sweepers=2, lap_length_m=90, direction="cw",
              feature_order=("sweeper", "chicane", "hairpin")),
    TrackSpec(lap_length_m=60, longest_straight_m=12),
    TrackSpec(lap_length_m=70, min_radius_m=1.5, corridor_width_m=1.2, sweepers=2),
]  # fmt: skip


@pytest.mark.parametrize("wishes", WISHES, ids=["hall", "order", "straight", "radius"])
def test_candidates_have_the_lap_and_the_hall(wishes: TrackSpec) -> None:
    spec = resolve_defaults(wishes)
    constructor = LatticeConstructor(spec, SETTINGS, 0)
    curves = [curve for k in range(1, 21) if (curve := constructor.construct(k)) is not None]
    assert len(curves) >= 5
    reach = SETTINGS.reach(spec.corridor_width_m)
    for curve in curves:
        assert curve.length == pytest.approx(spec.lap_length_m, rel=1e-6)
        assert (curve.points >= reach - 1e-6).all()
        assert (curve.points <= np.array([spec.hall_x_m, spec.hall_y_m]) - reach + 1e-6).all()
        turned = curve.heading[-1] - curve.heading[0]
        assert np.sign(turned) == (-1 if spec.direction == "cw" else 1)
        assert 1.0 / np.abs(curve.curvature).max() >= 1.05 * spec.reference_radius


def test_a_candidate_depends_on_seed_and_number_alone() -> None:
    spec = resolve_defaults(WISHES[0])
    in_turn = [LatticeConstructor(spec, SETTINGS, 3).construct(k) for k in (1, 2, 3)]
    alone = LatticeConstructor(spec, SETTINGS, 3).construct(3)
    assert in_turn[2] is not None
    assert alone is not None
    assert np.array_equal(in_turn[2].points, alone.points)
    other = LatticeConstructor(spec, SETTINGS, 4).construct(3)
    assert other is None or not np.array_equal(other.points[:50], alone.points[:50])


def test_the_first_candidates_keep_the_margin_of_the_hall() -> None:
    spec = resolve_defaults(TrackSpec(hairpins=2, lap_length_m=40, hall_x_m=20, hall_y_m=15))
    curve = LatticeConstructor(spec, SETTINGS, 0).construct(1)
    assert curve is not None
    reach = SETTINGS.reach(spec.corridor_width_m) + SETTINGS.hall_margin_m
    assert (curve.points >= reach - 1e-6).all()


def test_a_hall_without_room_gives_no_candidate() -> None:
    spec = resolve_defaults(TrackSpec(lap_length_m=30, hall_x_m=3, hall_y_m=3))
    assert LatticeConstructor(spec, SETTINGS, 0).construct(1) is None
