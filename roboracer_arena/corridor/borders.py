"""From outlines in cells to borders in metres, smoothed and thinned within a tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.core import Region
from roboracer_arena.corridor.crossing import crossing_lines
from roboracer_arena.corridor.islands import Islands
from roboracer_arena.corridor.model import Border
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.corridor.smoothing import gaussian_closed, limit_movement, simplify_closed
from roboracer_arena.corridor.trace import Outline, signed_area

__all__ = ["collision_borders", "to_grid"]

_MOVEMENT = 0.3
"""How far smoothing may move a point [cells]. Outlines keep sqrt(1/2) cell apart, so that even
two that approach each other this far do not meet."""
_SMALL = 24
"""Outlines with fewer points than this are kept as they are: smoothing would shrink them away."""


def collision_borders(
    region: Region, islands: Islands, settings: CorridorSettings
) -> tuple[Border, ...]:
    """Return the wall faces of a region as borders.

    Every border point lies within 0.3 cells plus the tolerance of the settings of the line
    through the middles of the cell edges, and no border crosses itself or another.
    """
    outlines = [region.outlines[0], *islands.infields, *islands.obstacles]
    kinds: list[Literal["outer", "infield", "obstacle"]] = ["outer"]
    kinds += ["infield"] * len(islands.infields)
    kinds += ["obstacle"] * len(islands.obstacles)
    resolution = region.space.source.resolution
    lines = _without_crossings(outlines, settings, settings.collision_tolerance / resolution)
    return tuple(
        Border(
            points=(points := to_grid(line, region.window, resolution)),
            kind=kind,
            area=abs(signed_area(points)),
        )
        for line, kind in zip(lines, kinds, strict=True)
    )


def to_grid(
    cells: NDArray[np.float64], window: tuple[int, int], resolution: float
) -> NDArray[np.float64]:
    """Turn columns and rows of a window into grid-frame metres, shape [n, 2]."""
    return np.asarray((cells + np.array([window[1], window[0]]) + 0.5) * resolution)


def _without_crossings(
    outlines: Sequence[Outline], settings: CorridorSettings, tolerance: float
) -> list[NDArray[np.float64]]:
    """Smooth and thin outlines; those that then cross get less of both, in the end neither."""
    smooth = [_smooth(outline.points, settings.collision_smoothing) for outline in outlines]
    lines = [simplify_closed(line, tolerance) for line in smooth]
    for attempt in range(3):
        crossing = crossing_lines(lines)
        if not crossing:
            break
        for index in crossing:
            lines[index] = (
                simplify_closed(smooth[index], tolerance / 4)
                if attempt == 0
                else smooth[index]
                if attempt == 1
                else outlines[index].points
            )
    return lines


def _smooth(points: NDArray[np.float64], deviation: float) -> NDArray[np.float64]:
    """Smooth an outline, unless it is too small for that."""
    if len(points) < _SMALL:
        return points
    return limit_movement(gaussian_closed(points, deviation), points, _MOVEMENT)
