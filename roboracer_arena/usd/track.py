"""The track stage: what is under ``/Track``.

::

    /Track             Xform, default prim; moved to the map frame where the map is far from zero
      PhysicsScene     gravity, step, solver
      Floor            Mesh, collider
      Walls            invisible
        Outer, Infield_*, Obstacle_*     Mesh each, guide, collider
      Ducts
        Duct_*         Mesh each, visible only
        Rings          PointInstancer of one Ring
      Obstacles        only where there are any
        Block_*        Mesh each, visible only
      Looks            Floor, Duct, Ring, Obstacle: UsdPreviewSurface
      PhysicsMaterials Floor, Wall
      Lights           Sky, Sun
      Centerline       BasisCurves, guide; only where the corridor closes into a lap

Reads like a table of contents: one ``author_...`` call for each child of the root prim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pxr import Gf, Kind, Usd, UsdGeom

from roboracer_arena.usd.content import TrackContent, TrackMetadata, WallPiece
from roboracer_arena.usd.geometry import author_centerline, author_mesh, author_rings
from roboracer_arena.usd.materials import author_look, bind_look
from roboracer_arena.usd.names import track_identifier
from roboracer_arena.usd.physics import (
    author_collider,
    author_physics_material,
    author_physics_scene,
)
from roboracer_arena.usd.placement import Placement
from roboracer_arena.usd.settings import StageSettings
from roboracer_arena.usd.stage import author_lights, author_stage

__all__ = ["FORMAT_VERSION", "ROOT", "author_track"]

ROOT = "/Track"
"""Path of the root prim of every track stage."""
FORMAT_VERSION = 1
"""Version of the layout under the root prim; raised when a reader must change."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The visible surfaces."""

    floor: UsdGeom.Mesh
    ducts: list[UsdGeom.Mesh]
    ring: UsdGeom.Mesh | None
    blocks: list[UsdGeom.Mesh]


def author_track(
    content: TrackContent, settings: StageSettings, textures: Mapping[str, str]
) -> Usd.Stage:
    """Author a track into a stage in memory.

    Args:
        content: The track, in grid-frame metres.
        settings: Looks, contact and scene.
        textures: Asset path of the image of each look (``Floor``, ``Duct``, ``Obstacle``) with
            one.
    """
    placement = Placement.of(content.metadata)
    stage = author_stage()
    _author_root(stage, content.metadata, placement)
    author_physics_scene(stage, f"{ROOT}/PhysicsScene", settings.scene)
    floor = author_mesh(stage, f"{ROOT}/Floor", content.floor, placement)
    walls = _author_walls(stage, content.walls, placement)
    ducts, ring = _author_ducts(stage, content, placement)
    blocks = _author_blocks(stage, content, placement)
    _author_looks(stage, settings, textures, _Seen(floor, ducts, ring, blocks))
    _author_contact(stage, settings, floor, walls)
    if settings.lights:
        author_lights(stage, f"{ROOT}/Lights")
    if content.centerline is not None:
        author_centerline(stage, f"{ROOT}/Centerline", content.centerline, placement)
    return stage


def _author_root(stage: Usd.Stage, metadata: TrackMetadata, placement: Placement) -> None:
    """Define the root prim: names, place in the map frame and track data."""
    root = UsdGeom.Xform.Define(stage, ROOT)
    prim = root.GetPrim()
    stage.SetDefaultPrim(prim)
    prim.SetDisplayName(metadata.name)
    model = Usd.ModelAPI(prim)
    model.SetKind(Kind.Tokens.component)
    model.SetAssetName(track_identifier(metadata.name))
    if placement.anchor != (0.0, 0.0):
        root.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*placement.anchor, 0.0))
    prim.SetCustomDataByKey("arena:version", FORMAT_VERSION)
    for name, value in metadata.model_dump(exclude_none=True).items():
        prim.SetCustomDataByKey(f"arena:{name}", value)


def _author_walls(
    stage: Usd.Stage, pieces: tuple[WallPiece, ...], placement: Placement
) -> list[UsdGeom.Mesh]:
    """Define the collision walls: seen by physics and, as guides, on demand by people."""
    scope = UsdGeom.Scope.Define(stage, f"{ROOT}/Walls")
    scope.CreateVisibilityAttr(UsdGeom.Tokens.invisible)
    walls = []
    counts = {"infield": 0, "obstacle": 0}
    for piece in pieces:
        name = "Outer"
        if piece.kind != "outer":
            name = f"{piece.kind.capitalize()}_{counts[piece.kind]}"
            counts[piece.kind] += 1
        wall = author_mesh(stage, f"{ROOT}/Walls/{name}", piece.mesh, placement)
        wall.CreatePurposeAttr(UsdGeom.Tokens.guide)
        walls.append(wall)
    return walls


def _author_ducts(
    stage: Usd.Stage, content: TrackContent, placement: Placement
) -> tuple[list[UsdGeom.Mesh], UsdGeom.Mesh | None]:
    """Define the visible barriers; return the tubes and the prototype of the rings."""
    UsdGeom.Scope.Define(stage, f"{ROOT}/Ducts")
    tubes = [
        author_mesh(stage, f"{ROOT}/Ducts/Duct_{index}", mesh, placement)
        for index, mesh in enumerate(content.ducts)
    ]
    if content.rings is None or len(content.rings.positions) == 0:
        return tubes, None
    _, ring = author_rings(stage, f"{ROOT}/Ducts/Rings", content.rings, placement)
    return tubes, ring


def _author_blocks(
    stage: Usd.Stage, content: TrackContent, placement: Placement
) -> list[UsdGeom.Mesh]:
    """Define the visible blocks for obstacles, where there are any."""
    if content.blocks:
        UsdGeom.Scope.Define(stage, f"{ROOT}/Obstacles")
    return [
        author_mesh(stage, f"{ROOT}/Obstacles/Block_{index}", mesh, placement)
        for index, mesh in enumerate(content.blocks)
    ]


def _author_looks(
    stage: Usd.Stage, settings: StageSettings, textures: Mapping[str, str], seen: _Seen
) -> None:
    """Define the looks and bind them to what is seen."""
    path = f"{ROOT}/Looks"
    UsdGeom.Scope.Define(stage, path)
    for name, look, surfaces in (
        ("Floor", settings.floor_look, [seen.floor]),
        ("Duct", settings.duct_look, seen.ducts),
        ("Ring", settings.ring_look, [seen.ring] if seen.ring else []),
        ("Obstacle", settings.obstacle_look, seen.blocks),
    ):
        material = author_look(stage, f"{path}/{name}", look, textures.get(name))
        for surface in surfaces:
            bind_look(surface, material)


def _author_contact(
    stage: Usd.Stage, settings: StageSettings, floor: UsdGeom.Mesh, walls: list[UsdGeom.Mesh]
) -> None:
    """Define the physics materials and make floor and walls colliders."""
    path = f"{ROOT}/PhysicsMaterials"
    UsdGeom.Scope.Define(stage, path)
    author_collider(floor, author_physics_material(stage, f"{path}/Floor", settings.floor_contact))
    wall_material = author_physics_material(stage, f"{path}/Wall", settings.wall_contact)
    for wall in walls:
        author_collider(wall, wall_material)
