"""Reading UsdPreviewSurface materials and their textures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Ar, Usd, UsdGeom, UsdShade

__all__ = ["VisualMaterial", "VisualTexture", "read_material"]

Colour = tuple[float, float, float]

_MAX_TEXTURE_BYTES = 64 * 2**20
"""A larger image file is not read; no texture of a track comes near."""
_MAX_DEPTH = 8
"""Shaders that may lie between a surface input and its texture; cuts cycles short."""


@dataclass(frozen=True, slots=True, eq=False)
class VisualTexture:
    """An image file as a stage refers to it."""

    name: str
    """Resolved path; only for messages and to tell textures apart."""
    data: bytes
    """The encoded file, PNG or JPEG or whatever the stage names."""
    srgb: bool
    """Whether the values are sRGB-encoded colours; otherwise they are linear."""
    uv_name: str = "st"
    """The primvar that holds the coordinates."""
    uv_transform: NDArray[np.float64] = field(default_factory=lambda: np.eye(3))
    """Shape [3, 3]; column-vector matrix applied to the coordinates."""
    scale: Colour = (1.0, 1.0, 1.0)
    """Factor on the linear values."""


@dataclass(frozen=True, slots=True, eq=False)
class VisualMaterial:
    """How a surface looks; colours are linear RGB in [0, 1]."""

    name: str
    colour: Colour = (0.5, 0.5, 0.5)
    """Base colour where there is no texture."""
    texture: VisualTexture | None = None
    """Base colour as an image."""
    roughness: float = 0.5
    """0 is a mirror, 1 is matt."""
    metallic: float = 0.0
    """0 is a dielectric, 1 is metal."""
    opacity: float = 1.0
    """1 is opaque."""
    emission: Colour = (0.0, 0.0, 0.0)
    """Light given off."""


def read_material(
    material: UsdShade.Material | None, prim: Usd.Prim, warnings: list[str]
) -> VisualMaterial:
    """Return the look of a prim with a bound material.

    Args:
        material: What is bound, or None.
        prim: The geometry; its ``displayColor`` stands in where no preview surface is bound.
        warnings: Receives a sentence for each part of the look that cannot be shown.
    """
    shader = material.ComputeSurfaceSource()[0] if material else None
    if not shader or shader.GetShaderId() != "UsdPreviewSurface":
        return VisualMaterial(str(prim.GetPath()), colour=_display_colour(prim))
    colour, texture = _diffuse(shader, warnings)
    return VisualMaterial(
        name=str(material.GetPath()) if material else "",
        colour=colour,
        texture=texture,
        roughness=_number(shader, "roughness", 0.5),
        metallic=_number(shader, "metallic", 0.0),
        opacity=_number(shader, "opacity", 1.0),
        emission=_colour(_value(shader, "emissiveColor", (0.0, 0.0, 0.0))),
    )


def _display_colour(prim: Usd.Prim) -> Colour:
    """Return the mean of a prim's display colours, or a middle grey."""
    colours = UsdGeom.Gprim(prim).GetDisplayColorPrimvar().Get()
    if not colours:
        return (0.5, 0.5, 0.5)
    return _colour(np.mean(np.asarray(colours, dtype=np.float64), axis=0))


def _diffuse(shader: UsdShade.Shader, warnings: list[str]) -> tuple[Colour, VisualTexture | None]:
    """Return the base colour, and the texture that replaces it."""
    source = _source(shader, "diffuseColor")
    if source is None or source.GetShaderId() != "UsdUVTexture":
        return _colour(_value(shader, "diffuseColor", (0.18, 0.18, 0.18))), None
    fallback = _colour(_value(source, "fallback", (0.5, 0.5, 0.5)))
    return fallback, _texture(source, warnings)


def _texture(shader: UsdShade.Shader, warnings: list[str]) -> VisualTexture | None:
    """Read a UsdUVTexture with the coordinates that it is given."""
    asset = _value(shader, "file", None)
    name = asset.resolvedPath if asset else ""
    data = _read_asset(name)
    if data is None:
        shown = asset.path if asset else "no file"
        warnings.append(f"{shader.GetPath()}: the texture '{shown}' cannot be read")
        return None
    space = _value(shader, "sourceColorSpace", "auto")
    uv_name, transform = _coordinates(_source(shader, "st"))
    return VisualTexture(
        name,
        data,
        srgb=space != "raw",
        uv_name=uv_name,
        uv_transform=transform,
        scale=_colour(_value(shader, "scale", (1.0, 1.0, 1.0, 1.0))),
    )


def _coordinates(shader: UsdShade.Shader | None) -> tuple[str, NDArray[np.float64]]:
    """Return the name of the coordinates' primvar and what is done to them."""
    transform = np.eye(3)
    for _ in range(_MAX_DEPTH):
        if shader is None:
            break
        if shader.GetShaderId() == "UsdTransform2d":
            transform = transform @ _transform_2d(shader)
            shader = _source(shader, "in")
        else:
            return str(_value(shader, "varname", "st")), transform
    return "st", transform


def _transform_2d(shader: UsdShade.Shader) -> NDArray[np.float64]:
    """Return the matrix of a UsdTransform2d: scale, then turn, then shift."""
    angle = np.radians(float(_value(shader, "rotation", 0.0)))
    scale = np.asarray(_value(shader, "scale", (1.0, 1.0)), dtype=np.float64)
    cos, sin = np.cos(angle), np.sin(angle)
    matrix = np.eye(3)
    matrix[:2, :2] = np.array([[cos, -sin], [sin, cos]]) * scale
    matrix[:2, 2] = np.asarray(_value(shader, "translation", (0.0, 0.0)))
    return matrix


def _read_asset(name: str) -> bytes | None:
    """Return the content of a resolved asset, also from inside a package; None if unreadable."""
    asset = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(name)) if name else None
    if asset is None or asset.GetSize() > _MAX_TEXTURE_BYTES:
        return None
    return bytes(asset.GetBuffer())


def _source(shader: UsdShade.Shader, name: str) -> UsdShade.Shader | None:
    """Return the shader that feeds an input, or None where it holds a plain value."""
    attribute = _producer(shader, name)
    if attribute is None or not UsdShade.Output.IsOutput(attribute):
        return None
    return UsdShade.Shader(attribute.GetPrim())


def _producer(shader: UsdShade.Shader, name: str) -> Usd.Attribute | None:
    """Return the attribute that an input takes its value from."""
    shader_input = shader.GetInput(name)
    found = UsdShade.Utils.GetValueProducingAttributes(shader_input) if shader_input else None
    return found[0] if found else None


def _value(shader: UsdShade.Shader, name: str, default: Any) -> Any:
    """Return the plain value of an input; USD's values have no common type."""
    attribute = _producer(shader, name)
    if attribute is None or UsdShade.Output.IsOutput(attribute):
        return default
    value = attribute.Get()
    return default if value is None else value


def _number(shader: UsdShade.Shader, name: str, default: float) -> float:
    """Return an input as a number in [0, 1]."""
    return float(np.clip(_value(shader, name, default), 0.0, 1.0))


def _colour(value: Any) -> Colour:
    """Return the first three components of a colour."""
    red, green, blue = (float(part) for part in list(value)[:3])
    return red, green, blue
