"""From an occupancy map to its corridor."""

from __future__ import annotations

from pydantic import ValidationError

from roboracer_arena.corridor.borders import collision_borders
from roboracer_arena.corridor.choose import choose_region
from roboracer_arena.corridor.islands import fill_phantoms, obstacles_only, sort_islands
from roboracer_arena.corridor.laps import check_lap, describe_obstacles
from roboracer_arena.corridor.model import Corridor
from roboracer_arena.corridor.rim import describe_rim
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.corridor.style import drawing_style
from roboracer_arena.errors import SettingsError
from roboracer_arena.maps import OccupancyMap

__all__ = ["find_corridor"]


def find_corridor(
    source: OccupancyMap,
    settings: CorridorSettings | None = None,
    *,
    start: tuple[float, float] | None = None,
    close_gaps: float | None = None,
) -> Corridor:
    """Find the drivable corridor of a map: the free space that walls enclose on both sides.

    Args:
        source: The map.
        settings: Thresholds and tolerances; the defaults suit 1:10 cars.
        start: A place in the wanted corridor, map frame [m]. Default: chosen by rule.
        close_gaps: Overrides the setting of that name [m].

    Returns:
        The corridor; its ``warnings`` say what had to be decided or repaired.

    Raises:
        NoCorridorError: Nothing drivable is enclosed by walls.
        LeakError: The corridor runs out of the track through a hole in a wall.
        OpenCorridorError: The corridor does not close into a lap.
        AmbiguousCorridorError: There are several loops.
        CorridorError: The start lies in no corridor.
        UsageError: The start is no place.
        SettingsError: ``close_gaps`` is out of range.
    """
    settings = _with_gaps(settings or CorridorSettings(), close_gaps)
    choice = choose_region(source, settings, start)
    kept = [] if choice.is_open else sort_islands(choice.region, settings).infields
    region, unseen = fill_phantoms(choice.region, settings, kept)
    islands = obstacles_only(region) if choice.is_open else sort_islands(region, settings)
    several = check_lap(region, islands, settings)
    return Corridor(
        source=source,
        free=region.mask,
        window=region.window,
        style=drawing_style(region, islands),
        borders=collision_borders(region, islands, settings),
        closed=bool(islands.infields),
        warnings=(
            *choice.notes,
            *several,
            *unseen,
            *describe_obstacles(region, islands),
            *describe_rim(region),
        ),
    )


def _with_gaps(settings: CorridorSettings, close_gaps: float | None) -> CorridorSettings:
    """Return the settings with another ``close_gaps``."""
    if close_gaps is None:
        return settings
    try:
        return CorridorSettings.model_validate({**settings.model_dump(), "close_gaps": close_gaps})
    except ValidationError as error:
        raise SettingsError(
            f"is {close_gaps!r}: {error.errors()[0]['msg'].lower()}; the limit is 5 m",
            where="close_gaps",
        ) from error
