"""The parts of a map that are wide enough to drive, and what they enclose."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.free_space import FreeSpace
from roboracer_arena.corridor.rasters import (
    connected,
    contours,
    dilate_disc,
    erode_disc,
    exact_within,
    fill_contour,
)
from roboracer_arena.corridor.trace import Outline, trace_outlines

__all__ = ["CoreComponent", "Region", "core_components", "core_mask", "reopen", "reopening_reach"]


@dataclass(frozen=True, slots=True, eq=False)
class CoreComponent:
    """One connected part of the core {clearance > r}."""

    seed: tuple[int, int]
    """Column and row of one of its cells, in the free space's mask."""
    box: tuple[int, int, int, int]
    """Column, row, width and height of its bounding box."""
    cells: float
    """Area it encloses less its holes [cells], roughly."""
    largest_hole: float
    """Area of its largest hole [cells]; at least that of the island in it."""
    is_alone: bool
    """Whether the core has no other part."""
    border_contact: float
    """Share of the image border along which the component touches it, 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A core component grown back to the walls."""

    space: FreeSpace
    """Where it was found."""
    mask: NDArray[np.uint8]
    """Shape [h, w], 1 inside; 4-connected; at least two outermost cells are 0."""
    window: tuple[int, int]
    """Row and column of ``mask[0, 0]`` in the map."""
    outlines: list[Outline]
    """Its outer outline, then those of its islands, the largest first."""

    @property
    def islands(self) -> list[Outline]:
        """Outlines of what stands inside, the largest first."""
        return self.outlines[1:]

    def place(self, column: float, row: float) -> str:
        """Describe a place of the mask for a message."""
        shift = np.subtract(self.window, self.space.window)
        return self.space.place(column + shift[1], row + shift[0])


def reopening_reach(radius: float) -> float:
    """Return how far the core is grown back [cells].

    The radius alone would lose the outermost cells. With 3/4 cell more, flat walls are reached;
    with sqrt(2) times the radius, the corner of a room is too.
    """
    return max(radius + 0.75, radius * math.sqrt(2) + 1e-9)


def core_mask(space: FreeSpace, radius: float, obstacle_area: float = 0.0) -> NDArray[np.uint8]:
    """Return the cells of the free space with more clearance than ``radius``.

    Args:
        space: The free space.
        radius: [cells].
        obstacle_area: Islands up to this area take no clearance away [m²]. Then their own cells
            may be in the core; regions never hold them.
    """
    largest = obstacle_area / space.source.resolution**2
    if largest < 1:
        return erode_disc(space.mask, radius)
    cleared = space.mask.copy()
    chains, parents = contours(1 - space.mask)
    for chain, parent in zip(chains, parents, strict=True):
        # A chain through cell centres leaves half a cell out on every side.
        if parent < 0 and cv2.contourArea(chain) + len(chain) / 2 + 1 <= largest:
            fill_contour(cleared, chain)
    return erode_disc(cleared, radius)


def core_components(
    space: FreeSpace, core: NDArray[np.uint8], radius: float
) -> list[CoreComponent]:
    """Return the connected parts of a core, the largest first.

    Args:
        space: The free space.
        core: Its core, see :func:`core_mask`.
        radius: The clearance of that core [cells].
    """
    chains, parents = contours(core)
    area = np.array([cv2.contourArea(chain) for chain in chains])
    components = []
    for index in np.flatnonzero(parents < 0).tolist():
        holes = area[parents == index]
        column, row, width, height = cv2.boundingRect(chains[index])
        components.append(
            CoreComponent(
                seed=_free_cell(space, chains[index][:, 0, :]),
                box=(column, row, width, height),
                cells=float(area[index] - holes.sum()),
                largest_hole=float(holes.max(initial=0.0)),
                is_alone=np.count_nonzero(parents < 0) == 1,
                border_contact=_border_contact(space, chains[index][:, 0, :], radius),
            )
        )
    return sorted(components, key=lambda component: -component.cells)


def reopen(
    space: FreeSpace, core: NDArray[np.uint8], component: CoreComponent, radius: float
) -> Region:
    """Grow one core component back to the walls.

    Args:
        space: The free space.
        core: Its core.
        component: Which part of it.
        radius: The clearance of that core [cells].
    """
    reach = reopening_reach(radius)
    margin = math.ceil(reach) + 2
    column, row, width, height = component.box
    top, left = max(row - margin, 0), max(column - margin, 0)
    view = np.s_[top : row + height + margin, left : column + width + margin]
    seed = (component.seed[0] - left, component.seed[1] - top)
    # Filling is skipped where it would change nothing: on most maps, that of the main corridor.
    own = core[view] if component.is_alone else connected(core[view], seed, connectivity=8)
    # Another part of the core may lie within reach, behind a narrow passage; it is never cut.
    mask = dilate_disc(own, reach) & space.mask[view]
    if not component.is_alone:
        mask &= 1 - (core[view] & (1 - own))
    outlines = trace_outlines(mask)
    if sum(not outline.is_island for outline in outlines) > 1:
        mask = connected(mask, seed, connectivity=4)
        outlines = trace_outlines(mask)
    for outline in [o for o in outlines if o.is_island and _all_free(space.mask[view], o)]:
        fill_contour(mask, outline.chain)
        outlines.remove(outline)
    return Region(space, mask, (space.window[0] + top, space.window[1] + left), outlines)


def _all_free(free: NDArray[np.uint8], outline: Outline) -> bool:
    """Whether there is no wall around an island: then it is a small part of the core."""
    return bool(free[outline.wall[:, 1], outline.wall[:, 0]].all())


def _free_cell(space: FreeSpace, chain: NDArray[np.int32]) -> tuple[int, int]:
    """Return column and row of the first free cell of a contour."""
    first = int(np.argmax(space.mask[chain[:, 1], chain[:, 0]]))
    return int(chain[first, 0]), int(chain[first, 1])


def _border_contact(space: FreeSpace, contour: NDArray[np.int32], radius: float) -> float:
    """Return the share of the image border that a core comes as near to as a core can."""
    source, near = space.source, math.floor(exact_within(radius))
    column = contour[:, 0] + space.window[1]
    row = contour[:, 1] + space.window[0]
    contact = sum(
        np.count_nonzero(distance <= near)
        for distance in (column, row, source.width - 1 - column, source.height - 1 - row)
    )
    around = 2 * max(source.width + source.height - 4 * near, 1)
    return min(1.0, float(contact) / around)
