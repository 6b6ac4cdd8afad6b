"""From an occupancy map to the drivable corridor: its cells, borders, clearance and centreline."""

from roboracer_arena.corridor.model import Border, Centerline, ClearanceField, Corridor

__all__ = ["Border", "Centerline", "ClearanceField", "Corridor"]
