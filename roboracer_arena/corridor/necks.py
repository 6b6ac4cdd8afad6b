"""Passages on the way around that are too narrow to drive."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from roboracer_arena.corridor.core import core_components
from roboracer_arena.corridor.rasters import (
    above,
    contours,
    dilate_disc,
    distance_inside,
    fill_contour,
)
from roboracer_arena.corridor.scene import Scene

__all__ = ["Neck", "find_neck"]

_STEP = 0.85
"""Ratio of successive core clearances that are tried."""
_MOST_TRIALS = 12
"""Passages whose part in the loop is looked into."""


@dataclass(frozen=True, slots=True)
class Neck:
    """The narrowest passage of a loop."""

    width: float
    """[m]"""
    place: str
    """Where it is, in words."""


def find_neck(scene: Scene) -> Neck | None:
    """Return the passage that keeps a scene from having a lap, or None.

    With less clearance asked for, the core closes; what it gains over the core of the scene are
    the passages, and one of them is needed for the loop.
    """
    distance = distance_inside(scene.space.mask)
    radius = scene.radius * _STEP
    while radius >= 1:
        looser = replace(
            scene,
            core=above(distance, radius),
            radius=radius,
            components=core_components(scene.space, above(distance, radius), radius),
        )
        if looser.laps():
            return _needed(scene, looser, distance)
        radius *= _STEP
    return None


def _needed(scene: Scene, looser: Scene, distance: NDArray[np.float32]) -> Neck | None:
    """Return the widest of the passages without which there is no lap."""
    # Along walls the looser core is wider all around, which is no passage.
    wider = scene.radius - looser.radius + 1.5
    passages = looser.core & (1 - dilate_disc(scene.core, wider))
    chains, parents = contours(passages)
    outer = [chain for chain, parent in zip(chains, parents, strict=True) if parent < 0]
    for chain in sorted(outer, key=lambda chain: -cv2.contourArea(chain))[:_MOST_TRIALS]:
        patch = np.zeros_like(passages)
        fill_contour(patch, chain)
        core = looser.core & (1 - (patch & passages))
        parts = core_components(scene.space, core, looser.radius)
        if not replace(looser, core=core, components=parts).laps():
            columns, rows = chain[:, 0, 0], chain[:, 0, 1]
            width = (2 * float(distance[rows, columns].max()) - 0.5) * scene.space.source.resolution
            middle = chain[len(chain) // 2, 0]
            return Neck(width, scene.space.place(float(middle[0]), float(middle[1])))
    return None
