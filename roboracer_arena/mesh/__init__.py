"""Triangle meshes of a track: collision walls, air ducts and their rings, obstacles, the floor."""

from roboracer_arena.mesh.ducts import DuctBarrier, duct_barriers
from roboracer_arena.mesh.floor import floor_mesh
from roboracer_arena.mesh.obstacles import obstacle_blocks
from roboracer_arena.mesh.rings import ring_prototype
from roboracer_arena.mesh.settings import (
    DUCT_DIAMETER,
    DuctSettings,
    FloorSettings,
    MeshSettings,
    ObstacleSettings,
    WallSettings,
)
from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.mesh.walls import wall_mesh

__all__ = [
    "DUCT_DIAMETER",
    "DuctBarrier",
    "DuctSettings",
    "FloorSettings",
    "MeshSettings",
    "ObstacleSettings",
    "SurfaceMesh",
    "WallSettings",
    "duct_barriers",
    "floor_mesh",
    "obstacle_blocks",
    "ring_prototype",
    "wall_mesh",
]
