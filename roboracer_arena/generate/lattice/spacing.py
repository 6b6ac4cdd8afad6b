"""From lattice lines to metres: the spacing of the lines as one linear program.

Every lattice line that holds a part of the walk gets its own place, so the program stretches each
arm and each straight separately. It keeps the order of the lines, room between facing parts, room
for every rounding, the gaps that join or part turns, the hall, the longest straight, and the lap
exactly; among all solutions it takes one near spacings drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.generate.lattice.corners import Corner, Rounding

__all__ = ["GapBands", "Room", "solve_spacing"]


@dataclass(frozen=True, slots=True)
class GapBands:
    """Straights between successive corners, in reference radii."""

    joined: tuple[float, float]
    """Within a hairpin or chicane."""
    loose: float
    """Least, where turns may or may not be joined without changing a feature."""
    apart: float
    """Least, where turns must stay two."""


@dataclass(frozen=True, slots=True)
class Room:
    """What the track must fit. Metres."""

    size: tuple[float, float]
    """Largest extent of the centreline along x and y."""
    pitch: float
    """Least distance of facing parts of the centreline."""
    lap: float
    """Lap length, exactly."""
    straight: float
    """Least length of one straight; 0 asks for none."""
    radius: float
    """Reference radius."""
    spacing: float
    """Usual distance of lattice lines."""


def solve_spacing(
    corners: Sequence[Corner],
    roundings: Sequence[Rounding],
    room: Room,
    bands: GapBands,
    rng: Random,
) -> NDArray[np.float64] | None:
    """Place the corners of a walk.

    Args:
        corners: In walking order.
        roundings: One per corner.
        room: Hall, lap and distances.
        bands: Straights between corners.
        rng: Draws the wished spacings, and the edge that becomes the longest straight.

    Returns:
        Shape [n, 2], the corners before rounding [m], lowest x and y at 0; None where no spacing
        satisfies everything.
    """
    program = _Program(corners, rng, room.spacing)
    lap = room.lap + sum(rounding.loss for rounding in roundings)
    program.equal(program.outline(), lap)
    program.fit_hall(room.size)
    program.keep_apart(room.pitch)
    for index, corner in enumerate(corners):
        following = (index + 1) % len(corners)
        used = roundings[index].tangent + roundings[following].tangent
        joined = corner.partner == following
        least, most = _gap(corner, corners[following], joined, roundings[index], bands)
        program.at_least(program.edge(index), used + least * room.radius)
        if joined:
            program.at_most(program.edge(index), used + most * room.radius)
    if room.straight:
        index = _straight_edge(program, roundings, rng)
        used = roundings[index].tangent + roundings[(index + 1) % len(corners)].tangent
        program.at_least(program.edge(index), used + room.straight)
    return program.solve()


def _gap(
    here: Corner, following: Corner, joined: bool, rounding: Rounding, bands: GapBands
) -> tuple[float, float]:
    """Return the least and the most straight between two successive corners [radii]."""
    if joined:
        return bands.joined
    same_block = here.block == following.block
    opposite = here.sign != following.sign
    named = {"hairpin"} & {here.role, following.role} or rounding.kind == "sweeper"
    if opposite and (same_block or named):
        return bands.loose, np.inf
    return bands.apart, np.inf


def _straight_edge(program: _Program, roundings: Sequence[Rounding], rng: Random) -> int:
    """Choose the edge for the longest straight: one of the longest on the lattice."""
    count = len(roundings)
    reach = sorted(
        ((program.units(index), -index) for index in range(count)),
        reverse=True,
    )
    best = [-index for units, index in reach if units >= reach[0][0] - 1][:3]
    return best[int(rng.random() * len(best))]


class _Program:
    """The linear program: one variable per gap between used lattice lines, x first, then y."""

    def __init__(self, corners: Sequence[Corner], rng: Random, spacing: float) -> None:
        self._corners = corners
        self._lines = [
            sorted({corner.column for corner in corners}),
            sorted({corner.row for corner in corners}),
        ]
        self._offset = len(self._lines[0]) - 1
        self._count = self._offset + len(self._lines[1]) - 1
        self._place = [{line: index for index, line in enumerate(axis)} for axis in self._lines]
        widths = [later - line for axis in self._lines for line, later in pairwise(axis)]
        self._wished = [spacing * width * (0.85 + 0.5 * rng.random()) for width in widths]
        self._upper_rows: list[NDArray[np.float64]] = []
        self._upper: list[float] = []
        self._equal_rows: list[NDArray[np.float64]] = []
        self._equal: list[float] = []

    def _span(self, axis: int, first: int, last: int) -> NDArray[np.float64]:
        """Return the row that sums the gaps between two lattice lines of one axis."""
        low, high = sorted((self._place[axis][first], self._place[axis][last]))
        row = np.zeros(self._count)
        shift = self._offset if axis else 0
        row[shift + low : shift + high] = 1.0
        return row

    def edge(self, index: int) -> NDArray[np.float64]:
        """Return the row for the length of the edge from one corner to the next."""
        here, there = self._corners[index], self._corners[(index + 1) % len(self._corners)]
        if here.row == there.row:
            return self._span(0, here.column, there.column)
        return self._span(1, here.row, there.row)

    def units(self, index: int) -> int:
        """Return the length of an edge in lattice units."""
        here, there = self._corners[index], self._corners[(index + 1) % len(self._corners)]
        return abs(here.row - there.row) + abs(here.column - there.column)

    def outline(self) -> NDArray[np.float64]:
        """Return the row for the length of all edges together."""
        return np.asarray(np.sum([self.edge(index) for index in range(len(self._corners))], axis=0))

    def equal(self, row: NDArray[np.float64], value: float) -> None:
        self._equal_rows.append(row)
        self._equal.append(value)

    def at_most(self, row: NDArray[np.float64], value: float) -> None:
        self._upper_rows.append(row)
        self._upper.append(value)

    def at_least(self, row: NDArray[np.float64], value: float) -> None:
        self.at_most(-row, -value)

    def fit_hall(self, size: tuple[float, float]) -> None:
        for axis in (0, 1):
            self.at_most(self._span(axis, self._lines[axis][0], self._lines[axis][-1]), size[axis])

    def keep_apart(self, pitch: float) -> None:
        """Keep facing edges apart: parallel ones whose stretches come within one lattice edge."""
        for axis in (0, 1):
            stretches: dict[int, list[tuple[int, int]]] = {line: [] for line in self._lines[axis]}
            for index, here in enumerate(self._corners):
                there = self._corners[(index + 1) % len(self._corners)]
                ends = ((here.column, there.column), (here.row, there.row))
                if ends[axis][0] == ends[axis][1]:
                    low, high = sorted(ends[1 - axis])
                    stretches[ends[axis][0]].append((low, high))
            self._keep_lines_apart(axis, stretches, pitch)

    def _keep_lines_apart(
        self, axis: int, stretches: dict[int, list[tuple[int, int]]], pitch: float
    ) -> None:
        lines = self._lines[axis]
        for low in range(len(lines)):
            for high in range(low + 1, len(lines)):
                if any(
                    a[0] <= b[1] + 1 and b[0] <= a[1] + 1
                    for a in stretches[lines[low]]
                    for b in stretches[lines[high]]
                ):
                    self.at_least(self._span(axis, lines[low], lines[high]), pitch)
                    break

    def solve(self) -> NDArray[np.float64] | None:
        """Return the corners at the spacings nearest to the wished ones, or None."""
        from scipy.optimize import linprog  # not at module level: costs 0.3 s to import

        count = self._count
        # Minimise the sum of |gap - wished|: one more variable per gap, above both differences.
        wished = np.array(self._wished)
        unit = np.eye(count)
        rows = [np.hstack([row, np.zeros(count)]) for row in self._upper_rows]
        matrix = np.vstack([*rows, np.hstack([unit, -unit]), np.hstack([-unit, -unit])])
        limits = np.concatenate([self._upper, wished, -wished])
        equal = np.hstack([np.array(self._equal_rows), np.zeros((len(self._equal), count))])
        result = linprog(
            np.concatenate([np.zeros(count), 1.0 / wished]),
            A_ub=matrix,
            b_ub=limits,
            A_eq=equal,
            b_eq=self._equal,
            bounds=(0.0, None),
            method="highs",
        )
        if not result.success or result.x is None:
            return None
        gaps = result.x[:count]
        places = [
            np.concatenate([[0.0], np.cumsum(gaps[: self._offset])]),
            np.concatenate([[0.0], np.cumsum(gaps[self._offset :])]),
        ]
        return np.array(
            [
                [places[0][self._place[0][corner.column]], places[1][self._place[1][corner.row]]]
                for corner in self._corners
            ]
        )
