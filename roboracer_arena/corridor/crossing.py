"""Whether closed lines cross themselves or each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["crossing_lines"]

_PAIRS_AT_ONCE = 1_000_000


def crossing_lines(lines: Sequence[NDArray[np.float64]]) -> set[int]:
    """Return the indices of closed lines that cross or touch themselves or another.

    Edges are sorted into square bins, and only edges that share a bin are compared.

    Args:
        lines: Each of shape [n, 2]; the first point is not repeated.
    """
    start = np.concatenate(lines)
    end = np.concatenate([np.roll(line, -1, axis=0) for line in lines])
    owner = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    following = np.concatenate(
        [
            np.roll(np.arange(len(line)), -1) + first
            for line, first in zip(lines, _offsets(lines), strict=True)
        ]
    )
    found: set[int] = set()
    for a, b in _near_pairs(start, end):
        apart = (following[a] != b) & (following[b] != a)
        a, b = a[apart], b[apart]
        cross = _segments_meet(start[a], end[a], start[b], end[b])
        found.update(owner[a[cross]].tolist(), owner[b[cross]].tolist())
    return found


def _offsets(lines: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum([len(line) for line in lines])[:-1]])


def _near_pairs(
    start: NDArray[np.float64], end: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield pairs of edge numbers whose bounding boxes overlap."""
    low, high = np.minimum(start, end), np.maximum(start, end)
    size = max(float(np.mean(np.max(high - low, axis=1))), 1e-9)
    origin = low.min(axis=0)
    first = ((low - origin) // size).astype(np.int64)
    span = ((high - origin) // size).astype(np.int64) - first + 1
    count = span[:, 0] * span[:, 1]
    edge = np.repeat(np.arange(len(start)), count)
    within = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count)
    column = first[edge, 0] + within % span[edge, 0]
    row = first[edge, 1] + within // span[edge, 0]
    key = column * (row.max() + 2) + row
    order = np.argsort(key, kind="stable")
    key, edge = key[order], edge[order]
    later = np.searchsorted(key, key, side="right") - np.arange(len(key)) - 1
    total = np.cumsum(later)
    begin = 0
    while begin < len(key):
        stop = int(np.searchsorted(total, total[begin] - later[begin] + _PAIRS_AT_ONCE, "right"))
        stop = max(stop, begin + 1)
        n = later[begin:stop]
        left = np.repeat(np.arange(begin, stop), n)
        right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(n) - n, n)
        a, b = edge[left], edge[right]
        near = np.all((low[a] <= high[b]) & (low[b] <= high[a]), axis=1)
        yield a[near], b[near]
        begin = stop


def _segments_meet(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    c: NDArray[np.float64],
    d: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Whether segments a-b and c-d have a point in common; all of shape [n, 2]."""
    apart_by_first = _side(a, b, c) * _side(a, b, d) > 0
    apart_by_second = _side(c, d, a) * _side(c, d, b) > 0
    return np.asarray(~(apart_by_first | apart_by_second))


def _side(
    a: NDArray[np.float64], b: NDArray[np.float64], point: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the sign of where points lie: 1 left of the line from a to b, -1 right, 0 on it."""
    along, across = b - a, point - a
    return np.sign(along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0])
