"""All parts of a map that are wide enough to drive, and which of them close into a lap."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.core import (
    CoreComponent,
    Region,
    core_components,
    core_mask,
    reopen,
)
from roboracer_arena.corridor.free_space import FreeSpace
from roboracer_arena.corridor.islands import sort_islands
from roboracer_arena.corridor.settings import CorridorSettings

__all__ = ["Scene", "describe_region", "encloses", "look_at"]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A free space, its core, and the parts of that."""

    space: FreeSpace
    """The free cells."""
    core: NDArray[np.uint8]
    """Shape as the space's mask; 1 where the clearance is more than ``radius``."""
    radius: float
    """[cells]"""
    components: list[CoreComponent]
    """The parts of the core, the largest first."""
    settings: CorridorSettings
    """What counts as an infield and as outside."""
    past_obstacles: bool = False
    """Whether small islands take no clearance away."""

    def is_outside(self, component: CoreComponent) -> bool:
        """Whether a part is the space around a drawing."""
        return component.border_contact >= self.settings.outside_contact

    def region(self, component: CoreComponent) -> Region:
        """Grow a part back to the walls."""
        return reopen(self.space, self.core, component, self.radius)

    def laps(self) -> list[tuple[CoreComponent, Region]]:
        """Return the parts that go around an infield and are not outside, the largest first."""
        smallest = self.settings.min_infield_area / self.space.source.resolution**2
        thin = self.settings.min_infield_length / self.space.source.resolution * 2.0 * self.radius
        found = []
        for component in self.components:
            # The hole of the core holds the island and the clearance around it.
            hole = min(smallest, self.settings.min_infield_share * component.cells, thin)
            if component.largest_hole < hole or self.is_outside(component):
                continue
            region = self.region(component)
            if sort_islands(region, self.settings).infields:
                found.append((component, region))
        return found


def look_at(space: FreeSpace, settings: CorridorSettings, *, past_obstacles: bool = False) -> Scene:
    """Return the scene of a free space.

    Args:
        space: The free cells.
        settings: ``core_clearance`` is used, and ``max_obstacle_area``.
        past_obstacles: Whether islands up to that area take no clearance away.
    """
    radius = settings.core_clearance / space.source.resolution
    core = core_mask(space, radius, settings.max_obstacle_area if past_obstacles else 0.0)
    return Scene(
        space, core, radius, core_components(space, core, radius), settings, past_obstacles
    )


def encloses(region: Region, component: CoreComponent) -> bool:
    """Whether a part of the core lies within an island of a region."""
    column = component.seed[0] + region.space.window[1] - region.window[1]
    row = component.seed[1] + region.space.window[0] - region.window[0]
    return any(
        cv2.pointPolygonTest(island.chain, (float(column), float(row)), False) > 0
        for island in region.islands
    )


def describe_region(region: Region) -> str:
    """Describe a region by its area and the middle of its box."""
    area = np.count_nonzero(region.mask) * region.space.source.resolution**2
    return f"{area:.1f} m² around {region.place(*region.outlines[0].center)}"
