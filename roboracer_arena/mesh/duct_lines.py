"""Where the ducts run: beside each border, or once along the middle of a thin wall.

A duct's axis keeps one duct radius of distance to its border, inside the wall. Where the wall is
about as thin as a duct, both borders would claim the same place; one duct on the wall's medial
line stands for both. So each border is cut into pieces, *beside* and *middle*; the second copy of
each middle piece is dropped; and where pieces meet, those two are joined that run on straightest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from roboracer_arena.corridor import Border
from roboracer_arena.mesh.axis import DuctLine
from roboracer_arena.mesh.bends import limit_bends
from roboracer_arena.mesh.medial import BorderSamples, sample_borders
from roboracer_arena.mesh.settings import DuctSettings

__all__ = ["duct_lines"]

_COVER = 1.0
"""A spur of the medial line into a corner of the wall is left out where the corner's tip is
within this many duct radii of the duct that passes it; 1 leaves out corners from 60 degrees on."""
_MIN_PIECE = 2.0
"""Pieces shorter than this many duct diameters are dropped if other pieces pass both their ends."""

_MIN_STRETCH = 2.0
"""Along the border, in duct diameters: shorter changes between one and two ducts are ignored."""
_THICKEST = 1.3
"""How far above the limit between one duct and two the wall is still measured: so much may a
short thick stretch exceed it."""
_MIN_JOIN_COSINE = -0.2
"""Pieces are joined if the turn between them is less than about 100 degrees."""


@dataclass(slots=True, eq=False)
class _Piece:
    """A stretch of one border's duct."""

    points: NDArray[np.float64]
    """Shape [n, 2], the duct's axis [m]."""
    middle: bool
    """Whether it runs along the middle of a thin wall."""
    depth: tuple[float, float] = (0.0, 0.0)
    """How far the wall reaches beyond its first and its last point [m]."""
    closed: bool = False


def duct_lines(borders: Sequence[Border], settings: DuctSettings) -> list[DuctLine]:
    """Lay out the axes of all ducts.

    Args:
        borders: Smoothed borders, corridor to the left; obstacles are left out, since no duct
            fits in them.
        settings: Diameter and the wall thickness below which one duct serves both sides.

    Returns:
        Lines that bend no tighter than a duct can, in a fixed order.
    """
    walls = [border for border in borders if border.kind != "obstacle"]
    if not walls:
        return []
    samples = sample_borders(walls, settings.line_step, _THICKEST * settings.single_below / 2.0)
    pieces = _cut(samples, settings)
    return [
        DuctLine(points, closed)
        for chain in _join(pieces, settings)
        for points, closed in limit_bends(chain.points, chain.closed, samples, settings)
    ]


def _cut(samples: BorderSamples, settings: DuctSettings) -> list[_Piece]:
    """Cut all borders into pieces and drop what needs no duct."""
    index = np.arange(len(samples.points))
    thin = _thin_stretches(samples, settings)
    # The other side of a middle stretch is the same stretch once more, and is dropped.
    middle, free = thin & (samples.touch > index), ~thin
    depth = np.where(free, settings.radius, samples.radius)
    axis = samples.points + depth[:, None] * samples.normals
    passed = _folds(samples, thin) | _corner_spurs(samples, axis, middle, settings.radius)
    pieces: list[_Piece] = []
    for start, stop in pairwise(samples.starts):
        own = index[start:stop][~passed[start:stop]]
        if len(own):
            pieces += _cut_one(own, samples, axis, free, middle)
    return pieces


def _thin_stretches(samples: BorderSamples, settings: DuctSettings) -> NDArray[np.bool_]:
    """Return the samples where one duct serves both sides of the wall.

    A wall whose thickness keeps crossing the limit must not change over at each crossing: short
    thick stretches between thin ones count as thin, and short thin ones as thick unless two ducts
    would stick out of the wall.
    """
    shortest = max(2, round(_MIN_STRETCH * settings.diameter / samples.step))
    measured = samples.touch >= 0
    index = np.flatnonzero(measured)
    border = np.searchsorted(samples.starts, index, side="right")
    apart = np.flatnonzero((np.diff(index) > 1) | (np.diff(border) != 0)) + 1
    thin = np.zeros(len(samples.points), dtype=np.bool_)
    for run in np.split(index, apart):
        below = run[samples.radius[run] < settings.single_below / 2.0]
        for part in np.split(below, np.flatnonzero(np.diff(below) > shortest) + 1):
            if len(part) == 0:
                continue
            stretch = slice(int(part[0]), int(part[-1]) + 1)
            narrowest = samples.radius[stretch].min()
            if part[-1] - part[0] >= shortest or narrowest < settings.radius:
                thin[stretch] = True
    # Both sides of a wall must agree.
    return thin | (measured & thin[samples.touch])


