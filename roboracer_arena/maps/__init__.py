"""ROS occupancy maps: the one representation that every track passes through."""

from roboracer_arena.maps.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D

__all__ = ["FREE", "OCCUPIED", "UNKNOWN", "OccupancyMap", "Pose2D"]
