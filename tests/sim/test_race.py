"""Laps are timed to a fraction of a step, and nothing but driving them counts."""

from __future__ import annotations

import numpy as np
import pytest
from shapes import circle

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.course import Course
from roboracer_arena.sim.engine import Contacts
from roboracer_arena.sim.race import CollisionPolicy, EndReason, Race, RaceRules

DT = 0.01
RADIUS = 8.0


def course() -> Course:
    """Return a ring lap."""
    return Course(circle(RADIUS, 1000), np.full(1000, 1.0), np.full(1000, 1.0))


def state_at(
    angle: float, speed: float, *, radius: float = RADIUS, turn: float = 0.0
) -> np.ndarray:
    """Return a state row of a car that follows the ring."""
    yaw = angle + np.pi / 2 + turn
    row = np.zeros((1, 13))
    row[0, :2] = radius * np.cos(angle), radius * np.sin(angle)
    row[0, 3], row[0, 6] = np.cos(yaw / 2), np.sin(yaw / 2)
    row[0, 7:9] = speed * np.cos(yaw), speed * np.sin(yaw)
    return row


def nothing() -> Contacts:
    """Return a step without contact."""
    return Contacts(np.zeros(1, bool), np.zeros(1, bool), np.zeros((1, 3)))


def drive(
    race: Race,
    start: float,
    speed: float,
    seconds: float,
    contacts: Contacts | None = None,
    begin_time: float = 0.0,
) -> float:
    """Go round at constant speed; return the last angle."""
    angle = start
    for step in range(round(seconds / DT)):
        angle += speed / RADIUS * DT
        race.update(begin_time + (step + 1) * DT, DT, state_at(angle, speed), contacts or nothing())
    return angle


def test_lap_and_sector_times_are_exact_between_steps() -> None:
    race = Race(course(), 1, RaceRules(laps=2, sectors=4))
    start = -0.05
    race.begin(np.array([0]), state_at(start, 0)[:, :2])
    speed = 3.777
    drive(race, start, speed, 40.0)
    period = race.course.length / speed
    assert [lap.time for lap in race.laps[0]] == pytest.approx([period, period], abs=2e-4)
    assert race.laps[0][0].sectors == pytest.approx([period / 4] * 4, abs=2e-4)
    assert race.ended[0] is EndReason.FINISHED
    first = next(event for event in race.events if event.kind == "lap")
    assert first.time == pytest.approx(0.05 * RADIUS / speed + period, abs=1e-3)


def test_going_back_and_forth_over_the_line_earns_no_lap() -> None:
    race = Race(course(), 1, RaceRules(laps=1, stalled_after=0.0))
    race.begin(np.array([0]), state_at(-0.1, 0)[:, :2])
    time = 0.0
    for _ in range(6):
        for direction in (1, -1):
            for step in range(20):
                time += DT
                angle = 0.1 * direction * (step / 10 - 1)
                race.update(time, DT, state_at(angle, 0.8), nothing())
    assert race.laps[0] == []
    assert race.travelled[0] < 1.0


def test_driving_the_wrong_way_ends_the_race() -> None:
    race = Race(course(), 1, RaceRules(laps=1))
    race.begin(np.array([0]), state_at(0.5, 0)[:, :2])
    for step in range(300):
        angle = 0.5 - 0.003 * step
        race.update(step * DT, DT, state_at(angle, 2.4, turn=np.pi), nothing())
    assert race.ended[0] is EndReason.WRONG_WAY
    assert race.travelled[0] < 4.0


def test_leaving_the_corridor_and_standing_still_end_the_race() -> None:
    race = Race(course(), 1, RaceRules())
    race.begin(np.array([0]), state_at(0.5, 0)[:, :2])
    race.update(DT, DT, state_at(0.5, 1.0, radius=RADIUS + 1.4), nothing())
    assert race.ended[0] is EndReason.OFF_TRACK
    race.begin(np.array([0]), state_at(0.5, 0)[:, :2])
    drive(race, 0.5, 0.0, 5.2)
    assert race.ended[0] is EndReason.STALLED


@pytest.mark.parametrize("policy", list(CollisionPolicy))
def test_one_scrape_is_one_collision_and_the_policy_holds(policy: CollisionPolicy) -> None:
    race = Race(course(), 1, RaceRules(on_collision=policy))
    race.begin(np.array([0]), state_at(0.5, 0)[:, :2])
    hit = Contacts(np.ones(1, bool), np.zeros(1, bool), np.array([[1.0, 0.5, 0.0]]))
    wanted = []
    for step in range(30):
        wanted += race.update(
            step * DT, DT, state_at(0.5 + 0.01 * step, 3), hit if step < 20 else nothing()
        ).tolist()
    assert race.collisions[0] == 1
    assert wanted == ([0] if policy is CollisionPolicy.RESET else [])
    assert (race.ended[0] is EndReason.COLLISION) == (policy is CollisionPolicy.END)
    event = next(event for event in race.events if event.kind == "collision_wall")
    assert event.value == pytest.approx(np.hypot(1.0, 0.5))


def test_a_car_put_back_does_not_gain_distance() -> None:
    race = Race(course(), 1, RaceRules())
    race.begin(np.array([0]), state_at(0.1, 0)[:, :2])
    drive(race, 0.1, 2.0, 1.0)
    before = race.travelled[0]
    race.replace(np.array([0]), state_at(2.0, 0)[:, :2])
    assert race.travelled[0] <= before
    race.replace(np.array([0]), state_at(0.2, 0)[:, :2])
    assert race.travelled[0] < before


def test_nonsense_rules_are_refused() -> None:
    with pytest.raises(UsageError):
        RaceRules(laps=-1)
