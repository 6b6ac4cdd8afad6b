"""Synthetic circuits for the benchmark: a smooth closed line that fills a raster of a given size.

A circuit is a star-shaped Fourier curve stretched to a box. The amplitude of its harmonics is
searched until the lap has the length asked for, and seeds are tried in order until the corridor
keeps clear of itself, so the same request always gives the same raster.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from roboracer_arena.corridor.curves import closed_length, resample_closed
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN

__all__ = ["CircuitRequest", "SyntheticCircuit", "draw_circuit", "make_circuit"]

_LENGTH_PER_HARMONIC = 35.0
"""A longer lap gets more bends; so they stay as wide as the corridor needs [m]."""
_WALL = 0.15
"""Wall thickness t_w of Eq. 3 [m]."""
_MARGIN = 0.5
"""Unknown space between the walls and the edge of the raster [m]."""
_MAX_SEEDS = 400
_MAX_AMPLITUDE = 0.75
"""Beyond, the radius of the star can reach zero."""


@dataclass(frozen=True, slots=True)
class CircuitRequest:
    """One rung of the size ladder."""

    name: str
    megapixels: float
    """Size of the raster, 10⁶ cells."""
    lap_length: float
    """Length of the centre line [m]."""
    corridor_width: float
    """Width w between the wall faces [m]."""
    aspect: float = 4.0 / 3.0
    """Width of the raster over its height."""
    resolution: float = 0.05
    """Side of a cell [m]."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the raster."""
        rows = round(math.sqrt(self.megapixels * 1e6 / self.aspect))
        return rows, round(self.megapixels * 1e6 / rows)


@dataclass(frozen=True, slots=True, eq=False)
class SyntheticCircuit:
    """A circuit that was found for a request."""

    request: CircuitRequest
    centerline: NDArray[np.float64]
    """Shape [n, 2], grid frame [m]; closed, the first point is not repeated."""
    seed: int
    """The seed that gave it."""

    @property
    def lap_length(self) -> float:
        """Length of the closed centre line [m]."""
        return closed_length(self.centerline)


def make_circuit(request: CircuitRequest) -> SyntheticCircuit:
    """Return the first circuit, in order of seeds, that fits the request.

    Raises:
        ValueError: No seed gives a lap of that length in a raster of that size.
    """
    rows, columns = request.shape
    border = 2 * (_MARGIN + _WALL + request.corridor_width / 2)
    box = np.array([columns, rows]) * request.resolution - border
    for seed in range(_MAX_SEEDS):
        line = _fit_length(seed, box, request.lap_length)
        if line is not None and _is_clear(line, request.corridor_width):
            return SyntheticCircuit(request, line + border / 2, seed)
    raise ValueError(
        f"{request.name}: no lap of {request.lap_length:g} m in {request.megapixels:g} MP"
    )


def draw_circuit(circuit: SyntheticCircuit) -> NDArray[np.uint8]:
    """Rasterise a circuit by Eq. 3 of the paper, with the distance d from cell centre to line.

    254 for d <= w/2 - cell/2, 0 up to w/2 + t_w, 205 beyond.

    Returns:
        Shape [rows, columns], row 0 at the lowest y.
    """
    request = circuit.request
    cell, half = request.resolution, request.corridor_width / 2
    near = np.full(request.shape, 0, dtype=np.uint8)
    pixels = np.round(circuit.centerline / cell - 0.5).astype(np.int32)
    thickness = 2 * math.ceil((half + _WALL) / cell) + 5
    cv2.polylines(near, [pixels], isClosed=True, color=1, thickness=thickness)
    rows, columns = np.nonzero(near)
    centres = (np.column_stack([columns, rows]) + 0.5) * cell
    distance, _ = cKDTree(resample_closed(circuit.centerline, cell / 5)).query(centres)
    values = np.where(distance <= half + _WALL, OCCUPIED, UNKNOWN)
    values[distance <= half - cell / 2] = FREE
    cells = np.full(request.shape, UNKNOWN, dtype=np.uint8)
    cells[rows, columns] = values
    return cells


def _fit_length(seed: int, box: NDArray[np.float64], length: float) -> NDArray[np.float64] | None:
    """Bisect the amplitude of the harmonics for a lap length; None if it is out of reach."""
    harmonics = min(max(round(length / _LENGTH_PER_HARMONIC), 2), 14)

    def curve(amplitude: float) -> NDArray[np.float64]:
        return _star(seed, amplitude, box, harmonics)

    low, high = 0.0, _MAX_AMPLITUDE
    if not closed_length(curve(low)) <= length <= closed_length(curve(high)):
        return None
    for _ in range(30):
        middle = (low + high) / 2
        if closed_length(curve(middle)) < length:
            low = middle
        else:
            high = middle
    return curve(high)


def _star(
    seed: int, amplitude: float, box: NDArray[np.float64], harmonics: int
) -> NDArray[np.float64]:
    """Return a closed curve [n, 2] that just fits a box, as far from an ellipse as asked."""
    generator = np.random.default_rng(seed)
    order = np.arange(2, 2 + harmonics)
    weight = generator.uniform(0.3, 1.0, harmonics) / np.sqrt(order)
    weight *= amplitude / np.sum(weight)
    phase = generator.uniform(0, 2 * np.pi, harmonics)
    angle = np.linspace(0, 2 * np.pi, 4096, endpoint=False)
    radius = 1 + np.cos(angle[:, None] * order + phase) @ weight
    curve = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    low, high = curve.min(axis=0), curve.max(axis=0)
    return np.asarray((curve - low) / (high - low) * box)


def _is_clear(line: NDArray[np.float64], width: float) -> bool:
    """Whether no two parts of the corridor share a wall and no bend is tighter than 0.75 w."""
    spacing = width / 8
    points = resample_closed(line, spacing)
    count = len(points)
    pairs = cKDTree(points).query_pairs(width + 3 * _WALL, output_type="ndarray")
    steps = np.abs(pairs[:, 0] - pairs[:, 1])
    # Half a turn at the smallest radius; nearer along the line, closeness is no overlap.
    if np.any(np.minimum(steps, count - steps) * spacing > 1.2 * np.pi * width):
        return False
    tangent = np.roll(points, -1, axis=0) - points
    turn = np.diff(np.unwrap(np.arctan2(tangent[:, 1], tangent[:, 0])))
    return bool(np.max(np.abs(turn)) <= spacing / (0.75 * width))
