"""Curvature of a measured line, and the turns and straights in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from roboracer_arena.generate.conventions import (
    STRAIGHT_HEADING,
    SUSTAINED_WINDOW,
    TURN_MIN_ANGLE,
    TURN_MIN_CURVATURE,
)
from roboracer_arena.generate.features import Turn

__all__ = ["CurvatureProfile", "find_turns", "longest_straight", "profile_of"]

_NOISE_FILTER = 0.15
"""Standard deviation of a last smoothing of the curvature, in reference radii: brings the scatter
on drawn arcs to 2 % and leaves an arc of 45 degrees 92 % of its peak."""

_TAIL = 0.3
"""How far beyond the least curvature of a turn its blurred edge may reach, in reference radii: half
the sustained window."""
_READING = 1.2
"""Length over which the heading beside a turn is averaged, in reference radii."""


@dataclass(frozen=True, slots=True, eq=False)
class CurvatureProfile:
    """Heading and sustained curvature around a closed line; arrays of shape [n]."""

    step: float
    """Distance of neighbouring samples [m]."""
    heading: NDArray[np.float64]
    """[rad], unwrapped; grows by ``total`` once around."""
    curvature: NDArray[np.float64]
    """[1/m], mean over the sustained window, left positive."""
    total: float
    """How far the heading turns once around [rad]."""

    @property
    def length(self) -> float:
        """Length around [m]."""
        return self.step * len(self.heading)

    def heading_at(self, index: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the heading at fractional sample indices, which may run over the end [rad]."""
        count = len(self.heading)
        laps, rest = np.divmod(index, count)
        knots = np.arange(count + 1)
        values = np.append(self.heading, self.heading[0] + self.total)
        return np.asarray(np.interp(rest, knots, values) + laps * self.total)


def profile_of(points: NDArray[np.float64], radius: float) -> CurvatureProfile:
    """Return the curvature of a closed line, smoothed over the sustained window.

    Args:
        points: Shape [n, 2], evenly spaced [m].
        radius: Reference radius [m].
    """
    ahead = np.roll(points, -1, axis=0) - points
    step = float(np.hypot(ahead[:, 0], ahead[:, 1]).mean())
    central = ahead + np.roll(ahead, 1, axis=0)
    wrapped = np.arctan2(central[:, 1], central[:, 0])
    turned = np.angle(np.exp(1j * (np.roll(wrapped, -1) - wrapped)))
    heading = wrapped[0] + np.concatenate([[0.0], np.cumsum(turned)[:-1]])
    profile = CurvatureProfile(step, heading, np.zeros(len(points)), float(turned.sum()))
    half = SUSTAINED_WINDOW * radius / 2.0 / step
    index = np.arange(len(points), dtype=np.float64)
    mean = profile.heading_at(index + half) - profile.heading_at(index - half)
    curvature = gaussian_filter1d(
        mean / (SUSTAINED_WINDOW * radius), _NOISE_FILTER * radius / step, mode="wrap"
    )
    return CurvatureProfile(step, heading, np.asarray(curvature), profile.total)


def find_turns(profile: CurvatureProfile, radius: float) -> tuple[Turn, ...]:
    """Cut a lap into turns; what lies between them is straight.

    Args:
        profile: The curvature around the lap.
        radius: Reference radius [m].

    Returns:
        Turns of at least 12 degrees in lap order, none of them joined yet.
    """
    bends = np.abs(profile.curvature) * radius >= TURN_MIN_CURVATURE
    state = np.where(bends, np.sign(profile.curvature), 0.0)
    changes = np.flatnonzero(state != np.roll(state, 1))
    if not len(changes):
        # A lap of one constant sign is one turn, and one of no curvature at all cannot close.
        peak = float(np.abs(profile.curvature).max())
        return (Turn(0.0, profile.length, profile.total, 1.0 / peak),) if state[0] else ()
    runs = [
        (int(first), int(last))
        for first, last in zip(
            changes, np.append(changes[1:], changes[0] + len(state)), strict=True
        )
        if state[first]
    ]
    # The blurred edge ends within a tail; the heading is read from the stretch behind it, but no
    # further than halfway to the next turn.
    reach = np.linspace(_TAIL, _TAIL + _READING, 5) * radius / profile.step
    turns = []
    for index, (first, last) in enumerate(runs):
        before = runs[index - 1][1] - (len(state) if index == 0 else 0)
        after = runs[(index + 1) % len(runs)][0] + (len(state) if index == len(runs) - 1 else 0)
        turn = _turn(
            profile,
            first,
            last,
            np.maximum(first - reach, (before + first) / 2.0),
            np.minimum(last - 1 + reach, (last + after) / 2.0),
        )
        if abs(turn.angle) >= TURN_MIN_ANGLE:
            turns.append(turn)
    return tuple(sorted(turns, key=lambda turn: turn.start))


