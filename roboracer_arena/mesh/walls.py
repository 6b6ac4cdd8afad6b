"""Collision walls: each border extruded into an upright sheet that faces the corridor.

A wall is a single-sided sheet, not a solid. Triangle meshes in PhysX collide on their front side
only and ray casters cull back faces, so all that matters is that whatever is in the corridor sees
fronts; a solid would double the triangles for faces that nothing can reach, and its back would
cut into the next corridor wherever two corridors are less than a wall thickness apart. There, two
sheets stand back to back and each serves its own side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor import Border
from roboracer_arena.errors import ValidationError
from roboracer_arena.mesh.polyline import segment_lengths
from roboracer_arena.mesh.settings import WallSettings
from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = ["wall_mesh"]

_MIN_EDGE = 1e-3
"""Points nearer than this are one point [m]: no map is that fine, and a panel of this width
still is 4 orders of magnitude above the triangles that collision cooking rejects (1e-8 m²)."""


def wall_mesh(border: Border, settings: WallSettings | None = None) -> SurfaceMesh:
    """Extrude a border into a closed upright sheet whose front faces the corridor.

    Args:
        border: Closed line with the corridor to its left, grid frame [m].
        settings: Height, skirt and panel length; defaults if None.

    Returns:
        The sheet: a ring of quads, each cut in two. Faceted, without texture coordinates, since
        walls are not drawn. Each point belongs to both neighbouring panels.

    Raises:
        ValidationError: The border has no three distinct points left.
    """
    settings = settings or WallSettings()
    line = _split_long_edges(_merge_close_points(border.points), settings.max_edge)
    count = len(line)
    points = np.empty((2 * count, 3), dtype=np.float32)
    points[:count, :2] = points[count:, :2] = line
    points[:count, 2], points[count:, 2] = -settings.skirt, settings.height
    a = np.arange(count, dtype=np.int32)
    b = np.roll(a, -1)
    # Seen from the left of the direction a to b, b is on the left: b, a, a + up turns
    # counter-clockwise, so the front faces the corridor.
    lower = np.stack([b, a, a + count], axis=1)
    upper = np.stack([b, a + count, b + count], axis=1)
    triangles = np.stack([lower, upper], axis=1).reshape(-1, 3)
    return SurfaceMesh(points=points, triangles=np.ascontiguousarray(triangles, dtype=np.int32))


def _merge_close_points(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Drop each point that is nearer than the shortest edge to the last one kept."""
    # What is stored is float32: compare what will be stored.
    line = np.asarray(points, dtype=np.float32).astype(np.float64)
    if len(line) and segment_lengths(line).min() < _MIN_EDGE:
        kept = [0]
        for index in range(1, len(line)):
            if np.linalg.norm(line[index] - line[kept[-1]]) >= _MIN_EDGE:
                kept.append(index)
        while len(kept) > 1 and np.linalg.norm(line[kept[-1]] - line[0]) < _MIN_EDGE:
            kept.pop()
        line = line[kept]
    if len(line) < 3:
        raise ValidationError(
            f"a border has only {len(line)} points further than {_MIN_EDGE} m apart; "
            "at least 3 are needed to make a wall"
        )
    return line


def _split_long_edges(line: NDArray[np.float64], max_edge: float) -> NDArray[np.float64]:
    """Insert points on edges longer than ``max_edge``, evenly along each."""
    parts = np.maximum(1, np.ceil(segment_lengths(line) / max_edge)).astype(np.int64)
    edge = np.repeat(np.arange(len(line)), parts)
    step = np.arange(len(edge)) - np.repeat(np.cumsum(parts) - parts, parts)
    fraction = (step / parts[edge])[:, None]
    split: NDArray[np.float64] = line[edge] + fraction * (np.roll(line, -1, axis=0) - line)[edge]
    return split
