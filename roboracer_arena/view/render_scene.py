"""A stage's visuals as Mitsuba scenes: shapes, materials, lights, ground and film.

A picture is made of several scenes over the same shapes, one for each light, because light adds
up: a path tracer that has to choose between a sharp sun and a wide sky at each bounce needs four
times as many paths for the same noise as two that have one light each.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from roboracer_arena.view.render_look import Look

if TYPE_CHECKING:
    from roboracer_arena.usd.visuals import VisualMaterial, VisualMesh, VisualScene, VisualTexture
    from roboracer_arena.view.camera import Camera

__all__ = ["RenderScenes", "build_scenes"]

_BLOCK = 32
"""Side of the film's tiles [px]. Fixed, since each tile draws its own random numbers."""
_GROUND_GAP = 0.002
"""Depth of the ground under the lowest point of the stage [m], so that it never shows through."""
_GROUND_SIZE = 60.0
"""Half side of the ground, in diagonals of the stage."""
_SPECULAR = 0.35
"""UsdPreviewSurface's index of refraction 1.5 is 0.5 here; dusty surfaces shine less."""
_MIN_ROUGHNESS = 0.08
"""A smoother surface is a spike that a few paths never hit."""
_MATT = 0.8
"""Roughness from which a highlight cannot be made out any more."""
_MAX_TEXTURE_SIDE = 4096
_MAX_GUIDE_TRIANGLES = 4_000_000
"""Instances are unrolled for the albedo image up to this many triangles (1 GB)."""


@dataclass(frozen=True, slots=True)
class RenderScenes:
    """What is rendered for one picture."""

    sun: Any
    """The stage under the sun alone."""
    sky: Any
    """The stage under an even sky alone."""
    albedo: Any
    """The stage's own colours, unlit."""
    depth: Any
    """Integrator that measures how far away things are; runs on the sun's scene."""
    warnings: tuple[str, ...]
    """A sentence for each texture that could not be used."""


def build_scenes(
    mitsuba: Any, visuals: VisualScene, camera: Camera, size: tuple[int, int], look: Look
) -> RenderScenes:
    """Load the scenes of one picture.

    Args:
        mitsuba: The module, its variant chosen.
        visuals: What to show.
        camera: Where from.
        size: Width and height [px].
        look: Light and ground.
    """
    factory = _ShapeFactory(mitsuba, look)
    ground = _ground(visuals, look)
    lit = factory.lit_shapes(visuals.meshes, ground)
    frame = {"type": "scene", "sensor": _sensor(mitsuba, camera, size)}
    path = {"type": "path", "max_depth": 3, "block_size": _BLOCK}
    sun = {
        "type": "directional",
        "direction": (-look.sun_direction(camera)).tolist(),
        "irradiance": _rgb(look.sun),
    }
    sky = {"type": "constant", "radiance": _rgb(look.sky)}
    unlit = {"type": "path", "max_depth": 1, "block_size": _BLOCK}
    return RenderScenes(
        sun=mitsuba.load_dict({**frame, **lit, "integrator": path, "light": sun}),
        sky=mitsuba.load_dict({**frame, **lit, "integrator": path, "light": sky}),
        albedo=mitsuba.load_dict(
            {**frame, **factory.unlit_shapes(visuals.meshes, ground), "integrator": unlit}
        ),
        depth=mitsuba.load_dict({"type": "depth", "block_size": _BLOCK}),
        warnings=tuple(factory.warnings),
    )


def _sensor(mitsuba: Any, camera: Camera, size: tuple[int, int]) -> dict[str, Any]:
    """Return camera, film and sampler.

    The box filter keeps each sample in its own pixel: a wider one would add up neighbouring tiles
    in the order in which threads finish, and the bytes would depend on it.
    """
    width, height = size
    return {
        "type": "perspective",
        "fov": camera.vertical_fov,
        "fov_axis": "y",
        "near_clip": 0.01,
        "far_clip": 1e6,
        "to_world": mitsuba.ScalarTransform4f().look_at(
            origin=list(camera.eye), target=list(camera.target), up=[0, 0, 1]
        ),
        "film": {
            "type": "hdrfilm",
            "width": width,
            "height": height,
            "pixel_format": "rgba",
            "component_format": "float32",
            "rfilter": {"type": "box"},
        },
        "sampler": {"type": "multijitter"},
    }


