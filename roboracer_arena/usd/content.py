"""What goes into a track stage, as plain data; nothing here needs USD."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat

from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = [
    "CenterlineContent",
    "RingContent",
    "TrackContent",
    "TrackMetadata",
    "WallKind",
    "WallPiece",
]

WallKind = Literal["outer", "infield", "obstacle"]


def _storable(name: str) -> str:
    """Replace what a USD string cannot hold: halves of surrogate pairs, and the null character."""
    return re.sub("[\\0\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", name)


class TrackMetadata(BaseModel):
    """What is known of a track beside its geometry; stored as ``arena:*`` custom data."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, AfterValidator(_storable)]
    """Display name; any text. What UTF-8 cannot hold becomes U+FFFD."""
    resolution: FiniteFloat = Field(gt=0.0)
    """Side of a map cell [m]."""
    origin_x: FiniteFloat
    """Map-frame x of the map's lower-left corner [m]."""
    origin_y: FiniteFloat
    """Map-frame y of the map's lower-left corner [m]."""
    origin_yaw: FiniteFloat = 0.0
    """Heading of the map's columns [rad], counter-clockwise."""
    lap_length: FiniteFloat | None = None
    """Length of the centreline [m]; None where the corridor does not close."""
    width_mean: FiniteFloat | None = None
    """Mean width of the corridor [m]; None where there is no centreline."""
    width_min: FiniteFloat | None = None
    """Smallest width of the corridor [m]; None where there is no centreline."""
    area: FiniteFloat
    """Drivable area [m²]."""
    settings_digest: str = ""
    """Hash of the settings the track was built with; empty if none."""


@dataclass(frozen=True, slots=True, eq=False)
class WallPiece:
    """One collision wall: the border it stands on, and its surface."""

    kind: WallKind
    """``outer`` border, an ``infield`` or an ``obstacle`` in the corridor."""
    mesh: SurfaceMesh
    """A single-sided sheet whose front faces the corridor."""


@dataclass(frozen=True, slots=True, eq=False)
class RingContent:
    """All rings around the ducts: one shape, many places."""

    prototype: SurfaceMesh
    """The ring around the x axis, its centre at the origin [m]."""
    positions: NDArray[np.float32]
    """Shape [n, 3], centres [m]."""
    headings: NDArray[np.float64]
    """Shape [n], direction of the duct at each ring [rad], counter-clockwise from x."""


@dataclass(frozen=True, slots=True, eq=False)
class CenterlineContent:
    """The centreline in driving direction; the start line crosses its first point."""

    points: NDArray[np.float64]
    """Shape [n, 2], [m]; closed, the first point is not repeated."""
    width_left: NDArray[np.float64]
    """Shape [n], distance to the wall on the left [m]."""
    width_right: NDArray[np.float64]
    """Shape [n], distance to the wall on the right [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class TrackContent:
    """A whole track. All coordinates are grid-frame metres; the origin is in the metadata."""

    metadata: TrackMetadata
    """Name, place and measures."""
    floor: SurfaceMesh
    """The floor, front upwards."""
    walls: tuple[WallPiece, ...]
    """Collision walls; exactly one is outer."""
    ducts: tuple[SurfaceMesh, ...] = ()
    """Visible duct tubes."""
    blocks: tuple[SurfaceMesh, ...] = ()
    """Visible blocks where obstacles stand in the corridor."""
    rings: RingContent | None = None
    """Visible rings around the tubes."""
    centerline: CenterlineContent | None = None
    """None where the corridor does not close into a lap."""
