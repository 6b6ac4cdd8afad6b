"""A round tube swept along a line on the floor."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.mesh.axis import DuctLine
from roboracer_arena.mesh.settings import DuctSettings
from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = ["sweep_tube"]

_Part = tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]
"""Points, triangles, normals and texture coordinates of one part of the surface."""


def sweep_tube(line: DuctLine, settings: DuctSettings) -> SurfaceMesh:
    """Sweep a tube along a line so that it lies on the floor.

    Args:
        line: Axis of the tube seen from above; bends no tighter than the tube's radius.
        settings: Diameter, sides, tolerances and tile size.

    Returns:
        A surface that encloses a volume once coincident points are merged: points on the texture
        seam at the bottom, where a closed tube meets itself, and on the rims of flat ends are
        stored twice. Smooth normals; u runs along the tube, v around it.
    """
    arc = _section_places(line, settings)
    centers, along = line.at(arc)
    if line.closed:
        centers[-1], along[-1] = centers[0], along[0]
    normals = _shell_normals(along, settings.sides)
    points = settings.radius * normals
    points[:, :, :2] += centers[:, None, :]
    points[:, :, 2] += settings.radius
    parts: list[_Part] = [
        (
            points.reshape(-1, 3),
            _grid_triangles(len(arc), settings.sides),
            normals.reshape(-1, 3),
            _shell_uvs(arc, line, settings),
        )
    ]
    if not line.closed:
        ends = ((0, -along[0]), (-1, along[-1]))
        parts += [_flat_end(points[at, :-1], facing, settings) for at, facing in ends]
    firsts = np.cumsum([0] + [len(part[0]) for part in parts[:-1]])
    return SurfaceMesh(
        points=np.concatenate([part[0] for part in parts]).astype(np.float32),
        triangles=np.concatenate(
            [part[1] + first for part, first in zip(parts, firsts, strict=True)]
        ).astype(np.int32),
        normals=np.concatenate([part[2] for part in parts]).astype(np.float32),
        uvs=np.concatenate([part[3] for part in parts]).astype(np.float32),
    )


def _shell_normals(along: NDArray[np.float64], sides: int) -> NDArray[np.float64]:
    """Return the outward normals of all cross-sections, shape [n, sides + 1, 3].

    Around go the bottom, the right side, the top and the left side; seen from behind that is
    counter-clockwise. The first normal comes again at the end, bit by bit.
    """
    angle = 2.0 * np.pi * np.arange(sides) / sides - np.pi / 2.0
    # Rounded, so that bottom and flanks lie exactly on the floor and at the radius.
    around = np.stack([np.cos(angle), np.sin(angle)], axis=1).round(12)
    around = np.concatenate([around, around[:1]])
    right = np.stack([along[:, 1], -along[:, 0]], axis=1)
    normals = np.empty((len(along), sides + 1, 3))
    normals[:, :, :2] = right[:, None, :] * around[None, :, :1]
    normals[:, :, 2] = around[:, 1]
    return normals


def _section_places(line: DuctLine, settings: DuctSettings) -> NDArray[np.float64]:
    """Return the arc length of each cross-section [m]: dense in bends, sparse on straights."""
    local = np.ascontiguousarray((line.points - line.points[0]).astype(np.float32))
    kept = cv2.approxPolyDP(local[:, None, :], settings.chord_tolerance, closed=line.closed)
    # Which points were kept: two coordinates compared as one number, since order may change.
    stays = np.isin(local.view(np.int64)[:, 0], np.ascontiguousarray(kept[:, 0]).view(np.int64))
    stays[0] = True
    arc = line.arc[: len(stays)][stays]
    arc = np.append(arc, line.length) if arc[-1] < line.length else arc
    return _divided(arc, settings.max_section)


def _divided(arc: NDArray[np.float64], longest: float) -> NDArray[np.float64]:
    """Divide intervals longer than ``longest`` evenly, and at least once if there are only few."""
    gaps = np.diff(arc)
    parts = np.maximum(np.ceil(gaps / longest).astype(np.int64), 1 if len(gaps) > 2 else 3)
    piece = np.repeat(np.arange(len(gaps)), parts)
    rank = np.arange(len(piece)) - np.repeat(np.cumsum(parts) - parts, parts)
    return np.append(arc[piece] + rank * (gaps / parts)[piece], arc[-1])


def _grid_triangles(sections: int, sides: int) -> NDArray[np.int32]:
    """Return the triangles between neighbouring cross-sections of ``sides`` + 1 points each."""
    row = np.arange(sections - 1)[:, None] * (sides + 1)
    a = (row + np.arange(sides)).ravel()
    b, c, d = a + sides + 1, a + sides + 2, a + 1
    return np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 3).astype(np.int32)


def _shell_uvs(
    arc: NDArray[np.float64], line: DuctLine, settings: DuctSettings
) -> NDArray[np.float64]:
    """Return texture coordinates; whole tiles go around the tube, and along a closed one."""
    tiles = line.length / settings.texture_tile
    if line.closed:
        tiles = max(1.0, round(tiles))
    around = max(1.0, round(np.pi * settings.diameter / settings.texture_tile))
    u, v = np.meshgrid(
        arc / line.length * tiles, np.linspace(0.0, around, settings.sides + 1), indexing="ij"
    )
    return np.stack([u.ravel(), v.ravel()], axis=1)


def _flat_end(
    rim: NDArray[np.float64], facing: NDArray[np.float64], settings: DuctSettings
) -> _Part:
    """Return the disc that closes one end, with points and normals of its own.

    Args:
        rim: Shape [sides, 3], the cross-section at the end [m].
        facing: Shape [2], where the disc looks.
        settings: Radius and tile size.
    """
    middle = rim.mean(axis=0)
    turn = np.arange(len(rim), dtype=np.int32)
    after = np.roll(turn, -1)
    fan = np.stack([np.full_like(turn, len(rim)), turn, after], axis=1)
    # The rim runs counter-clockwise or clockwise, as it is looked at from one end or the other.
    front = np.cross(rim[0] - middle, rim[1] - middle)[:2] @ facing > 0.0
    angle = 2.0 * np.pi * turn / len(rim)
    flat = np.stack([np.append(np.cos(angle), 0.0), np.append(np.sin(angle), 0.0)], axis=1)
    return (
        np.concatenate([rim, middle[None]]),
        fan if front else fan[:, ::-1],
        np.tile([*facing, 0.0], (len(rim) + 1, 1)),
        flat * (settings.radius / settings.texture_tile),
    )
