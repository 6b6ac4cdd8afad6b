"""Why a map has no corridor, in words that say where to look and what to do."""

from __future__ import annotations

import math

from roboracer_arena.corridor.core import CoreComponent, Region
from roboracer_arena.corridor.gaps import WallGaps, find_wall_gaps
from roboracer_arena.corridor.necks import find_neck
from roboracer_arena.corridor.scene import Scene, describe_region
from roboracer_arena.corridor.start import StartCell, component_at, refuse_start
from roboracer_arena.corridor.stripes import Stripes, find_stripes
from roboracer_arena.errors import LeakError, NoCorridorError, OpenCorridorError

__all__ = ["describe_gaps", "describe_stripes", "open_region"]

_WIDEST_STRIPE = 1.0
"""Thickest unseen stripe that is named as the likely break of a loop [m]."""
_MOST_PLACES = 3
"""Places that one message names."""


def open_region(scene: Scene, start: StartCell | None) -> tuple[Region, str]:
    """Return the open corridor of a scene without a lap, or say why there is none.

    Raises:
        CorridorError: The start lies in no corridor.
        LeakError: The corridor runs out through holes in walls.
        OpenCorridorError: The corridor does not close, and open ones are not allowed.
        NoCorridorError: Nothing in the map is wide enough to drive, or only its outside.
    """
    if start is not None:
        refuse_start(scene, start)
    gaps = find_wall_gaps(scene)
    if gaps is not None:
        raise LeakError(
            f"the corridor runs out of the track through {describe_gaps(gaps)}; draw the wall"
            f" there, or pass --close-gaps {_round_up(gaps.widths[0])}",
            where=scene.space.source.name,
        )
    # A drawing that is cropped closely has several pieces of outside, in the image's corners.
    inside = [part for part in scene.components if not part.border_contact]
    inside = inside or [part for part in scene.components if not scene.is_outside(part)]
    if not inside:
        raise _no_corridor(scene)
    part = inside[0] if start is None else component_at(scene, start) or inside[0]
    if scene.settings.allow_open:
        region = scene.region(part)
        note = f"the corridor is open, it does not close into a lap: {describe_region(region)}"
        return region, note
    raise _not_closed(scene, part)


def _no_corridor(scene: Scene) -> NoCorridorError:
    """Return the error for a map that holds no corridor at all."""
    source = scene.space.source
    if not scene.components:
        return NoCorridorError(
            "no place in the map is farther than"
            f" {scene.settings.core_clearance:g} m from every cell that is not free; check"
            " resolution, negate and the thresholds of its YAML",
            where=source.name,
        )
    contact = scene.components[0].border_contact
    return NoCorridorError(
        "nothing drivable is enclosed by walls: the only wide free space runs along"
        f" {100 * contact:.0f} % of the image border and so is the outside; draw the outer wall,"
        " or say where the corridor is with --start X Y",
        where=source.name,
    )


def _not_closed(scene: Scene, part: CoreComponent) -> OpenCorridorError:
    """Return the error for a corridor without an infield."""
    stripes = find_stripes(scene, _WIDEST_STRIPE)
    where = scene.space.source.name
    if stripes is not None:
        return OpenCorridorError(
            f"the loop is broken by {describe_stripes(stripes)}; paint it free in the map, or pass"
            f" --close-gaps {_round_up(stripes.limit)} to bridge it",
            where=where,
        )
    neck = find_neck(scene)
    if neck is not None:
        return OpenCorridorError(
            f"the loop is blocked at {neck.place}, where only about {neck.width:.2f} m are free;"
            f" corridor.core_clearance {scene.settings.core_clearance:g} m needs"
            f" {2 * scene.settings.core_clearance:g} m: clear the passage in the map, or lower that"
            " setting",
            where=where,
        )
    region = scene.region(part)
    cell_area = scene.space.source.resolution**2
    smallest = scene.settings.min_infield_area
    islands = (
        f"its largest island has {region.islands[0].cells * cell_area:.2f} m²"
        if region.islands
        else "it has no island"
    )
    return OpenCorridorError(
        f"the corridor does not close into a lap around an infield of at least {smallest:g} m²:"
        f" {describe_region(region)}, {islands}; map the whole loop, choose another part with"
        " --start X Y, or lower the setting corridor.min_infield_area",
        where=where,
    )


def describe_gaps(gaps: WallGaps) -> str:
    """Name holes in walls."""
    return _list("a hole in a wall about {width:.2f} m wide at {place}", gaps.widths, gaps.places)


def describe_stripes(stripes: Stripes) -> str:
    """Name stripes of unknown space."""
    text = "a stripe of unknown space about {width:.2f} m thick at {place}"
    return _list(text, stripes.widths, stripes.places)


def _list(text: str, widths: tuple[float, ...], places: tuple[str, ...]) -> str:
    """Fill a text with the first few widths and places."""
    named = [
        text.format(width=width, place=place)
        for width, place in zip(widths[:_MOST_PLACES], places[:_MOST_PLACES], strict=True)
    ]
    left = len(widths) - len(named)
    return " and ".join(named) + (f" and {left} more" if left else "")


def _round_up(width: float) -> float:
    """Round a width up to the next 5 cm."""
    return math.ceil(width * 20 - 1e-6) / 20
