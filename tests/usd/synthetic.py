"""Small tracks made directly as meshes, so that stage tests need no map."""

from __future__ import annotations

from typing import Any

import numpy as np

from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.usd import (
    CenterlineContent,
    RingContent,
    TrackContent,
    TrackMetadata,
    WallPiece,
)


def circle(radius: float, count: int, centre: tuple[float, float] = (5.0, 5.0)) -> np.ndarray:
    """Counter-clockwise points on a circle, shape [count, 2]."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius + np.array(centre)


def sheet(line: np.ndarray, height: float = 0.5) -> SurfaceMesh:
    """A wall on a closed line, front to the left of its direction."""
    count = len(line)
    foot = np.column_stack([line, np.zeros(count)])
    top = np.column_stack([line, np.full(count, height)])
    i = np.arange(count)
    j = (i + 1) % count
    triangles = np.concatenate(
        [np.stack([i, i + count, j], axis=1), np.stack([j, i + count, j + count], axis=1)]
    )
    return SurfaceMesh(np.concatenate([foot, top]).astype(np.float32), triangles.astype(np.int32))


def annulus(inner: np.ndarray, outer: np.ndarray) -> SurfaceMesh:
    """A floor between two counter-clockwise lines of the same number of points."""
    count = len(inner)
    flat = np.concatenate([inner, outer])
    i = np.arange(count)
    j = (i + 1) % count
    triangles = np.concatenate(
        [np.stack([i, i + count, j], axis=1), np.stack([j, i + count, j + count], axis=1)]
    )
    points = np.column_stack([flat, np.zeros(2 * count)]).astype(np.float32)
    up = np.tile(np.array([0.0, 0.0, 1.0], dtype=np.float32), (2 * count, 1))
    return SurfaceMesh(points, triangles.astype(np.int32), up, flat.astype(np.float32))


def tube(line: np.ndarray, radius: float = 0.165, sides: int = 8) -> SurfaceMesh:
    """A closed tube along a counter-clockwise line."""
    count = len(line)
    tangent = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    side = np.stack([tangent[:, 1], -tangent[:, 0]], axis=1)
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    normals = np.concatenate(
        [
            side[:, None, :] * np.cos(angle)[None, :, None],
            np.broadcast_to(np.sin(angle)[None, :, None], (count, sides, 1)),
        ],
        axis=2,
    )
    centre = np.column_stack([line, np.full(count, radius)])
    points = centre[:, None, :] + radius * normals
    k, s = np.meshgrid(np.arange(count), np.arange(sides), indexing="ij")
    a = k * sides + s
    b = ((k + 1) % count) * sides + s
    c = k * sides + (s + 1) % sides
    d = ((k + 1) % count) * sides + (s + 1) % sides
    triangles = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([b, d, c], -1).reshape(-1, 3)]
    )
    uvs = np.stack([k / 4.0, s / sides], -1).reshape(-1, 2)
    return SurfaceMesh(
        points.reshape(-1, 3).astype(np.float32),
        triangles.astype(np.int32),
        normals.reshape(-1, 3).astype(np.float32),
        uvs.astype(np.float32),
    )


def ring_track(
    name: str = "Synthetic ring", *, count: int = 64, obstacle: bool = False, **metadata: Any
) -> TrackContent:
    """A round corridor from radius 2 to 3 m around (5, 5), driven counter-clockwise."""
    outer, inner, middle = circle(3.0, count), circle(2.0, count), circle(2.5, count)
    walls = [WallPiece("outer", sheet(outer)), WallPiece("infield", sheet(inner[::-1]))]
    if obstacle:
        box = circle(0.15, 6, centre=(7.5, 5.0))
        walls.append(WallPiece("obstacle", sheet(box[::-1])))
    tangent = np.roll(middle, -1, axis=0) - np.roll(middle, 1, axis=0)
    tube_line = circle(3.165, count)
    rings = RingContent(
        prototype=tube(circle(0.17, 12, centre=(0.0, 0.0)), radius=0.01, sides=4),
        positions=np.column_stack([tube_line, np.full(count, 0.165)]).astype(np.float32),
        headings=np.arctan2(tangent[:, 1], tangent[:, 0]),
    )
    values: dict[str, Any] = {
        "resolution": 0.05,
        "origin_x": 0.0,
        "origin_y": 0.0,
        "lap_length": 2.0 * np.pi * 2.5,
        "width_mean": 1.0,
        "width_min": 1.0,
        "area": np.pi * 5.0,
    }
    return TrackContent(
        metadata=TrackMetadata(name=name, **(values | metadata)),
        floor=annulus(circle(1.6, count), circle(3.4, count)),
        walls=tuple(walls),
        ducts=(tube(tube_line), tube(circle(1.835, count))),
        rings=rings,
        centerline=CenterlineContent(middle, np.full(count, 0.5), np.full(count, 0.5)),
    )
