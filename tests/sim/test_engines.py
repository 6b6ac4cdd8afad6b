"""Every engine keeps the same contract, and no wall lets a car through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from shapes import box_cars, circle, floor, pose, stadium, wall

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.engine import BodyModel, Engine, EngineSettings, StaticMesh
from roboracer_arena.sim.rotation import yaw_of

Maker = Callable[[Sequence[StaticMesh], BodyModel, EngineSettings], Engine]


@pytest.fixture(params=["physx", "mujoco"])
def make(request: pytest.FixtureRequest) -> Maker:
    """Return the constructor of one engine."""
    if request.param == "physx":
        pytest.importorskip("sapien", reason="the physx engine is not installed")
        from roboracer_arena.sim.physx import PhysxEngine

        return PhysxEngine
    pytest.importorskip("mujoco", reason="the mujoco engine is not installed")
    from roboracer_arena.sim.mujoco import MujocoEngine

    return MujocoEngine


def ring() -> list[StaticMesh]:
    """Return a 3 m wide ring road."""
    return [wall(circle(10.0, 600)), wall(circle(7.0, 400, clockwise=True)), floor()]


def test_a_reset_reads_back_exactly_and_leaves_nothing_stale(make: Maker) -> None:
    engine = make(ring(), box_cars(3), EngineSettings(planar=True))
    rows = np.concatenate([pose(8.5, 0.0, 0.3), pose(0.0, 8.5, 1.0), pose(-8.5, 0.0, -2.0)])
    speed = np.array([[1.0, 2.0, 0.0, 0.0, 0.0, 0.5]] * 3)
    engine.reset([0, 1, 2], rows, speed)
    state = engine.state()
    assert np.allclose(state[:, :7], rows, atol=1e-6)
    assert np.allclose(state[:, 7:], speed, atol=1e-6)
    engine.apply(np.full((3, 6), 5.0))
    engine.reset([1], rows[1:2])
    engine.step()
    after = engine.state()
    assert np.allclose(after[1, 7:], 0.0, atol=1e-6), "the wrench of before the reset must be gone"
    assert np.linalg.norm(after[0, 7:9] - speed[0, :2]) > 1e-3
    engine.close()
    engine.close()


def test_force_and_torque_accelerate_by_newton_and_euler(make: Maker) -> None:
    engine = make(ring(), box_cars(1), EngineSettings(planar=True))
    engine.reset([0], pose(8.5, 0.0, 0.7))
    for _ in range(20):
        engine.apply(np.array([[2.0, -1.0, 0.0, 0.0, 0.0, 0.1]]))
        engine.step()
    state = engine.state()[0]
    assert state[7:9] == pytest.approx(np.array([2.0, -1.0]) * 0.1 / 4.885, rel=1e-4)
    assert state[12] == pytest.approx(0.1 * 0.1 / 0.089, rel=1e-4)


def test_a_free_box_falls_and_its_own_weight_is_no_contact(make: Maker) -> None:
    engine = make(ring(), box_cars(1), EngineSettings())
    engine.reset([0], pose(8.5, 0.0, z=5.0))
    for _ in range(40):
        engine.step()
        assert not engine.contacts().wall[0]
    assert engine.state()[0, 9] == pytest.approx(-9.81 * 0.2, rel=1e-3)


@pytest.mark.parametrize("speed", [7.0, 12.0, 20.0])
@pytest.mark.parametrize("road", ["arc", "straight"])
def test_no_impact_passes_a_wall(make: Maker, road: str, speed: float) -> None:
    """Six angles against the outer and the inner wall: 12 impacts a case, 72 in all."""
    if road == "arc":
        meshes = ring()
    else:
        meshes = [wall(stadium(20.0, 10.0)), wall(stadium(20.0, 7.0)[::-1]), floor()]
    deepest = 0.0
    for toward in (-1.0, 1.0):
        for angle in (5.0, 20.0, 40.0, 60.0, 75.0, 90.0):
            engine = make(meshes, box_cars(1), EngineSettings(planar=True))
            yaw = toward * np.radians(angle)
            velocity = np.array([[speed * np.cos(yaw), speed * np.sin(yaw), 0, 0, 0, 0]])
            engine.reset(
                [0], pose(-6.0 if road == "straight" else 0.0, -8.5 + toward * 1.0, yaw), velocity
            )
            touched = False
            for _ in range(300):
                engine.step()
                touched |= bool(engine.contacts().wall[0])
                deepest = max(deepest, penetration(engine.state()[0], road))
            assert touched
            middle = engine.state()[0]
            assert 6.9 < distance_from_axis(middle[None, :2], road)[0] < 10.1
            engine.close()
    limits = {"physx": {7.0: 0.01, 12.0: 0.01, 20.0: 0.02}}
    name = engine.name.split()[0]
    assert deepest < limits.get(name, {}).get(speed, 0.1), f"{name} {speed}: {deepest}"


def distance_from_axis(points: np.ndarray, road: str) -> np.ndarray:
    """Distance from the centre, or from the axis segment of the stadium."""
    if road == "arc":
        return np.hypot(*points.T)
    return np.hypot(points[:, 0] - np.clip(points[:, 0], -10.0, 10.0), points[:, 1])


def penetration(state: np.ndarray, road: str) -> float:
    """How far any point of the box's outline lies beyond a wall face [m]."""
    yaw = float(yaw_of(state[None, 3:7])[0])
    corners = np.array([[0.30, 0.155], [0.30, -0.155], [-0.28, -0.155], [-0.28, 0.155]])
    share = np.linspace(0.0, 1.0, 30, endpoint=False)[:, None]
    outline = np.concatenate(
        [a + share * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    )
    rotation = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    distance = distance_from_axis(outline @ rotation + state[:2], road)
    sagitta = 0.003  # the walls are polygons inside the outer and outside the inner circle
    return float(max(distance.max() - 10.0, 7.0 - distance.min())) - sagitta


def test_two_cars_push_each_other_and_ghosts_do_not(make: Maker) -> None:
    for collide in (True, False):
        engine = make(ring(), box_cars(2), EngineSettings(planar=True, car_collisions=collide))
        rows = np.concatenate([pose(0.0, 8.3), pose(1.0, 8.3)])
        engine.reset([0, 1], rows, np.array([[3.0, 0, 0, 0, 0, 0], [0.0, 0, 0, 0, 0, 0]]))
        seen = np.zeros(2, dtype=bool)
        for _ in range(60):
            engine.step()
            contacts = engine.contacts()
            seen |= contacts.car
            assert not contacts.wall.any()
        assert seen.all() == collide
        assert (engine.state()[1, 7] > 0.5) == collide
        engine.close()


def test_a_wall_contact_beside_another_car_is_not_blamed_on_it(make: Maker) -> None:
    engine = make(ring(), box_cars(2), EngineSettings(planar=True))
    rows = np.concatenate([pose(0.0, 9.5, np.pi / 2), pose(0.0, 8.2, 0.0)])
    engine.reset([0, 1], rows, np.array([[0, 2.0, 0, 0, 0, 0], [0.0] * 6]))
    walls, cars = np.zeros(2, dtype=bool), np.zeros(2, dtype=bool)
    for _ in range(30):
        engine.step()
        contacts = engine.contacts()
        walls |= contacts.wall
        cars |= contacts.car
    assert walls.tolist() == [True, False]
    assert not cars.any()


def test_the_impulse_is_the_change_of_momentum(make: Maker) -> None:
    engine = make(ring(), box_cars(1), EngineSettings(planar=True))
    engine.reset([0], pose(0.0, -9.0, -np.pi / 2), np.array([[0, -4.0, 0, 0, 0, 0]]))
    total = np.zeros(3)
    for _ in range(80):
        engine.step()
        total += engine.contacts().impulse[0]
    final = engine.state()[0, 7:10]
    assert final[1] > -0.01
    assert total[:2] == pytest.approx(4.885 * (final - [0, -4.0, 0])[:2], abs=1e-3)


def test_the_same_run_gives_the_same_bits(make: Maker) -> None:
    def run() -> bytes:
        engine = make(ring(), box_cars(4), EngineSettings(planar=True))
        rows = np.concatenate([pose(8.5 * np.cos(a), 8.5 * np.sin(a), a) for a in range(4)])
        engine.reset(range(4), rows, np.tile([5.0, 1.0, 0, 0, 0, 0.3], (4, 1)))
        for _ in range(200):
            engine.apply(np.tile([1.0, -2.0, 0, 0, 0, 0.02], (4, 1)))
            engine.step()
        state = engine.state().tobytes()
        engine.close()
        return state

    assert run() == run()


def test_wrong_shapes_are_refused(make: Maker) -> None:
    engine = make(ring(), box_cars(2), EngineSettings())
    with pytest.raises(UsageError, match="shape"):
        engine.apply(np.zeros((3, 6)))
    with pytest.raises(UsageError, match="cars"):
        engine.set_bodies(box_cars(3))


def test_the_fast_reading_of_physx_agrees_with_the_documented_one() -> None:
    pytest.importorskip("sapien", reason="the physx engine is not installed")
    from roboracer_arena.sim.physx import PhysxEngine

    engine = PhysxEngine(ring(), box_cars(5), EngineSettings())
    assert engine._fast_read
    engine.reset(range(5), np.concatenate([pose(8.5, float(k), 0.1 * k) for k in range(5)]))
    engine.step()
    fast = engine.state()
    engine._fast_read = False
    assert np.array_equal(fast, engine.state())
