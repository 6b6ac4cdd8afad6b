"""Commands: bad ones dropped and counted, old ones turned into a stop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.car import CommandFilter


def test_the_last_good_command_holds_until_the_timeout_and_then_the_car_stops() -> None:
    commands = CommandFilter(1, 0.5)
    commands.submit([[0.2, 3.0]], 1.0)
    assert commands.current(1.5).command.tolist() == [[0.2, 3.0]]
    late = commands.current(1.51)
    assert late.command.tolist() == [[0.2, 0.0]]
    assert late.stale.tolist() == [True]
    commands.submit([[0.1, 2.0]], 2.0)
    assert commands.current(2.0).command.tolist() == [[0.1, 2.0]]


def test_before_the_first_command_a_car_stands() -> None:
    now = CommandFilter(2, 0.5).current(0.0)
    assert now.command.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert now.stale.tolist() == [True, True]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("place", [0, 1])
def test_a_command_that_is_not_finite_is_dropped_whole_and_counted(bad: float, place: int) -> None:
    commands = CommandFilter(2, 0.5)
    commands.submit([[0.1, 1.0], [0.1, 1.0]], 0.0)
    broken = [0.3, 3.0]
    broken[place] = bad
    assert commands.submit([broken, [0.2, 2.0]], 0.1).tolist() == [False, True]
    assert commands.current(0.1).command.tolist() == [[0.1, 1.0], [0.2, 2.0]]
    assert commands.rejected.tolist() == [1, 0]


def test_bad_commands_are_no_sign_of_life() -> None:
    commands = CommandFilter(1, 0.5)
    commands.submit([[0.0, 1.0]], 0.0)
    for k in range(1, 20):
        commands.submit([[np.nan, 1.0]], 0.05 * k)
    assert commands.current(0.95).command[0, 1] == 0.0
    assert commands.rejected.tolist() == [19]


def test_a_stale_acceleration_becomes_a_stop_and_not_a_coast() -> None:
    commands = CommandFilter(1, 0.5)
    commands.submit([[0.0, 4.0]], 0.0, accelerate=True)
    assert commands.current(0.2).accelerate.tolist() == [True]
    late = commands.current(0.8)
    assert late.accelerate.tolist() == [False]
    assert late.command[0, 1] == 0.0


def test_cars_are_commanded_and_reset_one_by_one() -> None:
    commands = CommandFilter(3, 0.5)
    commands.submit([[0.1, 1.0], [0.2, 2.0]], 0.0, ids=[2, 0])
    assert commands.current(0.0).command.tolist() == [[0.2, 2.0], [0.0, 0.0], [0.1, 1.0]]
    commands.submit([[np.nan, 0.0]], 0.0, ids=[2])
    commands.reset([2])
    assert commands.current(0.0).stale.tolist() == [False, True, True]
    assert commands.rejected.tolist() == [0, 0, 0]


def test_shapes_times_and_settings_that_cannot_be_meant_are_refused() -> None:
    commands = CommandFilter(2, 0.5)
    with pytest.raises(UsageError, match=r"has shape \(1, 2\); needed is \(2, 2\)"):
        commands.submit([[0.0, 0.0]], 0.0)
    with pytest.raises(UsageError, match="time: is nan"):
        commands.submit(np.zeros((2, 2)), float("nan"))
    with pytest.raises(UsageError, match=r"timeout: is 3\.0 s"):
        CommandFilter(1, 3.0)
    with pytest.raises(UsageError, match="count: is 0"):
        CommandFilter(0, 0.5)


@given(st.lists(st.tuples(st.floats(), st.floats()), max_size=30))
def test_whatever_is_submitted_what_comes_out_is_finite(rows: list[tuple[float, float]]) -> None:
    commands = CommandFilter(1, 0.5)
    bad = 0
    for k, row in enumerate(rows):
        bad += not commands.submit([row], 0.05 * k)[0]
        assert np.isfinite(commands.current(0.05 * k).command).all()
    assert commands.rejected.tolist() == [bad]
