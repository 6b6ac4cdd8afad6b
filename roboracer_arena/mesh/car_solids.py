"""Closed solids that a car is made of: plates, boxes, rods and turned parts, lofted from rings.

Every solid is watertight, wound outwards and shares its points, so that normals can be smoothed
over soft edges and kept apart at hard ones (:func:`corner_normals`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = [
    "box",
    "corner_normals",
    "loft",
    "merge",
    "prism",
    "rod",
    "rounded_rectangle",
    "spindle",
    "turned_rings",
]

Points = NDArray[np.float64]


def loft(rings: Points, *, closed: bool = False) -> SurfaceMesh:
    """Return the solid through a stack of rings.

    Args:
        rings: Shape [k, n, 3], [m]; each ring runs counter-clockwise about the direction from the
            first ring to the last.
        closed: Whether the last ring is joined to the first, as for a tyre; otherwise both ends are
            capped by fans from their middle, which must see all of its ring.
    """
    count, size = rings.shape[:2]
    grid = np.arange(count * size).reshape(count, size)
    here, there = (grid, np.roll(grid, -1, axis=0)) if closed else (grid[:-1], grid[1:])
    a, b = here.ravel(), np.roll(here, -1, axis=1).ravel()
    c, d = np.roll(there, -1, axis=1).ravel(), there.ravel()
    faces = [np.column_stack([a, b, c]), np.column_stack([a, c, d])]
    points = [rings.reshape(-1, 3)]
    if not closed:
        middle = count * size
        points.append(rings[[0, -1]].mean(axis=1))
        first, last = grid[0], grid[-1]
        faces.append(np.column_stack([np.full(size, middle), np.roll(first, -1), first]))
        faces.append(np.column_stack([np.full(size, middle + 1), last, np.roll(last, -1)]))
    return SurfaceMesh(
        points=np.concatenate(points).astype(np.float32),
        triangles=np.concatenate(faces).astype(np.int32),
    )


def prism(outline: Points, bottom: float, top: float, *, chamfer: float = 0.0) -> SurfaceMesh:
    """Return an upright plate or block.

    Args:
        outline: Shape [n, 2], counter-clockwise [m]; its mean must see all of it.
        bottom: Height of the underside [m].
        top: Height of the upper side [m].
        chamfer: How much of both edges is cut off, in width and in height [m].
    """
    levels = [(bottom, outline), (top, outline)]
    if chamfer > 0.0:
        small = _inset(outline, chamfer)
        levels = [(bottom, small), (bottom + chamfer, outline)]
        levels += [(top - chamfer, outline), (top, small)]
    return loft(
        np.stack([np.column_stack([ring, np.full(len(ring), height)]) for height, ring in levels])
    )


def rounded_rectangle(
    center: tuple[float, float], size: tuple[float, float], radius: float, steps: int = 4
) -> Points:
    """Return the outline of a rectangle with round corners, shape [n, 2], counter-clockwise [m]."""
    corners = []
    for number, (along, across) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angles = (np.linspace(0.0, 1.0, steps) + number) * np.pi / 2
        middle = (
            center[0] + along * (size[0] / 2 - radius),
            center[1] + across * (size[1] / 2 - radius),
        )
        corners.append(middle + radius * np.column_stack([np.cos(angles), np.sin(angles)]))
    return np.concatenate(corners)


def box(low: Sequence[float], high: Sequence[float], *, radius: float = 0.002) -> SurfaceMesh:
    """Return a box with soft edges between two opposite corners [m]."""
    center = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    size = (high[0] - low[0], high[1] - low[1])
    edge = min(radius, 0.3 * min(size), 0.3 * (high[2] - low[2]))
    return prism(rounded_rectangle(center, size, edge, 3), low[2], high[2], chamfer=edge)


def spindle(
    start: ArrayLike,
    end: ArrayLike,
    stations: Sequence[float],
    radii: Sequence[float],
    segments: int = 16,
) -> SurfaceMesh:
    """Return a round part about the line between two points.

    Args:
        start: Shape [3], [m].
        end: Shape [3], [m].
        stations: Where the rings are, 0 at the start and 1 at the end.
        radii: The radius of each ring [m].
        segments: Corners of a ring.
    """
    first, last = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    axis = (last - first) / np.linalg.norm(last - first)
    side = np.cross(axis, [1.0, 0.0, 0.0] if abs(axis[0]) < 0.9 else [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side)
    angles = np.arange(segments) * 2.0 * np.pi / segments
    circle = np.outer(np.cos(angles), side) + np.outer(np.sin(angles), np.cross(axis, side))
    return loft(
        np.stack(
            [
                first + station * (last - first) + radius * circle
                for station, radius in zip(stations, radii, strict=True)
            ]
        )
    )


def rod(start: ArrayLike, end: ArrayLike, radius: float, segments: int = 16) -> SurfaceMesh:
    """Return a cylinder between two points [m]."""
    return spindle(start, end, (0.0, 1.0), (radius, radius), segments)


def turned_rings(profile: Points, segments: int) -> Points:
    """Return the rings of a part turned about the y axis, shape [k, segments, 3], [m].

    Args:
        profile: Shape [k, 2], radius and y of each ring [m].
        segments: Corners of a ring.
    """
    angles = np.arange(segments) * 2.0 * np.pi / segments
    rings = np.empty((len(profile), segments, 3))
    rings[:, :, 0] = profile[:, :1] * np.sin(angles)
    rings[:, :, 1] = profile[:, 1:]
    rings[:, :, 2] = profile[:, :1] * np.cos(angles)
    return rings


def merge(parts: Sequence[SurfaceMesh]) -> SurfaceMesh:
    """Return several solids as one mesh."""
    starts = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    return SurfaceMesh(
        points=np.concatenate([part.points for part in parts]),
        triangles=np.concatenate(
            [part.triangles + np.int32(start) for part, start in zip(parts, starts, strict=True)]
        ),
    )


def corner_normals(mesh: SurfaceMesh, *, crease: float = 40.0) -> NDArray[np.float32]:
    """Return a unit normal for each corner of each triangle, shape [3 m, 3].

    Faces that meet at less than ``crease`` degrees share their normals, weighted by their angles at
    the point; others keep an edge.
    """
    corners = mesh.points.astype(np.float64)[mesh.triangles]
    ahead, behind = np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners
    faces = np.cross(ahead[:, 0], behind[:, 0])
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    lengths = np.linalg.norm(ahead, axis=2) * np.linalg.norm(behind, axis=2)
    angles = np.arccos(np.clip(np.einsum("ijk,ijk->ij", ahead, behind) / lengths, -1.0, 1.0))
    normals = np.repeat(faces, 3, axis=0)
    weights, at = angles.ravel(), mesh.triangles.ravel()
    order = np.argsort(at, kind="stable")
    limit = np.cos(np.radians(crease))
    result = np.empty_like(normals)
    for group in np.split(order, np.flatnonzero(np.diff(at[order])) + 1):
        around = normals[group]
        share = (around @ around.T > limit) * weights[group]
        result[group] = share @ around
    result /= np.linalg.norm(result, axis=1, keepdims=True)
    return result.astype(np.float32)


def _inset(outline: Points, distance: float) -> Points:
    """Move every edge of a counter-clockwise outline inwards by a distance."""
    edges = np.roll(outline, -1, axis=0) - outline
    outward = np.column_stack([edges[:, 1], -edges[:, 0]])
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    before = np.roll(outward, 1, axis=0)
    miter = (before + outward) / (1.0 + np.sum(before * outward, axis=1, keepdims=True))
    return np.asarray(outline - distance * miter)
