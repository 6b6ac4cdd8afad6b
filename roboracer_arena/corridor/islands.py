"""What stands inside a corridor: infields, obstacles, and unseen floor that looks like a wall."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.core import Region
from roboracer_arena.corridor.rasters import fill_contour
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.corridor.trace import Outline
from roboracer_arena.maps import OCCUPIED

__all__ = ["Islands", "fill_phantoms", "obstacles_only", "sort_islands"]

_SMALLEST_INFIELD = 0.1
"""Smallest island that is ever driven around as a lap [m²]: a box of the car's own width."""

_THIN = 0.5
"""Greatest thickness of a thin infield [m]: a straight wall, not a ring of wall with a gap."""
_THIN_SHARE = 0.4
"""Least length of a thin infield over that of the corridor: a lap around a wall is little longer
than the wall; a box in a long hallway is no lap."""


@dataclass(frozen=True, slots=True, eq=False)
class Islands:
    """The islands of a region by what they are, each group the largest first."""

    infields: list[Outline]
    """A lap goes around these."""
    obstacles: list[Outline]
    """These stand in the way."""


def sort_islands(region: Region, settings: CorridorSettings) -> Islands:
    """Tell infields from obstacles.

    An infield is at least as large as the settings say; if no island is, the largest one counts
    if it has the share of the region's area that the settings say, and if it has not, those that
    are long enough. Where some infields have an
    occupied cell, those without one are unseen floor beyond the size that is filled, and obstacles.
    """
    smallest = settings.min_infield_area / region.space.source.resolution**2
    infields = [outline for outline in region.islands if outline.cells >= smallest]
    if not infields and region.islands:
        share = settings.min_infield_share * int(np.count_nonzero(region.mask))
        share = max(share, _SMALLEST_INFIELD / region.space.source.resolution**2)
        infields = [outline for outline in region.islands[:1] if outline.cells >= share]
    if not infields:
        cell = region.space.source.resolution
        corridor_length, _ = _sides(region.outlines[0])
        long = max(settings.min_infield_length / cell, _THIN_SHARE * corridor_length)
        sides = [_sides(outline) for outline in region.islands]
        infields = [
            outline
            for outline, (length, thickness) in zip(region.islands, sides, strict=True)
            if length >= long and thickness <= _THIN / cell
        ]
    walled = [outline for outline in infields if not _is_phantom(region, outline)]
    infields = walled or infields
    return Islands(infields, [o for o in region.islands if not any(o is i for i in infields)])


def _sides(outline: Outline) -> tuple[float, float]:
    """Return the longer and the shorter side of the smallest turned box around it [cells]."""
    (_, sides, _) = cv2.minAreaRect(outline.points.astype(np.float32))
    return float(max(sides)), float(min(sides))


def obstacles_only(region: Region) -> Islands:
    """Take every island for an obstacle, as in a corridor that is no lap."""
    return Islands([], region.islands)


def fill_phantoms(
    region: Region, settings: CorridorSettings, infields: list[Outline]
) -> tuple[Region, list[str]]:
    """Make unseen floor drivable: small islands without a single occupied cell.

    Args:
        region: The corridor.
        settings: ``max_phantom_area`` is used.
        infields: Islands that the lap goes around; these stay, seen or not.

    Returns:
        The region, and what to tell the user.
    """
    cell_area = region.space.source.resolution**2
    phantoms = [
        outline
        for outline in region.islands
        if outline.cells * cell_area <= settings.max_phantom_area
        and not any(outline is infield for infield in infields)
        and _is_phantom(region, outline)
    ]
    if not phantoms:
        return region, []
    mask = region.mask.copy()
    for outline in phantoms:
        fill_contour(mask, outline.chain)
    kept = [o for o in region.outlines if not any(o is p for p in phantoms)]
    total = sum(outline.cells for outline in phantoms) * cell_area
    largest = phantoms[0]
    note = (
        f"{len(phantoms)} unseen spot(s) inside the corridor without any wall, {total:.2f} m²"
        f" together, were taken for floor; the largest, {largest.cells * cell_area:.2f} m², is at"
        f" {region.place(*largest.center)}"
    )
    return replace(region, mask=mask, outlines=kept), [note]


def _is_phantom(region: Region, outline: Outline) -> bool:
    """Whether an island holds no occupied cell."""
    source = region.space.source
    rows = outline.wall[:, 1] + region.window[0]
    columns = outline.wall[:, 0] + region.window[1]
    if np.any(source.cells[rows, columns] == OCCUPIED):
        return False
    column, row, width, height = cv2.boundingRect(outline.chain)
    inside = np.zeros((height, width), dtype=np.uint8)
    fill_contour(inside, outline.chain - np.array([[[column, row]]], dtype=np.int32))
    top, left = row + region.window[0], column + region.window[1]
    cells: NDArray[np.uint8] = source.cells[top : top + height, left : left + width]
    return not bool(np.any((cells == OCCUPIED) & (inside == 1)))
