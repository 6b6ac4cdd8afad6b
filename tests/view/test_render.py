"""Pictures of stages: what is seen in them, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pxr import Gf, UsdGeom

from roboracer_arena.errors import (
    MissingExtraError,
    OutputError,
    OutputExistsError,
    StageError,
    UsageError,
)
from roboracer_arena.view.camera import Camera
from roboracer_arena.view.render import render_stage
from roboracer_arena.view.render_look import Layers, Look, smooth_light, without_specks
from tests.view.render_stages import (
    add_box,
    add_centerline,
    add_material,
    add_quad,
    bind,
    new_stage,
)

pytest.importorskip("mitsuba", reason="the renderer (extra 'render') is not installed")

SIZE = (64, 48)
DOWN = Camera((0.0, -0.001, 10.0), (0.0, 0.0, 0.0), 30.0)
"""From straight above, north up; sees 5.4 m of the floor from top to bottom."""


@pytest.fixture
def red_box(tmp_path):
    """A red box of 2 m on a white floor of 12 m, with a lap around it."""
    path = tmp_path / "box.usda"
    stage = new_stage(path)
    bind(
        add_quad(stage, "/Track/Floor", side=6.0), add_material(stage, "/Track/Looks/W", (0.8,) * 3)
    )
    bind(add_box(stage, "/Track/Box"), add_material(stage, "/Track/Looks/R", (0.7, 0.02, 0.02)))
    add_centerline(stage, [(3, -3), (3, 3), (-3, 3), (-3, -3)])
    stage.Save()
    return path


def rendered(stage: Path, **options) -> np.ndarray:
    """Return the pixels of a stage [h, w, 3]."""
    picture = stage.with_suffix(".png")
    options = {"size": SIZE, "samples": 4, "force": True} | options
    render_stage(stage, picture, **options)
    with Image.open(picture) as opened:
        return np.asarray(opened, dtype=int)


def is_red(pixels):
    return (pixels[..., 0] > 90) & (pixels[..., 1] < 0.4 * pixels[..., 0])


def test_the_box_is_red_in_the_middle_and_throws_a_shadow_on_a_bright_floor(red_box):
    pixels = rendered(red_box, camera=DOWN)
    assert pixels.shape == (SIZE[1], SIZE[0], 3)
    assert is_red(pixels[24, 32])
    assert is_red(pixels).mean() == pytest.approx(0.17, rel=0.2)
    bright = pixels.sum(axis=2)
    floor = np.concatenate([bright[:6].ravel(), bright[-6:].ravel(), bright[:, -6:].ravel()])
    # The light comes over the left shoulder: shadow on the right of the box, none on the left.
    assert bright[14:34, 46].min() < 0.8 * np.median(floor)
    assert bright[14:34, 12].min() > 0.95 * np.median(floor)


def test_the_overview_shows_the_whole_box(red_box):
    red = is_red(rendered(red_box, camera="overview"))
    rows, columns = np.nonzero(red)
    assert red.any()
    assert rows.min() > 0
    assert rows.max() < SIZE[1] - 1
    assert columns.min() > 0
    assert columns.max() < SIZE[0] - 1


@pytest.mark.parametrize("view", ["chase", "onboard"])
def test_views_from_the_track_see_the_sky_above_and_the_floor_below(red_box, view):
    pixels = rendered(red_box, camera=view)
    sky, floor = pixels[1].mean(axis=0), pixels[-2].mean(axis=0)
    assert sky[2] >= sky[0]
    assert floor.sum() != pytest.approx(sky.sum(), rel=0.02)


def test_a_texture_is_the_right_way_up(tmp_path):
    image = np.zeros((8, 8, 3), dtype=np.uint8)
    image[:4, :, 0] = 255  # upper half red
    image[4:, :, 2] = 255  # lower half blue
    image[:, :4, 1] = 255  # left half greener
    Image.fromarray(image).save(tmp_path / "t.png")
    path = tmp_path / "textured.usda"
    stage = new_stage(path)
    bind(
        add_quad(stage, "/Track/Floor", side=3.5),
        add_material(stage, "/Track/Looks/A", (1, 1, 1), "./t.png"),
    )
    stage.Save()
    pixels = rendered(path, camera=DOWN)
    upper, lower, left, right = pixels[8, 48], pixels[40, 48], pixels[8, 16], pixels[8, 48]
    assert upper[0] > 2 * upper[2]
    assert lower[2] > 2 * lower[0]
    assert left[1] > 2 * right[1]


def test_instances_look_like_copies(tmp_path):
    places = [(-1.5, 0.0, 0.0), (1.5, 0.0, 0.0)]
    pictures = []
    for kind in ("instances", "copies"):
        path = tmp_path / f"{kind}.usda"
        stage = new_stage(path)
        add_quad(stage, "/Track/Floor", side=6.0)
        if kind == "instances":
            instancer = UsdGeom.PointInstancer.Define(stage, "/Track/Boxes")
            box = add_box(stage, "/Track/Boxes/Box")
            instancer.CreatePrototypesRel().SetTargets([box.GetPath()])
            instancer.CreateProtoIndicesAttr([0, 0])
            instancer.CreatePositionsAttr([Gf.Vec3f(*place) for place in places])
        else:
            for index, place in enumerate(places):
                box = add_box(stage, f"/Track/Box_{index}")
                UsdGeom.Xformable(box).AddTranslateOp().Set(Gf.Vec3d(*place))
        stage.Save()
        pictures.append(rendered(path, camera=DOWN))
    assert np.abs(pictures[0] - pictures[1]).mean() < 1.0


def test_a_track_far_from_the_origin_looks_the_same(tmp_path):
    pictures = []
    for name, shift in (("near", 0.0), ("far", 4096.0)):
        path = tmp_path / f"{name}.usda"
        stage = new_stage(path)
        add_quad(stage, "/Track/Floor", side=6.0)
        add_box(stage, "/Track/Box")
        root = UsdGeom.Xformable(stage.GetPrimAtPath("/Track"))
        root.AddTranslateOp().Set(Gf.Vec3d(shift, -shift, 0))
        stage.Save()
        pictures.append(rendered(path))
    assert np.abs(pictures[0] - pictures[1]).mean() < 1.0


def test_parts_scaled_to_nothing_do_no_harm(tmp_path):
    path = tmp_path / "flat.usda"
    stage = new_stage(path)
    add_quad(stage, "/Track/Floor", side=6.0)
    box = add_box(stage, "/Track/Box")
    box.CreateNormalsAttr([Gf.Vec3f(0, 0, 1)] * 8)
    box.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    UsdGeom.Xformable(box).AddScaleOp().Set(Gf.Vec3f(0, 0, 0))
    stage.Save()
    assert rendered(path).std() > 0


def test_the_same_stage_gives_the_same_bytes_on_any_number_of_threads(red_box, tmp_path):
    import drjit

    pictures = []
    threads = drjit.thread_count()
    try:
        for count in (1, 3, 3):
            drjit.set_thread_count(count)
            picture = tmp_path / f"{len(pictures)}.png"
            render_stage(red_box, picture, size=(100, 70), samples=4)
            pictures.append(picture.read_bytes())
    finally:
        drjit.set_thread_count(threads)
    assert pictures[0] == pictures[1] == pictures[2]


def test_more_samples_are_less_noisy(red_box):
    fine = rendered(red_box, camera=DOWN, samples=256)
    errors = [
        np.sqrt(np.mean((rendered(red_box, camera=DOWN, samples=count) - fine) ** 2))
        for count in (1, 16)
    ]
    assert errors[1] < errors[0]


def test_warnings_of_the_stage_and_of_its_images_are_handed_on(tmp_path):
    (tmp_path / "t.png").write_bytes(b"no image at all")
    path = tmp_path / "stage.usda"
    stage = new_stage(path)
    bind(
        add_quad(stage, "/Track/Floor"),
        add_material(stage, "/Track/Looks/A", (0.5, 0.5, 0.5), "./t.png"),
    )
    stage.Save()
    (warning,) = render_stage(path, tmp_path / "p.png", size=SIZE, samples=1)
    assert "t.png: the texture cannot be decoded" in warning


def test_a_picture_can_be_jpeg(red_box, tmp_path):
    render_stage(red_box, tmp_path / "p.jpg", size=SIZE, samples=1)
    with Image.open(tmp_path / "p.jpg") as picture:
        assert picture.format == "JPEG"


def test_steps_are_told(red_box, tmp_path):
    told: list[str] = []
    render_stage(red_box, tmp_path / "p.png", size=SIZE, samples=1, progress=told.append)
    assert told[0] == "reading the stage"
    assert told[-1] == "developing the picture"


def test_cancelling_leaves_the_old_picture_and_nothing_else(red_box, tmp_path):
    picture = tmp_path / "p.png"
    picture.write_bytes(b"old")

    def cancel(step: str) -> None:
        if step == "tracing skylight":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render_stage(red_box, picture, size=SIZE, samples=1, force=True, progress=cancel)
    assert picture.read_bytes() == b"old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["box.usda", "p.png"]


def test_an_existing_picture_is_kept_without_force(red_box, tmp_path):
    picture = tmp_path / "p.png"
    picture.write_bytes(b"old")
    with pytest.raises(OutputExistsError):
        render_stage(red_box, picture, size=SIZE)
    assert picture.read_bytes() == b"old"


@pytest.mark.parametrize("size", [(0, 48), (64, 15), (8193, 64), (8192, 8192), (-64, 48)])
def test_sizes_out_of_range_are_refused(red_box, tmp_path, size):
    with pytest.raises(UsageError, match=f"{size[0]} x {size[1]}"):
        render_stage(red_box, tmp_path / "p.png", size=size)


@pytest.mark.parametrize("samples", [0, -1, 1025])
def test_samples_out_of_range_are_refused(red_box, tmp_path, samples):
    with pytest.raises(UsageError, match=str(samples)):
        render_stage(red_box, tmp_path / "p.png", samples=samples)


def test_an_unknown_picture_format_is_refused(red_box, tmp_path):
    with pytest.raises(OutputError, match=r"\.bmp"):
        render_stage(red_box, tmp_path / "p.bmp")


def test_views_from_the_track_need_a_centreline(tmp_path):
    path = tmp_path / "stage.usda"
    stage = new_stage(path)
    add_quad(stage, "/Track/Floor")
    stage.Save()
    with pytest.raises(UsageError, match="needs a track with a centreline"):
        render_stage(path, tmp_path / "p.png", camera="chase")
    assert not (tmp_path / "p.png").exists()


def test_a_missing_stage_is_an_error(tmp_path):
    with pytest.raises(StageError):
        render_stage(tmp_path / "none.usdc", tmp_path / "p.png")


@pytest.mark.parametrize(
    ("module", "extra"), [("mitsuba", "render"), ("roboracer_arena.usd.visuals", "usd")]
)
def test_a_missing_extra_says_how_to_get_it(red_box, tmp_path, monkeypatch, module, extra):
    if module == "mitsuba":
        monkeypatch.setitem(sys.modules, "mitsuba", None)
    else:
        monkeypatch.delitem(sys.modules, module, raising=False)
        monkeypatch.delitem(sys.modules, "roboracer_arena.usd.visuals_material", raising=False)
        monkeypatch.delitem(sys.modules, "roboracer_arena.usd.visuals_mesh", raising=False)
        monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(MissingExtraError, match=rf"roboracer-arena\[{extra}\]"):
        render_stage(red_box, tmp_path / "p.png")


def layers_of(sky, albedo, depth) -> Layers:
    flat = np.ones(depth.shape, dtype=np.float32)
    return Layers(np.zeros_like(sky), sky, flat, albedo, depth)


def test_the_noise_filter_smooths_light_but_keeps_colours_and_edges():
    generator = np.random.default_rng(0)
    albedo = np.full((40, 40, 3), 0.2, dtype=np.float32)
    albedo[:, ::2] = 0.8  # a texture as fine as can be
    depth = np.full((40, 40), 5.0, dtype=np.float32)
    depth[20:] = 9.0
    light = np.where(depth == 5.0, 1.0, 0.2)[..., None].astype(np.float32)
    noisy = light * generator.uniform(0.7, 1.3, (40, 40, 1)).astype(np.float32)
    smooth = smooth_light(layers_of(albedo * noisy, albedo, depth)) / albedo
    assert np.abs(smooth - light).mean() < 0.45 * np.abs(noisy - light).mean()
    assert smooth[19].mean() == pytest.approx(1.0, rel=0.06)
    assert smooth[20].mean() == pytest.approx(0.2, rel=0.06)


def test_lone_bright_pixels_and_pairs_are_specks_but_lines_are_not():
    light = np.full((12, 9, 3), 0.5, dtype=np.float32)
    light[2, 2] = 50.0
    light[5, 5:7] = 50.0
    light[9] = 4.0
    clean = without_specks(light)
    assert clean[:8] == pytest.approx(0.5)
    assert clean[9] == pytest.approx(4.0)


def test_the_sun_stands_over_the_left_shoulder():
    sun = Look().sun_direction(Camera((0, -10, 5), (0, 0, 0)))
    assert sun[0] < 0
    assert sun[1] < 0
    assert sun[2] > 0
    assert np.linalg.norm(sun) == pytest.approx(1.0)
