"""From lattice lines to metres: the place of every edge as one linear program.

Every straight edge of the walk gets its own place, so the program stretches each arm and each
straight separately. It keeps the order of the lattice, room between facing parts, room for every
rounding, the gaps that join or part turns, the hall, the longest straight, and the lap exactly;
among all solutions it takes one near edge lengths drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.generate.lattice.corners import Corner, Rounding
from roboracer_arena.generate.lattice.program import SpacingProgram

__all__ = ["GapBands", "Room", "solve_spacing"]


@dataclass(frozen=True, slots=True)
class GapBands:
    """Straights between successive corners, in reference radii."""

    joined: tuple[float, float]
    """Within a hairpin or chicane."""
    loose: float
    """Least, where turns may or may not be joined without changing a feature."""
    apart: float
    """Least, where turns must stay two."""


@dataclass(frozen=True, slots=True)
class Room:
    """What the track must fit. Metres."""

    size: tuple[float, float]
    """Largest extent of the centreline along x and y."""
    pitch: float
    """Usual least distance of facing parts of the centreline."""
    leg_pitch: float
    """Least distance of the two legs of a hairpin: their walls may touch."""
    lap: float
    """Lap length, exactly."""
    straight: float
    """Least length of one straight; 0 asks for none."""
    radius: float
    """Reference radius."""
    spacing: float
    """Usual distance of lattice lines."""


def solve_spacing(
    corners: Sequence[Corner],
    roundings: Sequence[Rounding],
    room: Room,
    bands: GapBands,
    rng: Random,
) -> NDArray[np.float64] | None:
    """Place the corners of a walk.

    Args:
        corners: In walking order.
        roundings: One per corner.
        room: Hall, lap and distances.
        bands: Straights between corners.
        rng: Draws the wished spacings, and the edge that becomes the longest straight.

    Returns:
        Shape [n, 2], the corners before rounding [m], lowest x and y at 0; None where no spacing
        satisfies everything.
    """
    count = len(corners)
    program = SpacingProgram(corners, room.size)
    slanted = {
        index
        for index, corner in enumerate(corners)
        if roundings[index].slant and corner.partner == (index + 1) % count
    }
    program.equal(program.outline(), room.lap + sum(rounding.loss for rounding in roundings))
    neighbours = _neighbours(corners, slanted, room.leg_pitch)
    for axis in (0, 1):
        _keep_apart(program, axis, room.pitch, neighbours)
    for index, corner in enumerate(corners):
        following = (index + 1) % count
        slant = roundings[index].slant
        if slant and index in slanted:
            program.equal(program.length(index), slant.offset)
            continue
        used = roundings[index].tangent + roundings[following].tangent
        joined = corner.partner == following
        least, most = _gap(corner, corners[following], joined, roundings[index], bands)
        program.at_least(program.length(index), used + least * room.radius)
        if joined:
            program.at_most(program.length(index), used + most * room.radius)
    units = [high - low for low, high in map(program.stretch, range(count))]
    if room.straight:
        index = _straight_edge(units, rng)
        used = roundings[index].tangent + roundings[(index + 1) % count].tangent
        program.at_least(program.length(index), used + room.straight)
    return program.solve([room.spacing * unit * (0.8 + 0.6 * rng.random()) for unit in units])


def _neighbours(
    corners: Sequence[Corner], slanted: set[int], leg_pitch: float
) -> dict[frozenset[int], float]:
    """Return the pairs of edges that one edge joins closer than the usual pitch [m].

    The edges beside a slanted chicane run into one another, and need no distance at all.
    """
    count = len(corners)
    pairs: dict[frozenset[int], float] = {}
    for index, corner in enumerate(corners):
        if corner.partner == (index + 1) % count:
            pair = frozenset(((index - 1) % count, (index + 1) % count))
            if corner.role == "hairpin":
                pairs[pair] = leg_pitch
            elif index in slanted:
                pairs[pair] = 0.0
    return pairs


def _keep_apart(
    program: SpacingProgram, axis: int, pitch: float, neighbours: dict[frozenset[int], float]
) -> None:
    """Keep facing edges apart: parallel ones whose stretches come within one lattice edge.

    Only the nearest edges that face one another need a row: those behind are further away.

    Args:
        program: Where the rows go.
        axis: 0 for places along x, 1 along y.
        pitch: Least distance [m].
        neighbours: Pairs of edges with a least distance of their own [m].
    """
    edges = program.across(axis)
    for place, low in enumerate(edges):
        start, end = program.stretch(low)
        open_to = set(range(start - 1, end + 1))
        for high in edges[place + 1 :]:
            if program.line(high) == program.line(low):
                continue
            first, last = program.stretch(high)
            hidden = open_to & set(range(first - 1, last + 1))
            if hidden:
                least = neighbours.get(frozenset((low, high)), pitch)
                program.at_least({high: 1.0, low: -1.0}, least)
                open_to -= hidden
            if not open_to:
                break


def _gap(
    here: Corner, following: Corner, joined: bool, rounding: Rounding, bands: GapBands
) -> tuple[float, float]:
    """Return the least and the most straight between two successive corners [radii]."""
    if joined:
        return bands.joined
    same_block = here.block == following.block
    opposite = here.sign != following.sign
    named = {"hairpin"} & {here.role, following.role} or rounding.kind == "sweeper"
    if opposite and (same_block or named):
        return bands.loose, np.inf
    return bands.apart, np.inf


def _straight_edge(units: Sequence[int], rng: Random) -> int:
    """Choose the edge for the longest straight: one of the longest on the lattice."""
    longest = max(units)
    best = sorted(range(len(units)), key=lambda index: (-units[index], index))
    best = [index for index in best if units[index] >= longest - 1][:3]
    return best[int(rng.random() * len(best))]
