"""Triangles that fill a small polygon, by clipping its ears."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["triangulate_polygon", "without_flat_corners"]

_FLAT = 1e-3
"""Corners that stick out by less than this are dropped [m]: nothing to be seen, and slivers."""
_MIN_AREA = 1e-7
"""Smallest triangle made [m²]; ten times what collision cooking takes."""


def without_flat_corners(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Drop corners of a closed line that are repeated or lie on the line of their neighbours.

    Args:
        outline: Shape [n, 2], [m].

    Returns:
        Shape [m, 2]; may be empty.
    """
    points = list(np.asarray(outline, dtype=np.float64))
    index = unchanged = 0
    while len(points) > 2 and unchanged < len(points):
        index %= len(points)
        before, here, after = points[index - 1], points[index], points[(index + 1) % len(points)]
        base = max(float(np.hypot(*(after - before))), 1e-12)
        if abs(_cross(before, here, after)) / base < _FLAT or np.hypot(*(here - before)) < _FLAT:
            del points[index]
            index, unchanged = index - 1, 0
        else:
            index, unchanged = index + 1, unchanged + 1
    return np.array(points).reshape(-1, 2) if len(points) > 2 else np.zeros((0, 2))


def triangulate_polygon(outline: NDArray[np.float64]) -> NDArray[np.int32] | None:
    """Fill a polygon with triangles on its corners.

    The roundest ear is clipped first. The effort grows with the cube of the corners; made for
    tens of them.

    Args:
        outline: Shape [n, 2], counter-clockwise, not crossing itself [m].

    Returns:
        Shape [n - 2, 3], indices of corners, counter-clockwise; None if it cannot be filled.
    """
    left = list(range(len(outline)))
    triangles: list[tuple[int, int, int]] = []
    while len(left) > 2:
        corners = np.array(left)
        a, b, c = np.roll(corners, 1), corners, np.roll(corners, -1)
        quality = _ear_quality(outline[a], outline[b], outline[c], outline[corners])
        best = int(np.argmax(quality))
        if quality[best] <= 0.0:
            return None
        triangles.append((int(a[best]), int(b[best]), int(c[best])))
        del left[best]
    return np.array(triangles, dtype=np.int32) if triangles else None


def _ear_quality(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    c: NDArray[np.float64],
    corners: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how round each ear is, 0 for corners that are none, shape [n]."""
    double_area = _cross(a, b, c)
    sides = ((b - a) ** 2 + (c - b) ** 2 + (a - c) ** 2).sum(axis=1)
    # Another corner in the triangle or on its new edge forbids to clip it.
    p = corners[None, :, :]
    in_ab = _cross(a[:, None], b[:, None], p) > 0.0
    in_bc = _cross(b[:, None], c[:, None], p) > 0.0
    in_ca = _cross(c[:, None], a[:, None], p) >= 0.0
    taken = in_ab & in_bc & in_ca
    free = ~taken.any(axis=1) & (double_area >= 2.0 * _MIN_AREA)
    return np.where(free, double_area / np.maximum(sides, 1e-18), 0.0)


def _cross(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return twice the signed area of the triangles a, b, c."""
    area: NDArray[np.float64] = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (
        b[..., 1] - a[..., 1]
    ) * (c[..., 0] - a[..., 0])
    return area
