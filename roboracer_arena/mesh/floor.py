"""The floor: one flat rectangle under corridor and ducts.

A rectangle, not the corridor's own shape: a car that a hard impact pushes through a wall must
still stand on something, and a few large panels collide faster and more smoothly than thousands
of thin triangles along the borders. It is cut into panels of equal size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roboracer_arena.corridor import Border
from roboracer_arena.errors import ValidationError
from roboracer_arena.mesh.settings import FloorSettings
from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = ["floor_mesh"]


def floor_mesh(
    borders: Sequence[Border],
    ducts: Sequence[SurfaceMesh] = (),
    settings: FloorSettings | None = None,
) -> SurfaceMesh:
    """Lay a flat floor at z = 0 under all borders and ducts, front upwards.

    Args:
        borders: At least one, grid frame [m].
        ducts: What else must stand on the floor, such as the tubes of the ducts.
        settings: Margin, panel and tile size; defaults if None.

    Returns:
        A grid of panels with normals and texture coordinates. The texture is anchored at the
        grid's origin, so it does not shift when the margin changes.

    Raises:
        ValidationError: No border is given, or a coordinate is not finite.
    """
    settings = settings or FloorSettings()
    outlines = [border.points for border in borders]
    outlines += [duct.points[:, :2].astype(np.float64) for duct in ducts]
    if not outlines:
        raise ValidationError("a floor needs at least one border to lie under; got none")
    lower = np.min([line.min(axis=0) for line in outlines], axis=0) - settings.margin
    upper = np.max([line.max(axis=0) for line in outlines], axis=0) + settings.margin
    if not (np.isfinite(lower).all() and np.isfinite(upper).all() and (upper > lower).all()):
        raise ValidationError(
            f"the floor's corners {lower.tolist()} and {upper.tolist()} m are no rectangle"
        )
    columns, rows = np.ceil((upper - lower) / settings.max_panel).astype(int)
    x, y = np.meshgrid(
        np.linspace(lower[0], upper[0], columns + 1), np.linspace(lower[1], upper[1], rows + 1)
    )
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    corner = np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)
    a = corner.ravel()
    b, c, d = a + 1, a + columns + 2, a + columns + 1
    triangles = np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 3)
    return SurfaceMesh(
        points=points.astype(np.float32),
        triangles=triangles.astype(np.int32),
        normals=np.tile(np.array([0.0, 0.0, 1.0], dtype=np.float32), (len(points), 1)),
        uvs=(points[:, :2] / settings.texture_tile).astype(np.float32),
    )
