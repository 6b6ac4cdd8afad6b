"""Whether a wall holds cars in: no gap in it, and its front towards the corridor.

Triangle meshes are single-sided in PhysX and in most ray casters, so a wall that faces away looks
right and stops nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.usd.content import WallKind

__all__ = ["wall_fault"]

_CODE_BASE = 2**31
"""Larger than any index of a USD mesh, which is a 32-bit number."""


def wall_fault(
    points: NDArray[np.floating], triangles: NDArray[np.integer], kind: WallKind
) -> str | None:
    """Return what is wrong with a wall, or None.

    The triangles must agree with each other (each shared edge is run through in both directions),
    the sheet must have no open edge but level ones (its foot and its top), and as a whole it must
    face inwards for an outer wall and outwards for an infield or obstacle. That is the sign of the
    flux of the horizontal position through the surface: twice the enclosed area times the height,
    positive where the front is outside.

    Args:
        points: Shape [n, 3], [m].
        triangles: Shape [m, 3], indices into ``points``.
        kind: Which side the corridor is on.
    """
    heights = np.asarray(points)[:, 2]
    if _disagree(triangles) or _open_end(triangles, heights) is not None:
        # Neighbours may just not share their points.
        unique, welded = np.unique(np.asarray(points), axis=0, return_inverse=True)
        faces = welded.reshape(-1)[triangles]
        if _disagree(faces):
            return "has triangles that face opposite ways"
        end = _open_end(faces, unique[:, 2])
        if end is not None:
            return f"is open at ({unique[end, 0]:.3f}, {unique[end, 1]:.3f}) m"
    corners = np.asarray(points, dtype=np.float64)[triangles]
    corners = corners - corners.reshape(-1, 3).mean(axis=0)
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flux = float(np.einsum("ij,ij->", corners.mean(axis=1)[:, :2], cross[:, :2]))
    if flux == 0.0 or (flux > 0.0) == (kind == "outer"):
        return "faces away from the corridor"
    return None


def _edges(faces: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the directed edges of all faces, shape [3 m, 2], and a sorted code of each."""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).astype(np.int64)
    return edges, np.sort(edges[:, 0] * _CODE_BASE + edges[:, 1])


def _disagree(faces: NDArray[np.integer]) -> bool:
    """Return whether two triangles run through an edge in the same direction."""
    _, codes = _edges(faces)
    return bool((codes[1:] == codes[:-1]).any())


def _open_end(faces: NDArray[np.integer], heights: NDArray[np.floating]) -> int | None:
    """Return a point on an edge that is not level and has a triangle on one side only."""
    edges, codes = _edges(faces)
    rising = edges[heights[edges[:, 0]] != heights[edges[:, 1]]]
    opposite = rising[:, 1] * _CODE_BASE + rising[:, 0]
    found = codes[np.minimum(np.searchsorted(codes, opposite), len(codes) - 1)]
    unmatched = rising[found != opposite]
    return int(unmatched[0, 0]) if len(unmatched) else None
