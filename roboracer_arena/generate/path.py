"""Closed plane paths of straights and circular arcs, exact to rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Path", "Piece", "fillet_polygon"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of constant curvature: a straight where ``angle`` is 0."""

    length: float
    """[m], not negative."""
    angle: float
    """How far the heading turns over it [rad], left positive."""


@dataclass(frozen=True, slots=True)
class Path:
    """A run of pieces with tangents that meet; closed by its maker."""

    x: float
    """Start [m]."""
    y: float
    """Start [m]."""
    heading: float
    """Heading at the start [rad]."""
    pieces: tuple[Piece, ...]

    @property
    def length(self) -> float:
        """Length around [m]."""
        return math.fsum(piece.length for piece in self.pieces)

    def sample(self, step: float) -> NDArray[np.float64]:
        """Return evenly spaced points of the path, the first not repeated at the end.

        Args:
            step: Largest distance between neighbours along the path [m].

        Returns:
            Shape [n, 2], [m].
        """
        count = max(8, math.ceil(self.length / step))
        arc = np.arange(count) * (self.length / count)
        starts, lengths, angles, poses = self._table()
        index = np.searchsorted(starts, arc, side="right") - 1
        # sin(x)/x handles straights and arcs alike: a chord of a piece points along its mean
        # heading and is shorter than the arc by sinc(half the turned angle).
        along = arc - starts[index]
        turned = angles[index] * along / lengths[index]
        chord = along * np.sinc(turned / (2.0 * np.pi))
        mean = poses[index, 2] + turned / 2.0
        return poses[index, :2] + chord[:, None] * np.column_stack([np.cos(mean), np.sin(mean)])

    def _table(self) -> tuple[NDArray[np.float64], ...]:
        """Return start arc length, length, angle and start pose of every piece of some length."""
        pieces = [piece for piece in self.pieces if piece.length > 0.0]
        poses = np.empty((len(pieces), 3))
        x, y, heading = self.x, self.y, self.heading
        for row, piece in enumerate(pieces):
            poses[row] = x, y, heading
            half = piece.angle / 2.0
            chord = piece.length * (math.sin(half) / half if half else 1.0)
            x += chord * math.cos(heading + half)
            y += chord * math.sin(heading + half)
            heading += piece.angle
        lengths = np.array([piece.length for piece in pieces])
        angles = np.array([piece.angle for piece in pieces])
        return np.concatenate([[0.0], np.cumsum(lengths)[:-1]]), lengths, angles, poses


def fillet_polygon(vertices: NDArray[np.float64], radii: NDArray[np.float64]) -> Path | None:
    """Round every corner of a closed polygon with one tangent arc.

    Args:
        vertices: Shape [n, 2], corners in order [m].
        radii: Shape [n], radius of the arc at each corner [m].

    Returns:
        The path, starting in the middle of the straight before vertex 0, or None where two arcs
        need more than the edge between them.
    """
    incoming = vertices - np.roll(vertices, 1, axis=0)
    lengths = np.hypot(incoming[:, 0], incoming[:, 1])
    headings = np.arctan2(incoming[:, 1], incoming[:, 0])
    turns = np.angle(np.exp(1j * (np.roll(headings, -1) - headings)))
    tangents = radii * np.tan(np.abs(turns) / 2.0)
    straights = lengths - tangents - np.roll(tangents, 1)
    if straights.min() < -1e-9:
        return None
    straights = np.maximum(straights, 0.0)
    pieces = [Piece(straights[0] / 2.0, 0.0)]
    for index in range(len(vertices)):
        pieces.append(Piece(float(radii[index] * abs(turns[index])), float(turns[index])))
        following = (index + 1) % len(vertices)
        share = 0.5 if following == 0 else 1.0
        pieces.append(Piece(float(straights[following]) * share, 0.0))
    back = tangents[0] + straights[0] / 2.0
    x, y = vertices[0] - back * np.array([math.cos(headings[0]), math.sin(headings[0])])
    return Path(float(x), float(y), float(headings[0]), tuple(pieces))
