"""ROS occupancy maps: the one representation that every track passes through."""

from roboracer_arena.maps.image import MAX_PIXELS
from roboracer_arena.maps.metadata import MapMetadata, parse_metadata, read_metadata
from roboracer_arena.maps.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D
from roboracer_arena.maps.reader import find_map_yaml, read_map
from roboracer_arena.maps.writer import write_map

__all__ = [
    "FREE",
    "MAX_PIXELS",
    "OCCUPIED",
    "UNKNOWN",
    "MapMetadata",
    "OccupancyMap",
    "Pose2D",
    "find_map_yaml",
    "parse_metadata",
    "read_map",
    "read_metadata",
    "write_map",
]
