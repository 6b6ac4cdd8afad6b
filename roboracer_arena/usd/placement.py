"""Where a track lies in its stage.

The stage's world frame is ROS's ``map`` frame. Points are stored as single-precision numbers,
whose steps grow to half a metre at UTM coordinates, so geometry far from zero is authored relative
to an *anchor*: a whole-metre point near the map's origin, which the double-precision translation
of the root prim restores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.maps import Pose2D
from roboracer_arena.usd.content import TrackMetadata

__all__ = ["ANCHOR_DISTANCE", "Placement"]

ANCHOR_DISTANCE = 1000.0
"""Distance of the map's origin from zero beyond which geometry is anchored [m]; single-precision
steps stay below 0.1 mm up to there."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Takes grid-frame geometry to the coordinates it is authored in."""

    pose: Pose2D
    """The grid frame in the authored frame."""
    anchor: tuple[float, float]
    """The authored frame's origin in the map frame [m]; (0, 0) unless the map is far away."""

    @classmethod
    def of(cls, metadata: TrackMetadata) -> Placement:
        """Place a track by its map's origin."""
        x, y = metadata.origin_x, metadata.origin_y
        far = math.hypot(x, y) > ANCHOR_DISTANCE
        anchor = (float(round(x)), float(round(y))) if far else (0.0, 0.0)
        return cls(Pose2D(x - anchor[0], y - anchor[1], metadata.origin_yaw), anchor)

    def points(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Place points of shape [n, 3] or [n, 2], [m]; the latter get z = 0."""
        placed = np.zeros((len(points), 3), dtype=np.float64)
        placed[:, :2] = self.pose.transform(np.asarray(points[:, :2], dtype=np.float64))
        if points.shape[1] == 3:
            placed[:, 2] = points[:, 2]
        return placed.astype(np.float32)

    def directions(self, vectors: NDArray[np.floating]) -> NDArray[np.float32]:
        """Turn direction vectors of shape [n, 3]."""
        if self.pose.yaw == 0.0:
            return np.asarray(vectors, dtype=np.float32)
        turned = np.array(vectors, dtype=np.float64)
        turned[:, :2] = Pose2D(0.0, 0.0, self.pose.yaw).transform(turned[:, :2])
        return turned.astype(np.float32)
