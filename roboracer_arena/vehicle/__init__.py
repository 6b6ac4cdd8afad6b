"""The car as numbers: parameters with sources, steering geometry, tyre law, steady handling."""

from roboracer_arena.vehicle.ackermann import (
    curvature,
    steering_for_curvature,
    turning_radius,
    wheel_angles,
)
from roboracer_arena.vehicle.lidar import LidarParameters
from roboracer_arena.vehicle.loading import (
    lidar_quantities,
    load_lidar,
    load_vehicle,
    vehicle_quantities,
)
from roboracer_arena.vehicle.parameters import VehicleParameters
from roboracer_arena.vehicle.quantities import Quantity, write_quantities

__all__ = [
    "LidarParameters",
    "Quantity",
    "VehicleParameters",
    "curvature",
    "lidar_quantities",
    "load_lidar",
    "load_vehicle",
    "steering_for_curvature",
    "turning_radius",
    "vehicle_quantities",
    "wheel_angles",
    "write_quantities",
]
