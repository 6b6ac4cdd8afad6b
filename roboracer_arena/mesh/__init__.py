"""Triangle meshes of a track: collision walls, air ducts and their rings, the floor."""

from roboracer_arena.mesh.floor import floor_mesh
from roboracer_arena.mesh.settings import (
    DUCT_DIAMETER,
    DuctSettings,
    FloorSettings,
    MeshSettings,
    WallSettings,
)
from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.mesh.walls import wall_mesh

__all__ = [
    "DUCT_DIAMETER",
    "DuctSettings",
    "FloorSettings",
    "MeshSettings",
    "SurfaceMesh",
    "WallSettings",
    "floor_mesh",
    "wall_mesh",
]
