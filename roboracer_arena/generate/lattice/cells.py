"""Sets of square cells without holes or diagonal contacts, and the line around them.

A set is changed one cell at a time. Whether a change keeps the set in one piece, without holes and
without two cells (or two gaps) that touch at a corner only, depends on the eight neighbours alone:
a table of 256 entries answers.
"""

from __future__ import annotations

__all__ = ["CellGrid"]


def _ring(code: int) -> list[bool]:
    """Neighbours as bits: E, NE, N, NW, W, SW, S, SE from the lowest."""
    return [bool(code >> bit & 1) for bit in range(8)]


def _may_change(code: int) -> tuple[bool, bool]:
    """Whether a cell with these neighbours may be added, and whether it may be removed."""
    ring = _ring(code)
    sides = ring[0::2]
    # Changing the cell keeps pieces and holes as they are exactly when the neighbours that share
    # a side with it form one run around it, corners between them included.
    runs = 0
    for bit in range(0, 8, 2):
        after, side = ring[(bit + 1) % 8], ring[(bit + 2) % 8]
        if ring[bit] and not (after and side):
            runs += 1
    simple = runs == 1 and not all(sides)
    touches = corners = False
    for bit in range(0, 8, 2):
        one, corner, other = ring[bit], ring[(bit + 1) % 8], ring[(bit + 2) % 8]
        touches |= corner and not one and not other
        corners |= one and other and not corner
    return simple and not touches, simple and not corners


_ADDABLE, _REMOVABLE = (
    bytes(value)
    for value in zip(*(map(int, _may_change(code)) for code in range(256)), strict=True)
)


class CellGrid:
    """A set of cells on a grid of bounded size, with one empty cell all around.

    Cells are numbers: row times stride plus column, the border included.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.stride = columns + 2
        self.filled = bytearray(self.stride * (rows + 2))
        self._inside = bytearray(
            1 <= index % self.stride <= columns and 1 <= index // self.stride <= rows
            for index in range(len(self.filled))
        )
        east, north = 1, self.stride
        self._ring = (
            east,
            north + east,
            north,
            north - east,
            -east,
            -north - east,
            -north,
            -north + east,
        )
        self._ahead = (east, north, -east, -north)
        """Step to the next cell for headings east, north, west, south."""

    def fill_rectangle(self, column: int, row: int, columns: int, rows: int) -> None:
        """Fill a rectangle given by its lowest cell (from 0) and its size in cells."""
        for line in range(row + 1, row + 1 + rows):
            start = line * self.stride + column + 1
            self.filled[start : start + columns] = b"\x01" * columns

    def toggle(self, cell: int) -> bool:
        """Change a cell if the set stays sound; return whether it did."""
        if not self._inside[cell]:
            return False
        filled = self.filled
        code = 0
        for bit, step in enumerate(self._ring):
            if filled[cell + step]:
                code |= 1 << bit
        allowed = _REMOVABLE if filled[cell] else _ADDABLE
        if not allowed[code]:
            return False
        filled[cell] ^= 1
        return True

    def across(self, edge: int) -> int:
        """Return the cell on the right of an edge of :meth:`outline`."""
        return (edge >> 2) - self._ahead[((edge & 3) + 1) & 3]

    def outline(self) -> tuple[str, list[int]]:
        """Walk around the set, counter-clockwise.

        Returns:
            One letter per lattice edge: how the line goes on after it, ``L``, ``R`` or ``S``
            straight; and per edge the cell on its left times 4 plus its heading (0 east, 1 north,
            2 west, 3 south). The walk starts on the south side of the lowest, leftmost cell.
        """
        filled, ahead = self.filled, self._ahead
        first = filled.index(1)
        cell, heading = first, 0
        letters, edges = [], []
        while True:
            edges.append(cell * 4 + heading)
            before = cell + ahead[heading]
            if not filled[before]:
                letters.append("L")
                heading = (heading + 1) & 3
            else:
                beside = before - ahead[(heading + 1) & 3]
                if filled[beside]:
                    letters.append("R")
                    heading = (heading - 1) & 3
                    cell = beside
                else:
                    letters.append("S")
                    cell = before
            if cell == first and heading == 0:
                return "".join(letters), edges
