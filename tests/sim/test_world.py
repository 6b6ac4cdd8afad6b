"""Cars on a built stage: places, scans, laps, run files; the whole loop with real physics."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from roboracer_arena.build import build_map
from roboracer_arena.errors import InputError, UsageError
from roboracer_arena.maps import OccupancyMap, Pose2D
from roboracer_arena.sim.controllers import Command, Observation, load_controller
from roboracer_arena.sim.controllers.base import ControllerSetup
from roboracer_arena.sim.drive import DriveResult, drive
from roboracer_arena.sim.lidar import LidarModel
from roboracer_arena.sim.race import CollisionPolicy, RaceRules
from roboracer_arena.sim.record import Recorder, read_run
from roboracer_arena.sim.spawn import inside_corridor
from roboracer_arena.sim.track_source import library_tracks, open_track
from roboracer_arena.sim.world import World, WorldSettings
from roboracer_arena.usd import TrackStage, read_track
from roboracer_arena.vehicle import load_vehicle
from roboracer_arena.view.run_plot import draw_run

pytest.importorskip("sapien", reason="the physx engine is not installed")

VEHICLE = load_vehicle()
RADIUS, WIDTH = 3.5, 1.8


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> TrackStage:
    """A ring road, 22 m around and 1.8 m wide, far enough from zero to notice a lost origin."""
    y, x = np.mgrid[0:220, 0:220]
    radius = np.hypot(x - 109.5, y - 109.5) * 0.05
    cells = np.full((220, 220), 205, np.uint8)
    cells[np.abs(radius - RADIUS) <= WIDTH / 2 + 0.1] = 0
    cells[np.abs(radius - RADIUS) <= WIDTH / 2] = 254
    source = OccupancyMap(cells, 0.05, Pose2D(20.0 - 5.5, -10.0 - 5.5), "ring")
    path = tmp_path_factory.mktemp("stage") / "ring.usdc"
    build_map(source, path)
    return read_track(path)


def make(stage: TrackStage, cars: int = 1, **options: object) -> World:
    """Return a world on the ring."""
    return World(stage, VEHICLE, cars, **options)  # type: ignore[arg-type]


def race(world: World, name: str, seconds: float = 60.0, **options: object) -> DriveResult:
    """Let every car be driven by the same kind of driver."""
    drivers = [(name, load_controller(name)) for _ in range(world.count)]
    return drive(world, drivers, time_limit=seconds, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("controller", ["pure-pursuit", "stanley", "follow-the-gap", "wall-follow"])
def test_every_driver_laps_the_ring_without_contact(stage: TrackStage, controller: str) -> None:
    world = make(stage, rules=RaceRules(laps=2))
    (car,) = race(world, controller).cars
    assert car.finished, car
    assert car.collisions == 0
    assert len(car.laps) == 2
    for lap in car.laps:
        assert sum(lap.sectors_s) == pytest.approx(lap.time_s)
        mean_speed = world.course.length / lap.time_s
        assert 0.5 < mean_speed <= car.max_speed_mps + 0.5


@pytest.mark.parametrize("engine", ["physx", "mujoco"])
@pytest.mark.parametrize("model", ["double_track", "single_track"])
def test_engines_and_models_drive_the_same_lap(stage: TrackStage, engine: str, model: str) -> None:
    pytest.importorskip(engine if engine == "mujoco" else "sapien", reason="engine not installed")
    world = make(
        stage,
        settings=WorldSettings(engine=engine, car=model),
        rules=RaceRules(laps=1),  # type: ignore[arg-type]
    )
    (car,) = race(world, "pure-pursuit").cars
    assert car.finished
    assert car.laps[0].time_s == pytest.approx(8.0, abs=2.5)


def test_the_scan_agrees_with_the_ring(stage: TrackStage) -> None:
    world = make(stage)
    here = world.sensor_poses()[0]
    scan = world.scan()[0]
    center = np.array([20.0, -10.0]) - np.array(stage.anchor)
    angles = here[2] + world.lidar.model.angles()
    points = here[:2] + scan[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    radius = np.hypot(*(points - center).T)
    inner, outer = RADIUS - WIDTH / 2, RADIUS + WIDTH / 2
    assert np.all(np.minimum(np.abs(radius - inner), np.abs(radius - outer)) < 0.08)


def test_the_corridor_is_told_from_walls_and_infield(stage: TrackStage) -> None:
    world = make(stage)
    center = np.array([20.0, -10.0]) - np.array(stage.anchor)
    angle = np.linspace(0, 6.2, 30)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert inside_corridor(world.scene, center + RADIUS * ring).all()
    assert not inside_corridor(world.scene, center + (RADIUS - 1.0) * ring).any()
    assert not inside_corridor(world.scene, center + (RADIUS + 1.0) * ring).any()


def test_places_in_walls_and_in_other_cars_are_refused(stage: TrackStage) -> None:
    world = make(stage, 2)
    center = np.array([20.0, -10.0]) - np.array(stage.anchor)
    good = np.array([[center[0] + RADIUS, center[1], math.pi / 2]])
    world.place(np.array([0]), good)
    for place, word in [
        ([*center, 0.0], "wall"),
        ([center[0] + RADIUS + WIDTH / 2, center[1], 0.0], "wall"),
        ([math.nan, 0.0, 0.0], "finite"),
    ]:
        with pytest.raises(UsageError, match=word):
            world.place(np.array([0]), np.array([place]))
    world.step(np.zeros((2, 2)))
    with pytest.raises(UsageError, match="another car"):
        world.place(np.array([1]), good)


def test_a_reset_forgets_speed_wheels_steering_and_contacts(stage: TrackStage) -> None:
    world = make(stage)
    fresh = world.state.copy()
    place = world.base_link()[:, :3].copy()
    for _ in range(200):
        world.step(np.array([[0.3, 3.0]]))
    assert np.hypot(*world.state[0, 7:9]) > 0.5
    world.place(np.array([0]), place)
    assert np.allclose(world.state, fresh, atol=1e-5)
    for _ in range(50):
        world.step(np.zeros((1, 2)))
    assert np.allclose(world.state[0, :2], fresh[0, :2], atol=1e-3), "nothing stale moves it"
    assert not world.contacts.wall.any()


def test_a_struck_car_is_put_back_on_the_line(stage: TrackStage) -> None:
    rules = RaceRules(laps=1, on_collision=CollisionPolicy.RESET, stalled_after=0.0)
    world = make(stage, rules=rules)
    for _ in range(400):
        world.step(np.array([[0.0, 3.0]]))
        if world.race.collisions[0]:
            break
    assert world.race.collisions[0] == 1
    assert abs(world.race.progress.lateral[0]) < 0.3
    assert np.hypot(*world.state[0, 7:9]) < 0.2


def test_cars_see_each_other_and_race(stage: TrackStage) -> None:
    world = make(stage, 3, rules=RaceRules(laps=1))
    alone = make(stage, 1)
    assert world.scan()[2].min() <= 1.2
    assert np.abs(world.scan()[1] - alone.scan()[0]).max() > 0.3
    result = race(world, "follow-the-gap")
    assert all(car.laps or car.end != "finished" for car in result.cars)
    assert result.cars[0].finished


def test_the_same_seed_gives_the_same_bits_and_another_does_not(
    stage: TrackStage, tmp_path: Path
) -> None:
    def run(seed: int) -> bytes:
        world = make(stage, lidar=LidarModel(noise=0.02), rules=RaceRules(laps=1), seed=seed)
        recorder = Recorder(world, ("follow-the-gap",), seed=seed)
        race(world, "follow-the-gap", 4.0, recorder=recorder, seed=seed)
        target = tmp_path / "run.npz"
        recorder.write(world, target, force=True)
        return read_run(target).state.tobytes()

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_commands_of_a_run_file_drive_the_same_bits_again(
    stage: TrackStage, tmp_path: Path
) -> None:
    world = make(stage, 2, rules=RaceRules(laps=1))
    recorder = Recorder(world, ("pure-pursuit",) * 2, seed=3, scans=True)
    race(world, "pure-pursuit", 5.0, recorder=recorder)
    recorder.write(world, tmp_path / "run.npz")
    run = read_run(tmp_path / "run.npz")
    assert run.facts.track == "ring"
    assert run.facts.seed == 3
    assert run.state.shape[1:] == (2, 13)
    assert run.scans.shape == (len(run.scan_time), 2, 1081)
    assert np.diff(run.scan_time) == pytest.approx(1 / 39.9, abs=world.settings.dt)
    again = make(stage, 2, rules=RaceRules(laps=1))
    for row, command in enumerate(run.command):
        again.step(command)
        assert np.array_equal(again.state, run.state[row])


class _Faulty:
    """A driver that fails in a chosen way after half a second."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def reset(self, setup: ControllerSetup) -> None:
        """Do nothing."""

    def act(self, observation: Observation) -> Command:
        """Drive straight, then fail."""
        if observation.time < 0.5:
            return Command(0.0, 0.5)
        if self.fault == "raise":
            raise ZeroDivisionError("no gap found")
        return Command(math.nan, 1.0) if self.fault == "nan" else Command(0.0, 0.0)


