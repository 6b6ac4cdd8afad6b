"""Lines in the plane: lengths, even spacing, directions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.smoothing import gaussian_closed

__all__ = ["neighbours", "resample", "segment_lengths", "smooth", "windowed_turning"]


def segment_lengths(line: NDArray[np.floating], *, closed: bool = True) -> NDArray[np.float64]:
    """Return the length of each segment of a line [m].

    Args:
        line: Shape [n, d], points [m].
        closed: Whether a last segment leads back to the first point.

    Returns:
        Shape [n] if closed, else [n - 1].
    """
    ends = np.roll(line, -1, axis=0) if closed else line[1:]
    starts = line if closed else line[:-1]
    lengths: NDArray[np.float64] = np.linalg.norm(ends - starts, axis=1)
    return lengths


def resample(
    line: NDArray[np.float64], step: float, *, closed: bool = True, at_least: int = 3
) -> NDArray[np.float64]:
    """Space points evenly along a line.

    Args:
        line: Shape [n, 2], [m].
        step: Wished distance of two points along the line [m]; adjusted to divide its length.
        closed: Whether the line leads back to its first point.
        at_least: Fewest points to return.

    Returns:
        Shape [m, 2]; starts at the first point, and ends at the last if open.
    """
    along = np.concatenate([[0.0], np.cumsum(segment_lengths(line, closed=closed))])
    if closed:
        line = np.concatenate([line, line[:1]])
    count = max(at_least, round(float(along[-1]) / step) + (0 if closed else 1))
    at = np.linspace(0.0, along[-1], count, endpoint=not closed)
    return np.stack([np.interp(at, along, line[:, k]) for k in range(line.shape[1])], axis=1)


def neighbours(
    line: NDArray[np.float64], *, closed: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the points before and after each point, shape [n, 2] each.

    The ends of an open line continue straight.
    """
    before, after = np.roll(line, 1, axis=0), np.roll(line, -1, axis=0)
    if not closed:
        before[0] = 2.0 * line[0] - line[1]
        after[-1] = 2.0 * line[-1] - line[-2]
    return before, after


def smooth(line: NDArray[np.float64], deviation: float, *, closed: bool) -> NDArray[np.float64]:
    """Smooth an evenly spaced line without drawing its curves inwards.

    Twice a Gaussian less its square: ripples shorter than the Gaussian go, what bends over more
    keeps its place.

    Args:
        line: Shape [n, 2].
        deviation: Standard deviation of the Gaussian, in points.
        closed: Whether the line leads back to its first point; an open line keeps its ends.

    Returns:
        Shape [n, 2].
    """
    once = _gaussian(line, deviation, closed=closed)
    return 2.0 * once - _gaussian(once, deviation, closed=closed)


def _gaussian(line: NDArray[np.float64], deviation: float, *, closed: bool) -> NDArray[np.float64]:
    if closed:
        return gaussian_closed(line, deviation)
    reach = min(int(3.0 * deviation + 1.0), len(line) - 1)
    weight = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(deviation, 1e-6)) ** 2)
    # Mirrored through the ends.
    head = 2.0 * line[0] - line[reach:0:-1]
    tail = 2.0 * line[-1] - line[-2 : -reach - 2 : -1]
    padded = np.concatenate([head, line, tail])
    return np.column_stack(
        [np.convolve(column, weight / weight.sum(), mode="valid") for column in padded.T]
    )


def windowed_turning(line: NDArray[np.float64], reach: int, *, closed: bool) -> NDArray[np.float64]:
    """Return by how much a line turns within a window around each point [rad], unsigned.

    Args:
        line: Shape [n, 2], evenly spaced.
        reach: Number of segments in the window on either side.
        closed: Whether the line leads back to its first point.

    Returns:
        Shape [n]; turns to both sides cancel.
    """
    before, after = neighbours(line, closed=closed)
    a, b = line - before, after - line
    turn = np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], np.einsum("ij,ij->i", a, b))
    width = 2 * reach - 1
    pad = np.take(turn, np.arange(-reach + 1, len(turn) + reach - 1), mode="wrap")
    if not closed:
        pad[: reach - 1] = pad[len(pad) - reach + 1 :] = 0.0
    total = np.concatenate([[0.0], np.cumsum(pad)])
    turning: NDArray[np.float64] = np.abs(total[width:] - total[:-width])
    return turning