def _turn(
    profile: CurvatureProfile,
    first: int,
    last: int,
    arriving: NDArray[np.float64],
    leaving: NDArray[np.float64],
) -> Turn:
    """Measure the turn of samples ``first`` to ``last`` (exclusive, may run over the end).

    Args:
        profile: The curvature around the lap.
        first: First sample above the least curvature of a turn.
        last: One past the last such sample.
        arriving: Shape [k], sample indices at which the heading before it is read.
        leaving: Shape [k], the same for the heading after it.
    """
    count = len(profile.curvature)
    sign = float(np.sign(profile.curvature[first % count]))
    low, high = math.floor(arriving[0]) - 1, math.ceil(leaving[0]) + 1
    bent = sign * profile.curvature[np.arange(low, high + 1) % count]
    run = bent[first - low : last - low]
    peak = float(run.max())
    strong = first - low + np.flatnonzero(run >= peak / 2.0)
    start, end = _falls(bent, int(strong[0]), int(strong[-1]), peak / 2.0)
    turned = profile.heading_at(leaving).mean() - profile.heading_at(arriving).mean()
    start, end = (low + start) * profile.step, (low + end) * profile.step
    lap = profile.length * math.floor(start / profile.length)
    return Turn(
        start=start - lap,
        end=end - lap,
        angle=float(turned),
        peak_radius=1.0 / peak,
    )


def _falls(values: NDArray[np.float64], first: int, last: int, level: float) -> tuple[float, float]:
    """Return where ``values`` fall to ``level``, going down from ``first`` and up from ``last``."""
    below = np.flatnonzero(values[:first] <= level)
    left = 0.0
    if len(below):
        at = int(below[-1])
        left = at + (level - values[at]) / (values[at + 1] - values[at])
    below = np.flatnonzero(values[last + 1 :] <= level)
    right = float(len(values) - 1)
    if len(below):
        at = last + 1 + int(below[0])
        right = at - (level - values[at]) / (values[at - 1] - values[at])
    return float(left), float(right)


def longest_straight(profile: CurvatureProfile, turns: tuple[Turn, ...]) -> float:
    """Return the longest stretch between two turns whose headings agree within 8 degrees [m]."""
    if not turns:
        return 0.0
    best = 0.0
    for here, following in zip(turns, (*turns[1:], turns[0]), strict=True):
        start, end = here.end, following.start
        if following is turns[0]:
            end += profile.length
        if end - start > best:
            index = np.linspace(start, end, max(2, round((end - start) / profile.step) + 1))
            heading = profile.heading_at(index / profile.step)
            best = max(best, _steady(heading, STRAIGHT_HEADING) * (index[1] - index[0]))
    return float(best)


def _steady(heading: NDArray[np.float64], spread: float) -> int:
    """Return the most steps over which the values stay within ``spread`` of one another."""
    best = start = 0
    low = high = heading[0]
    for index, value in enumerate(heading):
        low, high = min(low, value), max(high, value)
        while high - low > spread:
            start += 1
            low, high = heading[start : index + 1].min(), heading[start : index + 1].max()
        best = max(best, index - start)
    return best
