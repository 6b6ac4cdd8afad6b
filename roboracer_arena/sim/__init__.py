"""Simulation: engines, the car on them, its lidar, and the race."""
