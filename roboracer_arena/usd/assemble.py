"""From corridor and meshes to the content of a stage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roboracer_arena.corridor import Border, Centerline
from roboracer_arena.mesh import DuctBarrier, SurfaceMesh
from roboracer_arena.usd.content import (
    CenterlineContent,
    RingContent,
    TrackContent,
    TrackMetadata,
    WallPiece,
)

__all__ = ["assemble_track"]


def assemble_track(
    metadata: TrackMetadata,
    floor: SurfaceMesh,
    walls: Sequence[tuple[Border, SurfaceMesh]],
    ducts: Sequence[DuctBarrier],
    blocks: Sequence[SurfaceMesh],
    ring: SurfaceMesh,
    centerline: Centerline | None,
) -> TrackContent:
    """Put a track together.

    Args:
        metadata: Name, place and measures.
        floor: The floor, grid frame [m].
        walls: Each border with its collision wall, grid frame [m].
        ducts: The visible ducts, grid frame [m].
        blocks: The visible obstacles, grid frame [m].
        ring: The shape of all rings.
        centerline: The centreline, or None where the corridor does not close.
    """
    line = None
    if centerline is not None:
        line = CenterlineContent(
            points=centerline.points,
            width_left=centerline.width_left,
            width_right=centerline.width_right,
        )
    rings = None
    if ducts:
        rings = RingContent(
            prototype=ring,
            positions=np.concatenate([duct.ring_positions for duct in ducts]),
            headings=np.concatenate([duct.ring_headings for duct in ducts]),
        )
    return TrackContent(
        metadata=metadata,
        floor=floor,
        walls=tuple(WallPiece(border.kind, mesh) for border, mesh in walls),
        ducts=tuple(duct.tube for duct in ducts),
        blocks=tuple(blocks),
        rings=rings,
        centerline=line,
    )
