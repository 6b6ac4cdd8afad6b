"""Trouble seen on real cars and other simulators, driven end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roboracer_arena.sim.car import CommandFilter, Fleet, base_link_velocity
from roboracer_arena.sim.car.trials import Ground, last
from roboracer_arena.sim.rotation import yaw_of
from roboracer_arena.vehicle import load_vehicle

pytestmark = [
    pytest.mark.shared,
    pytest.mark.parametrize("kind", ["double_track", "single_track"]),
]


def read(shared_dir: Path, case: str, name: str) -> Any:
    path = shared_dir / "cases" / case / name
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines() if line]
    return json.loads(path.read_text())


def drive(kind: str, commands: list[dict[str, Any]], seconds: float) -> tuple[Ground, Any]:
    """Drive one car by timed commands through the filter; return odometry every step."""
    car = load_vehicle()
    ground = Ground(kind, Fleet.of(car, 1))  # type: ignore[arg-type]
    filtered = CommandFilter(1, car.deployment.commands.timeout)
    waiting = list(commands)
    rows = []
    for k in range(round(seconds / ground.dt)):
        time = k * ground.dt
        while waiting and waiting[0]["t"] <= time + 1e-9:
            row = waiting.pop(0)
            filtered.submit([[float(row["steering_angle"]), float(row["speed"])]], time)
        now = filtered.current(time)
        state = ground.step(now.command, now.accelerate)
        rows.append(np.hstack((base_link_velocity(ground.car.fleet, state)[0], state[0, :7])))
    return ground, (np.array(rows), filtered)


def at(rows: np.ndarray, time: float) -> np.ndarray:
    return rows[round(time / 0.005) - 1]


def held(commands: list[dict[str, Any]], until: float) -> list[dict[str, Any]]:
    """Repeat each command at 20 Hz until the next, as a driver node does."""
    out = []
    for k in range(round(until / 0.05)):
        time = 0.05 * k
        current = [c for c in commands if c["t"] <= time + 1e-9][-1]
        out.append({**current, "t": time})
    return out


def test_e11_a_car_whose_driver_died_stops(kind: str, shared_dir: Path) -> None:
    expected = read(shared_dir, "e11-stale-command", "expected.json")
    commands = read(shared_dir, "e11-stale-command", "commands.jsonl")
    _, (rows, _) = drive(kind, commands, 4.6)
    for time, (low, high) in expected["speed_at"].items():
        assert low <= at(rows, float(time))[0] <= high
    assert rows[-1, 6] < expected["straight_hall_m"]


def test_e12_bad_commands_are_dropped_and_counted(kind: str, shared_dir: Path) -> None:
    expected = read(shared_dir, "e12-nan-commands", "expected.json")
    commands = read(shared_dir, "e12-nan-commands", "commands.jsonl")
    _, (rows, filtered) = drive(kind, commands, 3.1)
    assert np.isfinite(rows).all()
    assert np.abs(rows[:, 0]).max() <= expected["speed_max"]
    for time, (low, high) in expected["speed_at"].items():
        assert low <= at(rows, float(time))[0] <= high
    assert filtered.rejected.tolist() == [expected["rejected_count"]]


def test_e13_positive_steering_turns_left_on_the_right_radius(kind: str, shared_dir: Path) -> None:
    expected = read(shared_dir, "e13-steering-sign-and-radius", "expected.json")
    commands = read(shared_dir, "e13-steering-sign-and-radius", "commands.jsonl")
    _, (rows, _) = drive(kind, commands, commands[-1]["t"])
    speed, rate = rows[-1, 0], rows[-1, 5]
    assert rate > 0.0
    assert expected["radius_m"][0] <= speed / rate <= expected["radius_m"][1]
    turned = np.unwrap(yaw_of(rows[:, 9:13]))
    assert turned[-1] > turned[0]
    assert turned[-1] == pytest.approx(float(rows[:, 5].sum() * 0.005), abs=0.01)


def test_e14_the_inner_wheel_turns_more(kind: str, shared_dir: Path) -> None:
    if kind == "single_track":
        pytest.skip("this model has one front wheel")
    command = read(shared_dir, "e14-ackermann-inner-wheel", "command.json")
    expected = read(shared_dir, "e14-ackermann-inner-wheel", "expected.json")
    ground = Ground("double_track", Fleet.of(load_vehicle(), 1))
    last(ground.drive(command["steering_angle"], command["speed"], 2.0))
    left, right = ground.car.wheel_angle[0, :2]
    assert expected["left_rad"][0] <= left <= expected["left_rad"][1]
    assert expected["right_rad"][0] <= right <= expected["right_rad"][1]


def test_e16_reverse_and_steering_at_standstill(kind: str, shared_dir: Path) -> None:
    expected = read(shared_dir, "e16-reverse-and-standstill-steer", "expected.json")
    commands = read(shared_dir, "e16-reverse-and-standstill-steer", "commands.json")
    for time, (low, high) in expected["steering_at"].items():
        ground, _ = drive(kind, held(commands, float(time)), float(time))
        assert low <= ground.car.steering_angle[0] <= high
    _, (rows, _) = drive(kind, held(commands, 4.0), 4.0)
    low, high = expected["speed_at"]["2.5"]
    assert low <= at(rows, 2.5)[0] <= high
    assert at(rows, 2.5)[5] > 0.0


def test_e18_odometry_twist_is_in_the_frame_of_the_car(kind: str, shared_dir: Path) -> None:
    run = read(shared_dir, "e18-odom-twist-body-frame", "run.json")
    expected = read(shared_dir, "e18-odom-twist-body-frame", "expected.json")["twist"]
    from roboracer_arena.sim.car import com_pose

    fleet = Fleet.of(load_vehicle(), 1)
    ground = Ground(kind, fleet)  # type: ignore[arg-type]
    ground.engine.reset([0], com_pose(fleet, np.array([run["start"]])))
    state = last(ground.drive(run["steering_angle"], run["speed"], run["duration_s"]))
    twist = base_link_velocity(fleet, state)[0]
    assert expected["linear_x"][0] <= twist[0] <= expected["linear_x"][1]
    assert expected["linear_y"][0] <= twist[1] <= expected["linear_y"][1]
    assert state[0, 8] == pytest.approx(run["speed"], abs=0.1)
