"""Steering geometry: the virtual middle wheel, the two real ones, and the circle they drive.

A positive angle turns left. The angle of a command is that of a virtual wheel in the middle of the
front axle; with Ackermann geometry all wheels roll about one point on the line of the rear axle, so
the inner wheel turns more than the outer one. Slip is not considered here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["curvature", "steering_for_curvature", "turning_radius", "wheel_angles"]

Angles = float | NDArray[np.float64]


def wheel_angles(
    steering: Angles, wheelbase: Angles, track_width: Angles
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the angles of the left and the right front wheel [rad], positive to the left.

    Written as ``tan(wheel) = L tan(steering) / (L -+ w/2 tan(steering))``, which has no singularity
    at zero.

    Args:
        steering: Angle of the virtual middle wheel [rad], any shape.
        wheelbase: L [m], one number or of the same shape.
        track_width: w [m], one number or of the same shape.
    """
    tangent = np.tan(np.asarray(steering, dtype=np.float64))
    half = 0.5 * track_width * tangent
    left = np.arctan(wheelbase * tangent / (wheelbase - half))
    right = np.arctan(wheelbase * tangent / (wheelbase + half))
    return left, right


def curvature(steering: Angles, wheelbase: float) -> NDArray[np.float64]:
    """Return the curvature of the path of the rear axle [1/m], positive to the left."""
    return np.asarray(np.tan(np.asarray(steering, dtype=np.float64)) / wheelbase)


def turning_radius(steering: Angles, wheelbase: float) -> NDArray[np.float64]:
    """Return the radius of the path of the rear axle [m], positive to the left, inf straight on."""
    bend = curvature(steering, wheelbase)
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(bend == 0.0, np.inf, 1.0 / bend))


def steering_for_curvature(bend: Angles, wheelbase: float) -> NDArray[np.float64]:
    """Return the angle of the virtual middle wheel [rad] for a curvature [1/m] of the rear axle."""
    return np.asarray(np.arctan(wheelbase * np.asarray(bend, dtype=np.float64)))
