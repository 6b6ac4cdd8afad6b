"""Turning rows of vectors by rows of quaternions w x y z."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["cross", "rotate", "unrotate", "yaw_of"]

Array = NDArray[np.float64]


def cross(a: Array, b: Array) -> Array:
    """Return the cross products of rows [n, 3]; several times faster than ``np.cross`` on few."""
    product = np.empty_like(a)
    product[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    product[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    product[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return product


def rotate(quaternion: Array, vector: Array) -> Array:
    """Turn vectors [n, 3] from the body into the world frame by quaternions w x y z [n, 4]."""
    axis = quaternion[:, 1:]
    twice = 2.0 * cross(axis, vector)
    return np.asarray(vector + quaternion[:, :1] * twice + cross(axis, twice))


def unrotate(quaternion: Array, vector: Array) -> Array:
    """Turn vectors [n, 3] from the world into the body frame by quaternions w x y z [n, 4]."""
    axis = quaternion[:, 1:]
    twice = 2.0 * cross(axis, vector)
    return np.asarray(vector - quaternion[:, :1] * twice + cross(axis, twice))


def yaw_of(quaternion: Array) -> Array:
    """Return the heading of quaternions w x y z, shape [n, 4] to [n], [rad]."""
    w, x, y, z = quaternion.T
    return np.asarray(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