def _folds(samples: BorderSamples, thin: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which samples go around the tip of a wall, or into a corner from about 65 degrees on.

    Along a thin wall, two samples that touch each other are far apart along the border. Around
    its tip they are no further apart than half the ball's circumference, and the medial line
    stands still or runs off into a corner.
    """
    index = np.flatnonzero(thin)
    touch = samples.touch[index]
    border = np.searchsorted(samples.starts, index, side="right")
    count = samples.starts[border] - samples.starts[border - 1]
    apart = np.abs(touch - index)
    apart = np.minimum(apart, count - apart)
    same = border == np.searchsorted(samples.starts, touch, side="right")
    folded = same & (apart * samples.step <= np.pi * samples.radius[index] + 2.0 * samples.step)
    folds = np.zeros(len(thin), dtype=np.bool_)
    folds[index[folded]] = True
    folds[touch[folded]] = True
    return folds


def _corner_spurs(
    samples: BorderSamples,
    axis: NDArray[np.float64],
    middle: NDArray[np.bool_],
    radius: float,
) -> NDArray[np.bool_]:
    """Return which samples only lead into a corner of the wall and back.

    Seen along the border, such samples touch each other pairwise, nested around the corner.
    """
    passed = np.zeros(len(axis), dtype=np.bool_)
    for first, last in _runs(samples, middle):
        opposite = int(samples.touch[last])
        own = int(np.searchsorted(samples.starts, first, side="right"))
        ends_in_tip = (
            opposite < samples.starts[own]
            and (opposite - last) * samples.step <= np.pi * samples.radius[last] + 4 * samples.step
        )
        if not ends_in_tip:
            continue
        tip = samples.points[(last + opposite) // 2]
        if np.linalg.norm(tip - axis[first]) <= (1.0 + _COVER) * radius:
            passed[first : int(samples.touch[first]) + 1] = True
    return passed


def _runs(samples: BorderSamples, chosen: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return first and last sample of each run of chosen ones that touch a steady other side."""
    index = np.flatnonzero(chosen)
    if len(index) == 0:
        return []
    breaks = _breaks(index, samples)
    firsts = np.concatenate([[0], breaks])
    lasts = np.concatenate([breaks, [len(index)]]) - 1
    return [(int(index[a]), int(index[b])) for a, b in zip(firsts, lasts, strict=True)]


def _breaks(index: NDArray[np.int64], samples: BorderSamples) -> NDArray[np.int64]:
    """Return where a row of samples is interrupted, or its other side jumps."""
    jump = max(4, round(4.0 * float(samples.radius.max()) / samples.step))
    border = np.searchsorted(samples.starts, index, side="right")
    touch = samples.touch[index]
    broken = (np.diff(index) > 1) | (np.diff(border) != 0) | (np.abs(np.diff(touch)) > jump)
    return np.flatnonzero(broken) + 1


def _cut_one(
    own: NDArray[np.int64],
    samples: BorderSamples,
    axis: NDArray[np.float64],
    free: NDArray[np.bool_],
    middle: NDArray[np.bool_],
) -> list[_Piece]:
    """Cut the samples of one border where they change between beside, middle and dropped."""
    kind = np.where(free[own], 0, np.where(middle[own], 1, 2))
    jump = max(4, round(4.0 * float(samples.radius.max()) / samples.step))
    leap = (np.abs(np.diff(samples.touch[own])) > jump) & (kind[1:] == 1)
    cuts = np.flatnonzero((np.diff(kind) != 0) | leap) + 1
    parts = np.split(own, cuts)
    if len(parts) == 1:
        return [_Piece(axis[own], bool(kind[0]), closed=True)] if kind[0] != 2 else []
    if kind[0] == kind[-1] == 0:
        parts = [np.concatenate([parts[-1], parts[0]]), *parts[1:-1]]
    return [
        _Piece(
            axis[part],
            bool(middle[part[0]]),
            depth=(float(samples.radius[part[0]]), float(samples.radius[part[-1]])),
        )
        for part in parts
        if len(part) > 1 and (free[part[0]] or middle[part[0]])
    ]


def _join(pieces: list[_Piece], settings: DuctSettings) -> list[_Piece]:
    """Join open pieces end to end, the straightest continuations first."""
    chains = [piece for piece in pieces if piece.closed]
    rest = [piece for piece in pieces if not piece.closed]
    links, near = _link_ends(rest, settings)
    seen: set[int] = set()
    # Start at loose ends, so that what remains unseen is closed.
    order = sorted(range(2 * len(rest)), key=lambda end: (end in links, end))
    for end in order:
        if end // 2 in seen:
            continue
        walk = _walk(end, links)
        seen.update(entry // 2 for entry in walk)
        chain = _assemble([rest[entry // 2] for entry in walk], walk, links, near)
        length = float(np.linalg.norm(np.diff(chain.points, axis=0), axis=1).sum())
        ends = (walk[0], walk[-1] ^ 1)
        passed = not chain.closed and all(entry in near for entry in ends)
        if not (passed and length < _MIN_PIECE * settings.diameter):
            chains.append(chain)
    return chains


def _link_ends(pieces: list[_Piece], settings: DuctSettings) -> tuple[dict[int, int], set[int]]:
    """Decide which ends are joined; end 2 k is the start of piece k, 2 k + 1 its end.

    Returns:
        The partner of each joined end, and all ends that have any other end close by.
    """
    links: dict[int, int] = {}
    if not pieces:
        return links, set()
    reach = settings.single_below - settings.diameter + 4.0 * settings.line_step
    places = np.concatenate([piece.points[[0, -1]] for piece in pieces])
    outward = np.concatenate([_outward(piece.points) for piece in pieces])
    pairs = cKDTree(places).query_pairs(reach, output_type="ndarray")
    cosine = -np.einsum("ij,ij->i", outward[pairs[:, 0]], outward[pairs[:, 1]])
    gap = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    cost = np.arccos(np.clip(cosine, -1.0, 1.0)) + 0.5 * gap / reach
    for a, b in pairs[np.lexsort((pairs[:, 1], pairs[:, 0], cost.round(6)))].tolist():
        straight = -float(outward[a] @ outward[b]) > _MIN_JOIN_COSINE
        same = a // 2 == b // 2 and _length(pieces[a // 2]) < 4.0 * reach
        if straight and not same and a not in links and b not in links:
            links[a], links[b] = b, a
    return links, set(pairs.ravel().tolist())


def _length(piece: _Piece) -> float:
    return float(np.linalg.norm(np.diff(piece.points, axis=0), axis=1).sum())


def _outward(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the directions in which a line leaves its start and its end, shape [2, 2]."""
    span = min(3, len(points) - 1)
    away = np.stack([points[0] - points[span], points[-1] - points[-1 - span]])
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12)
    return away


def _walk(end: int, links: dict[int, int]) -> list[int]:
    """Follow links from an end; return the end by which each piece is entered."""
    entries = [end]
    while (leave := entries[-1] ^ 1) in links and links[leave] != end:
        entries.append(links[leave])
    return entries


def _assemble(
    pieces: list[_Piece], entries: list[int], links: dict[int, int], near: set[int]
) -> _Piece:
    """String pieces together; let an end that stands alone reach into the tip of its wall."""
    parts = [
        piece.points[::-1] if entry % 2 else piece.points
        for piece, entry in zip(pieces, entries, strict=True)
    ]
    first, last = entries[0], entries[-1] ^ 1
    points = np.concatenate(parts)
    if first not in near:
        points = np.concatenate([_tip(points[::-1], pieces[0].depth[first % 2]), points])
    if last not in near:
        points = np.concatenate([points, _tip(points, pieces[-1].depth[last % 2])])
    return _Piece(points, middle=False, closed=links.get(first) == last)


def _tip(points: NDArray[np.float64], depth: float) -> NDArray[np.float64]:
    """Return one more point beyond the end of a line.

    Half the wall's depth there: the flat end of the duct then covers most of the tip, and its
    rim does not reach beyond a tip as thick as a duct.
    """
    return points[-1:] + _outward(points)[1:] * depth / 2.0
