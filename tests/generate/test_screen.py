from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from roboracer_arena.generate.defaults import resolve_defaults
from roboracer_arena.generate.lattice.constructor import LatticeConstructor
from roboracer_arena.generate.outcome import Acceptance, GenerationFailure
from roboracer_arena.generate.path import fillet_polygon
from roboracer_arena.generate.pipeline import draw, generate
from roboracer_arena.generate.screen import Bound, ScreenResult, screen
from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import TrackSpec
from roboracer_arena.generate.validator import validate

from .shapes import drawn


def bound(result: ScreenResult, name: str) -> Bound:
    return next(item for item in result.bounds if item.name == name)


def test_the_published_long_lap_is_rejected_with_its_arithmetic() -> None:
    spec = resolve_defaults(TrackSpec(lap_length_m=200.0, hall_x_m=20.0, hall_y_m=15.0))
    result = screen(spec)
    assert not result.passed
    assert result.pitch_m == pytest.approx(2.15)
    assert result.capacity_m == pytest.approx(123.7, abs=0.05)
    assert [item.name for item in result.violations] == ["lap_capacity"]
    text = " ".join(item.sentence for item in result.bounds if not item.ok)
    assert "123.72" in text
    assert "2.15" in text
    assert "20 x 15 m hall" in text


def test_the_published_five_hairpins_pass_with_their_spare_length() -> None:
    result = screen(resolve_defaults(TrackSpec(lap_length_m=45.0, hairpins=5)))
    assert result.passed
    budget = bound(result, "feature_budget_published")
    assert budget.limit - budget.value == pytest.approx(0.77, abs=0.005)


def test_a_long_oval_fits_a_thin_hall_in_spite_of_the_published_bound() -> None:
    wishes = TrackSpec(lap_length_m=60.0, hall_x_m=30.0, hall_y_m=5.0, hairpins=2)
    result = screen(resolve_defaults(wishes))
    assert result.capacity_m == pytest.approx(53.95, abs=0.01)
    assert not bound(result, "lap_capacity_published").ok
    assert result.passed
    assert isinstance(generate(resolve_defaults(wishes)), Acceptance)


@pytest.mark.parametrize(
    ("name", "wishes"),
    [
        ("lap_turns_once", {"lap_length_m": 5.0}),
        ("lap_capacity", {"lap_length_m": 90.0, "hall_x_m": 10.0, "hall_y_m": 10.0}),
        ("hall_x", {"hall_x_m": 3.0, "hall_y_m": 15.0, "lap_length_m": 15.0}),
        ("hall_y", {"hall_x_m": 15.0, "hall_y_m": 3.0, "lap_length_m": 15.0}),
        ("feature_arc", {"lap_length_m": 50.0, "hairpins": 20}),
        ("hairpin_radius", {"corridor_width_m": 2.0, "min_radius_m": 0.4, "hairpins": 1}),
        ("straight_in_hall", {"longest_straight_m": 30.0, "hall_x_m": 20.0, "hall_y_m": 10.0}),
        ("straight_in_lap", {"longest_straight_m": 19.0, "hall_x_m": 25.0, "hall_y_m": 10.0,
                             "lap_length_m": 36.0}),
    ],
)  # fmt: skip
def test_what_cannot_exist_is_rejected_by_its_bound(name: str, wishes: dict[str, float]) -> None:
    result = screen(resolve_defaults(TrackSpec.model_validate(wishes)))
    violated = bound(result, name)
    assert not violated.ok
    assert violated.kind == "deciding"
    assert f"{violated.value:.2f} m" in violated.sentence
    assert f"{violated.limit:.2f} m" in violated.sentence


def test_published_bounds_never_decide() -> None:
    spec = resolve_defaults(TrackSpec(lap_length_m=12.0, hairpins=2))
    result = screen(spec)
    assert not bound(result, "feature_budget_published").ok
    assert result.passed


@settings(max_examples=40, deadline=None)
@given(
    width=st.floats(0.8, 2.2),
    ratio=st.floats(1.0, 1.6),
    straight=st.floats(0.5, 20.0),
    gap=st.floats(0.0, 6.0),
)
def test_no_oval_that_the_validator_accepts_is_rejected(
    width: float, ratio: float, straight: float, gap: float
) -> None:
    """An oval or rounded rectangle, in the tightest hall, asked for exactly as it is."""
    arc = ratio * max(0.9, 0.75 * width)
    box = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    path = fillet_polygon(box * [straight + 2.0 * arc, gap + 2.0 * arc], np.full(4, arc))
    assert path is not None
    cell = TrackSettings().cell(width)
    track = drawn(path, width=width, cell=cell)
    seen = validate(track, TrackSpec(corridor_width_m=width))
    size = {item.name: item.measured for item in seen.measurements}
    spec = TrackSpec(
        lap_length_m=path.length,
        corridor_width_m=width,
        hall_x_m=float(size["hall_x"] or 0.0),
        hall_y_m=float(size["hall_y"] or 0.0),
        hairpins=seen.features.count("hairpin"),
        chicanes=0,
        sweepers=seen.features.count("sweeper"),
        longest_straight_m=float(size["longest_straight"] or 0.0),
    )
    assume(validate(track, spec).accepted)
    result = screen(resolve_defaults(spec))
    assert result.passed, [item.sentence for item in result.violations]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_nothing_that_is_built_and_accepted_is_rejected(seed: int) -> None:
    """Constructor and validator run without the screen, on wishes far beyond comfort."""
    rng = random.Random(seed)
    width = round(rng.uniform(0.6, 2.2), 2)
    hall = (round(rng.uniform(4.5, 25.0), 1), round(rng.uniform(4.0, 15.0), 1))
    wishes = TrackSpec(
        lap_length_m=round(rng.uniform(8.0, 0.7 * hall[0] * hall[1] / width), 1),
        corridor_width_m=width,
        hall_x_m=hall[0],
        hall_y_m=hall[1],
        hairpins=rng.randint(0, 6),
        chicanes=rng.randint(0, 3),
        sweepers=rng.randint(0, 2),
        longest_straight_m=round(rng.uniform(1.0, hall[0]), 1) if rng.random() < 0.5 else None,
        min_radius_m=round(rng.uniform(0.3, 2.0), 2) if rng.random() < 0.5 else None,
    )
    spec, drawing = resolve_defaults(wishes), TrackSettings()
    constructor = LatticeConstructor(spec, drawing, seed)
    for candidate in range(1, 15):
        curve = constructor.construct(candidate)
        if curve is not None and validate(draw(curve, spec, drawing), spec.values).accepted:
            result = screen(spec)
            assert result.passed, [item.sentence for item in result.violations]
            return


def test_a_rejection_costs_nothing_and_a_failure_says_how_far_it_got() -> None:
    spec = resolve_defaults(TrackSpec(lap_length_m=170.0, hall_x_m=20.0, hall_y_m=15.0))
    outcome = generate(spec, candidates=5)
    assert isinstance(outcome, GenerationFailure)
    assert outcome.candidates == 5
    assert "123.72" in outcome.reason


def test_every_number_of_the_screen_is_finite() -> None:
    for wishes in (TrackSpec(), TrackSpec(hall_x_m=0.5, hall_y_m=0.5, lap_length_m=2.0)):
        for item in screen(resolve_defaults(wishes)).bounds:
            assert math.isfinite(item.value)
            assert math.isfinite(item.limit)
