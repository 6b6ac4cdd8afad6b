"""Whether a corridor closes into exactly one lap."""

from __future__ import annotations

from roboracer_arena.corridor.core import Region
from roboracer_arena.corridor.islands import Islands
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.errors import AmbiguousCorridorError

__all__ = ["check_lap", "describe_obstacles"]

_MOST_INFIELDS = 6
"""Infields that one message names."""


def check_lap(region: Region, islands: Islands, settings: CorridorSettings) -> list[str]:
    """Make sure that there is only one way around, or that several are allowed.

    Returns:
        What to tell the user.

    Raises:
        AmbiguousCorridorError: There are several infields and the settings do not allow that.
    """
    if len(islands.infields) <= 1:
        return []
    cell_area = region.space.source.resolution**2
    named = "; ".join(
        f"{island.cells * cell_area:.2f} m² at {region.place(*island.center)}"
        for island in islands.infields[:_MOST_INFIELDS]
    )
    count = len(islands.infields)
    if settings.allow_branches:
        return [f"the corridor has {count} infields, the lap goes around all of them: {named}"]
    raise AmbiguousCorridorError(
        f"the lap is ambiguous, since the corridor has {count} infields: {named}; close the short"
        " cuts in the map, or set allow_branches to lap around all of them, or raise"
        " min_infield_area to take the smaller ones for obstacles",
        where=region.space.source.name,
    )


def describe_obstacles(region: Region, islands: Islands) -> list[str]:
    """Say which obstacles were kept."""
    if not islands.obstacles:
        return []
    cell_area = region.space.source.resolution**2
    largest = islands.obstacles[0]
    note = (
        f"{len(islands.obstacles)} obstacle(s) inside the corridor were kept as walls; the largest,"
        f" {largest.cells * cell_area:.4g} m², is at {region.place(*largest.center)}"
    )
    return [note]
