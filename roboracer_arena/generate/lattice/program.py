"""The linear program behind the spacing: where each straight edge of a walk lies.

One unknown per edge, x for those that run north or south and y for the others, in walking order;
then one per lattice line, which keeps the edges of neighbouring lines in order; then one per edge
for how far its length is from the wished one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.generate.lattice.corners import Corner

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Row", "SpacingProgram"]

Row = dict[int, float]
"""A row of the program: unknown to coefficient."""


class SpacingProgram:
    """Collects rows over the edges of a walk, and solves them."""

    def __init__(self, corners: Sequence[Corner], size: tuple[float, float]) -> None:
        self._corners = corners
        self._count = len(corners)
        self._size = size
        self._rows: list[Row] = []
        self._low: list[float] = []
        self._high: list[float] = []
        self._unknowns = self._count
        for axis in (0, 1):
            self._keep_order(axis)

    def heading(self, edge: int) -> int:
        """Return the heading of the edge from corner ``edge`` to the next."""
        corner = self._corners[edge]
        return (corner.heading + corner.sign) % 4

    def line(self, edge: int) -> int:
        """Return the lattice line on which an edge lies."""
        corner = self._corners[edge]
        return corner.row if self.heading(edge) % 2 == 0 else corner.column

    def stretch(self, edge: int) -> tuple[int, int]:
        """Return the lattice interval that an edge covers along its line, low end first."""
        here, there = self._corners[edge], self._corners[(edge + 1) % self._count]
        if self.heading(edge) % 2 == 0:
            return min(here.column, there.column), max(here.column, there.column)
        return min(here.row, there.row), max(here.row, there.row)

    def across(self, axis: int) -> list[int]:
        """Return the edges whose place along an axis is unknown, in the order of their lines."""
        edges = [edge for edge in range(self._count) if (self.heading(edge) + axis) % 2 == 1]
        return sorted(edges, key=self.line)

    def length(self, edge: int) -> Row:
        """Return the row for the length of an edge: the places of its two neighbours."""
        sign = 1.0 if self.heading(edge) < 2 else -1.0
        return {(edge + 1) % self._count: sign, (edge - 1) % self._count: -sign}

    def outline(self) -> Row:
        """Return the row for the length of all edges together."""
        total: Row = {}
        for edge in range(self._count):
            for unknown, factor in self.length(edge).items():
                total[unknown] = total.get(unknown, 0.0) + factor
        return total

    def equal(self, row: Row, value: float) -> None:
        """Demand that a row equals a value."""
        self._demand(row, value, value)

    def at_most(self, row: Row, value: float) -> None:
        """Demand that a row is at most a value."""
        self._demand(row, -np.inf, value)

    def at_least(self, row: Row, value: float) -> None:
        """Demand that a row is at least a value."""
        self._demand(row, value, np.inf)

    def _demand(self, row: Row, low: float, high: float) -> None:
        self._rows.append(row)
        self._low.append(low)
        self._high.append(high)

    def _keep_order(self, axis: int) -> None:
        edges = self.across(axis)
        lines = sorted({self.line(edge) for edge in edges})
        border = {line: self._unknowns + index for index, line in enumerate(lines)}
        self._unknowns += len(lines)
        before = dict(zip(lines[1:], lines, strict=False))
        for edge in edges:
            line = self.line(edge)
            self.at_most({edge: 1.0, border[line]: -1.0}, 0.0)
            if line in before:
                self.at_least({edge: 1.0, border[before[line]]: -1.0}, 0.0)

    def solve(self, wished: Sequence[float]) -> NDArray[np.float64] | None:
        """Return the corners for edge lengths as near as possible to the wished ones.

        Args:
            wished: Per edge [m]; the sum of relative deviations is minimised.

        Returns:
            Shape [n, 2], [m]; None where the rows contradict each other.
        """
        # Not at module level: costs 0.3 s to import. Without integer unknowns, milp is HiGHS's
        # linear program, taking sparse rows with both limits as they are.
        from scipy.optimize import Bounds, LinearConstraint, milp

        first = self._unknowns
        for edge, length in enumerate(wished):
            row = self.length(edge)
            self.at_most({**row, first + edge: -1.0}, length)
            self.at_least({**row, first + edge: 1.0}, length)
        cost = np.zeros(first + self._count)
        cost[first:] = 1.0 / np.asarray(wished)
        most = np.full(len(cost), np.inf)
        for edge in range(self._count):
            most[edge] = self._size[1 - self.heading(edge) % 2]
        result = milp(
            cost,
            constraints=LinearConstraint(_matrix(self._rows, len(cost)), self._low, self._high),
            bounds=Bounds(0.0, most),
        )
        return self._vertices(result.x) if result.success else None

    def _vertices(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        vertices = np.empty((self._count, 2))
        for edge in range(self._count):
            axis = self.heading(edge) % 2
            value = places[edge]
            # An edge that runs along y has one x, which both of its corners share.
            vertices[edge, 1 - axis] = value
            vertices[(edge + 1) % self._count, 1 - axis] = value
        return vertices


def _matrix(rows: Iterable[Row], columns: int) -> csr_matrix:
    from scipy.sparse import csr_matrix

    data: list[float] = []
    indices: list[int] = []
    starts = [0]
    for row in rows:
        indices += row.keys()
        data += row.values()
        starts.append(len(indices))
    return csr_matrix((data, indices, starts), shape=(len(starts) - 1, columns))
