"""What is known of a corridor, as plain data. All coordinates are grid-frame metres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.maps import OccupancyMap

__all__ = ["Border", "Centerline", "ClearanceField", "Corridor"]


@dataclass(frozen=True, slots=True, eq=False)
class Border:
    """One closed line between the corridor and what is not corridor.

    The corridor lies to the left of the line's direction: an outer border runs counter-clockwise,
    an infield's or an obstacle's clockwise.
    """

    points: NDArray[np.float64]
    """Shape [n, 2], grid frame [m]; closed, the first point is not repeated."""
    kind: Literal["outer", "infield", "obstacle"]
    """``obstacle``: an island smaller than an infield that stands in the corridor."""
    area: float
    """Enclosed area [m²], positive."""


@dataclass(frozen=True, slots=True, eq=False)
class Corridor:
    """The one drivable component of a map, cropped to its bounding box plus a margin."""

    source: OccupancyMap
    """The map it was found in."""
    free: NDArray[np.uint8]
    """Shape [h, w]; 1 where drivable. 4-connected, one component."""
    window: tuple[int, int]
    """Row and column of ``free[0, 0]`` in the map; may be negative where the crop is padded."""
    style: Literal["filled", "thin-line"]
    """``thin-line``: a drawing whose exterior and infield are white too."""
    borders: tuple[Border, ...]
    """Outer border first, then infields by falling area, then obstacles by falling area; each
    the sub-pixel wall face, simplified within the collision tolerance only."""
    closed: bool
    """Whether the corridor closes into a lap (there is an infield to go around)."""
    warnings: tuple[str, ...] = ()
    """What had to be decided or repaired, one sentence each, with places in map-frame metres."""

    @property
    def resolution(self) -> float:
        """Side of a cell [m]."""
        return self.source.resolution

    @property
    def area(self) -> float:
        """Drivable area [m²], by cells."""
        return float(np.count_nonzero(self.free)) * self.resolution**2


@dataclass(frozen=True, slots=True, eq=False)
class ClearanceField:
    """Signed distance to the wall face, sampled at the cell centres of a corridor's window."""

    values: NDArray[np.float32]
    """Shape [h, w], [m]: positive inside the corridor, negative outside, 0 on the wall face."""
    window: tuple[int, int]
    """Row and column of ``values[0, 0]`` in the map."""
    resolution: float
    """Side of a cell [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class Centerline:
    """The line midway between the outer and the inner wall, once around, in driving direction."""

    points: NDArray[np.float64]
    """Shape [n, 2], grid frame [m]; closed, the first point is not repeated, evenly spaced."""
    arc_length: NDArray[np.float64]
    """Shape [n], [m], from 0 at the start line, below ``length``."""
    heading: NDArray[np.float64]
    """Shape [n], [rad], of the grid frame, unwrapped."""
    curvature: NDArray[np.float64]
    """Shape [n], [1/m], left turns positive."""
    width_right: NDArray[np.float64]
    """Shape [n], distance to the wall on the right [m]."""
    width_left: NDArray[np.float64]
    """Shape [n], distance to the wall on the left [m]."""
    length: float
    """Lap length L [m]."""
