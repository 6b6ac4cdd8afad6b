"""What a camera sees of a USD stage, as plain arrays: meshes, instances, materials, textures.

Any stage can be read, not only a track. Guides, proxies and invisible prims are left out; an
instanced prim is returned once, with a transform per instance. World space is brought to metres
with Z up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Usd, UsdGeom, UsdShade

from roboracer_arena.errors import StageError
from roboracer_arena.usd.visuals_material import VisualMaterial, VisualTexture, read_material
from roboracer_arena.usd.visuals_mesh import triangulate

__all__ = ["VisualMaterial", "VisualMesh", "VisualScene", "VisualTexture", "read_visuals"]

_SEEN_PURPOSES = (UsdGeom.Tokens.default_, UsdGeom.Tokens.render)
_CENTERLINE = "/Track/Centerline"


@dataclass(frozen=True, slots=True, eq=False)
class VisualMesh:
    """Triangles of one material, placed once or many times."""

    path: str
    """Prim path, and the subset's name where a mesh has several materials."""
    points: NDArray[np.float32]
    """Shape [n, 3], local space."""
    triangles: NDArray[np.uint32]
    """Shape [m, 3], indices into ``points``, counter-clockwise seen from the front."""
    normals: NDArray[np.float32] | None
    """Shape [n, 3], unit normals of the points, or None for faceted surfaces."""
    uvs: NDArray[np.float32] | None
    """Shape [n, 2], texture coordinates; one unit is one tile, v grows upwards."""
    material: VisualMaterial
    """What it is made of."""
    transforms: NDArray[np.float64]
    """Shape [k, 4, 4]; column-vector matrices from local space to world space [m]."""

    @property
    def triangle_count(self) -> int:
        """Triangles over all instances."""
        return len(self.triangles) * len(self.transforms)


@dataclass(frozen=True, slots=True, eq=False)
class VisualScene:
    """All that a camera sees of a stage; world space in metres, Z up."""

    meshes: tuple[VisualMesh, ...]
    """In the order of the stage."""
    centerline: NDArray[np.float64] | None = None
    """Shape [n, 3], world [m]; the track's driving line from the start line on, if there is one."""
    warnings: tuple[str, ...] = ()
    """What could not be shown as the stage says, one sentence each."""

    def world_points(self) -> NDArray[np.float64]:
        """Return points that span what is seen: shape [n, 3], world [m].

        Instances contribute the corners of their bounding box, everything else its points.
        """
        parts = []
        for mesh in self.meshes:
            points = mesh.points.astype(np.float64)
            if len(mesh.transforms) > 1:
                points = _box_corners(points)
            rotation, shift = mesh.transforms[:, :3, :3], mesh.transforms[:, None, :3, 3]
            parts.append((points @ rotation.transpose(0, 2, 1) + shift).reshape(-1, 3))
        return np.concatenate(parts)

    def moved(self, offset: NDArray[np.float64]) -> VisualScene:
        """Return the same scene elsewhere; ``offset`` is [3], [m]."""
        shift = np.eye(4)
        shift[:3, 3] = offset
        meshes = tuple(replace(mesh, transforms=shift @ mesh.transforms) for mesh in self.meshes)
        line = None if self.centerline is None else self.centerline + offset
        return replace(self, meshes=meshes, centerline=line)


def read_visuals(stage_path: Path) -> VisualScene:
    """Read everything visible of a stage at its default time.

    Raises:
        StageError: The file cannot be opened as USD, or nothing in it can be seen.
    """
    stage = _open(stage_path)
    reader = _SceneReader(stage)
    meshes = tuple(reader.meshes())
    if not meshes:
        raise StageError("holds nothing that can be seen: no visible mesh", where=str(stage_path))
    return VisualScene(meshes, reader.centerline(), tuple(dict.fromkeys(reader.warnings)))


def _open(stage_path: Path) -> Usd.Stage:
    """Open a stage, or say in one sentence why not."""
    if not stage_path.is_file():
        raise StageError("does not exist or is not a file", where=str(stage_path))
    try:
        return Usd.Stage.Open(str(stage_path), load=Usd.Stage.LoadAll)
    except Exception as error:  # Tf.ErrorException; its text is several lines of C++ places
        raise StageError("cannot be read as a USD stage", where=str(stage_path)) from error


