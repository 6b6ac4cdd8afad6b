"""The visible air ducts of a track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor import Border
from roboracer_arena.mesh.duct_lines import duct_lines
from roboracer_arena.mesh.rings import place_rings
from roboracer_arena.mesh.settings import DuctSettings
from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.mesh.tube import sweep_tube

__all__ = ["DuctBarrier", "duct_barriers"]


@dataclass(frozen=True, slots=True, eq=False)
class DuctBarrier:
    """One duct: its tube, and where its rings stand."""

    tube: SurfaceMesh
    """Grid frame [m], lying on the floor."""
    ring_positions: NDArray[np.float32]
    """Shape [n, 3], centres of the rings, grid frame [m]."""
    ring_headings: NDArray[np.float64]
    """Shape [n], direction of the duct at each ring [rad], counter-clockwise from x."""
    axis: NDArray[np.float64]
    """Shape [k, 2], points along the duct's middle, grid frame [m]."""
    length: float
    """Length of the duct along its middle [m]."""
    closed: bool
    """Whether the duct leads back to its start, or has two flat ends."""

    @property
    def ring_orientations(self) -> NDArray[np.float64]:
        """Shape [n, 4], the rings' headings as unit quaternions w, x, y, z."""
        zero = np.zeros_like(self.ring_headings)
        half = self.ring_headings / 2.0
        return np.stack([np.cos(half), zero, zero, np.sin(half)], axis=1)


def duct_barriers(
    borders: Sequence[Border], settings: DuctSettings | None = None
) -> tuple[DuctBarrier, ...]:
    """Lay ducts along the walls, outside the corridor.

    Each duct touches its wall face from outside, along a line that is smoothed here (see
    ``DuctSettings.smoothing``), so that it may leave gaps at the wall's roughness but does not
    cross the face: by at most 3 cm, at the tightest bends. Where a wall is too thin for two ducts
    (``DuctSettings.single_below``), one lies along its middle; in a wall thinner than the duct it
    reaches into the corridor on both sides by half of what the wall lacks, and at the tip of such
    a wall its flat end does too.

    Args:
        borders: Wall faces, corridor to the left, grid frame [m]; not smoothed, so that it is
            known where the wall really is. Obstacles get no duct.
        settings: Sizes and tolerances; defaults if None.

    Returns:
        The ducts, in a fixed order. They may run into each other where walls meet or are cut.
    """
    settings = settings or DuctSettings()
    barriers = []
    for line in duct_lines(borders, settings):
        positions, headings = place_rings(line, settings)
        barriers.append(
            DuctBarrier(
                tube=sweep_tube(line, settings),
                ring_positions=positions,
                ring_headings=headings,
                axis=line.points,
                length=line.length,
                closed=line.closed,
            )
        )
    return tuple(barriers)
