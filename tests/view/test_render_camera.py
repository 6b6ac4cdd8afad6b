"""Cameras that fit themselves to a scene."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from roboracer_arena.view.camera import Camera

ASPECT = 16 / 9
OVAL = np.array(
    [[3 * math.cos(a), 2 * math.sin(a), 0.1] for a in np.linspace(0, 2 * np.pi, 80)[:-1]]
)


def in_picture(camera: Camera, points: np.ndarray, aspect: float) -> np.ndarray:
    """Return picture coordinates [n, 2], each in [-1, 1] where a point is seen."""
    forward = np.subtract(camera.target, camera.eye)
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    offset = points - np.asarray(camera.eye)
    depth = offset @ forward
    assert np.all(depth > 0)
    rise = math.tan(math.radians(camera.vertical_fov) / 2)
    return np.column_stack([offset @ right / rise / aspect, offset @ up / rise]) / depth[:, None]


CLOUDS = arrays(
    np.float64, st.tuples(st.integers(2, 30), st.just(3)), elements=st.floats(-300, 300)
).filter(lambda points: float(np.ptp(points[:, :2], axis=0).max()) > 0.1)


@given(CLOUDS, st.floats(0.4, 3.0), st.floats(20, 80))
@example(np.array([[1.0, 0.0, 7.0], [0.0, 0.0, 0.0]]), 1.0, 80.0)
@example(np.array([[1.0, 0.0, 3.0], [0.0, 0.0, 0.0]]), 2.0, 79.0)
def test_overview_shows_every_point(points, aspect, elevation):
    margin = 0.05
    camera = Camera.overview(points, aspect, elevation=elevation, margin=margin)
    assert np.max(np.abs(in_picture(camera, points, aspect))) <= 1 - 2 * margin + 1e-6


@given(CLOUDS, st.floats(0.4, 3.0), st.floats(20, 80))
def test_overview_wastes_no_room_on_what_is_flatter_than_wide(points, aspect, elevation):
    margin = 0.05
    width = float(np.ptp(points[:, :2], axis=0).max())
    flat = points * [1.0, 1.0, 0.1 * width / 600]
    camera = Camera.overview(flat, aspect, elevation=elevation, margin=margin)
    seen = in_picture(camera, flat, aspect)
    touched = max(np.ptp(seen[:, 0]), np.ptp(seen[:, 1])) / 2
    assert touched == pytest.approx(1 - 2 * margin, rel=0.35)


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.2, 2.0, 3.0])
def test_overview_lays_the_longer_side_along_the_picture(turn):
    cos, sin = math.cos(turn), math.sin(turn)
    strip = np.random.default_rng(0).uniform([-30, -2, 0], [30, 2, 0.3], (200, 3))
    turned = np.column_stack([strip[:, :2] @ [[cos, sin], [-sin, cos]], strip[:, 2]])
    seen = in_picture(Camera.overview(turned, ASPECT), turned, ASPECT)
    assert np.ptp(seen[:, 0]) > 4 * np.ptp(seen[:, 1])


def test_overview_looks_north_rather_than_south():
    camera = Camera.overview(OVAL, ASPECT)
    assert camera.eye[1] < camera.target[1]


def test_overview_looks_where_it_is_told():
    camera = Camera.overview(OVAL, ASPECT, azimuth=0.0, elevation=30.0)
    forward = np.subtract(camera.target, camera.eye)
    assert forward[1] == pytest.approx(0, abs=1e-9)
    assert math.degrees(math.atan2(-forward[2], forward[0])) == pytest.approx(30.0)


def test_chase_stands_behind_the_start_line_and_looks_along_the_lap():
    camera = Camera.chase(OVAL)
    assert camera.eye[1] < -1.0
    assert camera.eye[2] > 1.0
    assert camera.target[1] > 1.0


def test_a_station_beyond_the_lap_counts_on_from_the_start():
    length = float(np.sum(np.linalg.norm(np.roll(OVAL, -1, axis=0) - OVAL, axis=1)))
    once, twice = Camera.onboard(OVAL, station=1.5), Camera.onboard(OVAL, station=1.5 + length)
    assert once.eye == pytest.approx(twice.eye)
    assert once.target == pytest.approx(twice.target)


def test_onboard_sees_from_car_height():
    camera = Camera.onboard(OVAL)
    assert camera.eye[2] == pytest.approx(0.1 + 0.24)
    assert camera.eye[:2] == pytest.approx((3.0, 0.0))


def test_moving_a_camera_moves_what_it_looks_at():
    camera = Camera((1, 2, 3), (4, 5, 6), 20.0).moved(np.array([10.0, 0.0, -1.0]))
    assert camera == Camera((11, 2, 2), (14, 5, 5), 20.0)
