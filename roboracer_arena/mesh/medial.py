"""How thick the wall behind each border point is, and what lies on its other side.

From each point of a border the largest ball is grown into the wall that touches the border there
and holds no other border point (the "shrinking ball" of Ma, Bae and Choi, 2012). Its radius is
half the local thickness of the wall, its centre lies on the medial line, and the second point
that it touches is the opposite face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from roboracer_arena.corridor import Border
from roboracer_arena.mesh.polyline import resample

__all__ = ["BorderSamples", "sample_borders"]

_MAX_SHRINKS = 30
"""A ball settles after 3 to 6 shrinks; the rest is a guard."""


@dataclass(frozen=True, slots=True, eq=False)
class BorderSamples:
    """Evenly spaced points of all borders in a row, and the wall ball of each."""

    points: NDArray[np.float64]
    """Shape [n, 2], on the border [m]."""
    normals: NDArray[np.float64]
    """Shape [n, 2], unit vectors into the wall. Where the border turns sharply around the
    corridor, one point stands several times with its normals fanned out."""
    starts: NDArray[np.int64]
    """Shape [borders + 1], where each border's points begin; the last is n. Each begins where
    its wall is thickest."""
    radius: NDArray[np.float64]
    """Shape [n], radius of the ball [m], no more than the cap."""
    touch: NDArray[np.int64]
    """Shape [n], index of the sample on the other side of the ball, -1 where the cap came first."""
    step: float
    """Distance of two samples [m]."""
    tree: cKDTree
    """Of the same points in another order."""
    tree_rows: NDArray[np.int64]
    """Shape [n], the row here of each point in the tree."""

    def nearest(self, places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return distance [m] and row of the sample nearest to each place, shape [k] each."""
        distance, found = self.tree.query(places)
        return np.asarray(distance), self.tree_rows[np.asarray(found)]


def sample_borders(borders: Sequence[Border], step: float, cap: float) -> BorderSamples:
    """Sample borders and measure the wall behind each sample.

    Args:
        borders: Closed lines with the corridor to the left.
        step: Wished distance of samples [m].
        cap: Largest ball radius of interest [m].
    """
    sampled = [_sample(border.points, step, cap) for border in borders]
    points = np.concatenate([part[0] for part in sampled])
    normals = np.concatenate([part[1] for part in sampled])
    starts = np.concatenate([[0], np.cumsum([len(part[0]) for part in sampled])])
    tree = cKDTree(points, balanced_tree=False, compact_nodes=False)
    radius, touch = _grow_balls(tree, points, normals, starts, step, cap)
    order = np.concatenate(
        [a + np.roll(np.arange(b - a), -int(np.argmax(radius[a:b]))) for a, b in pairwise(starts)]
    )
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    place[-1] = -1
    return BorderSamples(
        points[order],
        normals[order],
        starts,
        radius[order],
        place[touch[order]],
        step,
        tree,
        place[:-1],
    )


def _sample(
    line: NDArray[np.float64], step: float, reach: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points and normals of one border, normals fanned out at outward corners."""
    points = resample(line, step, at_least=8)
    along = np.roll(points, -1, axis=0) - points
    heading = np.arctan2(along[:, 1], along[:, 0])
    turn = (heading - np.roll(heading, 1) + np.pi) % (2.0 * np.pi) - np.pi
    # A left turn opens the offset line on the right by turn * reach.
    copies = np.maximum(1, np.floor(turn * reach / (1.5 * step)).astype(np.int64) + 1)
    index = np.repeat(np.arange(len(points)), copies)
    rank = np.arange(len(index)) - np.repeat(np.cumsum(copies) - copies, copies)
    fraction = (rank + 0.5) / copies[index]
    angle = (heading - turn)[index] + fraction * turn[index] - np.pi / 2.0
    return points[index], np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _grow_balls(
    tree: cKDTree,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    starts: NDArray[np.int64],
    step: float,
    cap: float,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return radius and touched sample of each ball."""
    radius = np.full(len(points), cap)
    touch = np.full(len(points), -1, dtype=np.int64)
    active = np.arange(len(points))
    for _ in range(_MAX_SHRINKS):
        centers = points[active] + radius[active, None] * normals[active]
        # Only a point clearly inside the ball shrinks it; its own sample lies on the rim.
        found = tree.query(centers, distance_upper_bound=cap)
        distance, nearest = np.asarray(found[0]), np.asarray(found[1])
        inside = distance < radius[active] * (1.0 - 1e-3)
        active, nearest = active[inside], nearest[inside]
        if len(active) == 0:
            break
        radius[active] = _ball_through(points[active], normals[active], points[nearest])
        touch[active] = nearest
    thin = np.flatnonzero(touch >= 0)
    radius[thin] = _refine(points, normals, starts, thin, touch[thin], radius[thin], step)
    return np.minimum(radius, cap), touch


def _ball_through(
    points: NDArray[np.float64], normals: NDArray[np.float64], others: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the radius of the balls that touch at ``points`` and pass through ``others``."""
    chord = others - points
    rise = np.maximum(np.einsum("ij,ij->i", chord, normals), 1e-9)
    radius: NDArray[np.float64] = np.einsum("ij,ij->i", chord, chord) / (2.0 * rise)
    return radius


def _refine(
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    starts: NDArray[np.int64],
    index: NDArray[np.int64],
    touch: NDArray[np.int64],
    radius: NDArray[np.float64],
    step: float,
) -> NDArray[np.float64]:
    """Let balls touch the line between the samples rather than the samples.

    Matters for thin walls: at 0.05 m spacing a wall of 0.02 m would seem 0.05 m thick.
    """
    after = np.arange(1, len(points) + 1)
    after[starts[1:] - 1] = starts[:-1]
    before = np.empty_like(after)
    before[after] = np.arange(len(points))
    best = radius.copy()
    p, n = points[index], normals[index]
    for other in (before[touch], after[touch]):
        a, b = points[touch], points[other]
        along = b - a
        square = np.maximum(np.einsum("ij,ij->i", along, along), 1e-18)
        center = p + best[:, None] * n
        at = np.clip(np.einsum("ij,ij->i", center - a, along) / square, 0.0, 1.0)
        foot = a + at[:, None] * along
        usable = np.einsum("ij,ij->i", foot - p, foot - p) > (1.5 * step) ** 2
        across = np.einsum("ij,ij->i", foot - p, n)
        usable = (across > 0) & ((np.abs(touch - index) > 3) | usable)
        best = np.where(usable, np.minimum(best, _ball_through(p, n, foot)), best)
    return best
