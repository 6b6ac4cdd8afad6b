"""Triangle meshes of a track: collision walls, air ducts and their rings, the floor."""

from roboracer_arena.mesh.surface import SurfaceMesh

__all__ = ["SurfaceMesh"]
