"""The rule that tells the corridor from the rest of a map."""

from __future__ import annotations

from dataclasses import dataclass

from roboracer_arena.corridor.core import CoreComponent, Region
from roboracer_arena.corridor.failures import describe_gaps, describe_stripes, open_region
from roboracer_arena.corridor.free_space import free_space
from roboracer_arena.corridor.gaps import find_wall_gaps
from roboracer_arena.corridor.scene import Scene, describe_region, encloses, look_at
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.corridor.start import StartCell, region_at, start_cell
from roboracer_arena.corridor.streaks import fill_streaks
from roboracer_arena.corridor.stripes import find_stripes
from roboracer_arena.errors import AmbiguousCorridorError
from roboracer_arena.maps import OccupancyMap

__all__ = ["Choice", "choose_region"]

_DOMINANCE = 4.0
"""A lap this many times larger than any other is taken without asking."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A region, and how it came to be chosen."""

    region: Region
    """The corridor."""
    scene: Scene
    """What it was chosen from."""
    is_open: bool = False
    """Whether it is no lap, which the settings allow."""
    notes: tuple[str, ...] = ()
    """What to tell the user about the choice."""


def choose_region(
    source: OccupancyMap, settings: CorridorSettings, start: tuple[float, float] | None
) -> Choice:
    """Return the region that is the corridor.

    It is the part of the core with an infield that does not touch the image border; failing that,
    one that touches it a little. Parts along much of the border are the outside of a drawing. If
    the thresholds give none, a grey that only reads as free is taken for unexplored space, then
    holes in walls are closed and unseen stripes bridged as far as the settings allow.

    Args:
        source: The map.
        settings: The settings.
        start: A place in the wanted corridor, map frame [m].

    Raises:
        CorridorError: There is no such region, or several; the message names the places.
    """
    cell = None if start is None else start_cell(source, start)
    scene = look_at(free_space(source), settings)
    choice = _pick(scene, cell)
    if choice is None and source.dim_free is not None:
        scene = look_at(free_space(source, without_dim=True), settings)
        choice = _pick(scene, cell, _DIM_NOTE)
    if choice is None and settings.max_obstacle_area > 0:
        choice = _pick(look_at(scene.space, settings, past_obstacles=True), cell, _TIGHT_NOTE)
    if choice is None and settings.close_gaps > 0:
        choice = _closed(scene, cell) or _bridged(scene, cell)
    if choice is not None:
        return _without_streaks(choice, cell)
    region, note = open_region(scene, cell)
    return Choice(region, scene, is_open=True, notes=(note,))


def _without_streaks(choice: Choice, start: StartCell | None) -> Choice:
    """Return the same choice with the unseen streaks in it made free, if it remains one."""
    filled = fill_streaks(choice.region, choice.scene.settings)
    if filled is None:
        return choice
    space, note = filled
    again = _pick(
        look_at(space, choice.scene.settings, past_obstacles=choice.scene.past_obstacles),
        start,
        *choice.notes,
        note,
    )
    return again or choice


_DIM_NOTE = (
    "the grey of the image border reads as free by the map's own free_thresh, but a whiter corridor"
    " lies within, so that grey was taken for unexplored space"
)


_TIGHT_NOTE = (
    "the corridor closes into a lap only past obstacles that leave little room beside them"
)


def _closed(scene: Scene, start: StartCell | None) -> Choice | None:
    """Return the lap that closing holes in walls gives, if the settings allow their width."""
    gaps = find_wall_gaps(scene)
    if gaps is None or gaps.widths[0] > scene.settings.close_gaps:
        return None
    return _pick(gaps.closed, start, f"the wall was closed across {describe_gaps(gaps)}")


def _bridged(scene: Scene, start: StartCell | None) -> Choice | None:
    """Return the lap that bridging unseen stripes gives, if the settings allow their width."""
    stripes = find_stripes(scene, scene.settings.close_gaps)
    if stripes is None:
        return None
    return _pick(stripes.bridged, start, f"bridged {describe_stripes(stripes)}")


def _pick(scene: Scene, start: StartCell | None, *notes: str) -> Choice | None:
    """Return the lap of a scene, or the one at the start."""
    if start is not None:
        region = region_at(scene, start)
        return None if region is None else Choice(region, scene, notes=notes)
    laps = scene.laps()
    lap, note = _one_of(scene, [lap for lap in laps if not lap[0].border_contact] or laps)
    if lap is None:
        return None
    return Choice(lap[1], scene, notes=(*notes, note) if note else notes)


def _one_of(
    scene: Scene, laps: list[tuple[CoreComponent, Region]]
) -> tuple[tuple[CoreComponent, Region] | None, str]:
    """Return the one that is meant of several laps, and why."""
    if len(laps) <= 1:
        return (laps[0] if laps else None), ""
    inner = [
        lap
        for lap in laps
        if not any(encloses(lap[1], other[0]) for other in laps if other is not lap)
    ]
    places = "; ".join(describe_region(region) for _, region in laps)
    if len(inner) == 1:
        return inner[0], f"of {len(laps)} loops around each other the innermost was taken: {places}"
    areas = sorted((lap[0].cells for lap in inner), reverse=True)
    if areas[0] >= _DOMINANCE * areas[1]:
        return inner[0], f"of {len(laps)} separate loops the largest was taken: {places}"
    raise AmbiguousCorridorError(
        f"{len(laps)} separate loops are equally likely: {places}; choose one with --start X Y",
        where=scene.space.source.name,
    )
