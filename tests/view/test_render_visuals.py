"""What is read of a stage for a picture."""

from __future__ import annotations

import numpy as np
import pytest
from pxr import Gf, Sdf, UsdGeom, UsdShade

from roboracer_arena.errors import StageError
from roboracer_arena.usd.visuals import read_visuals
from tests.view.render_stages import (
    add_box,
    add_centerline,
    add_material,
    add_quad,
    bind,
    new_stage,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "stage.usda"


def paths_of(scene):
    return [mesh.path for mesh in scene.meshes]


def test_guides_proxies_and_hidden_prims_are_not_seen(path):
    stage = new_stage(path)
    add_quad(stage, "/Track/Seen")
    add_quad(stage, "/Track/Rendered").CreatePurposeAttr(UsdGeom.Tokens.render)
    add_quad(stage, "/Track/Guide").CreatePurposeAttr(UsdGeom.Tokens.guide)
    add_quad(stage, "/Track/Proxy").CreatePurposeAttr(UsdGeom.Tokens.proxy)
    hidden = UsdGeom.Scope.Define(stage, "/Track/Hidden")
    hidden.CreateVisibilityAttr(UsdGeom.Tokens.invisible)
    add_quad(stage, "/Track/Hidden/Below")
    stage.Save()
    assert paths_of(read_visuals(path)) == ["/Track/Seen", "/Track/Rendered"]


def test_world_is_metres_with_z_up_whatever_the_stage_uses(path):
    stage = new_stage(path, up="Y", unit=0.01)
    quad = add_quad(stage, "/Track/Wall", side=100.0)
    UsdGeom.Xformable(quad).AddTranslateOp().Set(Gf.Vec3d(0, 300, 0))
    stage.Save()
    points = read_visuals(path).world_points()
    # The square lies in the stage's x-y plane: upright, 2 m wide, its middle 3 m above ground.
    assert points.min(axis=0) == pytest.approx([-1, 0, 2])
    assert points.max(axis=0) == pytest.approx([1, 0, 4])


def test_transforms_of_all_parents_add_up(path):
    stage = new_stage(path)
    parent = UsdGeom.Xform.Define(stage, "/Track/Car")
    parent.AddTranslateOp().Set(Gf.Vec3d(10, 0, 0))
    parent.AddRotateZOp().Set(90.0)
    child = add_quad(stage, "/Track/Car/Body", side=0.5)
    UsdGeom.Xformable(child).AddTranslateOp().Set(Gf.Vec3d(2, 0, 0))
    stage.Save()
    assert read_visuals(path).world_points().mean(axis=0) == pytest.approx([10, 2, 0])


def add_instancer(stage, path="/Track/Rings"):
    instancer = UsdGeom.PointInstancer.Define(stage, path)
    prototype = add_quad(stage, f"{path}/Ring", side=0.5)
    UsdGeom.Xformable(prototype).AddTranslateOp().Set(Gf.Vec3d(0, 0, 1))
    instancer.CreatePrototypesRel().SetTargets([prototype.GetPath()])
    instancer.CreateProtoIndicesAttr([0, 0, 0])
    instancer.CreatePositionsAttr([Gf.Vec3f(1, 0, 0), Gf.Vec3f(2, 0, 0), Gf.Vec3f(3, 0, 0)])
    instancer.CreateIdsAttr([7, 8, 9])
    return instancer


def test_instances_stand_where_the_instancer_puts_them(path):
    stage = new_stage(path)
    root = UsdGeom.Xformable(stage.GetPrimAtPath("/Track"))
    root.AddTranslateOp().Set(Gf.Vec3d(0, 5, 0))
    add_instancer(stage)
    stage.Save()
    (mesh,) = read_visuals(path).meshes
    assert mesh.triangle_count == 6
    assert mesh.transforms[:, :3, 3] == pytest.approx(np.array([[1, 5, 1], [2, 5, 1], [3, 5, 1]]))


def test_instances_that_are_switched_off_are_not_seen(path):
    stage = new_stage(path)
    add_instancer(stage).CreateInvisibleIdsAttr([8])
    stage.Save()
    (mesh,) = read_visuals(path).meshes
    assert mesh.transforms[:, 0, 3] == pytest.approx([1, 3])


def test_an_instancer_of_instancers_multiplies(path):
    stage = new_stage(path)
    outer = UsdGeom.PointInstancer.Define(stage, "/Track/Outer")
    inner = add_instancer(stage, "/Track/Outer/Inner")
    outer.CreatePrototypesRel().SetTargets([inner.GetPath()])
    outer.CreateProtoIndicesAttr([0, 0])
    outer.CreatePositionsAttr([Gf.Vec3f(0, 0, 0), Gf.Vec3f(0, 10, 0)])
    stage.Save()
    (mesh,) = read_visuals(path).meshes
    assert len(mesh.transforms) == 6
    assert sorted(set(mesh.transforms[:, 1, 3])) == [0.0, 10.0]


def test_referenced_stages_are_seen_through(path, tmp_path):
    car = new_stage(tmp_path / "car.usda")
    add_quad(car, "/Track/Body")
    car.Save()
    stage = new_stage(path)
    for name in ("One", "Two"):
        prim = UsdGeom.Xform.Define(stage, f"/Track/{name}").GetPrim()
        prim.GetReferences().AddReference("./car.usda")
        prim.SetInstanceable(True)
    stage.Save()
    assert paths_of(read_visuals(path)) == ["/Track/One/Body", "/Track/Two/Body"]


def test_each_subset_gets_its_own_material(path):
    stage = new_stage(path)
    box = add_box(stage, "/Track/Box")
    bind(box, add_material(stage, "/Track/Looks/Grey", (0.5, 0.5, 0.5)))
    top = UsdGeom.Subset.CreateGeomSubset(
        box, "Top", UsdGeom.Tokens.face, [0, 1], UsdShade.Tokens.materialBind
    )
    bind(top, add_material(stage, "/Track/Looks/Red", (0.8, 0, 0)))
    stage.Save()
    part, rest = read_visuals(path).meshes
    assert part.material.colour == pytest.approx((0.8, 0, 0))
    assert rest.material.colour == pytest.approx((0.5, 0.5, 0.5))
    assert (len(part.triangles), len(rest.triangles)) == (4, 8)


def test_normals_per_corner_split_the_points(path):
    stage = new_stage(path)
    box = add_box(stage, "/Track/Box")
    normals = np.repeat([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], 4, 0)
    box.CreateNormalsAttr([Gf.Vec3f(*map(float, normal)) for normal in normals])
    box.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)
    stage.Save()
    (mesh,) = read_visuals(path).meshes
    assert len(mesh.points) == 24
    corners = mesh.points[mesh.triangles]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facing /= np.linalg.norm(facing, axis=1, keepdims=True)
    assert mesh.normals[mesh.triangles[:, 0]] == pytest.approx(facing)


