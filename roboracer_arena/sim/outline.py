"""The plan of a stage's walls at one height: closed polylines with the corridor on their left.

The lidar, the box walls of MuJoCo and off-track tests all work on this plan. It is cut from the
collision meshes that were read from the stage, not from the map.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.mesh.slicing import slice_mesh
from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.sim.engine import StaticMesh

__all__ = ["slice_walls"]

_COLLINEAR = 1.0e-7
"""Distance off the line below which a vertex between two others carries no shape [m]; float32
coordinates of a 100 m track resolve 8e-6 m, so nothing visible is lost."""


def slice_walls(meshes: Sequence[StaticMesh], height: float) -> list[NDArray[np.float64]]:
    """Cut all walls and obstacles at one height.

    Args:
        meshes: The colliders of a stage; floors are skipped.
        height: Height of the cut [m].

    Returns:
        Polylines of shape [k, 2] [m], the first point repeated at the end where they close.
    """
    lines: list[NDArray[np.float64]] = []
    for mesh in meshes:
        if mesh.kind != "floor":
            segments = slice_mesh(SurfaceMesh(mesh.points, mesh.triangles), height)
            chains = _chain(segments[:, 0], segments[:, 1])
            lines.extend(_without_collinear(line) for line in chains)
    return lines


def _chain(start: NDArray[np.float64], end: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Join directed segments end to start, shapes [k, 2] and [k, 2]."""
    keys = np.round(np.concatenate([start, end]) * 1.0e6).astype(np.int64)
    _, number = np.unique(keys, axis=0, return_inverse=True)
    tail, head = number[: len(start)], number[len(start) :]
    follows = {int(t): index for index, t in enumerate(tail)}
    entered = set(head.tolist())
    unused = dict.fromkeys(range(len(start)))
    # Open chains must be walked from their loose end; closed ones from anywhere.
    seeds = [i for i in range(len(start)) if int(tail[i]) not in entered]
    seeds += list(range(len(start)))
    lines = []
    for seed in seeds:
        if seed not in unused:
            continue
        line = [start[seed]]
        index: int | None = seed
        while index is not None and index in unused:
            del unused[index]
            line.append(end[index])
            index = follows.get(int(head[index]))
        lines.append(np.array(line))
    return lines


def _without_collinear(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """Drop the vertices that carry no shape: the diagonals of a wall's quads, and stubs."""
    moved = np.linalg.norm(np.diff(line, axis=0), axis=1) > 1.0e-9
    line = line[np.concatenate([[True], moved])]
    if len(line) < 4:
        return line
    before, here, after = line[:-2], line[1:-1], line[2:]
    along = after - before
    offset = here - before
    length = np.maximum(np.linalg.norm(along, axis=1), 1.0e-12)
    away = np.abs(along[:, 0] * offset[:, 1] - along[:, 1] * offset[:, 0]) / length
    keep = np.concatenate([[True], away > _COLLINEAR, [True]])
    # Of a run of collinear vertices every second is kept in one pass; the error stays below the
    # tolerance because each dropped vertex is judged against its true neighbours.
    dropped = np.flatnonzero(~keep)
    clash = dropped[1:][np.diff(dropped) == 1]
    keep[clash[::2]] = True
    return np.asarray(line[keep])
