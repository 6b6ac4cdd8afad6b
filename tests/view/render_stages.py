"""Small stages for the renderer's tests."""

from __future__ import annotations

from pathlib import Path

from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade

BOX_POINTS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 2)]
BOX_FACES = [
    (0, 1, 3, 2),
    (4, 6, 7, 5),
    (0, 4, 5, 1),
    (2, 3, 7, 6),
    (0, 2, 6, 4),
    (1, 5, 7, 3),
]


def new_stage(path: Path, up: str = "Z", unit: float = 1.0) -> Usd.Stage:
    """Return a stage with the root prim that tracks have."""
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, unit)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/Track").GetPrim())
    return stage


def add_quad(stage: Usd.Stage, path: str, side: float = 1.0, height: float = 0.0) -> UsdGeom.Mesh:
    """Add a level square, front upwards, with coordinates from (0, 0) to (1, 1)."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    corners = [(-side, -side), (side, -side), (side, side), (-side, side)]
    mesh.CreatePointsAttr([Gf.Vec3f(x, y, height) for x, y in corners])
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    st = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar(
        "st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex
    )
    st.Set([Gf.Vec2f(0, 0), Gf.Vec2f(1, 0), Gf.Vec2f(1, 1), Gf.Vec2f(0, 1)])
    return mesh


def add_box(stage: Usd.Stage, path: str) -> UsdGeom.Mesh:
    """Add a box of 2 m that stands on the floor."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreatePointsAttr([Gf.Vec3f(*point) for point in BOX_POINTS])
    mesh.CreateFaceVertexCountsAttr([4] * len(BOX_FACES))
    mesh.CreateFaceVertexIndicesAttr([index for face in BOX_FACES for index in face])
    return mesh


def add_material(
    stage: Usd.Stage, path: str, colour: tuple[float, float, float], texture: str | None = None
) -> UsdShade.Material:
    """Add a matt preview surface, coloured or textured."""
    material = UsdShade.Material.Define(stage, path)
    surface = UsdShade.Shader.Define(stage, f"{path}/Surface")
    surface.CreateIdAttr("UsdPreviewSurface")
    surface.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.9)
    diffuse = surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
    diffuse.Set(Gf.Vec3f(*colour))
    if texture is not None:
        image = UsdShade.Shader.Define(stage, f"{path}/Image")
        image.CreateIdAttr("UsdUVTexture")
        image.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(Sdf.AssetPath(texture))
        diffuse.ConnectToSource(image.CreateOutput("rgb", Sdf.ValueTypeNames.Float3))
    output = surface.CreateOutput("surface", Sdf.ValueTypeNames.Token)
    material.CreateSurfaceOutput().ConnectToSource(output)
    return material


def bind(mesh: UsdGeom.Imageable, material: UsdShade.Material) -> None:
    """Bind a material to a prim."""
    UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)


def add_centerline(stage: Usd.Stage, points: list[tuple[float, float]]) -> None:
    """Add the driving line where tracks have it."""
    curve = UsdGeom.BasisCurves.Define(stage, "/Track/Centerline")
    curve.CreatePointsAttr([Gf.Vec3f(x, y, 0) for x, y in points])
    curve.CreateCurveVertexCountsAttr([len(points)])
    curve.CreatePurposeAttr(UsdGeom.Tokens.guide)
