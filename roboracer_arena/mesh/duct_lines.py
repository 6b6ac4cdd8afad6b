"""The axes of all ducts: pieces that meet are joined where they run on straightest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from roboracer_arena.corridor import Border
from roboracer_arena.mesh.axis import DuctLine
from roboracer_arena.mesh.bends import limit_bends
from roboracer_arena.mesh.duct_pieces import DuctPiece, cut_pieces
from roboracer_arena.mesh.medial import sample_borders
from roboracer_arena.mesh.polyline import segment_lengths
from roboracer_arena.mesh.settings import DuctSettings

__all__ = ["duct_lines"]

_MIN_PIECE = 2.0
"""Pieces shorter than this many duct diameters are dropped if other pieces pass both their ends."""
_THICKEST = 1.3
"""How far above the limit between one duct and two the wall is still measured: so much may a
short thick stretch exceed it and still count as thin."""
_MIN_JOIN_COSINE = -0.2
"""Pieces are joined if the turn between them is less than about 100 degrees."""


def duct_lines(borders: Sequence[Border], settings: DuctSettings) -> list[DuctLine]:
    """Lay out the axes of all ducts.

    Args:
        borders: Wall faces, corridor to the left; obstacles are left out, since no duct fits
            in them.
        settings: Diameter, smoothing, and where one duct serves both sides of a wall.

    Returns:
        Lines that bend no tighter than a duct can, in a fixed order.
    """
    walls = [border for border in borders if border.kind != "obstacle"]
    if not walls:
        return []
    samples = sample_borders(walls, settings.line_step, _THICKEST * settings.single_thickness / 2.0)
    pieces = cut_pieces(samples, settings)
    return [
        DuctLine(points, closed)
        for chain in _join(pieces, settings)
        for points, closed in limit_bends(chain.points, chain.closed, samples, settings)
    ]


def _join(pieces: list[DuctPiece], settings: DuctSettings) -> list[DuctPiece]:
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
        ends = (walk[0], walk[-1] ^ 1)
        passed = not chain.closed and all(entry in near for entry in ends)
        if not (passed and _length(chain.points) < _MIN_PIECE * settings.diameter):
            chains.append(chain)
    return chains


def _link_ends(pieces: list[DuctPiece], settings: DuctSettings) -> tuple[dict[int, int], set[int]]:
    """Decide which ends are joined; end 2 k is the start of piece k, 2 k + 1 its end.

    Returns:
        The partner of each joined end, and all ends that have any other end close by.
    """
    links: dict[int, int] = {}
    if not pieces:
        return links, set()
    reach = settings.single_thickness - settings.diameter + 4.0 * settings.line_step
    places = np.concatenate([piece.points[[0, -1]] for piece in pieces])
    outward = np.concatenate([_outward(piece.points) for piece in pieces])
    pairs = cKDTree(places).query_pairs(reach, output_type="ndarray")
    cosine = -np.einsum("ij,ij->i", outward[pairs[:, 0]], outward[pairs[:, 1]])
    gap = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    cost = np.arccos(np.clip(cosine, -1.0, 1.0)) + 0.5 * gap / reach
    for a, b in pairs[np.lexsort((pairs[:, 1], pairs[:, 0], cost.round(6)))].tolist():
        straight = -float(outward[a] @ outward[b]) > _MIN_JOIN_COSINE
        same = a // 2 == b // 2 and _length(pieces[a // 2].points) < 4.0 * reach
        if straight and not same and a not in links and b not in links:
            links[a], links[b] = b, a
    return links, set(pairs.ravel().tolist())


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
    pieces: list[DuctPiece], entries: list[int], links: dict[int, int], near: set[int]
) -> DuctPiece:
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
    return DuctPiece(points, middle=False, closed=links.get(first) == last)


def _tip(points: NDArray[np.float64], depth: float) -> NDArray[np.float64]:
    """Return one more point beyond the end of a line.

    Half the wall's depth there: the flat end of the duct then covers most of the tip, and its
    rim does not reach beyond a tip as thick as a duct.
    """
    return points[-1:] + _outward(points)[1:] * depth / 2.0


def _length(points: NDArray[np.float64]) -> float:
    return float(segment_lengths(points, closed=False).sum())
