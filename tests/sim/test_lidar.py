"""The lidar is exact: against brute force, against other cars, in every direction."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from shapes import box_cars, circle, stadium, wall

from roboracer_arena.errors import StageError, UsageError
from roboracer_arena.sim.lidar import Lidar, LidarModel, ScanScene, car_corners


def brute_force(
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    origin: NDArray[np.float64],
    angle: float,
    limit: float,
) -> float:
    """Range along one ray by testing every segment, from both sides."""
    direction = np.array([math.cos(angle), math.sin(angle)])
    edge, offset = end - start, start - origin
    cross = direction[0] * edge[:, 1] - direction[1] * edge[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = (offset[:, 0] * edge[:, 1] - offset[:, 1] * edge[:, 0]) / cross
        share = (offset[:, 0] * direction[1] - offset[:, 1] * direction[0]) / cross
    hit = distance[(distance > 0.0) & (share >= -1e-12) & (share <= 1.0 + 1e-12)]
    return float(min(hit.min(initial=limit), limit))


def wavy(count: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    """Return centre, outer and inner line of a bumpy circuit with a 1.8 m corridor."""
    random = np.random.default_rng(seed)
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    radius = np.full(count, 8.0)
    for order in range(2, 9):
        radius += 0.64 / order * random.normal() * np.cos(order * angle + random.uniform(0, 6))
    center = np.stack([1.5 * radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    along = np.roll(center, -1, axis=0) - np.roll(center, 1, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    left = np.stack([-along[:, 1], along[:, 0]], axis=1)
    return center, center - 0.9 * left, (center + 0.9 * left)[::-1]


def test_ranges_equal_brute_force_on_ten_thousand_rays_with_cars() -> None:
    center, outer, inner = wavy(750, seed=3)
    random = np.random.default_rng(1)
    lidar = Lidar(ScanScene.from_meshes([wall(outer), wall(inner)], 0.11), LidarModel())
    rows = random.choice(750, size=60, replace=False)
    bodies = np.c_[center[rows[:20]], random.uniform(-np.pi, np.pi, 20)]
    corners = car_corners(bodies, 0.29, 0.155)
    sensors = np.c_[center[rows] + random.uniform(-0.3, 0.3, (60, 2)), random.uniform(-4, 4, 60)]
    clear = np.linalg.norm(sensors[:, None, :2] - bodies[None, :, :2], axis=2).min(axis=1) > 0.4
    sensors = sensors[clear]
    scans = lidar.exact(sensors, corners)
    loops = [np.asarray(line, dtype=np.float32).astype(float) for line in (outer, inner)]
    loops += list(corners)
    start = np.concatenate(loops)
    end = np.concatenate([np.roll(loop, -1, axis=0) for loop in loops])
    angles = lidar.model.angles()
    worst, hits_on_cars = 0.0, 0
    for _ in range(10_000):
        row, beam = random.integers(len(sensors)), random.integers(1081)
        angle = sensors[row, 2] + angles[beam]
        truth = brute_force(start, end, sensors[row, :2], angle, 30.0)
        walls_only = brute_force(start[:1500], end[:1500], sensors[row, :2], angle, 30.0)
        hits_on_cars += truth < walls_only - 1e-6
        worst = max(worst, abs(truth - scans[row, beam]))
    assert worst < 1.0e-4
    assert hits_on_cars > 50


def test_beams_run_counter_clockwise_from_the_right_rear() -> None:
    # A wall 1 m to the right of a car that heads along +x, another 3 m to its left.
    right = np.array([[-50.0, -1.0], [50.0, -1.0]])
    left = np.array([[50.0, 3.0], [-50.0, 3.0]])
    lidar = Lidar(ScanScene.from_polylines([right, left]), LidarModel())
    ranges = lidar.exact(np.array([[0.0, 0.0, 0.0]]))[0]
    angles = lidar.model.angles()
    assert angles[0] == pytest.approx(math.radians(-135.0))
    assert angles[1] - angles[0] == pytest.approx(math.radians(0.25))
    assert ranges[np.argmin(np.abs(angles + math.pi / 2))] == pytest.approx(1.0)
    assert ranges[np.argmin(np.abs(angles - math.pi / 2))] == pytest.approx(3.0)
    assert ranges[0] == pytest.approx(math.sqrt(2.0))


def test_a_beam_without_an_echo_reads_the_largest_range() -> None:
    far = np.array([[-5.0, -40.0], [5.0, -40.0]])
    lidar = Lidar(ScanScene.from_polylines([far]), LidarModel(range_max=30.0))
    assert np.all(lidar.exact(np.zeros((1, 3))) == 30.0)


def test_walls_that_face_away_are_not_seen() -> None:
    ring = circle(5.0)
    seen = Lidar(ScanScene.from_polylines([np.r_[ring, ring[:1]]]), LidarModel())
    hidden = Lidar(ScanScene.from_polylines([np.r_[ring, ring[:1]][::-1]]), LidarModel())
    assert np.all(seen.exact(np.zeros((1, 3))) < 5.001)
    assert np.all(hidden.exact(np.zeros((1, 3))) == 30.0)


def test_threads_change_nothing() -> None:
    center, outer, inner = wavy(400, seed=5)
    scene = ScanScene.from_meshes([wall(outer), wall(inner)], 0.11)
    poses = np.c_[center[::7], np.linspace(-3, 3, len(center[::7]))]
    one = Lidar(scene, LidarModel()).exact(poses)
    many = Lidar(scene, LidarModel(), threads=True).exact(poses)
    assert np.array_equal(one, many)


def test_a_car_does_not_see_itself_but_sees_the_other() -> None:
    ring = np.r_[circle(10.0), circle(10.0)[:1]]
    lidar = Lidar(ScanScene.from_polylines([ring]), LidarModel())
    bodies = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    corners = car_corners(bodies, 0.29, 0.155)
    ranges = lidar.exact(np.array([[0.15, 0.0, 0.0]]), corners, np.array([0]))
    assert ranges[0, 540] == pytest.approx(3.0 - 0.29 - 0.15)
    assert ranges[0].max() > 9.0


def test_sensor_errors_are_seeded_and_of_the_stated_size() -> None:
    ring = np.r_[circle(5.0, 2000), circle(5.0, 2000)[:1]]
    scene = ScanScene.from_polylines([ring])
    model = LidarModel(noise=0.02, dropout=0.1, quantum=0.001)
    poses = np.zeros((20, 3))
    first = Lidar(scene, model, seed=4).scan(poses)
    again = Lidar(scene, model, seed=4).scan(poses)
    other = Lidar(scene, model, seed=5).scan(poses)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    lost = first == model.range_max
    assert lost.mean() == pytest.approx(0.1, abs=0.01)
    kept = first[~lost]
    assert np.std(kept) == pytest.approx(0.02, rel=0.05)
    assert np.allclose(kept / 0.001, np.round(kept / 0.001), atol=1e-6)


def test_ranges_below_the_shortest_read_the_shortest() -> None:
    near = np.array([[-5.0, -0.01], [5.0, -0.01]])
    lidar = Lidar(ScanScene.from_polylines([near]), LidarModel())
    assert lidar.scan(np.zeros((1, 3))).min() == 0.06


@pytest.mark.parametrize(
    ("field", "value"),
    [("beams", 1), ("field_of_view", 7.0), ("range_max", -1.0), ("noise", -0.1), ("dropout", 1.5)],
)
def test_nonsense_settings_are_refused_by_name(field: str, value: float) -> None:
    with pytest.raises(UsageError, match="out of range") as caught:
        LidarModel(**{field: value})  # type: ignore[arg-type]
    assert field in str(caught.value) or "range_min" in str(caught.value)


def test_a_stage_without_walls_at_beam_height_is_refused() -> None:
    with pytest.raises(StageError, match="lidar"):
        ScanScene.from_meshes([wall(stadium(4.0, 2.0))], 0.8)


def test_outlines_are_clockwise() -> None:
    corners = car_corners(np.array([[1.0, 2.0, 0.7]]), box_cars(1).half_extents[0], 0.155)[0]
    x, y = corners.T
    area = 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    assert area == pytest.approx(-4.0 * 0.29 * 0.155)
