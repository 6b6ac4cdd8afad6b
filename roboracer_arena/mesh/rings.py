"""The wire rings around a duct: one shape, and the places where it stands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.mesh.axis import DuctLine
from roboracer_arena.mesh.settings import DuctSettings
from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = ["place_rings", "ring_prototype"]

_PROFILE_SIDES = 6
"""Sides of the wire's cross-section; it is a centimetre thick and seen from metres away."""


def ring_prototype(settings: DuctSettings) -> SurfaceMesh:
    """Return the ring that all rings are instances of.

    A torus around the x axis with its centre at the origin; the middle of its wire lies on the
    duct's surface. Closed, wound outwards, smooth normals, no texture coordinates.
    """
    around, profile = 2 * settings.sides, _PROFILE_SIDES
    turn = 2.0 * np.pi * np.arange(around) / around
    bend = 2.0 * np.pi * np.arange(profile) / profile
    outward = np.stack([np.zeros(around), np.cos(turn), np.sin(turn)], axis=1)
    normals = np.cos(bend)[None, :, None] * outward[:, None, :]
    normals[:, :, 0] += np.sin(bend)[None, :]
    points = settings.radius * outward[:, None, :] + settings.ring_thickness / 2.0 * normals
    i, k = np.meshgrid(np.arange(around), np.arange(profile), indexing="ij")
    a, b = i * profile + k, (i + 1) % around * profile + k
    c, d = (i + 1) % around * profile + (k + 1) % profile, i * profile + (k + 1) % profile
    quads = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)
    return SurfaceMesh(
        points=points.reshape(-1, 3).astype(np.float32),
        triangles=quads.astype(np.int32),
        normals=normals.reshape(-1, 3).astype(np.float32),
    )


def place_rings(
    line: DuctLine, settings: DuctSettings
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Space rings evenly along a duct.

    Args:
        line: Axis of the duct.
        settings: Wished spacing, and the diameter.

    Returns:
        Centres, shape [n, 3] [m], and the heading of the duct there, shape [n] [rad]. The first
        and the last ring of an open duct keep half a spacing to its ends.
    """
    count = max(1, round(line.length / settings.ring_spacing))
    arc = (np.arange(count, dtype=np.float64) + 0.5) * (line.length / count)
    points, along = line.at(arc)
    centers = np.column_stack([points, np.full(count, settings.radius)])
    return centers.astype(np.float32), np.arctan2(along[:, 1], along[:, 0])
