"""Unseen streaks along a corridor that would split it into lanes."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from roboracer_arena.corridor.core import Region
from roboracer_arena.corridor.free_space import FreeSpace
from roboracer_arena.corridor.rasters import close_disc, contours, dilate_disc, fill_contour
from roboracer_arena.corridor.rim import unwalled_length
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.maps import OCCUPIED, UNKNOWN

__all__ = ["fill_streaks"]

_SHORTEST = 0.3
"""Streaks shorter than this [m] are left: they are the ragged edges of walls."""
_CONTACT = 0.8
"""Least share of a streak's rim that is corridor. Slits between rays of light that left the
corridor touch it at one end only."""
_SQUARE = 1.5
"""Radius of a disc that is a square of 3 x 3 cells [cells]."""


def fill_streaks(region: Region, settings: CorridorSettings) -> tuple[FreeSpace, str] | None:
    """Make thin streaks of unknown space along a corridor free.

    Where laser light grazes a floor or a scan is thin, slits of unknown remain within the track;
    taken for walls, they would split it into lanes. A streak is unknown, no wider than the
    settings say, holds no occupied cell nor lies beside one, and has corridor around it.

    Returns:
        The free space with the streaks free, and what to tell the user; None if there are none.
    """
    space, resolution = region.space, region.space.source.resolution
    radius = int(settings.max_streak_width / resolution / 2 + 1e-6)
    if radius < 1 or unwalled_length(region) < _SHORTEST:
        return None
    top, left = region.window[0] - space.window[0], region.window[1] - space.window[1]
    height, width = region.mask.shape
    view = np.s_[top : top + height, left : left + width]
    cells = space.cells_at(region.window, region.mask.shape)
    walls = dilate_disc((cells == OCCUPIED).astype(np.uint8), _SQUARE)
    thin = close_disc(space.mask[view], radius) & (cells == UNKNOWN) & (1 - walls)
    streaks = np.zeros_like(thin)
    longest, place = 0.0, ""
    chains, parents = contours(thin)
    for chain, parent in zip(chains, parents, strict=True):
        column, row, across, up = cv2.boundingRect(chain)
        length = max(across, up) * resolution
        if parent >= 0 or length < _SHORTEST:
            continue
        box = np.s_[max(row - 1, 0) : row + up + 1, max(column - 1, 0) : column + across + 1]
        patch = np.zeros_like(thin[box])
        fill_contour(patch, chain - np.array([[[box[1].start, box[0].start]]], dtype=np.int32))
        patch &= thin[box]
        rim = dilate_disc(patch, _SQUARE) & (1 - patch)
        if np.count_nonzero(rim & region.mask[box]) < _CONTACT * np.count_nonzero(rim):
            continue
        streaks[box] |= patch
        if length > longest:
            longest, place = length, region.place(column + across / 2, row + up / 2)
    if not longest:
        return None
    mask = space.mask.copy()
    mask[view] |= streaks
    note = (
        f"{np.count_nonzero(streaks) * resolution**2:.2f} m² of thin unknown streaks along the"
        f" corridor were taken for floor; the longest, {longest:.1f} m, is at {place}"
    )
    return replace(space, mask=mask), note
