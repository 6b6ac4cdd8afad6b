"""The start pose as a way to say which corridor is meant."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.core import CoreComponent, Region, reopening_reach
from roboracer_arena.corridor.islands import sort_islands
from roboracer_arena.corridor.scene import Scene
from roboracer_arena.errors import CorridorError, UsageError
from roboracer_arena.maps import FREE, UNKNOWN, OccupancyMap

__all__ = ["StartCell", "refuse_start", "region_at", "start_cell"]


@dataclass(frozen=True, slots=True)
class StartCell:
    """A start position and the cell that it lies in."""

    x: float
    """Map frame [m]."""
    y: float
    """Map frame [m]."""
    row: int
    """Row of the map; may lie outside of it."""
    column: int
    """Column of the map; may lie outside of it."""


def start_cell(source: OccupancyMap, start: tuple[float, float]) -> StartCell:
    """Return the cell of a start position.

    Raises:
        UsageError: The position is no finite number.
    """
    x, y = start
    if not (math.isfinite(x) and math.isfinite(y)):
        raise UsageError(f"is ({x}, {y}), which is no place", where="start")
    row, column = source.world_to_cell(np.array([[x, y]], dtype=np.float64))[0].tolist()
    return StartCell(x, y, row, column)


def region_at(scene: Scene, start: StartCell) -> Region | None:
    """Return the region of a scene that holds the start, if it is one that can be raced in.

    A part of the free space that does not close into a lap is none; nor is the outside of a
    drawing that has a corridor.
    """
    component = component_at(scene, start)
    if component is None:
        return None
    laps = scene.laps()
    if scene.is_outside(component):
        region = scene.region(component)
        closes = bool(sort_islands(region, scene.settings).infields)
        return region if closes and not laps else None
    return next((region for part, region in laps if part is component), None)


def component_at(scene: Scene, start: StartCell) -> CoreComponent | None:
    """Return the part of a scene whose region holds the start."""
    row, column = start.row - scene.space.window[0], start.column - scene.space.window[1]
    reach = reopening_reach(scene.radius) + 1
    for component in scene.components:
        left, top, width, height = component.box
        near = (
            left - reach <= column <= left + width + reach
            and top - reach <= row <= top + height + reach
        )
        if near and _holds(scene.region(component), start):
            return component
    return None


def refuse_start(scene: Scene, start: StartCell) -> None:
    """Raise if the start itself is what is wrong, naming the nearest place that is drivable.

    Raises:
        CorridorError: The start lies outside of the map, on no free cell, in a passage too narrow
            to drive, or around the track instead of on it.
    """
    reason = _why_not(scene, start)
    if reason is None:
        return
    nearest = _nearest_core_cell(scene, start)
    hint = (
        f"the nearest point with {scene.settings.core_clearance:g} m clearance is"
        f" {scene.space.place(*nearest)}"
        if nearest
        else "the map has no drivable place at all"
    )
    raise CorridorError(
        f"the start pose ({start.x:.2f}, {start.y:.2f}) m (column {start.column}, row {start.row}"
        f" from the bottom) {reason}; {hint}",
        where=f"{scene.space.source.name}: start",
    )


def _why_not(scene: Scene, start: StartCell) -> str | None:
    """Return why a start is bad in words, or None if it lies in a corridor."""
    source = scene.space.source
    if not (0 <= start.row < source.height and 0 <= start.column < source.width):
        return "lies outside of the map"
    value = int(source.cells[start.row, start.column])
    if value != FREE:
        return "lies in unknown space" if value == UNKNOWN else "lies in a wall"
    component = component_at(scene, start)
    if component is not None:
        if not scene.laps():
            return None
        if scene.is_outside(component):
            return "lies outside of the track"
        if scene.settings.allow_open or any(part is component for part, _ in scene.laps()):
            return None
        return "lies beside the track, in a part that does not close into a lap"
    return "lies in a passage too narrow to drive, or in unexplored space"


def _holds(region: Region, start: StartCell) -> bool:
    """Whether a region holds the start."""
    row, column = start.row - region.window[0], start.column - region.window[1]
    height, width = region.mask.shape
    return 0 <= row < height and 0 <= column < width and bool(region.mask[row, column])


def _nearest_core_cell(scene: Scene, start: StartCell) -> tuple[float, float] | None:
    """Return column and row of the nearest core cell, of a lap if there is one."""
    laps = [component for component, _ in scene.laps()]
    candidates = laps or [c for c in scene.components if not scene.is_outside(c)]
    best: tuple[float, float, float] | None = None
    for component in candidates or scene.components:
        left, top, width, height = component.box
        view = scene.core[top : top + height, left : left + width]
        rows, columns = np.nonzero(view)
        across: NDArray[np.int64] = columns + left + scene.space.window[1] - start.column
        up: NDArray[np.int64] = rows + top + scene.space.window[0] - start.row
        index = int(np.argmin(across**2 + up**2))
        distance = float(across[index] ** 2 + up[index] ** 2)
        if best is None or distance < best[0]:
            best = (distance, float(columns[index] + left), float(rows[index] + top))
    return None if best is None else (best[1], best[2])
