"""Holes in walls through which a corridor runs out of the track."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.core import core_components
from roboracer_arena.corridor.rasters import (
    above,
    connected,
    contours,
    dilate_disc,
    distance_inside,
)
from roboracer_arena.corridor.scene import Scene, look_at

__all__ = ["WallGaps", "find_wall_gaps"]

_STEP = 1.15
"""Ratio of successive core clearances that are tried."""
_LARGEST_CLEARANCE = 2.5
"""Largest core clearance that is tried [m]: half of the widest gap that can be closed."""


@dataclass(frozen=True, slots=True, eq=False)
class WallGaps:
    """Holes that have to be closed for a corridor to be enclosed."""

    widths: tuple[float, ...]
    """Width of each [m], the widest first."""
    places: tuple[str, ...]
    """Where each is, in words."""
    closed: Scene
    """The scene with walls across the holes."""


def find_wall_gaps(scene: Scene) -> WallGaps | None:
    """Return the holes whose closing would give a lap, or None.

    A larger core clearance cuts the corridor apart from what lies behind a hole, as long as the
    hole is narrower than the corridor. The wall across is where both are equally far.
    """
    space = scene.space
    distance = distance_inside(space.mask)
    largest = min(float(distance.max(initial=0)), _LARGEST_CLEARANCE / space.source.resolution)
    radius = scene.radius * _STEP
    while radius < largest:
        core = above(distance, radius)
        wider = replace(
            scene, core=core, radius=radius, components=core_components(space, core, radius)
        )
        laps = wider.laps()
        enclosed = [lap for lap in laps if lap[0].border_contact == 0]
        if laps:
            seed = (enclosed or laps)[0][0].seed
            return _gaps(scene, distance, connected(core, seed, connectivity=8), core, seed)
        radius *= _STEP
    return None


def _gaps(
    scene: Scene,
    distance: NDArray[np.float32],
    own: NDArray[np.uint8],
    core: NDArray[np.uint8],
    seed: tuple[int, int],
) -> WallGaps | None:
    """Return the holes between one part of a core and all others."""
    free, others = scene.space.mask, core - own
    nearer = (distance_inside(1 - own) <= distance_inside(1 - others)).astype(np.uint8)
    side = connected(free & nearer, seed, connectivity=4)
    front = dilate_disc(side, 1.0) & free & (1 - side)
    found = []
    for chain in contours(front)[0]:
        columns, rows = chain[:, 0, 0], chain[:, 0, 1]
        reach = float(distance[rows, columns].max())
        # What the core does not pass is cut off anyway.
        if reach > scene.radius - 1:
            middle = int(np.argmax(distance[rows, columns]))
            width = (2 * reach - 0.5) * scene.space.source.resolution
            place = scene.space.place(float(columns[middle]), float(rows[middle]))
            found.append((width, place))
    if not found:
        return None
    found.sort(key=lambda gap: -gap[0])
    return WallGaps(
        widths=tuple(width for width, _ in found),
        places=tuple(place for _, place in found),
        closed=look_at(replace(scene.space, mask=side), scene.settings),
    )
