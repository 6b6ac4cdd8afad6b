"""Measurements of finished meshes that do not rest on how the meshes were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor import Border
from roboracer_arena.mesh.surface import MIN_TRIANGLE_AREA, SurfaceMesh, triangle_normals

__all__ = ["MeshReport", "inside_corridor", "measure_mesh", "wall_faces_corridor"]


@dataclass(frozen=True, slots=True)
class MeshReport:
    """What was measured of one mesh."""

    finite: bool
    """All points, normals and texture coordinates are finite."""
    indices_in_range: bool
    """Every index points into the point array."""
    repeated_corners: int
    """Triangles that use one point twice."""
    min_area: float
    """Area of the smallest triangle [m²]; infinite without triangles."""
    unused_points: int
    """Points that no triangle uses."""
    open_edges: int
    """Edges with a triangle on one side only, after coincident points are merged."""
    crowded_edges: int
    """Edges that more than two triangles share, after coincident points are merged."""
    flipped_edges: int
    """Edges whose two triangles disagree about front and back."""
    volume: float
    """Enclosed volume [m³]; positive if closed and wound outwards."""

    @property
    def sound(self) -> bool:
        """Whether collision cooking and rendering can take it."""
        return (
            self.finite
            and self.indices_in_range
            and self.repeated_corners == 0
            and self.min_area >= MIN_TRIANGLE_AREA
            and self.crowded_edges == 0
            and self.flipped_edges == 0
        )

    @property
    def watertight(self) -> bool:
        """Whether it encloses a volume, wound outwards."""
        return self.sound and self.open_edges == 0 and self.volume > 0.0


def measure_mesh(mesh: SurfaceMesh) -> MeshReport:
    """Measure everything in :class:`MeshReport`; takes any arrays, however wrong."""
    triangles = np.asarray(mesh.triangles)
    arrays = [mesh.points, mesh.normals, mesh.uvs]
    finite = all(bool(np.isfinite(array).all()) for array in arrays if array is not None)
    in_range = len(triangles) == 0 or bool(
        (triangles.min() >= 0) & (triangles.max() < len(mesh.points))
    )
    repeated = int(np.count_nonzero((triangles == np.roll(triangles, 1, axis=1)).any(axis=1)))
    if not (finite and in_range):
        return MeshReport(finite, in_range, repeated, 0.0, 0, 0, 0, 0, 0.0)
    corners = mesh.points.astype(np.float64)[triangles]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(cross, axis=1) / 2.0
    open_edges, crowded, flipped = _count_edges(mesh)
    return MeshReport(
        finite=True,
        indices_in_range=True,
        repeated_corners=repeated,
        min_area=float(areas.min(initial=np.inf)),
        unused_points=len(mesh.points) - len(np.unique(triangles)),
        open_edges=open_edges,
        crowded_edges=crowded,
        flipped_edges=flipped,
        volume=float(np.einsum("ij,ij->", corners[:, 0], cross) / 6.0),
    )


def _count_edges(mesh: SurfaceMesh) -> tuple[int, int, int]:
    """Count open, crowded and flipped edges with coincident points taken as one."""
    triangles = _merge_coincident(mesh.points)[mesh.triangles]
    starts, ends = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    lower, upper = np.minimum(starts, ends), np.maximum(starts, ends)
    _, edge, uses = np.unique(
        lower * len(mesh.points) + upper, return_inverse=True, return_counts=True
    )
    # Neighbours that agree run along their common edge in opposite directions.
    balance = np.bincount(edge, weights=np.sign(ends - starts), minlength=len(uses))
    return (
        int(np.count_nonzero(uses == 1)),
        int(np.count_nonzero(uses > 2)),
        int(np.count_nonzero((uses == 2) & (balance != 0))),
    )


def _merge_coincident(points: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return a number for each point, equal for points at the same place."""
    order = np.lexsort(points.T)
    ordered = points[order]
    new = np.ones(len(points), dtype=np.int64)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    identity = np.empty(len(points), dtype=np.int64)
    identity[order] = np.cumsum(new) - 1
    return identity


def inside_corridor(points: NDArray[np.floating], borders: Sequence[Border]) -> NDArray[np.bool_]:
    """Return which points lie inside the outer border and outside all others.

    Args:
        points: Shape [n, 2], grid frame [m].
        borders: All borders of the corridor; by the even-odd rule, so direction does not matter.

    Returns:
        Shape [n].
    """
    if not borders:
        return np.zeros(len(points), dtype=np.bool_)
    order = np.argsort(points[:, 1], kind="stable")
    x, y = points[order, 0], points[order, 1]
    a = np.concatenate([border.points for border in borders])
    b = np.concatenate([np.roll(border.points, -1, axis=0) for border in borders])
    # Only the points between the two ends of an edge, in y, can have it to their right.
    first = np.searchsorted(y, np.minimum(a[:, 1], b[:, 1]))
    count = np.searchsorted(y, np.maximum(a[:, 1], b[:, 1])) - first
    edge = np.repeat(np.arange(len(a)), count)
    point = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + first[edge]
    slope = (b[edge, 0] - a[edge, 0]) / (b[edge, 1] - a[edge, 1])
    right = a[edge, 0] + (y[point] - a[edge, 1]) * slope > x[point]
    crossings = np.bincount(point[right], minlength=len(points))
    inside = np.empty(len(points), dtype=np.bool_)
    inside[order] = crossings % 2 == 1
    return inside


def wall_faces_corridor(
    mesh: SurfaceMesh, borders: Sequence[Border], step: float = 2e-3
) -> NDArray[np.bool_]:
    """Return which triangles of a wall have the corridor in front and not behind.

    The answer does not rest on how the wall was made: it goes a step from the middle of each
    triangle to both sides and looks whether it is in the corridor.

    Args:
        mesh: A wall, grid frame [m].
        borders: All borders of the corridor.
        step: How far to go [m]; small against corridor and wall thickness.

    Returns:
        Shape [m].
    """
    middle = mesh.points.astype(np.float64)[mesh.triangles].mean(axis=1)[:, :2]
    normal = triangle_normals(mesh.points, mesh.triangles)[:, :2]
    front = inside_corridor(middle + step * normal, borders)
    return front & ~inside_corridor(middle - step * normal, borders)