@pytest.mark.parametrize(
    ("fault", "end", "word"),
    [
        ("raise", "controller_error", "no gap found"),
        ("nan", "controller_error", "not finite"),
        ("stand", "stalled", ""),
    ],
)
def test_failing_drivers_end_with_the_reason_and_keep_the_record(
    stage: TrackStage, tmp_path: Path, fault: str, end: str, word: str
) -> None:
    world = make(stage)
    recorder = Recorder(world, ("faulty",), seed=0)
    result = drive(world, [("faulty", _Faulty(fault))], time_limit=20.0, recorder=recorder)
    (car,) = result.cars
    assert car.end == end
    assert word in car.message
    assert np.all(np.isfinite(world.state))
    recorder.write(world, tmp_path / "run.npz")
    assert len(read_run(tmp_path / "run.npz").time) > 100


def test_more_cars_than_fit_are_refused(stage: TrackStage) -> None:
    with pytest.raises(UsageError, match="fit"):
        make(stage, 500)
    with pytest.raises(UsageError, match="at least one"):
        make(stage, 0)


def test_damaged_run_files_are_named(tmp_path: Path) -> None:
    for name, content in [("a.npz", b""), ("b.npz", b"not a zip"), ("c.npz", b"PK\x03\x04")]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="run file"):
            read_run(tmp_path / name)