class _SceneReader:
    """One walk over a stage."""

    def __init__(self, stage: Usd.Stage) -> None:
        self.stage = stage
        self.warnings: list[str] = []
        self._cache = UsdGeom.XformCache(Usd.TimeCode.Default())
        self._to_world = _metres_z_up(stage)
        self._materials: dict[str, VisualMaterial] = {}

    def meshes(self) -> Iterator[VisualMesh]:
        """Yield the meshes of the stage, instanced ones last of their instancer."""
        yield from self._below(self.stage.GetPseudoRoot(), self._to_world[None], None)

    def centerline(self) -> NDArray[np.float64] | None:
        """Return the driving line of a track, or None."""
        prim = self.stage.GetPrimAtPath(_CENTERLINE)
        points = UsdGeom.PointBased(prim).GetPointsAttr().Get() if prim else None
        if points is None or len(points) < 2:
            return None
        matrix = self._to_world @ _matrix(self._cache.GetLocalToWorldTransform(prim))
        return np.asarray(np.asarray(points, dtype=np.float64) @ matrix[:3, :3].T + matrix[:3, 3])

    def _below(
        self, root: Usd.Prim, placements: NDArray[np.float64], relative_to: Usd.Prim | None
    ) -> Iterator[VisualMesh]:
        """Yield the meshes at and below a prim.

        Args:
            root: Where to start.
            placements: Shape [k, 4, 4], where the space of ``relative_to`` stands in the world.
            relative_to: The prim whose parent space the placements are for; None for the world.
        """
        walk = iter(Usd.PrimRange(root, Usd.TraverseInstanceProxies()))
        for prim in walk:
            if prim.IsPseudoRoot():
                continue
            imageable = UsdGeom.Imageable(prim)
            if not imageable:
                continue
            if imageable.ComputeVisibility() == UsdGeom.Tokens.invisible:
                walk.PruneChildren()
                continue
            seen = imageable.ComputePurpose() in _SEEN_PURPOSES
            if prim.IsA(UsdGeom.PointInstancer):
                walk.PruneChildren()
                if seen:
                    yield from self._instances(prim, placements, relative_to)
            elif seen and prim.IsA(UsdGeom.Mesh):
                local = _matrix(self._local(prim, relative_to))
                yield from self._mesh(prim, placements @ local)
            elif seen and prim.IsA(UsdGeom.Gprim):
                self.warnings.append(f"{prim.GetTypeName()} prims are not shown; use meshes")

    def _local(self, prim: Usd.Prim, relative_to: Usd.Prim | None) -> Gf.Matrix4d:
        """Return the transform of a prim up to the space its placements are given in."""
        world = self._cache.GetLocalToWorldTransform(prim)
        if relative_to is None:
            return world
        return world * self._cache.GetParentToWorldTransform(relative_to).GetInverse()

    def _instances(
        self, prim: Usd.Prim, placements: NDArray[np.float64], relative_to: Usd.Prim | None
    ) -> Iterator[VisualMesh]:
        """Yield the prototypes of a point instancer, each with the transforms of its instances."""
        instancer = UsdGeom.PointInstancer(prim)
        now = Usd.TimeCode.Default()
        indices = instancer.GetProtoIndicesAttr().Get()
        prototypes = instancer.GetPrototypesRel().GetForwardedTargets()
        if not indices or not prototypes:
            return
        # ExcludeProtoXform: the prototype's own transform is added by the walk below it.
        own = instancer.ComputeInstanceTransformsAtTime(
            now, now, UsdGeom.PointInstancer.ExcludeProtoXform, UsdGeom.PointInstancer.IgnoreMask
        )
        matrices = np.asarray(own, dtype=np.float64).transpose(0, 2, 1)
        which = np.asarray(indices)
        shown = np.asarray(instancer.ComputeMaskAtTime(now) or np.ones(len(which)), dtype=bool)
        base = _matrix(self._local(prim, relative_to))
        for index, target in enumerate(prototypes):
            prototype = self.stage.GetPrimAtPath(target)
            chosen = matrices[shown & (which == index)]
            if prototype and len(chosen):
                placed = (placements[:, None] @ base @ chosen[None]).reshape(-1, 4, 4)
                yield from self._below(prototype, placed, prototype)

    def _mesh(self, prim: Usd.Prim, transforms: NDArray[np.float64]) -> Iterator[VisualMesh]:
        """Yield a mesh, one part for each material bound to it."""
        bound = [(*part, self._material(part[1])) for part in _material_parts(prim)]
        names = frozenset(look.texture.uv_name for _, _, look in bound if look.texture)
        mesh = triangulate(UsdGeom.Mesh(prim), names)
        if mesh is None or not np.all(np.isfinite(transforms)):
            self.warnings.append(f"{prim.GetPath()}: is not a sound mesh and was left out")
            return
        for faces, owner, look in bound:
            uv_name = look.texture.uv_name if look.texture else ""
            part = mesh.part(faces, uv_name)
            if look.texture and part.uvs is None:
                self.warnings.append(f"{owner.GetPath()}: has no coordinates '{uv_name}'")
            if len(part.triangles):
                yield VisualMesh(
                    str(owner.GetPath()),
                    part.points,
                    part.triangles,
                    part.normals,
                    part.uvs,
                    look,
                    transforms,
                )

    def _material(self, prim: Usd.Prim) -> VisualMaterial:
        """Return the look of a prim, each material read once."""
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        if not material:
            return read_material(None, prim, self.warnings)
        path = str(material.GetPath())
        if path not in self._materials:
            self._materials[path] = read_material(material, prim, self.warnings)
        return self._materials[path]


def _material_parts(prim: Usd.Prim) -> list[tuple[NDArray[np.int64] | None, Usd.Prim]]:
    """Return the faces of each material: those of the subsets, then the rest; None is all."""
    subsets = UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets()
    if not subsets:
        return [(None, prim)]
    parts: list[tuple[NDArray[np.int64] | None, Usd.Prim]] = [
        (np.asarray(subset.GetIndicesAttr().Get() or [], dtype=np.int64), subset.GetPrim())
        for subset in subsets
    ]
    count = len(UsdGeom.Mesh(prim).GetFaceVertexCountsAttr().Get() or [])
    taken = np.concatenate([faces for faces, _ in parts if faces is not None])
    parts.append((np.setdiff1d(np.arange(count), taken), prim))
    return parts


def _metres_z_up(stage: Usd.Stage) -> NDArray[np.float64]:
    """Return the matrix from a stage's own units and up axis to metres, Z up."""
    matrix = np.eye(4)
    if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y:
        matrix[:3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    matrix[:3, :3] *= UsdGeom.GetStageMetersPerUnit(stage)
    return matrix


def _matrix(matrix: Gf.Matrix4d) -> NDArray[np.float64]:
    """Return a USD matrix, which multiplies row vectors, as one for column vectors."""
    return np.asarray(matrix, dtype=np.float64).T


def _box_corners(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the eight corners of the bounding box of points."""
    axes = np.stack([points.min(axis=0), points.max(axis=0)], axis=1)
    return np.stack(np.meshgrid(*axes), axis=-1).reshape(8, 3)
