"""The lines that collision walls stand on, at any level of the clearance field."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import cv2
import numpy as np

from roboracer_arena.corridor.clearance import clearance_field, level_set
from roboracer_arena.corridor.model import Border, Corridor
from roboracer_arena.errors import SettingsError

__all__ = ["wall_faces"]


def wall_faces(corridor: Corridor, level: float, *, tolerance: float) -> tuple[Border, ...]:
    """Return the borders moved to a level of the clearance field.

    Each line keeps the kind of the border it came from: an obstacle does not become an infield by
    growing.

    Args:
        corridor: The corridor.
        level: Distance from the wall face, into the corridor where positive [m].
        tolerance: How far a line may run from the exact one after leaving points out [m].

    Raises:
        SettingsError: At that level the corridor falls apart, or its sides merge.
    """
    if level == 0.0:
        return corridor.borders
    field = clearance_field(corridor, margin=max(0.0, -level) + 2 * corridor.resolution)
    faces = tuple(
        face if face.kind == "outer" else replace(face, kind=_kind(face, corridor.borders))
        for face in level_set(field, level, tolerance=tolerance)
    )
    kinds, wanted = ([border.kind for border in borders] for borders in (faces, corridor.borders))
    if any(kinds.count(kind) != wanted.count(kind) for kind in ("outer", "infield")):
        raise SettingsError(
            f"walls at a clearance of {level:g} m would cut the corridor or merge its two sides; "
            f"its largest clearance is {float(field.values.max()):.2f} m: use a value nearer to 0",
            where="mesh.wall.level",
        )
    return faces


def _kind(face: Border, borders: tuple[Border, ...]) -> Literal["infield", "obstacle"]:
    """Return ``infield`` if the line came from one, else ``obstacle``.

    A moved line overlaps the border it came from and no other, since islands do not overlap.
    """
    for border in borders:
        if border.kind == "infield" and (
            _reaches_into(face, border) or _reaches_into(border, face)
        ):
            return "infield"
    return "obstacle"


def _reaches_into(line: Border, other: Border) -> bool:
    """Whether one of a few points of a line lies in the area that another encloses."""
    polygon = np.ascontiguousarray(other.points, dtype=np.float32)
    some = line.points[:: max(1, len(line.points) // 16)]
    return any(
        cv2.pointPolygonTest(polygon, (float(x), float(y)), measureDist=False) >= 0 for x, y in some
    )
