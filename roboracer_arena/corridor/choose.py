"""The rule that tells the corridor from the rest of a map."""

from __future__ import annotations

from roboracer_arena.corridor.core import Region, core_components, core_mask, reopen
from roboracer_arena.corridor.free_space import free_space
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.errors import OpenCorridorError
from roboracer_arena.maps import OccupancyMap

__all__ = ["choose_region"]

_FRAME = 2


def choose_region(source: OccupancyMap, settings: CorridorSettings) -> tuple[Region, list[str]]:
    """Return the largest region that walls enclose and that has an infield.

    Raises:
        OpenCorridorError: There is none.
    """
    radius = settings.core_clearance / source.resolution
    space = free_space(source, None, _FRAME)
    core = core_mask(space, radius)
    smallest = settings.min_infield_area / source.resolution**2
    for part in core_components(space, core, radius):
        if part.border_contact < settings.outside_contact and part.largest_hole >= smallest:
            region = reopen(space, core, part, radius)
            if any(island.cells >= smallest for island in region.islands):
                return region, []
    raise OpenCorridorError("no corridor of this map closes into a lap", where=source.name)
