"""What lies behind the border of a corridor where it is no wall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.core import Region
from roboracer_arena.corridor.trace import Outline
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN

__all__ = ["describe_rim", "unwalled_length"]

_OUTSIDE = 1
"""Stands for a place outside of the image; no cell has this value."""
_LENGTH_PER_POINT = float(np.pi / 4)
"""Length of a wall per cell edge that it passes, averaged over directions [cells]."""
_TEXTS = {
    UNKNOWN: "{n} stretch(es) of the border, {total:.1f} m together, have unknown space behind"
    " them and no wall; it was closed there, the longest, {longest:.2f} m, at {place}",
    FREE: "{n} narrow opening(s), where free space runs on but is too narrow to drive, were"
    " walled off; the longest, {longest:.2f} m, is at {place}",
    _OUTSIDE: "the corridor touches the image border in {n} place(s), {total:.1f} m together,"
    " and the border acts as a wall there; the longest, {longest:.2f} m, is at {place}",
}


def describe_rim(region: Region) -> list[str]:
    """Say where a wall was put that the map does not show.

    A corridor ends where free cells end, where a passage is too narrow to drive, and at the image
    border; only the first is usually a wall.
    """
    runs: dict[int, list[_Run]] = {value: [] for value in _TEXTS}
    for outline in region.outlines:
        behind = _cells_behind(region, outline)
        for value, found in runs.items():
            found.extend(_runs(outline, behind == value))
    return [_describe(region, _TEXTS[value], found) for value, found in runs.items() if found]


def unwalled_length(region: Region) -> float:
    """Return how long the border is where unknown space lies behind it and no wall [m]."""
    points = sum(
        np.count_nonzero(_cells_behind(region, outline) == UNKNOWN) for outline in region.outlines
    )
    return points * _LENGTH_PER_POINT * region.space.source.resolution


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch of an outline."""

    length: float
    """[cells]"""
    column: float
    """Of its middle."""
    row: float
    """Of its middle."""


def _describe(region: Region, text: str, runs: list[_Run]) -> str:
    """Fill a text with number, length and place of some stretches."""
    resolution = region.space.source.resolution
    longest = max(runs, key=lambda run: run.length)
    return text.format(
        n=len(runs),
        total=sum(run.length for run in runs) * resolution,
        longest=longest.length * resolution,
        place=region.place(longest.column, longest.row),
    )


def _cells_behind(region: Region, outline: Outline) -> NDArray[np.uint8]:
    """Return what lies beyond each point of an outline, as a cell value.

    Unknown cells beside an occupied one count as occupied: walls are ragged, and drawn lines have
    grey edges. So do free cells that a closed hole left outside.
    """
    space, source = region.space, region.space.source
    rows = outline.wall[:, 1] + region.window[0]
    columns = outline.wall[:, 0] + region.window[1]
    within = _within(rows, columns, source.cells.shape)
    values = np.full(len(rows), _OUTSIDE, dtype=np.uint8)
    values[within] = source.cells[rows[within], columns[within]]
    for index in np.flatnonzero(values == FREE):
        row, column = rows[index], columns[index]
        if source.dim_free is not None and source.dim_free[row, column]:
            values[index] = UNKNOWN
        elif not space.mask[row - space.window[0], column - space.window[1]]:
            values[index] = OCCUPIED
    unknown = np.flatnonzero(values == UNKNOWN)
    values[unknown[_beside_wall(source.cells, rows[unknown], columns[unknown])]] = OCCUPIED
    return values


def _beside_wall(
    cells: NDArray[np.uint8], rows: NDArray[np.int32], columns: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Whether one of the eight neighbours of each cell is occupied."""
    found = np.zeros(len(rows), dtype=np.bool_)
    for up in (-1, 0, 1):
        for right in (-1, 0, 1):
            r = np.clip(rows + up, 0, cells.shape[0] - 1)
            c = np.clip(columns + right, 0, cells.shape[1] - 1)
            found |= cells[r, c] == OCCUPIED
    return found


def _within(
    rows: NDArray[np.int32], columns: NDArray[np.int32], shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Whether cells lie in a raster."""
    return (rows >= 0) & (rows < shape[0]) & (columns >= 0) & (columns < shape[1])


def _runs(outline: Outline, flags: NDArray[np.bool_]) -> list[_Run]:
    """Return the cyclic runs of true flags along an outline."""
    if not flags.any():
        return []
    # Begin at a false flag, so that no run wraps around.
    first = 0 if flags.all() else int(np.argmin(flags))
    points = np.roll(outline.points, -first, axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.roll(flags, -first), [0]])))
    steps = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    return [
        _Run(float(along[end] - along[begin]), *points[(begin + end - 1) // 2].tolist())
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
    ]
