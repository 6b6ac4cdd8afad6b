"""The stage in a physics engine: a ball lands on the floor, and no wall lets one through."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.usd import TrackStage, WallPiece, read_track, write_track
from tests.usd.drops import BallScene
from tests.usd.synthetic import ring_track

pytestmark = pytest.mark.skipif(find_spec("sapien") is None, reason="sapien is not installed")

CENTRE = np.array([5.0, 5.0])


@pytest.fixture(scope="module")
def track(tmp_path_factory: pytest.TempPathFactory) -> TrackStage:
    path = tmp_path_factory.mktemp("contact") / "track.usdc"
    write_track(path, ring_track())
    return read_track(path)


def _shoot(track: TrackStage, step: float, speed: float) -> np.ndarray:
    """Roll balls at both walls; return their distances from the centre, [steps, balls]."""
    scene = BallScene(track, step)
    balls = []
    for angle in np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False):
        outwards = np.array([np.cos(angle), np.sin(angle)])
        for velocity in (speed * outwards, -speed * outwards):
            x, y = CENTRE + 2.5 * outwards
            balls.append(
                scene.add_ball(
                    (x, y, 0.101), radius=0.1, mass=4.9, velocity=(*velocity, 0.0), planar=True
                )
            )
    return np.asarray(np.linalg.norm(scene.run(balls, 2.0)[..., :2] - CENTRE, axis=-1))


@pytest.mark.parametrize("step", [1 / 60, 1 / 120, 1 / 240])
def test_ball_at_seven_metres_a_second_stays_in_the_corridor(
    track: TrackStage, step: float
) -> None:
    distances = _shoot(track, step, 7.0)
    assert distances.min() > 2.0
    assert distances.max() < 3.0


def test_walls_hold_at_twelve_metres_a_second_with_the_default_step(track: TrackStage) -> None:
    distances = _shoot(track, 1.0 / track.steps_per_second, 12.0)
    assert distances.min() > 2.0
    assert distances.max() < 3.0


def test_wall_that_faced_away_would_let_the_ball_through(track: TrackStage) -> None:
    flipped = tuple(
        WallPiece(p.kind, SurfaceMesh(p.mesh.points, p.mesh.triangles[:, ::-1].copy()))
        for p in track.walls
    )
    distances = _shoot(replace(track, walls=flipped), 1 / 120, 7.0)
    assert (distances[-1] > 3.2).any()


def test_dropped_ball_lands_where_it_was_let_go(track: TrackStage) -> None:
    scene = BallScene(track, 0.005)
    assert track.centerline is not None
    points = track.centerline.points[::5]
    balls = [scene.add_ball((x, y, 0.3), radius=0.05, mass=1.0) for x, y in points]
    end = scene.run(balls, 1.5)[-1]
    np.testing.assert_allclose(end[:, :2], points, atol=0.03)
    np.testing.assert_allclose(end[:, 2], 0.05, atol=0.02)