def test_left_handed_meshes_are_turned_round(path):
    stage = new_stage(path)
    add_quad(stage, "/Track/Quad").CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
    stage.Save()
    (mesh,) = read_visuals(path).meshes
    corners = mesh.points[mesh.triangles]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.all(facing[:, 2] < 0)


def test_a_texture_comes_with_its_coordinates(path, tmp_path):
    (tmp_path / "t.png").write_bytes(b"image")
    stage = new_stage(path)
    bind(
        add_quad(stage, "/Track/Quad"), add_material(stage, "/Track/Looks/A", (1, 1, 1), "./t.png")
    )
    stage.Save()
    (mesh,) = read_visuals(path).meshes
    assert mesh.material.texture.data == b"image"
    assert mesh.material.texture.srgb
    assert mesh.uvs == pytest.approx(np.array([[0, 0], [1, 0], [1, 1], [0, 1]]))


def test_coordinates_can_be_scaled_and_renamed_on_their_way(path, tmp_path):
    (tmp_path / "t.png").write_bytes(b"image")
    stage = new_stage(path)
    material = add_material(stage, "/Track/Looks/A", (1, 1, 1), "./t.png")
    bind(add_quad(stage, "/Track/Quad"), material)
    reader = UsdShade.Shader.Define(stage, "/Track/Looks/A/Reader")
    reader.CreateIdAttr("UsdPrimvarReader_float2")
    reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("other")
    scale = UsdShade.Shader.Define(stage, "/Track/Looks/A/Scale")
    scale.CreateIdAttr("UsdTransform2d")
    scale.CreateInput("scale", Sdf.ValueTypeNames.Float2).Set(Gf.Vec2f(4, 2))
    scale.CreateInput("in", Sdf.ValueTypeNames.Float2).ConnectToSource(
        reader.CreateOutput("result", Sdf.ValueTypeNames.Float2)
    )
    image = UsdShade.Shader.Get(stage, "/Track/Looks/A/Image")
    image.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(
        scale.CreateOutput("result", Sdf.ValueTypeNames.Float2)
    )
    stage.Save()
    scene = read_visuals(path)
    texture = scene.meshes[0].material.texture
    assert texture.uv_name == "other"
    assert texture.uv_transform == pytest.approx(np.diag([4, 2, 1]))
    assert scene.warnings == ("/Track/Quad: has no coordinates 'other'",)


