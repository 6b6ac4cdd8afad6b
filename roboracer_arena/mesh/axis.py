"""The axis of a duct: a line in the plane that knows its arc length and directions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.mesh.polyline import neighbours, segment_lengths

__all__ = ["DuctLine"]


@dataclass(frozen=True, eq=False)
class DuctLine:
    """The axis of one duct, seen from above."""

    points: NDArray[np.float64]
    """Shape [n, 2], about evenly spaced [m]; a closed line does not repeat its first point."""
    closed: bool
    """Whether the duct leads back to its start."""

    @cached_property
    def arc(self) -> NDArray[np.float64]:
        """Arc length at each point [m]; of a closed line also at its return to the start."""
        lengths = segment_lengths(self.points, closed=self.closed)
        return np.concatenate([[0.0], np.cumsum(lengths)])

    @property
    def length(self) -> float:
        """Length of the line [m]."""
        return float(self.arc[-1])

    @cached_property
    def _directions(self) -> NDArray[np.float64]:
        before, after = neighbours(self.points, closed=self.closed)
        along: NDArray[np.float64] = after - before
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        return along

    def at(self, arc: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return points [m] and unit directions at arc lengths [m], shape [n, 2] each."""
        point, along = self._wrapped(self.points), self._wrapped(self._directions)
        points = np.stack([np.interp(arc, self.arc, column) for column in point.T], axis=1)
        directions = np.stack([np.interp(arc, self.arc, column) for column in along.T], axis=1)
        return points, directions / np.linalg.norm(directions, axis=1, keepdims=True)

    def _wrapped(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Repeat the first row at the end of a closed line."""
        return np.concatenate([values, values[:1]]) if self.closed else values
