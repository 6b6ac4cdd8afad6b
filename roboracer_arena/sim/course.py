"""The lap as a line: where along it a car is, how far off it, and where cars start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import StageError, UsageError

__all__ = ["Course", "Progress"]

_WINDOW = 1.0
"""Half the stretch of line that is searched around a car's last place [m]: a car at 20 m/s moves
0.1 m a step, and a foot point jumps by less than that again inside a turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """Where cars are along a course."""

    s: NDArray[np.float64]
    """Shape [n], arc length from the start line, in [0, length) [m]."""
    lateral: NDArray[np.float64]
    """Shape [n], offset from the line, left positive [m]."""
    heading: NDArray[np.float64]
    """Shape [n], direction of the line [rad]."""


class Course:
    """A closed line with widths, driven in the direction of its points."""

    def __init__(
        self,
        points: NDArray[np.float64],
        width_right: NDArray[np.float64],
        width_left: NDArray[np.float64],
    ) -> None:
        """Take the line.

        Args:
            points: Shape [n, 2], closed, the first point not repeated [m].
            width_right: Shape [n], distance from the line to the wall on its right [m].
            width_left: Shape [n], the same on its left [m].

        Raises:
            StageError: The line has fewer than 4 points or repeats one.
        """
        if len(points) < 4:
            raise StageError(f"centreline has {len(points)} points; a lap needs at least 4")
        self.points = np.ascontiguousarray(points, dtype=np.float64)
        self.width_right = np.asarray(width_right, dtype=np.float64)
        self.width_left = np.asarray(width_left, dtype=np.float64)
        self._edges = np.roll(self.points, -1, axis=0) - self.points
        self._lengths = np.linalg.norm(self._edges, axis=1)
        if not np.all(self._lengths > 1.0e-9):
            raise StageError("centreline repeats a point; its direction is undefined there")
        self._tangents = self._edges / self._lengths[:, None]
        ends = np.cumsum(self._lengths)
        self.length = float(ends[-1])
        """Lap length [m]."""
        self.s = np.concatenate([[0.0], ends[:-1]])
        """Shape [n], arc length at each point [m]."""
        self._width_table = np.stack(
            [
                np.concatenate([self.s, [self.length]]),
                np.concatenate([self.width_right, self.width_right[:1]]),
                np.concatenate([self.width_left, self.width_left[:1]]),
            ]
        )
        self._reach = max(2, int(np.ceil(_WINDOW / float(self._lengths.mean()))))

    def locate(
        self, positions: NDArray[np.float64], near: NDArray[np.float64] | None = None
    ) -> Progress:
        """Project positions onto the line.

        Args:
            positions: Shape [n, 2], [m].
            near: Shape [n], arc length of a moment ago [m]; the search then stays in its
                neighbourhood, so that a car is not taken to the other side of a thin wall or onto
                the other road of a crossing. Without it the whole line is searched.
        """
        count = len(self.points)
        if near is None:
            offsets = positions[:, None, :] - self.points[None, :, :]
            middle = np.argmin((offsets**2).sum(axis=2), axis=1)
            window = np.arange(-2, 3)
        else:
            middle = np.searchsorted(self.s, near % self.length, side="right") - 1
            window = np.arange(-self._reach, self._reach + 1)
        candidates = (middle[:, None] + window[None, :]) % count
        start, tangent = self.points[candidates], self._tangents[candidates]
        offset = positions[:, None, :] - start
        along = np.clip((offset * tangent).sum(axis=2), 0.0, self._lengths[candidates])
        foot = start + along[:, :, None] * tangent
        distance = ((positions[:, None, :] - foot) ** 2).sum(axis=2)
        best = np.argmin(distance, axis=1)
        rows = np.arange(len(positions))
        segment, along = candidates[rows, best], along[rows, best]
        direction = self._tangents[segment]
        away = positions - foot[rows, best]
        side = direction[:, 0] * away[:, 1] - direction[:, 1] * away[:, 0]
        return Progress(
            s=(self.s[segment] + along) % self.length,
            lateral=np.copysign(np.sqrt(distance[rows, best]), side),
            heading=np.arctan2(direction[:, 1], direction[:, 0]),
        )

    def point_at(self, s: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Return positions at arc lengths, shape [n] to [n, 2] [m]; the line is periodic."""
        wrapped = np.atleast_1d(np.asarray(s, dtype=np.float64)) % self.length
        segment = np.searchsorted(self.s, wrapped, side="right") - 1
        along = (wrapped - self.s[segment])[:, None]
        return np.asarray(self.points[segment] + along * self._tangents[segment])

    def heading_at(self, s: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Return the direction of the line at arc lengths, shape [n], [rad]."""
        ahead = self.point_at(np.atleast_1d(s) + 0.05) - self.point_at(np.atleast_1d(s) - 0.05)
        return np.asarray(np.arctan2(ahead[:, 1], ahead[:, 0]))

    def widths_at(self, s: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the distance to the right and to the left wall at arc lengths, [m]."""
        wrapped = np.asarray(s) % self.length
        grid, right, left = self._width_table
        return np.interp(wrapped, grid, right), np.interp(wrapped, grid, left)

    def from_start(self, s: float) -> Course:
        """Return the same lap with its start line moved forward by ``s`` [m]."""
        shift = int(np.searchsorted(self.s, s % self.length, side="right")) % len(self.points)
        roll = -shift
        points = np.roll(self.points, roll, axis=0)
        right, left = np.roll(self.width_right, roll), np.roll(self.width_left, roll)
        exact = self.point_at(s)
        if np.linalg.norm(exact[0] - points[0]) > 1.0e-6:
            r, l_ = self.widths_at(np.array([s]))
            points = np.concatenate([exact, points])
            right, left = np.concatenate([r, right]), np.concatenate([l_, left])
        return Course(points, right, left)

    def grid(
        self, cars: int, *, spacing: float = 0.9, width: float = 0.31, margin: float = 0.1
    ) -> NDArray[np.float64]:
        """Return starting poses behind the start line, two abreast where the corridor allows.

        Args:
            cars: Number of cars.
            spacing: Distance between rows [m]; a car is 0.58 m long.
            width: Width of a car [m].
            margin: Free space kept to walls and between cars [m].

        Returns:
            Shape [cars, 3], x, y [m] and heading [rad]; the first stands in front.

        Raises:
            UsageError: The cars do not fit on one lap.
        """
        rows: list[tuple[float, float]] = []
        distance = 0.5 * spacing
        while len(rows) < cars:
            if distance > self.length - spacing:
                raise UsageError(
                    f"{cars} cars do not fit on the grid of a {self.length:.1f} m lap "
                    f"({len(rows)} fit); use fewer cars"
                )
            right, left = self.widths_at(np.array([-distance]))
            abreast = min(right[0], left[0]) >= width + 1.5 * margin
            side = 0.5 * (width + margin)
            rows += [(distance, side), (distance, -side)] if abreast else [(distance, 0.0)]
            distance += spacing
        chosen = np.array(rows[:cars])
        if cars == 1:
            chosen[0, 1] = 0.0
        s = -chosen[:, 0]
        heading = self.heading_at(s)
        left_hand = np.stack([-np.sin(heading), np.cos(heading)], axis=1)
        places = self.point_at(s) + chosen[:, 1:] * left_hand
        return np.concatenate([places, heading[:, None]], axis=1)
