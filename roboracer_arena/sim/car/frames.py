"""Between base_link, which ROS speaks of, and the centre of mass, which engines move.

base_link is the point on the floor in the middle of the rear axle, x ahead, y left, z up. The
centre of mass lies ``com_to_rear`` ahead of it and ``com_height`` above it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.sim.car.fleet import Fleet
from roboracer_arena.sim.rotation import cross, rotate, unrotate

__all__ = [
    "base_link_pose",
    "base_link_velocity",
    "com_pose",
    "com_velocity",
]

Array = NDArray[np.float64]


def com_pose(fleet: Fleet, base_link: Array) -> Array:
    """Return where the centres of mass are when the cars stand level at given places.

    Args:
        fleet: The cars, n of them.
        base_link: Shape [n, 3], x [m], y [m] and yaw [rad] of base_link.

    Returns:
        Shape [n, 7], position and quaternion w x y z.
    """
    x, y, yaw = base_link.T
    pose = np.zeros((len(base_link), 7))
    pose[:, 0] = x + fleet.com_to_rear * np.cos(yaw)
    pose[:, 1] = y + fleet.com_to_rear * np.sin(yaw)
    pose[:, 2] = fleet.com_height
    pose[:, 3], pose[:, 6] = np.cos(0.5 * yaw), np.sin(0.5 * yaw)
    return pose


def com_velocity(fleet: Fleet, pose: Array, twist: Array) -> Array:
    """Return world velocities of the centre of mass for planar body twists of base_link.

    Args:
        fleet: The cars, n of them.
        pose: Shape [n, 7], from :func:`com_pose`.
        twist: Shape [n, 3], forward and leftward speed of base_link [m/s] and yaw rate [rad/s].

    Returns:
        Shape [n, 6], linear and angular, as :meth:`Engine.reset` takes them.
    """
    body = np.zeros((len(twist), 3))
    body[:, 0] = twist[:, 0]
    body[:, 1] = twist[:, 1] + fleet.com_to_rear * twist[:, 2]
    velocity = np.zeros((len(twist), 6))
    velocity[:, :3] = rotate(pose[:, 3:7], body)
    velocity[:, 5] = twist[:, 2]
    return velocity


def base_link_pose(fleet: Fleet, state: Array) -> Array:
    """Return the pose of base_link for engine states [n, 13].

    Returns:
        Shape [n, 7], position and quaternion w x y z: rigidly under the centre of mass, so roll and
        pitch move it by millimetres off the floor.
    """
    offset = _base_link_offset(fleet)
    position = state[:, :3] + rotate(state[:, 3:7], offset)
    return np.hstack((position, state[:, 3:7]))


def base_link_velocity(fleet: Fleet, state: Array) -> Array:
    """Return the velocity of base_link in its own frame for engine states [n, 13].

    Returns:
        Shape [n, 6], linear (x ahead, y left, z up) [m/s] and angular [rad/s], both in the body
        frame, as the twist of an odometry message.
    """
    quaternion = state[:, 3:7]
    linear = unrotate(quaternion, state[:, 7:10])
    angular = unrotate(quaternion, state[:, 10:13])
    return np.hstack((linear + cross(angular, _base_link_offset(fleet)), angular))


def _base_link_offset(fleet: Fleet) -> Array:
    return np.column_stack((-fleet.com_to_rear, np.zeros(fleet.count), -fleet.com_height))
