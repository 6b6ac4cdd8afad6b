"""Closed plane paths of straights and circular arcs, exact to rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = ["Curve", "Path", "Piece", "fillet_polygon"]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A closed curve as even samples in driving direction; the first is not repeated."""

    points: NDArray[np.float64]
    """Shape [n, 2], [m]."""
    heading: NDArray[np.float64]
    """Shape [n], [rad], unwrapped."""
    curvature: NDArray[np.float64]
    """Shape [n], [1/m], left turns positive."""
    length: float
    """Length around [m]."""

    def reversed(self) -> Curve:
        """Return the same curve driven the other way, from the same first sample."""
        order = -np.arange(len(self.points)) % len(self.points)
        return Curve(
            points=self.points[order],
            heading=np.unwrap(self.heading[order] + np.pi),
            curvature=-self.curvature[order],
            length=self.length,
        )

    def moved(self, offset: NDArray[np.float64]) -> Curve:
        """Return the curve moved by an offset of shape [2] [m]."""
        return replace(self, points=self.points + offset)


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

    def curve(self, step: float, start: float = 0.0, multiple: int = 1) -> Curve:
        """Return evenly spaced samples of the path.

        Args:
            step: Largest distance between neighbours along the path [m].
            start: Arc length of the first sample [m].
            multiple: The number of samples is a multiple of this.
        """
        length = self.length
        count = multiple * max(8, math.ceil(length / step / multiple))
        arc = (start + np.arange(count) * (length / count)) % length
        starts, lengths, angles, poses = self._table()
        index = np.searchsorted(starts, arc, side="right") - 1
        # sin(x)/x handles straights and arcs alike: a chord of a piece points along its mean
        # heading and is shorter than the arc by sinc(half the turned angle).
        along = arc - starts[index]
        turned = angles[index] * along / lengths[index]
        chord = along * np.sinc(turned / (2.0 * np.pi))
        mean = poses[index, 2] + turned / 2.0
        along_mean = np.column_stack([np.cos(mean), np.sin(mean)])
        return Curve(
            points=poses[index, :2] + chord[:, None] * along_mean,
            heading=np.unwrap(poses[index, 2] + turned),
            curvature=angles[index] / lengths[index],
            length=length,
        )

    def longest_straight(self) -> tuple[float, float]:
        """Return start and end of the longest straight [m]; it may run over the path's end."""
        ends = np.cumsum([piece.length for piece in self.pieces])
        straight = [piece.angle == 0.0 for piece in self.pieces]
        spans = [
            (float(end - piece.length), float(end))
            for piece, end, flag in zip(self.pieces, ends, straight, strict=True)
            if flag
        ]
        if straight[0] and straight[-1]:
            spans[-1] = (spans[-1][0], spans[-1][1] + self.pieces[0].length)
        return max(spans, key=lambda span: span[1] - span[0], default=(0.0, 0.0))

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
