"""Looks: surfaces as UsdPreviewSurface materials."""

from __future__ import annotations

from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade

from roboracer_arena.usd.settings import PlainLookSettings

__all__ = ["author_look", "bind_look", "linear_colour"]


def linear_colour(colour: str) -> tuple[float, float, float]:
    """Return an sRGB colour ``#rrggbb`` as linear red, green, blue in 0..1 (IEC 61966-2-1)."""
    channels = [int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return red, green, blue


def author_look(
    stage: Usd.Stage, path: str, settings: PlainLookSettings, texture: str | None
) -> UsdShade.Material:
    """Define a material.

    Args:
        stage: Stage to author into.
        path: Path of the new prim.
        settings: Colour, roughness, metallic.
        texture: Asset path of the image, relative to the stage, or None for the plain colour.
    """
    material = UsdShade.Material.Define(stage, path)
    surface = UsdShade.Shader.Define(stage, f"{path}/Surface")
    surface.CreateIdAttr("UsdPreviewSurface")
    types = Sdf.ValueTypeNames
    surface.CreateInput("roughness", types.Float).Set(settings.roughness)
    surface.CreateInput("metallic", types.Float).Set(settings.metallic)
    diffuse = surface.CreateInput("diffuseColor", types.Color3f)
    if texture is None:
        diffuse.Set(Gf.Vec3f(*linear_colour(settings.colour)))
    else:
        diffuse.ConnectToSource(_author_texture(stage, path, settings, texture))
    material.CreateSurfaceOutput().ConnectToSource(surface.CreateOutput("surface", types.Token))
    return material


def _author_texture(
    stage: Usd.Stage, path: str, settings: PlainLookSettings, texture: str
) -> UsdShade.Output:
    """Define the image reader and the reader of texture coordinates that feeds it."""
    types = Sdf.ValueTypeNames
    reader = UsdShade.Shader.Define(stage, f"{path}/Coordinates")
    reader.CreateIdAttr("UsdPrimvarReader_float2")
    reader.CreateInput("varname", types.String).Set("st")
    image = UsdShade.Shader.Define(stage, f"{path}/Texture")
    image.CreateIdAttr("UsdUVTexture")
    image.CreateInput("file", types.Asset).Set(Sdf.AssetPath(texture))
    image.CreateInput("sourceColorSpace", types.Token).Set("sRGB")
    image.CreateInput("wrapS", types.Token).Set("repeat")
    image.CreateInput("wrapT", types.Token).Set("repeat")
    image.CreateInput("fallback", types.Float4).Set(Gf.Vec4f(*linear_colour(settings.colour), 1.0))
    image.CreateInput("st", types.Float2).ConnectToSource(
        reader.CreateOutput("result", types.Float2)
    )
    return image.CreateOutput("rgb", types.Float3)


def bind_look(geometry: UsdGeom.Imageable, material: UsdShade.Material) -> None:
    """Bind a look to a visible prim."""
    UsdShade.MaterialBindingAPI.Apply(geometry.GetPrim()).Bind(material)
