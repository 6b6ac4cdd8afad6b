"""The free floor against mechanics and against the contact engines."""

from __future__ import annotations

import numpy as np
import pytest

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.car import Fleet, FreeFloorEngine
from roboracer_arena.sim.car.trials import EngineMaker, Ground
from roboracer_arena.sim.engine import BodyModel, Engine, EngineSettings, StaticMesh
from roboracer_arena.sim.rotation import yaw_of
from roboracer_arena.vehicle import load_vehicle


def world() -> list[StaticMesh]:
    """A floor under 10 s of driving, in small triangles, and one wall that is never met."""
    line = np.arange(-60.0, 61.0, 10.0, dtype=np.float32)
    x, y = np.meshgrid(line, line, indexing="ij")
    points = np.column_stack((x.ravel(), y.ravel(), np.zeros(x.size, np.float32)))
    n = len(line)
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    triangles = np.vstack(
        (
            np.column_stack((corner, corner + n, corner + n + 1)),
            np.column_stack((corner, corner + n + 1, corner + 1)),
        )
    ).astype(np.int32)
    wall = np.array([[55, -1, 0], [55, 1, 0], [55, 1, 0.5], [55, -1, 0.5]], np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    return [
        StaticMesh(points, triangles, "floor", 0.8, 0.0),
        StaticMesh(wall, faces, "wall", 0.3, 0.1),
    ]


def contact_engine(name: str) -> EngineMaker:
    def make(body: BodyModel, settings: EngineSettings) -> Engine:
        if name == "physx":
            from roboracer_arena.sim.physx import PhysxEngine

            return PhysxEngine(world(), body, settings)
        from roboracer_arena.sim.mujoco import MujocoEngine

        return MujocoEngine(world(), body, settings)

    return make


@pytest.mark.parametrize("kind", ["double_track", "single_track"])
@pytest.mark.parametrize(("name", "package"), [("physx", "sapien"), ("mujoco", "mujoco")])
def test_ten_seconds_of_driving_agree_with_the_contact_engines(
    kind: str, name: str, package: str
) -> None:
    pytest.importorskip(package)
    fleet = Fleet.of(load_vehicle(), 4)
    ours = Ground(kind, fleet)  # type: ignore[arg-type]
    theirs = Ground(kind, fleet, engine=contact_engine(name))  # type: ignore[arg-type]
    random = np.random.default_rng(3)
    for k in range(2000):
        if k % 100 == 0:
            command = np.column_stack((random.uniform(-0.3, 0.3, 4), random.uniform(1.0, 4.0, 4)))
        one, two = ours.step(command), theirs.step(command)
    theirs.engine.close()
    assert np.linalg.norm((one - two)[:, :3], axis=1).max() < 0.01
    turned = yaw_of(one[:, 3:7]) - yaw_of(two[:, 3:7])
    assert np.abs(np.arctan2(np.sin(turned), np.cos(turned))).max() < 0.01


def body(count: int = 1) -> BodyModel:
    return Fleet.of(load_vehicle(), count).body()


def test_a_free_body_falls_and_a_planar_one_does_not() -> None:
    for planar, drop in ((False, 0.5 * 9.81), (True, 0.0)):
        engine = FreeFloorEngine(body(), EngineSettings(dt=0.001, substeps=1, planar=planar))
        for _ in range(1000):
            engine.step()
        assert engine.state()[0, 2] == pytest.approx(-drop, rel=0.002, abs=1e-12)


def test_a_torque_turns_about_its_axis_and_spin_is_kept_without_one() -> None:
    engine = FreeFloorEngine(body(), EngineSettings(dt=0.001, substeps=1))
    for k in range(1000):
        engine.apply(np.array([[0, 0, 0, 0, 0, 0.089 if k < 500 else 0.0]]))
        engine.step()
    state = engine.state()
    assert state[0, 12] == pytest.approx(0.5)
    assert yaw_of(state[:, 3:7])[0] == pytest.approx(0.125 + 0.25, rel=0.005)
    assert np.linalg.norm(state[0, 3:7]) == pytest.approx(1.0, abs=1e-12)


def test_a_tumbling_body_keeps_its_angular_momentum() -> None:
    engine = FreeFloorEngine(body(), EngineSettings(dt=0.0005, substeps=1))
    start = np.array([[0.0, 0, 1, 1, 0, 0, 0]])
    engine.reset([0], start, np.array([[0.0, 0, 0, 1.0, 2.0, 3.0]]))

    def momentum() -> np.ndarray:
        from roboracer_arena.sim.rotation import rotate, unrotate

        state = engine.state()
        spin = unrotate(state[:, 3:7], state[:, 10:13])
        return rotate(state[:, 3:7], spin * body().inertia)[0]

    before = momentum()
    for _ in range(1000):
        engine.step()
    np.testing.assert_allclose(momentum(), before, rtol=0.01, atol=0.003)


def test_resets_touch_no_other_car_and_wrong_shapes_are_refused() -> None:
    engine = FreeFloorEngine(body(2))
    engine.step()
    before = engine.state()[0]
    engine.reset([1], np.array([[1.0, 2.0, 3.0, 1.0, 0, 0, 0]]))
    assert np.array_equal(engine.state()[0], before)
    assert engine.state()[1].tolist() == [1, 2, 3, 1] + [0] * 9
    assert not engine.contacts().wall.any()
    with pytest.raises(UsageError, match="wrench has shape"):
        engine.apply(np.zeros((1, 6)))
    with pytest.raises(UsageError, match="1 bodies given for 2 cars"):
        engine.set_bodies(body(1))
