"""What a planar lidar sees of a stage: the plan of its walls at the height of the beams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import StageError
from roboracer_arena.sim.engine import StaticMesh
from roboracer_arena.sim.outline import slice_walls

__all__ = ["ScanScene"]

_CHUNK = 32
"""Segments in a run that share one bounding box; 16 to 64 scan equally fast."""


@dataclass(frozen=True, slots=True, eq=False)
class ScanScene:
    """Directed wall polylines, cut into runs with bounding boxes."""

    vertices: NDArray[np.float64]
    """Shape [v, 2], [m]; the corridor lies to the left of each polyline."""
    chunks: NDArray[np.int64]
    """Shape [c, 2], half-open runs of ``vertices`` that are connected."""
    boxes: NDArray[np.float64]
    """Shape [c, 4], x min, y min, x max, y max of each run [m]."""

    @property
    def segments(self) -> int:
        """Number of wall segments."""
        return int(np.sum(self.chunks[:, 1] - self.chunks[:, 0] - 1))

    @classmethod
    def from_meshes(cls, meshes: Sequence[StaticMesh], height: float) -> ScanScene:
        """Cut the walls and obstacles of a stage at the height of the beams [m].

        Raises:
            StageError: No wall reaches that height.
        """
        lines = slice_walls(meshes, height)
        if not lines:
            raise StageError(f"has no wall at the height of the lidar, {height:.3f} m")
        return cls.from_polylines(lines)

    @classmethod
    def from_polylines(cls, lines: Sequence[NDArray[np.float64]]) -> ScanScene:
        """Take polylines of shape [k, 2] [m], the first point repeated where they close."""
        runs = [
            line[start : start + _CHUNK + 1]
            for line in lines
            for start in range(0, len(line) - 1, _CHUNK)
        ]
        ends = np.cumsum([len(run) for run in runs])
        begins = np.concatenate([[0], ends[:-1]])
        boxes = np.array([[*run.min(axis=0), *run.max(axis=0)] for run in runs])
        return cls(
            vertices=np.ascontiguousarray(np.concatenate(runs)),
            chunks=np.stack([begins, ends], axis=1).astype(np.int64),
            boxes=boxes,
        )
