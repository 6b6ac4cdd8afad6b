"""The corners of a walk, and how each of them is going to be rounded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from roboracer_arena.generate.lattice.anneal import Walk
from roboracer_arena.generate.lattice.blocks import CornerRole, read_block

__all__ = ["Corner", "Rounding", "Slant", "StyleBands", "find_corners", "round_corners"]

_HALF_RIGHT = math.tan(math.pi / 8.0)
"""Tangent of an arc of 45 degrees, in radii."""


@dataclass(frozen=True, slots=True)
class Corner:
    """A right angle of the walk."""

    column: int
    """Lattice line, counted from the west."""
    row: int
    """Lattice line, counted from the south."""
    sign: int
    """+1 left, -1 right."""
    heading: int
    """Of the edge that arrives: 0 east, 1 north, 2 west, 3 south."""
    role: CornerRole
    partner: int
    """Index of the other corner of its hairpin or chicane, or -1."""
    block: int
    """Number of its block."""
    letter: int
    """Index into the layout's letters for a lone corner, else -1."""


@dataclass(frozen=True, slots=True)
class Rounding:
    """What replaces a right angle: one arc, or two of 45 degrees with a straight between."""

    kind: Literal["corner", "sweeper", "cut"]
    """``cut``: two corners of 45 degrees, far enough apart to stay two."""
    radius: float
    """Of each arc [m]."""
    chamfer: float = 0.0
    """Distance from the right angle to where the two tangents of 45 degrees begin [m]; 0 for a
    single arc."""
    slant: Slant | None = None
    """For both corners of a slanted chicane: how it is drawn."""

    @property
    def tangent(self) -> float:
        """Length of each edge that the rounding uses [m]; of the outer edge for a slant."""
        if self.slant:
            return self.slant.tangent
        return self.chamfer + self.radius * (_HALF_RIGHT if self.chamfer else 1.0)

    @property
    def loss(self) -> float:
        """What the rounding takes off the lap [m]; half of it all for a corner of a slant."""
        if self.slant:
            return self.slant.loss / 2.0
        between = math.sqrt(2.0) * self.chamfer - 2.0 * _HALF_RIGHT * self.radius
        straight = between if self.chamfer else 0.0
        return 2.0 * self.tangent - math.pi / 2.0 * self.radius - straight


@dataclass(frozen=True, slots=True)
class Slant:
    """A chicane of two equal turns of less than a right angle. Metres, radians."""

    angle: float
    """How far each corner turns."""
    radius: float
    """Of both arcs."""
    gap: float
    """Straight between the arcs."""

    @property
    def _side(self) -> float:
        """Length of the slanted edge between the two corners before rounding."""
        return self.gap + 2.0 * self.radius * math.tan(self.angle / 2.0)

    @property
    def offset(self) -> float:
        """Distance of the two parallel edges that the chicane joins."""
        return self._side * math.sin(self.angle)

    @property
    def shift(self) -> float:
        """How far each corner lies off the middle of the chicane, along the parallel edges."""
        return self._side * math.cos(self.angle) / 2.0

    @property
    def tangent(self) -> float:
        """Length of each parallel edge that the chicane uses."""
        return self.shift + self.radius * math.tan(self.angle / 2.0)

    @property
    def loss(self) -> float:
        """What the chicane takes off the lap, against right angles without radius."""
        return 2.0 * self.tangent + self.offset - 2.0 * self.radius * self.angle - self.gap


@dataclass(frozen=True, slots=True)
class StyleBands:
    """Bands to draw roundings from, well inside the classes. Units: reference radii."""

    corner: tuple[float, float]
    """Radius of ordinary corners and of the two arcs of a hairpin."""
    sweeper: tuple[float, float]
    """Radius of sweepers."""
    sweeper_gap: tuple[float, float]
    """Straight between the two arcs of a sweeper."""
    cut_gap: tuple[float, float]
    """Straight between the two corners of a cut."""
    cut_share: float
    """Share of lone corners that are cut."""
    single_share: float
    """Share of sweepers that are one arc."""
    slant_share: float
    """Share of chicanes whose corners turn less than a right angle."""
    slant_angle: tuple[float, float]
    """How far their corners turn [rad]."""
    slant_gap: tuple[float, float]
    """Straight between their arcs."""