def test_a_missing_texture_is_told_and_the_colour_stays(path):
    stage = new_stage(path)
    bind(
        add_quad(stage, "/Track/Quad"), add_material(stage, "/Track/Looks/A", (1, 1, 1), "./no.png")
    )
    stage.Save()
    scene = read_visuals(path)
    assert scene.meshes[0].material.texture is None
    assert scene.warnings == ("/Track/Looks/A/Image: the texture './no.png' cannot be read",)


def test_without_a_material_the_display_colour_counts(path):
    stage = new_stage(path)
    add_quad(stage, "/Track/Quad").CreateDisplayColorAttr([Gf.Vec3f(0.1, 0.2, 0.3)])
    stage.Save()
    assert read_visuals(path).meshes[0].material.colour == pytest.approx((0.1, 0.2, 0.3))


def test_the_driving_line_is_read_from_where_tracks_have_it(path):
    stage = new_stage(path)
    add_quad(stage, "/Track/Quad")
    add_centerline(stage, [(0, 0), (4, 0), (4, 4)])
    stage.Save()
    assert read_visuals(path).centerline == pytest.approx(
        np.array([[0, 0, 0], [4, 0, 0], [4, 4, 0]])
    )


@pytest.mark.parametrize(
    ("counts", "indices"), [([4], [0, 1, 2, 9]), ([4], [0, 1, 2]), ([4], [0, 1, 2, -1]), ([], [])]
)
def test_a_mesh_that_contradicts_itself_is_left_out_with_a_warning(path, counts, indices):
    stage = new_stage(path)
    add_quad(stage, "/Track/Good")
    broken = add_quad(stage, "/Track/Bad")
    broken.GetFaceVertexCountsAttr().Set(counts)
    broken.GetFaceVertexIndicesAttr().Set(indices)
    stage.Save()
    scene = read_visuals(path)
    assert paths_of(scene) == ["/Track/Good"]
    assert scene.warnings == ("/Track/Bad: is not a sound mesh and was left out",)


def test_shapes_that_are_no_meshes_are_named_once(path):
    stage = new_stage(path)
    add_quad(stage, "/Track/Quad")
    for index in range(3):
        UsdGeom.Sphere.Define(stage, f"/Track/Ball_{index}")
    stage.Save()
    assert read_visuals(path).warnings == ("Sphere prims are not shown; use meshes",)


def test_a_mesh_at_no_place_is_left_out(path):
    stage = new_stage(path)
    add_quad(stage, "/Track/Good")
    lost = add_quad(stage, "/Track/Lost")
    UsdGeom.Xformable(lost).AddTranslateOp().Set(Gf.Vec3d(float("nan"), 0, 0))
    stage.Save()
    assert paths_of(read_visuals(path)) == ["/Track/Good"]


def test_a_stage_with_nothing_to_see_is_an_error(path):
    new_stage(path).Save()
    with pytest.raises(StageError, match="no visible mesh"):
        read_visuals(path)


@pytest.mark.parametrize("content", [b"", b"#usda 1.0\n(((", b"PXR-USDC" + bytes(200)])
def test_a_damaged_file_is_an_error_of_one_sentence(tmp_path, content):
    damaged = tmp_path / "damaged.usda"
    damaged.write_bytes(content)
    with pytest.raises(StageError) as caught:
        read_visuals(damaged)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(StageError, match="does not exist"):
        read_visuals(tmp_path / "none.usdc")
