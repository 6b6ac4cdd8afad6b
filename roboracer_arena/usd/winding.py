"""Whether a wall holds cars in: no gap in it, and its front towards the corridor.

Triangle meshes are single-sided in PhysX and in most ray casters, so a wall that faces away looks
right and stops nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.usd.content import WallKind

__all__ = ["wall_fault"]


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
    unique, welded = np.unique(np.asarray(points), axis=0, return_inverse=True)
    faces = welded.reshape(-1)[triangles]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).astype(np.int64)
    codes = edges[:, 0] * len(unique) + edges[:, 1]
    if len(np.unique(codes)) != len(codes):
        return "has triangles that face opposite ways"
    heights = unique[edges, 2]
    rising = edges[heights[:, 0] != heights[:, 1]]
    opposite = rising[:, 1] * len(unique) + rising[:, 0]
    unmatched = rising[~np.isin(opposite, codes)]
    if len(unmatched):
        x, y, _ = unique[unmatched[0, 0]]
        return f"is open at ({x:.3f}, {y:.3f}) m"
    corners = np.asarray(points, dtype=np.float64)[triangles]
    corners = corners - corners.reshape(-1, 3).mean(axis=0)
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flux = float(np.einsum("ij,ij->", corners.mean(axis=1)[:, :2], cross[:, :2]))
    if flux == 0.0 or (flux > 0.0) == (kind == "outer"):
        return "faces away from the corridor"
    return None
