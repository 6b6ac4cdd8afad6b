"""What must hold for any command: finite, symmetric, repeatable, independent, one result."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.car import DoubleTrack, Fleet, make_car
from roboracer_arena.sim.car.trials import Ground, forward_speed, kinetic_energy, last
from roboracer_arena.vehicle import load_vehicle

KINDS = ("double_track", "single_track")
ROOT = Path(__file__).resolve().parents[3]


def fleet(count: int, **columns: object) -> Fleet:
    return Fleet.of(load_vehicle(), count).with_columns(**columns)  # type: ignore[arg-type]


def random_commands(count: int, steps: int, seed: int) -> Iterator[np.ndarray]:
    random = np.random.default_rng(seed)
    for k in range(steps):
        if k % 40 == 0:
            command = np.column_stack(
                (random.uniform(-0.7, 0.7, count), random.uniform(-3.0, 8.0, count))
            )
        yield command


@pytest.mark.parametrize("kind", KINDS)
def test_numba_and_numpy_give_the_same_numbers(kind: str) -> None:
    pytest.importorskip("numba")
    cars = fleet(16)
    ground = Ground(kind, cars, backend="numba")  # type: ignore[arg-type]
    other = make_car(kind, cars, backend="numpy")  # type: ignore[arg-type]
    ground.start(np.linspace(0.0, 6.0, 16))
    other.reset(forward_speed=np.linspace(0.0, 6.0, 16))
    for command in random_commands(16, 600, seed=1):
        state = ground.engine.state()
        fast, slow = ground.car.wrench(state, command, 0.005), other.wrench(state, command, 0.005)
        np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-9)
        ground.engine.apply(fast)
        ground.engine.step()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.floats(), st.floats(), st.booleans()), min_size=1, max_size=4),
    st.sampled_from([0.0025, 0.005, 0.01]),
)
def test_no_command_whatever_makes_a_number_that_is_not_finite(
    kind: str, phases: list[tuple[float, float, bool]], dt: float
) -> None:
    ground = Ground(kind, fleet(1), dt=dt)  # type: ignore[arg-type]
    ground.start(4.0)
    for steering, drive, accelerate in phases:
        for _ in range(30):
            state = ground.step(np.array([[steering, drive]]), np.array([accelerate]))
    assert np.isfinite(state).all()
    assert np.isfinite(ground.car.save().internal).all()
    assert abs(float(ground.car.steering_angle[0])) <= 0.524
    assert np.abs(state[0, 7:10]).max() < 30.0


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, deadline=None)
@given(st.floats(-0.5, 0.5), st.floats(0.0, 7.0), st.floats(-3.0, 8.0))
def test_a_mirrored_command_drives_a_mirrored_path(
    kind: str, steering: float, start: float, target: float
) -> None:
    ground = Ground(kind, fleet(2))  # type: ignore[arg-type]
    ground.start(start)
    state = last(ground.drive([steering, -steering], target, 1.0))
    mirror = np.array([1, -1, 1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1.0])
    np.testing.assert_allclose(state[0], state[1] * mirror, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_car_does_the_same_in_any_company(kind: str) -> None:
    cars = fleet(5, friction=[0.5, 0.6, 0.7, 0.8, 0.9])
    many = Ground(kind, cars)  # type: ignore[arg-type]
    alone = Ground(kind, cars.take([3]))  # type: ignore[arg-type]
    many.start(3.0)
    alone.start(3.0)
    for command in random_commands(5, 300, seed=2):
        together, single = many.step(command), alone.step(command[3:4])
    assert np.array_equal(together[3], single[0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("delay", [0.0, 0.033])
def test_going_back_to_a_saved_moment_repeats_the_same_bits(kind: str, delay: float) -> None:
    ground = Ground(kind, fleet(4, steering_delay=delay, motor_delay=delay))  # type: ignore[arg-type]
    ground.start(2.0)
    commands = list(random_commands(4, 200, seed=3))
    for command in commands[:100]:
        state = ground.step(command)
    memory = ground.car.save()
    first = [ground.step(command) for command in commands[100:]][-1]
    ground.engine.reset(np.arange(4), state[:, :7], state[:, 7:])
    ground.car.restore(memory)
    second = [ground.step(command) for command in commands[100:]][-1]
    assert np.array_equal(first, second)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("delay", [0.0, 0.033])
def test_a_reset_leaves_nothing_stale_and_touches_no_other_car(kind: str, delay: float) -> None:
    cars = fleet(3, steering_delay=delay, motor_delay=delay)
    used, fresh = Ground(kind, cars), Ground(kind, cars)  # type: ignore[arg-type]
    used.start(5.0)
    last(used.drive(0.4, 7.0, 1.0))
    before = used.car.save().internal[0]
    used.car.reset([1, 2])
    assert np.array_equal(used.car.save().internal[0], before)
    used.start(0.0)
    wanted, given = last(fresh.drive(0.2, 2.0, 0.5)), last(used.drive(0.2, 2.0, 0.5))
    assert np.array_equal(wanted, given)


def test_steering_follows_at_standstill_with_lag_rate_limit_and_stop() -> None:
    ground = Ground("double_track", fleet(3, steering_time_constant=[0.158, 0.158, 0.0]))
    angles = np.array([[0.1, 9.0, 0.1], [0.0, 0.0, 0.0]]).T
    ground.step(angles)
    first = ground.car.steering_angle
    assert first[0] == pytest.approx(0.1 * (1.0 - np.exp(-0.005 / 0.158)))
    # 0.524 rad away, the lag would turn faster than the servo can.
    assert first[1] == pytest.approx(3.2 * 0.005)
    assert first[2] == pytest.approx(3.2 * 0.005)
    last(ground.drive(angles[:, 0], 0.0, 2.0))
    np.testing.assert_allclose(ground.car.steering_angle, [0.1, 0.524, 0.1], atol=1e-4)


def test_steering_gain_and_offset_apply_to_the_command() -> None:
    ground = Ground("single_track", fleet(2, steering_gain=[1.3, 1.0], steering_offset=[0.0, 0.05]))
    last(ground.drive(0.1, 0.0, 2.0))
    np.testing.assert_allclose(ground.car.steering_angle, [0.13, 0.15], atol=1e-5)


def test_motor_gain_applies_to_the_command() -> None:
    ground = Ground("single_track", fleet(2, motor_gain=[1.0, 1.4]))
    speeds = forward_speed(last(ground.drive(0.0, 2.0, 3.0)))
    np.testing.assert_allclose(speeds, [2.0, 2.8], rtol=0.01)


def test_a_delay_shifts_the_response_by_itself_also_between_steps() -> None:
    delays = np.array([0.0, 0.05, 0.0525])
    ground = Ground("double_track", fleet(3, steering_delay=delays))
    last(ground.drive(0.0, 0.0, 0.5))
    angles = np.array([ground.car.steering_angle for _ in ground.drive(0.3, 0.0, 0.5)])
    np.testing.assert_allclose(angles[10:, 1], angles[:-10, 0], atol=1e-12)
    assert np.all(angles[10:40, 2] < angles[10:40, 1])
    assert np.all(angles[11:40, 2] > angles[10:39, 1])


def test_speed_follows_the_ramp_of_the_motor() -> None:
    ground = Ground("single_track", fleet(1))
    rims = np.array([ground.car.wheel_speed[0].mean() for _ in ground.drive(0.0, 5.0, 0.7)])
    slope = np.polyfit(np.arange(60) * 0.005, rims[40:100] * 0.0525, 1)[0]
    assert slope == pytest.approx(6.0, rel=0.01)


def test_the_current_limit_bounds_the_acceleration() -> None:
    free, weak = (
        forward_speed(last(Ground("double_track", cars).accelerate(0.0, 6.0, 0.3)))[0]
        for cars in (fleet(1), fleet(1, current_limit=20.0))
    )
    assert 0.25 * free < weak < 0.4 * free


def test_without_grip_the_wheels_spin_and_lock() -> None:
    ground = Ground("double_track", fleet(1, friction=0.1))
    last(ground.drive(0.0, 4.0, 1.5))
    rim = ground.car.wheel_speed[0] * 0.0525
    speed = forward_speed(ground.engine.state())[0]
    assert np.all(rim > 1.5 * speed)
    ground.start(4.0)
    state = last(ground.drive(0.0, 0.0, 0.7))
    assert forward_speed(state)[0] > 3.0
    assert np.all(np.abs(ground.car.wheel_speed * 0.0525) < 0.05)


def test_an_acceleration_of_zero_coasts_and_a_speed_of_zero_brakes() -> None:
    coasting, braking = Ground("double_track", fleet(1)), Ground("double_track", fleet(1))
    coasting.start(3.0)
    braking.start(3.0)
    assert forward_speed(last(coasting.accelerate(0.0, 0.0, 1.0)))[0] > 2.7
    assert abs(forward_speed(last(braking.drive(0.0, 0.0, 1.0)))[0]) < 0.01


def test_a_bad_part_of_a_command_is_held_and_the_good_part_obeyed() -> None:
    ground = Ground("double_track", fleet(1))
    last(ground.drive(0.2, 1.0, 1.0))
    state = last(ground.drive(np.nan, 2.0, 1.0))
    assert ground.car.steering_angle[0] == pytest.approx(0.2, abs=1e-3)
    assert forward_speed(state)[0] == pytest.approx(2.0, rel=0.05)


def test_wheels_lift_and_a_car_on_its_roof_feels_no_wheel() -> None:
    car = DoubleTrack(fleet(3))
    state = np.zeros((3, 13))
    state[:, 3] = 1.0
    state[:, 2] = [0.063, 0.3, 0.05]
    state[2, 3:7] = [0.0, 1.0, 0.0, 0.0]
    wrench = car.wrench(state, np.zeros((3, 2)), 0.005)
    assert wrench[0, 2] == pytest.approx(4.885 * 9.81)
    assert np.array_equal(wrench[1:], np.zeros((2, 6)))


def test_a_dropped_car_settles_at_its_height() -> None:
    ground = Ground("double_track", fleet(1))
    pose = ground.engine.state()[:, :7]
    pose[0, 2] += 0.05
    ground.engine.reset([0], pose)
    path = np.array(list(ground.drive(0.0, 0.0, 3.0)))
    assert path[:, 0, 2].min() > 0.03
    assert path[-1, 0, 2] == pytest.approx(0.063, abs=1e-6)
    assert kinetic_energy(ground.car, path[-1])[0] < 1e-9


def test_load_moves_forward_in_braking_and_outward_in_turns() -> None:
    ground = Ground("double_track", fleet(1))
    ground.start(5.0)
    last(ground.accelerate(0.0, -6.0, 0.3))
    front, rear = ground.car.wheel_load[0, :2].sum(), ground.car.wheel_load[0, 2:].sum()
    moved = 4.885 * 6.0 * 0.063 / 0.3275
    assert front == pytest.approx(4.885 * 9.81 * 0.1522 / 0.3275 + moved, rel=0.03)
    assert front + rear == pytest.approx(4.885 * 9.81, rel=0.02)
    ground.start(3.0)
    last(ground.drive(0.2, 3.0, 3.0))
    left, right = ground.car.wheel_load[0, ::2].sum(), ground.car.wheel_load[0, 1::2].sum()
    assert left < right


def test_heavier_cars_and_shifted_centres_of_mass_still_stand_level() -> None:
    cars = fleet(2, mass=[4.0, 6.0], com_to_front=[0.15, 0.2], com_to_rear=[0.1775, 0.1275])
    ground = Ground("double_track", cars)
    state = last(ground.drive(0.0, 0.0, 1.0))
    np.testing.assert_allclose(state[:, 2], 0.063, atol=1e-9)
    np.testing.assert_allclose(state[:, 3], 1.0, atol=1e-12)
    np.testing.assert_allclose(ground.car.wheel_load.sum(axis=1), [39.24, 58.86])


def test_new_parameters_take_effect_between_steps() -> None:
    ground = Ground("single_track", fleet(1))
    ground.car.set_fleet(fleet(1, max_speed=1.0))
    assert forward_speed(last(ground.drive(0.0, 5.0, 2.0)))[0] == pytest.approx(1.0, rel=0.02)
    with pytest.raises(UsageError, match="2 cars are given for 1"):
        ground.car.set_fleet(fleet(2))


def test_wrong_shapes_steps_and_names_are_refused() -> None:
    car = DoubleTrack(fleet(2))
    state, command = np.zeros((2, 13)), np.zeros((2, 2))
    with pytest.raises(UsageError, match=r"state: has shape \(1, 13\); needed is \(2, 13\)"):
        car.wrench(state[:1], command, 0.005)
    with pytest.raises(UsageError, match=r"command: has shape \(2, 3\); needed is \(2, 2\)"):
        car.wrench(state, np.zeros((2, 3)), 0.005)
    with pytest.raises(UsageError, match="dt: is 0 s"):
        car.wrench(state, command, 0)
    with pytest.raises(UsageError, match="car: is 'bus'"):
        make_car("bus", fleet(1))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="memory: has shape"):
        car.restore(DoubleTrack(fleet(1)).save())


def test_importing_the_cars_loads_neither_numba_nor_an_engine() -> None:
    code = (
        "import sys, roboracer_arena.sim.car, roboracer_arena.vehicle;"
        "print([m for m in ('numba', 'sapien', 'mujoco', 'pxr', 'scipy') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_without_numba_the_cars_run_on_numpy() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from roboracer_arena.sim.car import Fleet, make_car\n"
        "from roboracer_arena.sim.car.trials import Ground, last, forward_speed\n"
        "from roboracer_arena.vehicle import load_vehicle\n"
        "ground = Ground('double_track', Fleet.of(load_vehicle(), 2))\n"
        "print(round(float(forward_speed(last(ground.drive(0.0, 1.0, 1.0)))[0]), 2))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "1.0"


def test_compiled_code_is_kept_under_a_digest_of_all_its_sources() -> None:
    pytest.importorskip("numba")
    from roboracer_arena.sim.car import columns, wheels
    from roboracer_arena.sim.car import compile as compiling
    from roboracer_arena.vehicle import tyre

    kernel = compiling.compiled(DoubleTrack.source)
    cells = {
        name: cell.cell_contents
        for name, cell in zip(
            kernel.py_func.__code__.co_freevars,  # type: ignore[attr-defined]
            kernel.py_func.__closure__,  # type: ignore[attr-defined]
            strict=True,
        )
    }
    functions = (*DoubleTrack.source.parts, DoubleTrack.source.step)
    modules = {sys.modules[function.__module__] for function in functions} | {columns}
    assert {columns, wheels, tyre} < modules
    assert cells["digest"] == compiling._digest(modules)
    assert cells["digest"] != compiling._digest(modules - {columns})
