"""Reading features off the walk around a cell set.

Corners that follow one another after a single lattice edge form a *block*; longer edges stay
straight enough to keep turns apart. Within a block, two corners of one sign are a hairpin and two
successive others of opposite sign a chicane; a corner alone in its block may become a sweeper.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

__all__ = ["Block", "CornerRole", "Layout", "read_block", "read_layout"]

CornerRole = Literal["hairpin", "chicane", "plain", "lone"]
"""What a corner belongs to; ``plain`` ones stand in a block, but in no feature of it."""


@dataclass(frozen=True, slots=True)
class Block:
    """The corners of one block and what they make."""

    letters: str
    """Features in walking order: ``H`` hairpin, ``C`` chicane, ``T`` a lone corner."""
    roles: tuple[CornerRole, ...]
    """One per corner."""
    partners: tuple[int, ...]
    """For each corner the index of the other corner of its feature, or -1."""
    faults: int
    """Corners of one sign that cannot be told apart: three or more in a row."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a whole walk holds."""

    letters: str
    """Features in walking order, once around, as in :class:`Block`."""
    corners: int
    """Number of corners."""
    faults: int
    """Places that no track can have."""


@lru_cache(maxsize=1 << 16)
def read_block(corners: str) -> Block:
    """Name the corners of one block.

    Args:
        corners: ``L`` and ``R`` in walking order.
    """
    if len(corners) == 1:
        return Block("T", ("lone",), (-1,), 0)
    count = len(corners)
    roles: list[CornerRole] = ["plain"] * count
    partners = [-1] * count
    faults, index = 0, 0
    while index + 1 < count:
        if corners[index] == corners[index + 1]:
            roles[index] = roles[index + 1] = "hairpin"
            partners[index], partners[index + 1] = index + 1, index
            if index + 2 < count and corners[index + 2] == corners[index]:
                faults += 1
            index += 1
        index += 1
    index = 0
    while index + 1 < count:
        if roles[index] == roles[index + 1] == "plain":
            roles[index] = roles[index + 1] = "chicane"
            partners[index], partners[index + 1] = index + 1, index
            index += 1
        index += 1
    letters = "".join(
        "H" if role == "hairpin" else "C"
        for index, role in enumerate(roles)
        if role in ("hairpin", "chicane") and partners[index] > index
    )
    return Block(letters, tuple(roles), tuple(partners), faults)


def read_layout(walk: str) -> Layout:
    """Name the features of a walk around a cell set.

    Args:
        walk: One letter per lattice edge, from :meth:`CellGrid.outline`.
    """
    straight = walk.find("S")
    if straight < 0:
        return Layout("", len(walk), len(walk))
    rotated = walk[straight:] + walk[:straight]
    blocks = [read_block(corners) for corners in rotated.split("S") if corners]
    return Layout(
        letters="".join(block.letters for block in blocks),
        corners=len(walk) - walk.count("S"),
        faults=sum(block.faults for block in blocks),
    )
