from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.generate.defaults import resolve_defaults
from roboracer_arena.generate.outcome import Acceptance
from roboracer_arena.generate.pipeline import generate
from roboracer_arena.generate.settings import TrackSettings, cell_for
from roboracer_arena.generate.spec import SPEC_FIELDS, TrackSpec


def test_stated_values_stay_and_the_rest_is_marked() -> None:
    spec = TrackSpec(lap_length_m=47.0, hairpins=0, sweepers=2)
    whole = resolve_defaults(spec)
    assert whole.stated == ("lap_length_m", "hairpins", "sweepers")
    assert set(whole.stated) | set(whole.defaulted) == set(SPEC_FIELDS)
    for field in whole.stated:
        assert getattr(whole.values, field) == getattr(spec, field)
    assert (whole.chicanes, whole.direction, whole.name) == (0, "ccw", "track")


def test_the_default_pitch_is_the_published_one() -> None:
    whole = resolve_defaults(TrackSpec())
    assert TrackSettings().pitch(whole.corridor_width_m) == pytest.approx(2.15)
    assert (whole.hall_x_m, whole.hall_y_m, whole.lap_length_m) == (20.0, 15.0, 45.0)


def test_a_listed_feature_is_counted() -> None:
    whole = resolve_defaults(TrackSpec(feature_order=("hairpin", "sweeper", "hairpin")))
    assert (whole.hairpins, whole.chicanes, whole.sweepers) == (2, 0, 1)


def test_naming_one_feature_excludes_the_others() -> None:
    whole = resolve_defaults(TrackSpec(chicanes=2))
    assert (whole.hairpins, whole.chicanes, whole.sweepers) == (0, 2, 0)


def test_ruling_a_feature_out_leaves_the_others_as_usual() -> None:
    whole = resolve_defaults(TrackSpec(lap_length_m=50.0, chicanes=0))
    assert (whole.hairpins, whole.chicanes, whole.sweepers) == (1, 0, 0)


def test_zero_radius_asks_for_none() -> None:
    whole = resolve_defaults(TrackSpec(min_radius_m=0.0))
    assert whole.reference_radius == pytest.approx(0.75 * 1.55)


def test_a_small_radius_gets_a_corridor_that_can_turn_it() -> None:
    assert resolve_defaults(TrackSpec(min_radius_m=0.5)).corridor_width_m == pytest.approx(1.15)
    assert resolve_defaults(TrackSpec(min_radius_m=3.0)).corridor_width_m == pytest.approx(1.55)


def test_a_small_hall_gets_a_narrow_corridor() -> None:
    assert resolve_defaults(TrackSpec(hall_x_m=5.0, hall_y_m=5.0)).corridor_width_m == 1.0
    assert resolve_defaults(TrackSpec(hall_x_m=30.0, hall_y_m=5.0)).corridor_width_m == 1.55


@pytest.mark.parametrize("side", [5.0, 5.5, 6.0, 7.0, 8.0])
def test_a_living_room_gets_a_track(side: float) -> None:
    spec = resolve_defaults(TrackSpec(hall_x_m=side, hall_y_m=side - 0.3))
    assert isinstance(generate(spec, candidates=100), Acceptance)


def test_lap_and_hall_adapt_to_one_another() -> None:
    assert resolve_defaults(TrackSpec(lap_length_m=160.0)).hall_x_m > 30.0
    assert resolve_defaults(TrackSpec(hall_x_m=12.0, hall_y_m=9.0)).lap_length_m < 30.0
    assert resolve_defaults(TrackSpec(hairpins=8)).lap_length_m > 80.0
    sided = resolve_defaults(TrackSpec(hall_y_m=10.0, lap_length_m=100.0))
    assert sided.hall_y_m == 10.0
    assert sided.hall_x_m > 40.0


def test_a_narrow_hall_gets_an_oval() -> None:
    whole = resolve_defaults(TrackSpec(hall_x_m=30.0, hall_y_m=5.0))
    assert (whole.hairpins, whole.chicanes, whole.sweepers) == (2, 0, 0)


@pytest.mark.parametrize(
    ("width", "cell"), [(2.0, 0.05), (1.2, 0.05), (1.0, 0.025), (0.5, 0.02), (0.4, 0.01)]
)
def test_a_corridor_is_at_least_24_cells_wide(width: float, cell: float) -> None:
    assert cell_for(width) == cell


metres = st.floats(10.0, 40.0).map(lambda value: round(value, 1))
few = st.integers(0, 4)


@settings(max_examples=25, deadline=None)
@given(
    wishes=st.one_of(
        st.fixed_dictionaries({"hall_x_m": metres, "hall_y_m": metres}),
        st.fixed_dictionaries({"hall_x_m": metres}),
        st.fixed_dictionaries({"hairpins": few, "chicanes": few, "sweepers": few}),
        st.fixed_dictionaries({"lap_length_m": st.floats(14.0, 150.0)}),
        st.fixed_dictionaries({"longest_straight_m": st.floats(2.0, 25.0)}),
        st.fixed_dictionaries({"min_radius_m": st.floats(0.5, 3.0)}),
        st.fixed_dictionaries({"corridor_width_m": st.floats(0.5, 3.0)}),
    )
)
def test_a_request_that_states_one_thing_only_gets_a_track(wishes: dict[str, float]) -> None:
    spec = resolve_defaults(TrackSpec.model_validate(wishes))
    assert isinstance(generate(spec, candidates=200), Acceptance)
