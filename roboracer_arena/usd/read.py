"""A track stage read back: what every engine simulates.

Nothing is rebuilt from the map. Coordinates are those of the root prim: map frame minus anchor.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom, UsdPhysics
from pydantic import ValidationError as PydanticError

from roboracer_arena.errors import StageError
from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.usd.content import TrackMetadata, WallKind, WallPiece
from roboracer_arena.usd.primvars import read_primvar
from roboracer_arena.usd.stage import open_fresh
from roboracer_arena.usd.track import FORMAT_VERSION, ROOT
from roboracer_arena.usd.values import TrackFrame, bound_physics_material
from roboracer_arena.usd.winding import wall_fault

__all__ = ["Contact", "StageCenterline", "TrackStage", "read_track"]


@dataclass(frozen=True, slots=True)
class Contact:
    """A physics material."""

    static_friction: float
    """Friction coefficient at rest."""
    dynamic_friction: float
    """Friction coefficient while sliding."""
    restitution: float
    """0 no bounce, 1 elastic."""
    compliant_stiffness: float = 0.0
    """Spring stiffness of the contact [N/m]; 0 is rigid."""
    compliant_damping: float = 0.0
    """Damping of the contact [N s/m]."""


@dataclass(frozen=True, slots=True, eq=False)
class StageCenterline:
    """The centreline of a stage, in driving direction from the start line."""

    points: NDArray[np.float64]
    """Shape [n, 2], [m], relative to the anchor; closed, the first point is not repeated."""
    width_left: NDArray[np.float64]
    """Shape [n], distance to the wall on the left [m]."""
    width_right: NDArray[np.float64]
    """Shape [n], distance to the wall on the right [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class TrackStage:
    """A track as simulated. Geometry is in metres relative to ``anchor``, Z up."""

    path: Path
    """The file it was read from."""
    metadata: TrackMetadata
    """Name, map origin, resolution and measures."""
    anchor: tuple[float, float]
    """What to add to a position to get ROS's map frame [m]; (0, 0) unless the map is far away."""
    walls: tuple[WallPiece, ...]
    """Single-sided sheets whose front faces the corridor; exactly one is outer."""
    floor: SurfaceMesh
    """The floor, front upwards."""
    wall_contact: Contact
    """Physics material of the walls."""
    floor_contact: Contact
    """Physics material of the floor."""
    gravity: float
    """Acceleration downwards [m/s²]."""
    steps_per_second: int
    """Physics steps per simulated second that the stage asks for."""
    centerline: StageCenterline | None
    """None where the corridor does not close into a lap."""

    @property
    def name(self) -> str:
        """Display name of the track."""
        return self.metadata.name


def read_track(path: Path) -> TrackStage:
    """Read a track stage.

    Raises:
        StageError: The file is no USD stage, is damaged, holds no Arena track, or holds one that
            must not be simulated: other units, points that are not finite, walls that face away
            from the corridor.
    """
    stage = open_fresh(path)
    try:
        return _read(stage, path)
    except StageError as error:
        where = f"{path}:{error.where}" if error.where else str(path)
        raise StageError(error.message, where=where) from error


def _read(stage: Usd.Stage, path: Path) -> TrackStage:
    """Read an open stage; errors name prims only."""
    _check_units(stage)
    root = stage.GetPrimAtPath(ROOT)
    if not root:
        raise StageError(f"has no {ROOT} prim; build it with arena build")
    metadata = _metadata(root)
    frame = TrackFrame(root)
    walls = _walls(stage, frame)
    floor_prim = _require(stage, f"{ROOT}/Floor", UsdGeom.Mesh)
    scene = UsdPhysics.Scene(_require(stage, f"{ROOT}/PhysicsScene", UsdPhysics.Scene))
    rate = scene.GetPrim().GetAttribute("physxScene:timeStepsPerSecond")
    return TrackStage(
        path=path,
        metadata=metadata,
        anchor=frame.anchor,
        walls=walls,
        floor=frame.surface(floor_prim),
        wall_contact=_contact(stage.GetPrimAtPath(f"{ROOT}/Walls").GetChildren()[0]),
        floor_contact=_contact(floor_prim),
        gravity=_gravity(scene),
        steps_per_second=int(rate.Get()) if rate and rate.Get() else 200,
        centerline=_centerline(stage, frame),
    )


def _check_units(stage: Usd.Stage) -> None:
    """Refuse anything but metres and Z up, stated in the file."""
    if not UsdGeom.StageHasAuthoredMetersPerUnit(stage):
        raise StageError("does not state metersPerUnit; USD would take it for centimetres")
    metres = UsdGeom.GetStageMetersPerUnit(stage)
    if metres != 1.0:
        raise StageError(f"has metersPerUnit {metres:g}; Arena stages are in metres (1)")
    if UsdGeom.GetStageUpAxis(stage) != UsdGeom.Tokens.z:
        raise StageError(f"has upAxis {UsdGeom.GetStageUpAxis(stage)}; Arena stages have Z up")


def _metadata(root: Usd.Prim) -> TrackMetadata:
    """Read the track data at the root prim."""
    data = dict(root.GetCustomDataByKey("arena") or {})
    version = data.pop("version", None)
    if version is None:
        raise StageError("carries no Arena track data; build it with arena build", where=ROOT)
    if version != FORMAT_VERSION:
        raise StageError(
            f"has layout version {version}; this program reads version {FORMAT_VERSION}: "
            "build the track again",
            where=ROOT,
        )
    try:
        return TrackMetadata(**data)
    except PydanticError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise StageError(f"arena:{field}: {first['msg']}", where=ROOT) from error


def _require(stage: Usd.Stage, path: str, kind: type[Usd.Typed]) -> Usd.Prim:
    """Return a prim of a type, or refuse the stage."""
    prim = stage.GetPrimAtPath(path)
    if not prim or not prim.IsA(kind):
        raise StageError(f"is missing or no {kind.__name__}; build the track again", where=path)
    return prim


def _walls(stage: Usd.Stage, frame: TrackFrame) -> tuple[WallPiece, ...]:
    """Read the collision walls and make sure that they hold cars in."""
    scope = _require(stage, f"{ROOT}/Walls", UsdGeom.Scope)
    pieces = []
    for prim in scope.GetChildren():
        kind = prim.GetName().split("_")[0].lower()
        if kind not in get_args(WallKind) or not prim.IsA(UsdGeom.Mesh):
            raise StageError("is no wall of a track; build it again", where=str(prim.GetPath()))
        mesh = frame.surface(prim)
        fault = wall_fault(mesh.points, mesh.triangles, kind)
        if fault:
            raise StageError(
                f"{fault}: cars would pass through it; build the track again",
                where=str(prim.GetPath()),
            )
        pieces.append(WallPiece(kind=kind, mesh=mesh))
    if sum(piece.kind == "outer" for piece in pieces) != 1:
        raise StageError("must hold exactly one outer wall; build the track again", where="Walls")
    return tuple(pieces)


def _contact(prim: Usd.Prim) -> Contact:
    """Read the physics material of a collider."""
    material = bound_physics_material(prim)
    if material is None:
        raise StageError("has no physics material", where=str(prim.GetPath()))

    def compliant(name: str) -> float:
        attribute = material.GetPrim().GetAttribute(f"physxMaterial:compliantContact{name}")
        return float(attribute.Get() or 0.0) if attribute else 0.0

    return Contact(
        static_friction=float(material.GetStaticFrictionAttr().Get()),
        dynamic_friction=float(material.GetDynamicFrictionAttr().Get()),
        restitution=float(material.GetRestitutionAttr().Get()),
        compliant_stiffness=compliant("Stiffness"),
        compliant_damping=compliant("Damping"),
    )


def _gravity(scene: UsdPhysics.Scene) -> float:
    """Read gravity; USD's negative default stands for the Earth's."""
    value = float(scene.GetGravityMagnitudeAttr().Get())
    return value if np.isfinite(value) and value >= 0.0 else 9.81


def _centerline(stage: Usd.Stage, frame: TrackFrame) -> StageCenterline | None:
    """Read the centreline and its widths, where there is one."""
    prim = stage.GetPrimAtPath(f"{ROOT}/Centerline")
    if not prim:
        return None
    points = frame.points(prim)[:, :2].astype(np.float64)
    widths = [read_primvar(prim, name) for name in ("widthLeft", "widthRight")]
    if any(len(width) != len(points) or not np.isfinite(width).all() for width in widths):
        raise StageError(
            "must have one finite widthLeft and widthRight at each point; build the track again",
            where=str(prim.GetPath()),
        )
    return StageCenterline(points=points, width_left=widths[0], width_right=widths[1])
