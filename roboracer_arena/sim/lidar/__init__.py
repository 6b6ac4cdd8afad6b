"""The planar lidar: exact against walls, obstacles and other cars."""

from roboracer_arena.sim.lidar.scene import ScanScene
from roboracer_arena.sim.lidar.sensor import Lidar, LidarModel, car_corners

__all__ = ["Lidar", "LidarModel", "ScanScene", "car_corners"]
