"""ROS occupancy maps: the one representation that every track passes through."""

from roboracer_arena.maps.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D
from roboracer_arena.maps.reader import MAX_PIXELS, read_map

__all__ = ["FREE", "MAX_PIXELS", "OCCUPIED", "UNKNOWN", "OccupancyMap", "Pose2D", "read_map"]
