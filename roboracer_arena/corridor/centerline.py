"""The line midway between the walls of a corridor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.curves import (
    ClosedCurve,
    closed_length,
    low_pass,
    resample_closed,
    spline_through,
)
from roboracer_arena.corridor.model import Border, Centerline, Corridor
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.corridor.sides import halfway_line
from roboracer_arena.corridor.smoothing import gaussian_closed
from roboracer_arena.corridor.trace import signed_area
from roboracer_arena.errors import AmbiguousCorridorError, OpenCorridorError

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

__all__ = ["find_centerline"]

_BORDER_SPACING = 0.04
"""Distance of the border samples that distances are measured to [m]; the error is its square
over eight times the distance, under 1 mm from 0.2 m on."""
_ROUNDS = (0.2, 0.1)
"""Distance of the points in each round of correction [m]. A round halves what is left at bends
and ends it on straights."""
_ROUGHNESS = 0.2
"""Standard deviation of the smoothing of the rough line [m], twice its cells."""
_LARGEST_STEP = 0.15
"""How far one correction may move a point [m]."""
_STRAIGHT_CURVATURE = 0.1
"""Curvature up to which a stretch counts as straight [1/m]: a radius of 10 m."""


def find_centerline(
    corridor: Corridor,
    *,
    direction: Literal["ccw", "cw"] = "ccw",
    start: tuple[float, float] | None = None,
    settings: CorridorSettings | None = None,
) -> Centerline:
    """Return the line midway between the outer wall and the infields, once around.

    Obstacles are not heeded, neither by the line nor by its widths.

    Args:
        corridor: A corridor with at least one infield. With several, the line goes around all.
        direction: Driving direction, counter-clockwise or clockwise seen from above.
        start: Where the lap starts, map frame [m]: the nearest point of the line. Default: the
            middle of the longest straight.
        settings: ``centerline_wavelength`` and ``centerline_spacing`` are used.

    Raises:
        OpenCorridorError: The corridor has no infield.
        AmbiguousCorridorError: Its infields lie too far apart for one lap around all.
    """
    settings = settings or CorridorSettings()
    inner = [border for border in corridor.borders if border.kind == "infield"]
    obstacles = [border for border in corridor.borders if border.kind == "obstacle"]
    if not inner:
        raise OpenCorridorError(
            "the corridor has no infield to drive around, so it has no closed centreline",
            where=corridor.source.name,
        )
    line = halfway_line(corridor, inner, obstacles)
    if not len(line):
        raise AmbiguousCorridorError(
            f"no single lap goes around all {len(inner)} infields; close the short cuts in the map",
            where=corridor.source.name,
        )
    walls = _Walls(corridor.borders[0], inner)
    points = _to_the_middle(line, walls, settings.centerline_wavelength)
    if (signed_area(points) > 0) != (direction == "ccw"):
        points = points[::-1]
    curve = spline_through(points, settings.centerline_spacing, _start(corridor, points, start))
    return _centerline(curve, walls, direction)


class _Walls:
    """Distances to the outer wall and to the infields."""

    def __init__(self, outer: Border, inner: list[Border]) -> None:
        self._outer = _tree([outer])
        self._inner = _tree(inner)

    def distances(self, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Return the distances [n] to the outer and to the inner wall [m]."""
        return _query(self._outer, points)[0], _query(self._inner, points)[0]

    def to_the_middle(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return one Newton step [n, 2] towards equal distances [m]."""
        outer, outer_index = _query(self._outer, points)
        inner, inner_index = _query(self._inner, points)
        slope = (points - self._outer.data[outer_index]) / np.maximum(outer, 1e-9)[:, None]
        slope -= (points - self._inner.data[inner_index]) / np.maximum(inner, 1e-9)[:, None]
        steepness = np.maximum(np.sum(slope**2, axis=1), 0.5)
        step = -((outer - inner) / steepness)[:, None] * slope
        length = np.hypot(step[:, 0], step[:, 1])
        factor = np.minimum(1.0, _LARGEST_STEP / np.maximum(length, 1e-12))
        return np.asarray(step * factor[:, None])


def _tree(borders: list[Border]) -> cKDTree:
    from scipy.spatial import cKDTree  # not at module level: costs 0.4 s to import

    samples = [resample_closed(border.points, _BORDER_SPACING) for border in borders]
    # Borders come in order along walls; a balanced tree would sort them at four times the cost.
    return cKDTree(np.concatenate(samples), balanced_tree=False, compact_nodes=False)


def _query(
    tree: cKDTree, points: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return distance and index of the sample nearest to each point."""
    distance, index = tree.query(points)
    return np.asarray(distance, dtype=np.float64), np.asarray(index, dtype=np.int64)


def _to_the_middle(
    line: NDArray[np.float64], walls: _Walls, wavelength: float
) -> NDArray[np.float64]:
    """Move a rough line to equal distances from both sides, and smooth it."""
    length = closed_length(line)
    points = gaussian_closed(line, _ROUGHNESS * len(line) / length)
    # On a lap of a few metres the whole lap is the bend that must not be smoothed away.
    wavelength = min(wavelength, length / 4)
    for spacing in _ROUNDS:
        points = resample_closed(points, spacing)
        points = low_pass(points + walls.to_the_middle(points), spacing, wavelength)
    return resample_closed(points, _ROUNDS[-1])


def _start(
    corridor: Corridor, points: NDArray[np.float64], start: tuple[float, float] | None
) -> float:
    """Return where the lap starts, in points along the line."""
    if start is not None:
        place = corridor.source.origin.inverse_transform(np.array([start], dtype=np.float64))[0]
        return float(np.argmin(np.sum((points - place) ** 2, axis=1)))
    curvature = np.abs(spline_through(points, _ROUNDS[-1]).curvature)
    return _middle_of_longest_run(curvature <= max(_STRAIGHT_CURVATURE, curvature.min()))


def _middle_of_longest_run(flags: NDArray[np.bool_]) -> float:
    """Return the middle of the longest cyclic run of true flags, which has at least one."""
    if flags.all():
        return 0.0
    first = int(np.argmin(flags))  # begin at a false one, so that no run wraps around
    rolled = np.roll(flags, -first).astype(np.int8)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], rolled, [0]])))
    begin, end = edges[::2], edges[1::2]
    longest = int(np.argmax(end - begin))
    return float((begin[longest] + end[longest] - 1) // 2 + first) % len(flags)


def _centerline(curve: ClosedCurve, walls: _Walls, direction: str) -> Centerline:
    outer, inner = walls.distances(curve.points)
    left, right = (inner, outer) if direction == "ccw" else (outer, inner)
    count = len(curve.points)
    return Centerline(
        points=curve.points,
        arc_length=np.linspace(0.0, curve.length, count, endpoint=False),
        heading=curve.heading,
        curvature=curve.curvature,
        width_right=right,
        width_left=left,
        length=curve.length,
    )
