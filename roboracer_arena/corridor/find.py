"""From an occupancy map to its corridor."""

from __future__ import annotations

from roboracer_arena.corridor.borders import collision_borders
from roboracer_arena.corridor.choose import choose_region
from roboracer_arena.corridor.islands import fill_phantoms, sort_islands
from roboracer_arena.corridor.model import Corridor
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.maps import OccupancyMap

__all__ = ["find_corridor"]


def find_corridor(
    source: OccupancyMap,
    settings: CorridorSettings | None = None,
    *,
    start: tuple[float, float] | None = None,
    close_gaps: float | None = None,
) -> Corridor:
    """Find the corridor."""
    settings = settings or CorridorSettings()
    region, notes = choose_region(source, settings)
    region, more = fill_phantoms(region, settings)
    islands = sort_islands(region, settings)
    return Corridor(
        source=source,
        free=region.mask,
        window=region.window,
        style="filled",
        borders=collision_borders(region, islands, settings),
        closed=len(islands.infields) == 1,
        warnings=(*notes, *more),
    )
