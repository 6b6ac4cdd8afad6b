"""Closed curves: even samples, low-pass smoothing, splines and their curvature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ClosedCurve", "closed_length", "low_pass", "resample_closed", "spline_through"]


@dataclass(frozen=True, slots=True, eq=False)
class ClosedCurve:
    """A smooth closed curve at points that are even along it."""

    points: NDArray[np.float64]
    """Shape [n, 2], [m]."""
    heading: NDArray[np.float64]
    """Shape [n], [rad], unwrapped."""
    curvature: NDArray[np.float64]
    """Shape [n], [1/m], left turns positive."""
    length: float
    """Length of the whole curve [m]."""


def closed_length(points: NDArray[np.float64]) -> float:
    """Return the length of a closed polyline [m], shape [n, 2], first point not repeated."""
    step = np.roll(points, -1, axis=0) - points
    return float(np.hypot(step[:, 0], step[:, 1]).sum())


def resample_closed(points: NDArray[np.float64], spacing: float) -> NDArray[np.float64]:
    """Return points evenly spaced along a closed polyline, about ``spacing`` apart.

    Args:
        points: Shape [n, 2], the first point not repeated.
        spacing: [m].
    """
    closed = np.vstack([points, points[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    count = max(8, round(along[-1] / spacing))
    target = np.arange(count) * (along[-1] / count)
    return np.column_stack([np.interp(target, along, closed[:, axis]) for axis in (0, 1)])


def low_pass(points: NDArray[np.float64], spacing: float, wavelength: float) -> NDArray[np.float64]:
    """Smooth a closed line of even points as a periodic smoothing spline does.

    The weight of a bend of wavelength w is 1/(1 + (wavelength/w)^6), the response of a spline that
    trades distance against change of curvature: half at ``wavelength``, 98 % at twice that, so that
    wide bends do not shrink as they would under a Gaussian.

    Args:
        points: Shape [n, 2].
        spacing: Distance of the points along the line [m].
        wavelength: Shortest bend that is kept [m].
    """
    spectrum = np.fft.rfft(points, axis=0)
    frequency = np.fft.rfftfreq(len(points), spacing)
    weight = 1.0 / (1.0 + (frequency * wavelength) ** 6)
    return np.asarray(np.fft.irfft(spectrum * weight[:, None], n=len(points), axis=0))


def spline_through(
    points: NDArray[np.float64], spacing: float, start: float = 0.0, count: int | None = None
) -> ClosedCurve:
    """Return the periodic cubic spline through points, sampled evenly.

    Args:
        points: Shape [n, 2], no two in a row alike; the first point not repeated.
        spacing: Wanted distance between samples [m].
        start: Where along the curve the first sample lies, counted in points (0 to n).
        count: Number of samples, instead of the spacing.
    """
    from scipy.interpolate import CubicSpline  # not at module level: costs 0.4 s to import

    closed = np.vstack([points, points[:1]])
    chords = np.hypot(*np.diff(closed, axis=0).T)
    knots = np.concatenate([[0.0], np.cumsum(chords)])
    spline = CubicSpline(knots, closed, bc_type="periodic")
    begin = float(np.interp(start, np.arange(len(knots)), knots))
    # Lengths from a fine polyline; at 8 parts per point its error is below 1e-5.
    fine = np.linspace(begin, begin + knots[-1], 8 * len(points) + 1)
    steps = np.diff(spline(fine), axis=0)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(steps[:, 0], steps[:, 1]))])
    length = float(along[-1])
    samples = max(8, round(length / spacing)) if count is None else count
    parameter = np.interp(np.arange(samples) * (length / samples), along, fine)
    first, second = spline(parameter, 1), spline(parameter, 2)
    speed = np.hypot(first[:, 0], first[:, 1])
    cross = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    return ClosedCurve(
        points=np.asarray(spline(parameter)),
        heading=np.unwrap(np.arctan2(first[:, 1], first[:, 0])),
        curvature=cross / np.maximum(speed, 1e-12) ** 3,
        length=length,
    )
