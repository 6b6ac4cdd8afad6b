"""Lengths along closed and open lines in the plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["segment_lengths"]


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
