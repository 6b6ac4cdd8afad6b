"""Centrelines as F1TENTH ``centerline.csv`` files: x_m, y_m, w_tr_right_m, w_tr_left_m."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.curves import spline_through
from roboracer_arena.corridor.model import Centerline
from roboracer_arena.errors import InputError
from roboracer_arena.files import atomic_path
from roboracer_arena.maps import Pose2D

__all__ = ["read_centerline_csv", "write_centerline_csv"]

_HEADER = "# x_m, y_m, w_tr_right_m, w_tr_left_m"
_COLUMNS = 4
_FEWEST_POINTS = 8
_LARGEST_FILE = 50_000_000
"""[bytes] A centreline of 700 m has half a megabyte."""


def write_centerline_csv(
    path: Path, centerline: Centerline, origin: Pose2D, *, force: bool = False
) -> None:
    """Write a centreline in the map frame, to a micrometre.

    Args:
        path: The file.
        centerline: The line, grid frame.
        origin: Pose of the grid frame in the map frame.
        force: Whether to replace an existing file.

    Raises:
        OutputExistsError: The file exists and ``force`` is false.
        OutputError: The file cannot be written.
    """
    places = origin.transform(centerline.points)
    rows = np.column_stack([places, centerline.width_right, centerline.width_left])
    text = "\n".join([_HEADER, *(", ".join(f"{value:.6f}" for value in row) for row in rows)])
    with atomic_path(path, force=force) as temporary:
        temporary.write_text(text + "\n", encoding="ascii", newline="\n")


def read_centerline_csv(path: Path, origin: Pose2D) -> Centerline:
    """Read a closed centreline.

    Lines that begin with ``#`` and empty lines are skipped; a repeated end point is dropped. The
    points are spread evenly along the periodic cubic spline through them.

    Args:
        path: The file, in the map frame.
        origin: Pose of the grid frame in the map frame.

    Returns:
        The line in the grid frame, with as many points as the file has.

    Raises:
        InputError: The file is unreadable, or a row is no point; the message names the row.
    """
    rows = _read_rows(path)
    if len(rows) > 1 and np.array_equal(rows[0, :2], rows[-1, :2]):
        rows = rows[:-1]
    if len(rows) < _FEWEST_POINTS:
        raise InputError(
            f"has {len(rows)} points, a closed line needs {_FEWEST_POINTS}", where=str(path)
        )
    points = origin.inverse_transform(rows[:, :2])
    steps = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
    if not steps.all():
        repeated = int(np.argmin(steps))
        raise InputError(f"repeats point {repeated + 1}; remove one of the two", where=str(path))
    curve = spline_through(points, float(steps.sum()) / len(points), count=len(points))
    # The widths belong to the file's points; their place along the line is their chord length.
    along = np.concatenate([[0.0], np.cumsum(steps)]) * (curve.length / steps.sum())
    arc_length = np.linspace(0.0, curve.length, len(points), endpoint=False)
    right, left = (
        np.interp(arc_length, along, np.append(rows[:, column], rows[0, column]))
        for column in (2, 3)
    )
    return Centerline(
        points=curve.points,
        arc_length=arc_length,
        heading=curve.heading,
        curvature=curve.curvature,
        width_right=right,
        width_left=left,
        length=curve.length,
    )


def _read_rows(path: Path) -> NDArray[np.float64]:
    """Return the numbers of a file, shape [n, 4]."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError("is too large to be a centreline", where=str(path))
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from error
    rows = [
        _read_row(line, f"{path}: line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, _COLUMNS)


def _read_row(line: str, where: str) -> list[float]:
    """Return the four numbers of a row."""
    fields = [field.strip() for field in line.split(",")]
    if len(fields) != _COLUMNS:
        raise InputError(
            f"has {len(fields)} fields between commas, not x, y, right and left width", where=where
        )
    try:
        numbers = [float(field) for field in fields]
    except ValueError as error:
        raise InputError(f"'{line.strip()[:60]}' is no row of numbers", where=where) from error
    if not all(math.isfinite(number) for number in numbers) or min(numbers[2:]) < 0:
        raise InputError(
            f"'{line.strip()[:60]}' has a number that is not finite or a negative width",
            where=where,
        )
    return numbers