def find_corners(walk: Walk) -> tuple[Corner, ...]:
    """List the corners of a walk in order, with what each belongs to."""
    letters = walk.letters
    origin = letters.index("S")
    order = [*range(origin, len(letters)), *range(origin)]
    runs: list[list[int]] = [[]]
    for index in order:
        if letters[index] == "S":
            runs.append([])
        else:
            runs[-1].append(index)
    corners: list[Corner] = []
    letter = 0
    for block, run in enumerate(run for run in runs if run):
        named = read_block("".join(letters[index] for index in run))
        first = len(corners)
        for place, index in enumerate(run):
            column, row = _end(walk, index)
            partner = named.partners[place]
            corners.append(
                Corner(
                    column=column,
                    row=row,
                    sign=1 if letters[index] == "L" else -1,
                    heading=walk.edges[index] & 3,
                    role=named.roles[place],
                    partner=partner + first if partner >= 0 else -1,
                    block=block,
                    letter=letter if named.letters == "T" else -1,
                )
            )
        letter += len(named.letters)
    return tuple(corners)


def _end(walk: Walk, index: int) -> tuple[int, int]:
    """Return column and row of the lattice vertex where an edge ends."""
    cell, heading = walk.edges[index] >> 2, walk.edges[index] & 3
    row, column = divmod(cell, walk.stride)
    # With the cell on the left, an edge heading east ends at the cell's south-east vertex, one
    # heading north at its north-east vertex, and so on around.
    return column + (heading in (0, 1)), row + (heading in (1, 2))


def round_corners(
    corners: Sequence[Corner],
    sweepers: Sequence[int],
    bands: StyleBands,
    radius: float,
    rng: Random,
) -> tuple[Rounding, ...]:
    """Choose a rounding for every corner.

    Args:
        corners: The corners of a walk.
        sweepers: Letters of the layout that become sweepers.
        bands: What to draw from.
        radius: Reference radius [m].
        rng: Draws.
    """
    roundings: list[Rounding] = []
    for index, corner in enumerate(corners):
        if 0 <= corner.partner < index and corner.role in ("hairpin", "chicane"):
            roundings.append(roundings[corner.partner])
        elif corner.letter in sweepers:
            roundings.append(_sweeper(bands, radius, rng))
        elif corner.role == "lone" and rng.random() < bands.cut_share:
            roundings.append(_cut(bands, radius, rng))
        elif corner.role == "chicane" and rng.random() < bands.slant_share:
            roundings.append(_slanted(bands, radius, rng))
        else:
            roundings.append(Rounding("corner", radius * _draw(bands.corner, rng)))
    return tuple(roundings)


def _slanted(bands: StyleBands, radius: float, rng: Random) -> Rounding:
    slant = Slant(
        angle=_draw(bands.slant_angle, rng),
        radius=radius * _draw(bands.corner, rng),
        gap=radius * _draw(bands.slant_gap, rng),
    )
    return Rounding("corner", slant.radius, slant=slant)


def _sweeper(bands: StyleBands, radius: float, rng: Random) -> Rounding:
    arc = radius * _draw(bands.sweeper, rng)
    if rng.random() < bands.single_share:
        return Rounding("sweeper", arc)
    return _two_arcs("sweeper", arc, radius * _draw(bands.sweeper_gap, rng))


def _cut(bands: StyleBands, radius: float, rng: Random) -> Rounding:
    arc = radius * _draw(bands.corner, rng)
    return _two_arcs("cut", arc, radius * _draw(bands.cut_gap, rng))


def _two_arcs(kind: Literal["sweeper", "cut"], arc: float, gap: float) -> Rounding:
    return Rounding(kind, arc, (gap + 2.0 * _HALF_RIGHT * arc) / math.sqrt(2.0))


def _draw(band: tuple[float, float], rng: Random) -> float:
    return band[0] + (band[1] - band[0]) * rng.random()