def _ground(visuals: VisualScene, look: Look) -> dict[str, Any]:
    """Return a wide square under everything, so that shadows have where to fall."""
    points = visuals.world_points()
    low, high = points.min(axis=0), points.max(axis=0)
    half = _GROUND_SIZE * max(float(np.linalg.norm(high - low)), 1.0)
    matrix = np.diag([half, half, 1.0, 1.0])
    matrix[:3, 3] = [*(low + high)[:2] / 2, low[2] - _GROUND_GAP]
    return {"matrix": matrix.tolist(), "colour": look.ground}


class _ShapeFactory:
    """Turns meshes into shapes; each material and texture is made once."""

    def __init__(self, mitsuba: Any, look: Look) -> None:
        self.mitsuba = mitsuba
        self.warnings: list[str] = []
        self._look = look
        self._colours: dict[int, Any] = {}
        self._surfaces: dict[int, Any] = {}

    def lit_shapes(self, meshes: tuple[VisualMesh, ...], ground: dict[str, Any]) -> dict[str, Any]:
        """Return the loaded shapes with the materials that light falls on."""
        parts: dict[str, Any] = {
            "ground": {
                "type": "rectangle",
                "to_world": self.mitsuba.ScalarTransform4f(ground["matrix"]),
                "bsdf": {"type": "diffuse", "reflectance": _rgb(ground["colour"])},
            }
        }
        for index, mesh in enumerate(meshes):
            name, surface = f"part{index}", {"bsdf": self._surface(mesh.material)}
            if len(mesh.transforms) == 1:
                parts[name] = self._shape(name, _placed(mesh), surface)
                continue
            shape = self._shape(name, mesh, surface)
            parts[name] = self.mitsuba.load_dict({"type": "shapegroup", "shape": shape})
            for copy, matrix in enumerate(mesh.transforms):
                parts[f"{name}_{copy}"] = {
                    "type": "instance",
                    "to_world": self.mitsuba.ScalarTransform4f(matrix.tolist()),
                    "group": parts[name],
                }
        return parts

    def unlit_shapes(
        self, meshes: tuple[VisualMesh, ...], ground: dict[str, Any]
    ) -> dict[str, Any]:
        """Return shapes that glow in their own colour; instances unrolled, for none may glow."""
        parts: dict[str, Any] = {
            "ground": {
                "type": "rectangle",
                "to_world": self.mitsuba.ScalarTransform4f(ground["matrix"]),
                "emitter": {"type": "area", "radiance": _rgb(ground["colour"])},
            }
        }
        black = self.mitsuba.load_dict({"type": "diffuse", "reflectance": _rgb((0.0, 0.0, 0.0))})
        room = _MAX_GUIDE_TRIANGLES
        for index, mesh in enumerate(meshes):
            room -= mesh.triangle_count
            if room < 0:
                break
            glow = {"type": "area", "radiance": self._colour(mesh.material)}
            surface = {"bsdf": black, "emitter": self.mitsuba.load_dict(glow)}
            parts[f"part{index}"] = self._shape(f"part{index}", _placed(mesh), surface)
        return parts

    def _shape(self, name: str, mesh: VisualMesh, surface: dict[str, Any]) -> Any:
        """Return a loaded mesh in its own space, with a material or an emitter."""
        properties = self.mitsuba.Properties()
        for key, value in surface.items():
            properties[key] = value
        shape = self.mitsuba.Mesh(
            name,
            len(mesh.points),
            len(mesh.triangles),
            has_vertex_normals=mesh.normals is not None,
            has_vertex_texcoords=mesh.uvs is not None,
            props=properties,
        )
        fields = self.mitsuba.traverse(shape)
        fields["vertex_positions"] = mesh.points.ravel()
        fields["faces"] = mesh.triangles.ravel()
        if mesh.normals is not None:
            fields["vertex_normals"] = mesh.normals.ravel()
        if mesh.uvs is not None:
            fields["vertex_texcoords"] = _image_uvs(mesh).ravel()
        fields.update()
        return shape

    def _surface(self, material: VisualMaterial) -> Any:
        """Return the loaded material, seen from both sides."""
        if id(material) not in self._surfaces:
            surface: dict[str, Any] = {"type": "twosided", "surface": self._face(material)}
            if material.opacity < 1.0:
                surface = {"type": "mask", "opacity": material.opacity, "surface": surface}
            self._surfaces[id(material)] = self.mitsuba.load_dict(surface)
        return self._surfaces[id(material)]

    def _face(self, material: VisualMaterial) -> dict[str, Any]:
        """Describe one side of a material; matt ones cost a fifth less as plain diffusers."""
        if material.roughness >= _MATT and material.metallic == 0.0:
            return {"type": "diffuse", "reflectance": self._colour(material)}
        return {
            "type": "principled",
            "base_color": self._colour(material),
            "roughness": max(material.roughness, _MIN_ROUGHNESS),
            "metallic": material.metallic,
            "specular": _SPECULAR,
        }

    def _colour(self, material: VisualMaterial) -> Any:
        """Return the base colour, plain or as a loaded image."""
        if id(material) not in self._colours:
            pixels = self._pixels(material.texture) if material.texture else None
            colour = _rgb(material.colour)
            if pixels is not None:
                image = {"type": "bitmap", "bitmap": self.mitsuba.Bitmap(pixels), "raw": True}
                colour = self.mitsuba.load_dict(image)
            self._colours[id(material)] = colour
        return self._colours[id(material)]

    def _pixels(self, texture: VisualTexture) -> NDArray[np.float32] | None:
        """Decode a texture to linear RGB; None, with a warning, where it is no usable image."""
        try:
            with Image.open(io.BytesIO(texture.data)) as opened:
                opened.thumbnail((_MAX_TEXTURE_SIDE, _MAX_TEXTURE_SIDE))
                pixels = np.asarray(opened.convert("RGB"))
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            self.warnings.append(f"{texture.name}: the texture cannot be decoded: {error}")
            return None
        linear = _linear(pixels) if texture.srgb else pixels / 255.0
        linear = np.clip(linear * np.array(texture.scale), 0, 1)
        return np.asarray(linear, dtype=np.float32)


