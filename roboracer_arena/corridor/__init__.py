"""From an occupancy map to the drivable corridor: its cells, borders, clearance and centreline."""

from roboracer_arena.corridor.centerline import find_centerline
from roboracer_arena.corridor.find import find_corridor
from roboracer_arena.corridor.model import Border, Centerline, ClearanceField, Corridor
from roboracer_arena.corridor.settings import CorridorSettings

__all__ = [
    "Border",
    "Centerline",
    "ClearanceField",
    "Corridor",
    "CorridorSettings",
    "find_centerline",
    "find_corridor",
]
