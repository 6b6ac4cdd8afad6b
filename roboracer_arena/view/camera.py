"""Where a picture is taken from: fitted around a scene, or on the track."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Camera"]

Point = tuple[float, float, float]

_NEAREST = 0.05
"""Least distance from the eye to what it looks at, as a share of the largest side of that."""
_ELEVATIONS = (56.0, 51.0, 46.0, 41.0, 36.0)
"""Tried in turn for an overview [deg]."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A perspective camera, upright, in world coordinates (metres, Z up)."""

    eye: Point
    """Where it stands [m]."""
    target: Point
    """What it looks at, in the middle of the picture [m]."""
    vertical_fov: float = 30.0
    """Angle from the lower to the upper edge of the picture [deg]."""

    @classmethod
    def overview(
        cls,
        points: NDArray[np.float64],
        aspect: float,
        *,
        elevation: float | None = None,
        azimuth: float | None = None,
        vertical_fov: float = 26.0,
        margin: float = 0.08,
    ) -> Camera:
        """Return the nearest oblique view from above that shows all points.

        The picture is filled where the points are flatter than wide, as tracks are.

        Args:
            points: What must be seen, shape [n, 3], [m].
            aspect: Width of the picture over its height.
            elevation: Angle of the view below the horizon [deg]; None takes the steepest of
                36 to 56 degrees at which the picture's width, not its height, is the limit.
            azimuth: Direction of the view [deg], counter-clockwise from x; None lays the longer
                side of the points along the picture, seen from the south rather than the north.
            vertical_fov: Angle from the lower to the upper edge of the picture [deg].
            margin: Part of the picture that stays empty at each edge.
        """
        turn = math.radians(_broadside(points) if azimuth is None else azimuth)
        rise = math.tan(math.radians(vertical_fov) / 2) * (1 - 2 * margin)
        right = np.array([math.sin(turn), -math.cos(turn), 0.0])
        for tilt in _ELEVATIONS if elevation is None else (elevation,):
            forward = _direction(turn, math.radians(-tilt))
            up = np.cross(right, forward)
            across, depth_across = _fit(points, right, forward, rise * aspect)
            along, depth_along = _fit(points, up, forward, rise)
            if depth_across <= depth_along:
                break
        # Points in line with the view would let the eye come up to the first of them.
        closest = float(np.min(points @ forward)) - _NEAREST * float(np.ptp(points, axis=0).max())
        back = min(depth_across, depth_along, closest)
        eye = across * right + along * up + back * forward
        distance = float(np.max(np.linalg.norm(points - eye, axis=1)))
        return cls(_point(eye), _point(eye + distance * forward), vertical_fov)

    @classmethod
    def chase(
        cls,
        line: NDArray[np.float64],
        *,
        station: float = 0.0,
        distance: float = 2.6,
        height: float = 1.25,
        vertical_fov: float = 42.0,
    ) -> Camera:
        """Return the view from behind and above a place on the driving line.

        Args:
            line: Closed line in driving direction, shape [n, 3], [m].
            station: Arc length of the place looked from [m].
            distance: How far the camera stands behind it [m].
            height: How high the camera stands above the line [m].
            vertical_fov: Angle from the lower to the upper edge of the picture [deg].
        """
        here, heading = _along(line, station)
        ahead, _ = _along(line, station + 1.5 * distance)
        eye = here - distance * heading + np.array([0.0, 0.0, height])
        return cls(_point(eye), _point(ahead), vertical_fov)

    @classmethod
    def onboard(
        cls,
        line: NDArray[np.float64],
        *,
        station: float = 0.0,
        height: float = 0.24,
        vertical_fov: float = 55.0,
    ) -> Camera:
        """Return what a driver of a 1:10 car sees from a place on the driving line.

        Args:
            line: Closed line in driving direction, shape [n, 3], [m].
            station: Arc length of the place [m].
            height: Height of the eye above the line [m].
            vertical_fov: Angle from the lower to the upper edge of the picture [deg].
        """
        here, _ = _along(line, station)
        ahead, _ = _along(line, station + 2.5)
        lift = np.array([0.0, 0.0, height])
        return cls(_point(here + lift), _point(ahead + 0.8 * lift), vertical_fov)

    def moved(self, offset: NDArray[np.float64]) -> Camera:
        """Return the same camera elsewhere; ``offset`` is [3], [m]."""
        return replace(self, eye=_point(self.eye + offset), target=_point(self.target + offset))


def _direction(azimuth: float, elevation: float) -> NDArray[np.float64]:
    """Return the unit vector of two angles [rad]."""
    flat = math.cos(elevation)
    return np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)])


def _broadside(points: NDArray[np.float64]) -> float:
    """Return the direction [deg] that looks square onto the longer side of the points."""
    _, (width, height), angle = cv2.minAreaRect(points[:, :2].astype(np.float32))
    normal = angle + (90.0 if width >= height else 0.0)
    return normal if math.sin(math.radians(normal)) >= 0 else normal + 180.0


def _fit(
    points: NDArray[np.float64],
    side: NDArray[np.float64],
    forward: NDArray[np.float64],
    slope: float,
) -> tuple[float, float]:
    """Place the eye in the plane of ``side`` and ``forward`` so that all points are in view.

    A point is in view where its offset to either side is at most ``slope`` times its depth; each
    of the two edges is a half plane for the eye, and the eye goes where they meet.

    Returns:
        Coordinates of the eye along ``side`` and ``forward``.
    """
    offset, depth = points @ side, points @ forward
    high = float(np.max(offset - slope * depth))
    low = float(np.max(-offset - slope * depth))
    return (high - low) / 2, -(high + low) / (2 * slope)


def _along(
    line: NDArray[np.float64], station: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the point at an arc length of a closed line, and the unit direction there."""
    steps = np.roll(line, -1, axis=0) - line
    lengths = np.linalg.norm(steps, axis=1)
    ends = np.cumsum(lengths)
    station %= float(ends[-1])
    index = min(int(np.searchsorted(ends, station, side="right")), len(line) - 1)
    direction = steps[index] / max(lengths[index], 1e-9)
    return line[index] + (station - (ends[index] - lengths[index])) * direction, direction


def _point(values: NDArray[np.float64]) -> Point:
    """Return an array of three as plain numbers."""
    return float(values[0]), float(values[1]), float(values[2])