def _placed(mesh: VisualMesh) -> VisualMesh:
    """Return a mesh with all its instances unrolled in world space."""
    linear, shift = mesh.transforms[:, :3, :3], mesh.transforms[:, None, :3, 3]
    points = mesh.points @ linear.transpose(0, 2, 1) + shift
    copies = np.arange(len(mesh.transforms), dtype=np.uint32)[:, None, None]
    triangles = mesh.triangles + copies * np.uint32(len(mesh.points))
    normals = uvs = None
    if mesh.normals is not None:
        # Normals go with the inverse transpose; the pseudo-inverse, for a part scaled to nothing.
        turned = mesh.normals @ np.linalg.pinv(linear)
        turned /= np.maximum(np.linalg.norm(turned, axis=-1, keepdims=True), 1e-12)
        normals = turned.reshape(-1, 3).astype(np.float32)
    if mesh.uvs is not None:
        uvs = np.tile(mesh.uvs, (len(mesh.transforms), 1))
    return replace(
        mesh,
        points=points.reshape(-1, 3).astype(np.float32),
        triangles=triangles.reshape(-1, 3),
        normals=normals,
        uvs=uvs,
        transforms=np.eye(4)[None],
    )


def _image_uvs(mesh: VisualMesh) -> NDArray[np.float32]:
    """Return texture coordinates as images count them: v downwards."""
    uvs = np.asarray(mesh.uvs, dtype=np.float64)
    if mesh.material.texture is not None:
        transform = mesh.material.texture.uv_transform
        uvs = uvs @ transform[:2, :2].T + transform[:2, 2]
    return np.column_stack([uvs[:, 0], 1.0 - uvs[:, 1]]).astype(np.float32)


def _linear(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Decode sRGB values (IEC 61966-2-1)."""
    table = np.arange(256) / 255.0
    table = np.where(table <= 0.04045, table / 12.92, ((table + 0.055) / 1.055) ** 2.4)
    return np.asarray(table[pixels])


def _rgb(colour: tuple[float, float, float]) -> dict[str, Any]:
    """Return a colour, linear RGB, in the renderer's words."""
    return {"type": "rgb", "value": list(colour)}