def test_drivers_are_found_by_name_or_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from roboracer_arena.sim.controllers import Command\n"
        "class Mine:\n"
        "    def reset(self, setup): pass\n"
        "    def act(self, observation): return Command(0.0, 1.0)\n"
        "broken = 3\n"
    )
    assert load_controller(f"{mine}:Mine").act(None).speed == 1.0  # type: ignore[arg-type]
    for name, word in [("nobody", "choose"), ("x.py:Mine", "no such"), (f"{mine}:You", "no 'You'")]:
        with pytest.raises((UsageError, InputError), match=word):
            load_controller(name)
    with pytest.raises(InputError, match="reset"):
        load_controller(f"{mine}:broken")
    mine.write_text("raise RuntimeError('boom')")
    with pytest.raises(InputError, match="boom"):
        load_controller(f"{mine}:Mine")


def test_library_tracks_open_by_name_and_are_built_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "arena_hall" in library_tracks()
    first = open_track("arena_hall")
    stamp = first.path.stat().st_mtime_ns
    assert open_track("arena_hall").path.stat().st_mtime_ns == stamp
    with pytest.raises(InputError, match="arena_hall"):
        open_track("no_such_track")


def test_the_picture_of_a_run_shows_the_trail() -> None:
    square: NDArray[np.float64] = np.array([[0.0, 0], [4, 0], [4, 4], [0, 4], [0, 0]])
    trail = np.stack([np.linspace(1, 3, 50), np.full(50, 2.0)], axis=1)
    picture = draw_run([square], [trail], [np.linspace(0, 5, 50)], title="t", facts=["one"])
    assert isinstance(picture, Image.Image)
    pixels = np.asarray(picture).astype(int)
    assert (np.ptp(pixels, axis=2) > 100).sum() > 300, "coloured strokes are there"
