"""Smoothing and thinning of closed lines."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["gaussian_closed", "limit_movement", "simplify_closed"]


def gaussian_closed(points: NDArray[np.float64], deviation: float) -> NDArray[np.float64]:
    """Smooth a closed line by a Gaussian along its points.

    Args:
        points: Shape [n, 2].
        deviation: Standard deviation [samples].
    """
    if deviation <= 0:
        return points
    reach = min(int(3 * deviation + 1), len(points) - 1)
    # A vanishing deviation leaves the points where they are; its square must not overflow.
    weight = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(deviation, 1e-6)) ** 2)
    weight /= weight.sum()
    padded = np.concatenate([points[-reach:], points, points[:reach]])
    return np.column_stack([np.convolve(padded[:, axis], weight, mode="valid") for axis in (0, 1)])


def limit_movement(
    moved: NDArray[np.float64], points: NDArray[np.float64], limit: float
) -> NDArray[np.float64]:
    """Return the moved points, each at most ``limit`` from where it was."""
    step = moved - points
    length = np.hypot(step[:, 0], step[:, 1])
    factor = np.minimum(1.0, limit / np.maximum(length, 1e-12))
    return np.asarray(points + step * factor[:, None])


def simplify_closed(points: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    """Leave points of a closed line out, so that it stays within a tolerance (Douglas-Peucker).

    Returns:
        A subset of the points, in order; the line itself if fewer than three would remain.
    """
    if tolerance <= 0 or len(points) <= 4:
        return points
    # Single precision holds 1e-4 of a cell up to a thousand cells from the line's own corner.
    local = (points - points[0]).astype(np.float32)
    kept = cv2.approxPolyDP(local[:, None, :], tolerance, closed=True)[:, 0, :]
    return np.asarray(kept + points[0], dtype=np.float64) if len(kept) >= 3 else points
