"""From brightness to free, occupied and unknown, by map_server's rules in exact arithmetic.

Occupancy is p = 1 - brightness (``negate``: p = brightness). As brightness is a quotient of
integers and a threshold a decimal number, no rounding is involved: a threshold becomes the
smallest or largest integer level that passes it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.maps.metadata import MapMetadata
from roboracer_arena.maps.occupancy import FREE, OCCUPIED, UNKNOWN
from roboracer_arena.maps.pixels import Levels, Pixels

__all__ = ["Classes", "cells_of_percents", "classify"]

_TOTAL = 100
"""Occupancy of a wall in a ROS occupancy grid [%]."""
_BLOCK_PIXELS = 1 << 20
"""Pixels that are looked up at a time, which bounds the memory for numpy's wide indices."""


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """The grid of a map, row 0 at the lowest y."""

    cells: NDArray[np.uint8]
    """Shape [height, width]; 0, 205 or 254."""
    probability: NDArray[np.int8] | None
    """Shape [height, width]; -1 or 0..100, or None in mode ``trinary``."""
    warnings: tuple[str, ...]


def classify(pixels: Pixels, metadata: MapMetadata) -> Classes:
    """Turn pixels into cells.

    A pixel of the grey that map_saver writes for unseen space (205 of 255) is never free,
    whatever ``free_thresh`` says, and neither is one that is partly transparent. In the modes
    ``scale`` and ``raw`` a cell is free at 0 % and occupied at 100 %; what lies between is unknown
    as a cell and kept in ``probability``.
    """
    classes, percents = _tables(pixels.white, metadata)
    warnings = (
        [] if metadata.mode == "raw" else _keep_saver_unknown(pixels, metadata, classes, percents)
    )
    cells = _look_up(pixels.levels, classes)
    probability = None
    if percents is not None:
        probability = _look_up(pixels.levels, percents.view(np.uint8)).view(np.int8)
        between = int(np.count_nonzero((probability > 0) & (probability < _TOTAL)))
        if between:
            warnings.append(f"{between} cells are neither surely free nor occupied (1 to 99 %)")
    if pixels.transparent is not None:
        transparent = pixels.transparent[::-1]
        cells[transparent] = UNKNOWN
        if probability is not None:
            probability[transparent] = -1
        if transparent.all():
            warnings.append("every pixel of the image is transparent, so all cells are unknown")
    return Classes(cells, probability, tuple(warnings))


def cells_of_percents(percents: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Return the cells of an occupancy grid [%]: only 0 is free and only 100 is occupied."""
    cells = np.full(percents.shape, UNKNOWN, np.uint8)
    cells[percents == 0] = FREE
    cells[percents == _TOTAL] = OCCUPIED
    return cells


def _tables(white: int, metadata: MapMetadata) -> tuple[NDArray[np.uint8], NDArray[np.int8] | None]:
    """Return the cell and, except for mode ``trinary``, the occupancy [%] of every level."""
    if metadata.mode == "trinary":
        return _trinary_table(white, metadata), None
    percents = _raw_table(white) if metadata.mode == "raw" else _scale_table(white, metadata)
    return cells_of_percents(percents), percents


def _thresholds(metadata: MapMetadata) -> tuple[Fraction, Fraction]:
    """Return free_thresh and occupied_thresh as the decimals that were written."""
    return Fraction(repr(metadata.free_thresh)), Fraction(repr(metadata.occupied_thresh))


def _occupancy_numerators(white: int, metadata: MapMetadata) -> NDArray[np.int64]:
    """Return p times ``white`` for every level from 0 to ``white``."""
    levels = np.arange(white + 1)
    return levels if metadata.negate else white - levels


def _trinary_table(white: int, metadata: MapMetadata) -> NDArray[np.uint8]:
    """Return the class of every level: strict comparisons, equality is unknown."""
    free, occupied = _thresholds(metadata)
    numerators = _occupancy_numerators(white, metadata)
    table = np.full(white + 1, UNKNOWN, np.uint8)
    table[numerators > math.floor(occupied * white)] = OCCUPIED
    table[numerators < math.ceil(free * white)] = FREE
    return table


def _scale_table(white: int, metadata: MapMetadata) -> NDArray[np.int8]:
    """Return the occupancy [%] of every level in mode ``scale``.

    Between the thresholds map_server interpolates and rounds half to even; the ends are kept to
    1 and 99 here, so that 0 means surely free and 100 surely occupied.
    """
    free, occupied = _thresholds(metadata)
    numerators = _occupancy_numerators(white, metadata)
    # Percent k ends at the level where the interpolated value is k + 1/2.
    ends = []
    for percent in range(1, _TOTAL - 1):
        end = white * (free + Fraction(2 * percent + 1, 2 * _TOTAL) * (occupied - free))
        tie_goes_up = end.denominator == 1 and percent % 2 == 1
        ends.append(math.floor(end) - tie_goes_up)
    table = (1 + np.searchsorted(np.array(ends), numerators, side="left")).astype(np.int8)
    table[numerators > math.floor(occupied * white)] = _TOTAL
    table[numerators < math.ceil(free * white)] = 0
    return table


def _raw_table(white: int) -> NDArray[np.int8]:
    """Return the occupancy [%] of every level in mode ``raw``: the level itself out of 255.

    As in map_server, neither ``negate`` nor the thresholds have a say.
    """
    percents = (2 * 255 * np.arange(white + 1) + white) // (2 * white)
    return np.where(percents <= _TOTAL, percents, -1).astype(np.int8)


def _keep_saver_unknown(
    pixels: Pixels,
    metadata: MapMetadata,
    classes: NDArray[np.uint8],
    percents: NDArray[np.int8] | None,
) -> list[str]:
    """Keep map_saver's grey for unseen space from being free; say so if that changes the map."""
    unseen, white = (50, 1) if metadata.negate else (UNKNOWN, FREE)
    # Exact for 8-bit, 16-bit and colour images; the nearest level where 205 cannot be expressed.
    level, white_level = (round(Fraction(grey * pixels.white, 255)) for grey in (unseen, white))
    was_free = classes[level] == FREE
    if level == white_level or classes[level] == OCCUPIED:
        return []
    classes[level] = UNKNOWN
    if percents is not None:
        percents[level] = -1
    count = int(np.count_nonzero(pixels.levels == level)) if was_free else 0
    if not count:
        return []
    warning = (
        f"{count} cells of grey 205 are kept unknown although free_thresh"
        f" {metadata.free_thresh:g} counts them as free, since that is the grey which map_saver"
        " writes for unseen space; write 'free_thresh: 0.196' into the YAML"
    )
    return [warning]


def _look_up(levels: Levels, table: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return ``table[levels]`` with the rows in reverse order."""
    if levels.dtype == np.uint8:
        full = np.zeros(256, np.uint8)
        full[: table.size] = table
        found = np.asarray(cv2.LUT(levels, full), dtype=np.uint8)
        cv2.flip(found, 0, dst=found)
        return found
    cells = np.empty(levels.shape, np.uint8)
    rows = max(1, _BLOCK_PIXELS // levels.shape[1])
    for start in range(0, levels.shape[0], rows):
        block = levels[start : start + rows]
        cells[levels.shape[0] - start - len(block) : levels.shape[0] - start] = table[block[::-1]]
    return cells
