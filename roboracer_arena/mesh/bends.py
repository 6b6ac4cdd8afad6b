"""Lines that bend no tighter than a duct can."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.mesh.medial import BorderSamples
from roboracer_arena.mesh.polyline import resample, segment_lengths, smooth, windowed_turning
from roboracer_arena.mesh.settings import DuctSettings

__all__ = ["limit_bends"]

_MAX_TURN = np.deg2rad(130.0)
"""Sharpest corner that is rounded; a line that turns more within two bend radii is cut there.
Rounding a U-turn that is narrower than a duct can bend would eat the line from its end."""
_MAX_ROUNDS = 400
"""Rounding a right angle takes about 60 rounds; the rest is a guard."""


def limit_bends(
    points: NDArray[np.float64], closed: bool, samples: BorderSamples, settings: DuctSettings
) -> list[tuple[NDArray[np.float64], bool]]:
    """Smooth a line, round its corners, cut it where it doubles back.

    Args:
        points: Shape [n, 2], [m].
        closed: Whether the line leads back to its first point.
        samples: The wall faces that the duct must not cross.
        settings: Duct whose radius and smallest bend radius hold.

    Returns:
        Evenly spaced lines and whether each is closed; none if nothing is long enough to stay.
    """
    step = settings.line_step
    shortest = 2.0 * settings.min_bend
    if segment_lengths(points, closed=closed).sum() < shortest:
        return []
    line = smooth(resample(points, step, closed=closed), 1.0, closed=closed)
    reach = max(2, round(settings.min_bend / step))
    lines = []
    for part, whole in _cut_at_u_turns(line, closed, reach, step / settings.min_bend):
        if segment_lengths(part, closed=whole).sum() < shortest:
            continue
        even = resample(part, step, closed=whole)
        soft = smooth(even, settings.smoothing / step, closed=whole)
        clear = _push_into_wall(soft, samples, settings.radius)
        even = smooth(resample(clear, step, closed=whole), 1.5, closed=whole)
        bent = _round(even, whole, settings.min_bend)
        lines.append((bent, whole))
    return lines


def _push_into_wall(
    line: NDArray[np.float64], samples: BorderSamples, radius: float
) -> NDArray[np.float64]:
    """Move points that came nearer to a wall face than the duct allows back into the wall.

    Where the wall is thinner than a duct they go back to its middle.
    """
    distance, nearest = samples.nearest(line)
    normal = samples.normals[nearest]
    away = line - samples.points[nearest]
    inside = np.einsum("ij,ij->i", away, normal) < 0.0
    depth = np.where(inside, -distance, distance)
    missing = np.minimum(radius, samples.radius[nearest]) - depth
    direction = np.where(inside[:, None], normal, away / np.maximum(distance, 1e-9)[:, None])
    pushed: NDArray[np.float64] = line + np.maximum(missing, 0.0)[:, None] * direction
    return pushed


def _cut_at_u_turns(
    line: NDArray[np.float64], closed: bool, reach: int, max_bend: float
) -> list[tuple[NDArray[np.float64], bool]]:
    """Cut a line where it turns too far within a short way, and drop the tight bend itself."""
    turning = windowed_turning(line, reach, closed=closed)
    doubling = turning > _MAX_TURN
    if not doubling.any():
        return [(line, closed)]
    tight = windowed_turning(line, 1, closed=closed) > max_bend
    # Of each stretch that doubles back, the tight samples go, and the sharpest one at least.
    drop = (doubling & tight) | (doubling & (turning >= _local_max(turning, reach, closed=closed)))
    if closed:
        shift = int(np.flatnonzero(drop)[0])
        line, drop = np.roll(line, -shift, axis=0), np.roll(drop, -shift)
    kept = np.flatnonzero(~drop)
    runs = np.split(kept, np.flatnonzero(np.diff(kept) > 1) + 1)
    return [(line[run], False) for run in runs if len(run) > 1]


def _local_max(values: NDArray[np.float64], reach: int, *, closed: bool) -> NDArray[np.float64]:
    """Return the largest value within reach of each."""
    shifted = [np.roll(values, k) for k in range(-reach, reach + 1)]
    if not closed:
        for k, row in zip(range(-reach, reach + 1), shifted, strict=True):
            if k > 0:
                row[:k] = 0.0
            elif k < 0:
                row[k:] = 0.0
    return np.asarray(np.max(shifted, axis=0))


def _round(line: NDArray[np.float64], closed: bool, radius: float) -> NDArray[np.float64]:
    """Relax the places that bend tighter than ``radius`` until none does."""
    line = line.copy()
    last = len(line) - 1
    active = np.arange(len(line)) if closed else np.arange(1, last)
    for _ in range(_MAX_ROUNDS):
        a = line[active] - line[active - 1]
        b = line[(active + 1) % len(line)] - line[active]
        turn = np.abs(np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], (a * b).sum(axis=1)))
        chord = 0.5 * (np.hypot(*a.T) + np.hypot(*b.T))
        hot = active[turn > chord / radius]
        if len(hot) == 0:
            break
        moved = _widen(hot, last, closed)
        middle = 0.5 * (line[moved - 1] + line[(moved + 1) % len(line)])
        line[moved] += 0.5 * (middle - line[moved])
        active = _widen(moved, last, closed)
    return line


def _widen(index: NDArray[np.int64], last: int, closed: bool) -> NDArray[np.int64]:
    """Return the indices with their neighbours; the ends of an open line stay out."""
    wide = np.unique(np.concatenate([index - 1, index, index + 1]))
    if closed:
        return np.unique(wide % (last + 1))
    return wide[(wide > 0) & (wide < last)]
