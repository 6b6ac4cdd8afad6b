"""Unseen stripes that cut a corridor where two scans did not quite overlap."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.free_space import FreeSpace
from roboracer_arena.corridor.rasters import close_disc, contours, distance_inside, fill_contour
from roboracer_arena.corridor.scene import Scene, look_at
from roboracer_arena.maps import UNKNOWN

__all__ = ["Stripes", "find_stripes"]

_MOST_TRIALS = 12
"""Patches of unknown space whose part in the break is looked into."""


@dataclass(frozen=True, slots=True, eq=False)
class Stripes:
    """Unknown cells that have to be made free for a corridor to close into a lap."""

    widths: tuple[float, ...]
    """Thickness of each stripe along the corridor [m], the thickest first."""
    places: tuple[str, ...]
    """Where each is, in words."""
    limit: float
    """The smallest limit at which they are found [m]."""
    bridged: Scene
    """The scene with those cells free."""


def find_stripes(scene: Scene, limit: float) -> Stripes | None:
    """Return the thinnest stripes of unknown whose bridging would give a lap, or None.

    Args:
        scene: A scene without a lap.
        limit: Thickest stripe that is considered [m].
    """
    space = scene.space
    unknown = (space.cells_at(space.window, space.mask.shape) == UNKNOWN).astype(np.uint8)
    thickness, largest = 1, limit / space.source.resolution + 1e-6
    while thickness <= largest:
        added = close_disc(space.mask, (thickness + 1) // 2) & unknown
        if added.any() and _bridged(scene, added).laps():
            return _stripes(scene, added, thickness * space.source.resolution)
        thickness = max(thickness + 1, round(thickness * 1.3))
    return None


def _bridged(scene: Scene, added: NDArray[np.uint8]) -> Scene:
    """Return the scene with some more cells free."""
    return look_at(replace(scene.space, mask=scene.space.mask | added), scene.settings)


def _stripes(scene: Scene, added: NDArray[np.uint8], limit: float) -> Stripes:
    """Tell the patches that a lap needs from those that only fill nooks."""
    patches = []
    chains, parents = contours(added)
    for chain, parent in zip(chains, parents, strict=True):
        width, height = cv2.boundingRect(chain)[2:]
        # A stripe across the corridor is at least as long as the corridor is wide.
        if parent < 0 and max(width, height) >= 2 * scene.radius:
            patch = np.zeros_like(added)
            fill_contour(patch, chain)
            patches.append(patch & added)
    patches.sort(key=lambda patch: -int(patch.sum()))
    needed = [
        patch for patch in patches[:_MOST_TRIALS] if not _bridged(scene, added & (1 - patch)).laps()
    ]
    union = np.zeros_like(added)
    for patch in needed:
        union |= patch
    bridged = _bridged(scene, union)
    if not bridged.laps():  # no single patch is to blame
        needed, bridged = patches or [added], _bridged(scene, added)
    stripes = sorted((_measure(scene.space, patch) for patch in needed), key=lambda s: -s[0])
    return Stripes(
        widths=tuple(width for width, _ in stripes),
        places=tuple(place for _, place in stripes),
        limit=limit,
        bridged=bridged,
    )


def _measure(space: FreeSpace, patch: NDArray[np.uint8]) -> tuple[float, str]:
    """Return thickness [m] and place of a patch."""
    # Half the thickness, rounded up: from an odd or an even number of cells.
    thickness = 2 * float(distance_inside(patch).max()) - 0.5
    rows, columns = np.nonzero(patch)
    place = space.place(float(columns.mean()), float(rows.mean()))
    return thickness * space.source.resolution, place
