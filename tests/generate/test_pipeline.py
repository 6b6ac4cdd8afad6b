from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.errors import InputError
from roboracer_arena.generate.baselines import EvolutionConstructor, SamplingConstructor
from roboracer_arena.generate.defaults import resolve_defaults
from roboracer_arena.generate.outcome import Acceptance, GenerationFailure, Rejection
from roboracer_arena.generate.path import Curve
from roboracer_arena.generate.pipeline import Progress, generate, generate_from_request
from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import TrackSpec
from roboracer_arena.generate.validator import validate

from .shapes import U_SHAPE, rounded

THREE_HAIRPINS = resolve_defaults(
    TrackSpec(hairpins=3, chicanes=1, hall_x_m=20.0, hall_y_m=15.0, direction="cw")
)
SETTINGS = TrackSettings()


def accepted(outcome: object) -> Acceptance:
    assert isinstance(outcome, Acceptance)
    return outcome


def test_a_sentence_becomes_a_track() -> None:
    def parse(text: str) -> TrackSpec:
        assert text == "three hairpins and one chicane"
        return TrackSpec(hairpins=3, chicanes=1)

    outcome = accepted(generate_from_request("three hairpins and one chicane", parse))
    assert outcome.report.features.count("hairpin") == 3
    assert outcome.spec.stated == ("hairpins", "chicanes")


def test_a_refused_sentence_stops_there() -> None:
    def parse(text: str) -> TrackSpec:
        raise InputError(f"{text!r} is about no track", where="request")

    with pytest.raises(InputError, match="no track"):
        generate_from_request("a recipe", parse)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_track() -> None:
    one, two, other = (accepted(generate(THREE_HAIRPINS, seed=seed)) for seed in (5, 5, 6))
    assert one.track.cells.tobytes() == two.track.cells.tobytes()
    assert one.track.origin == two.track.origin
    assert np.array_equal(one.centerline.points, two.centerline.points)
    assert one.report == two.report
    assert one.track.cells.tobytes() != other.track.cells.tobytes()


def test_the_centerline_is_the_drawn_line_in_driving_direction() -> None:
    outcome = accepted(generate(THREE_HAIRPINS))
    line, track = outcome.centerline, outcome.track
    assert line.length == pytest.approx(THREE_HAIRPINS.lap_length_m, rel=1e-6)
    assert line.heading[-1] < line.heading[0]
    cells = np.floor(line.points / track.resolution).astype(int)
    assert (track.cells[cells[:, 1], cells[:, 0]] == 254).all()
    assert np.allclose(np.diff(line.arc_length), line.arc_length[1])
    assert abs(line.curvature[0]) < 1e-9
    for side in (-1.0, 1.0):
        across = np.column_stack([-np.sin(line.heading), np.cos(line.heading)])
        wall = line.points + side * (line.width_left + 1.5 * track.resolution)[:, None] * across
        cells = np.floor(wall / track.resolution).astype(int)
        assert (track.cells[cells[:, 1], cells[:, 0]] != 254).all()


def test_progress_is_told_and_a_search_can_be_cancelled() -> None:
    class Never:
        def construct(self, candidate: int) -> Curve | None:
            return None

    told: list[Progress] = []
    outcome = generate(
        THREE_HAIRPINS,
        constructor=Never(),
        on_progress=told.append,
        is_cancelled=lambda: len(told) == 7,
    )
    assert isinstance(outcome, GenerationFailure)
    assert outcome.cancelled
    assert [item.candidate for item in told] == [1, 2, 3, 4, 5, 6, 7]
    assert (outcome.candidates, outcome.built) == (7, 0)
    assert "cancelled" in outcome.reason


def test_a_search_ends_after_800_candidates_and_says_what_was_missed() -> None:
    class Stubborn:
        def construct(self, candidate: int) -> Curve | None:
            curve = rounded(U_SHAPE + 2.0, 1.2).curve(0.05)
            return curve if candidate % 100 == 0 else None

    outcome = generate(THREE_HAIRPINS, constructor=Stubborn())
    assert isinstance(outcome, GenerationFailure)
    assert (outcome.candidates, outcome.built, outcome.cancelled) == (800, 8, False)
    assert ("hairpins", 8) in outcome.failed_tests
    assert "hairpins: found 0, asked 3" in outcome.reason


def test_a_rejected_request_is_never_constructed() -> None:
    class Forbidden:
        def construct(self, candidate: int) -> Curve | None:
            raise AssertionError

    spec = resolve_defaults(TrackSpec(lap_length_m=200.0, hall_x_m=20.0, hall_y_m=15.0))
    outcome = generate(spec, constructor=Forbidden())
    assert isinstance(outcome, Rejection)
    assert any("123.72" in reason for reason in outcome.reasons)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    hairpins=st.integers(0, 4),
    chicanes=st.integers(0, 2),
    sweepers=st.integers(0, 2),
    width=st.floats(0.8, 2.0),
    direction=st.sampled_from(["cw", "ccw"]),
)
def test_whatever_is_accepted_is_as_asked(
    seed: int, hairpins: int, chicanes: int, sweepers: int, width: float, direction: str
) -> None:
    wishes = {"hairpins": hairpins, "chicanes": chicanes, "sweepers": sweepers}
    spec = resolve_defaults(
        TrackSpec.model_validate({**wishes, "corridor_width_m": width, "direction": direction})
    )
    outcome = accepted(generate(spec, seed=seed, candidates=300))
    found = outcome.report.features
    assert {f"{name}s": found.count(name) for name in ("hairpin", "chicane", "sweeper")} == wishes
    assert validate(outcome.track, spec.values) == outcome.report


@pytest.mark.parametrize(
    "make",
    [
        lambda spec: SamplingConstructor(spec, SETTINGS, 1),
        lambda spec: EvolutionConstructor(spec, SETTINGS, 1, generations=2),
    ],
    ids=["sampling", "evolution"],
)
def test_baselines_propose_closed_curves_and_repeat_themselves(
    make: Callable[[object], SamplingConstructor | EvolutionConstructor],
) -> None:
    curve = make(THREE_HAIRPINS).construct(1)
    gaps = np.hypot(*(np.roll(curve.points, -1, axis=0) - curve.points).T)
    assert gaps.max() <= 0.026
    assert np.array_equal(curve.points, make(THREE_HAIRPINS).construct(1).points)
    outcome = generate(THREE_HAIRPINS, constructor=make(THREE_HAIRPINS), candidates=1)
    assert isinstance(outcome, Acceptance | GenerationFailure)


def test_evolution_comes_nearer_to_the_asked_lap() -> None:
    spec = resolve_defaults(TrackSpec(lap_length_m=38, hall_x_m=15, hall_y_m=12, hairpins=2))
    early, late = (
        EvolutionConstructor(spec, SETTINGS, 0, generations=count).construct(1) for count in (1, 25)
    )
    assert abs(late.length - 38.0) < abs(early.length - 38.0)
    assert late.length == pytest.approx(38.0, rel=0.1)
