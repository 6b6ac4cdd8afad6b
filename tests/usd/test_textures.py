from __future__ import annotations

import hashlib
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pxr import Usd, UsdShade

from roboracer_arena.errors import OutputError, SettingsError
from roboracer_arena.usd import LookSettings, StageSettings, check_stage, write_track
from roboracer_arena.usd.materials import linear_colour
from roboracer_arena.usd.textures import make_texture
from tests.usd.synthetic import ring_track


def _pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=float)


@pytest.mark.parametrize("pattern", ["floor", "duct", "obstacle"])
def test_made_texture_is_small_tiles_and_has_the_colour(pattern: str) -> None:
    texture = make_texture(pattern, LookSettings(colour="#408060"))  # type: ignore[arg-type]
    assert texture is not None
    pixels = _pixels(texture.data)
    assert max(pixels.shape) <= 512
    np.testing.assert_allclose(pixels.mean(axis=(0, 1)), [0x40, 0x80, 0x60], rtol=0.15)
    # Across the seam neighbours differ no more than inside.
    for axis in (0, 1):
        inside = np.abs(np.diff(pixels, axis=axis)).max()
        seam = np.abs(np.take(pixels, 0, axis=axis) - np.take(pixels, -1, axis=axis)).max()
        assert seam <= inside


def test_all_default_textures_together_are_below_200_kb() -> None:
    settings = StageSettings()
    textures = [
        make_texture("floor", settings.floor_look),
        make_texture("duct", settings.duct_look),
        make_texture("obstacle", LookSettings()),
    ]
    assert sum(len(texture.data) for texture in textures if texture) < 200_000


def test_pixels_are_the_same_on_every_machine() -> None:
    texture = make_texture("floor", LookSettings(colour="#8d8f92"))
    assert texture is not None
    digest = hashlib.sha256(_pixels(texture.data).astype(np.uint8).tobytes()).hexdigest()
    assert digest[:16] == "de5b0213912bc070"


def test_plain_colour_needs_no_image(tmp_path: Path) -> None:
    plain = LookSettings(texture="none", colour="#ff8000", roughness=0.25, metallic=0.5)
    settings = StageSettings(floor_look=plain, duct_look=plain)
    path = tmp_path / "track.usdc"
    write_track(path, ring_track(), settings)
    assert [entry.name for entry in tmp_path.iterdir()] == ["track.usdc"]
    stage = Usd.Stage.Open(str(path))
    surface = UsdShade.Shader(stage.GetPrimAtPath("/Track/Looks/Floor/Surface"))
    assert surface.GetInput("diffuseColor").Get() == pytest.approx(linear_colour("#ff8000"))
    assert surface.GetInput("roughness").Get() == pytest.approx(0.25)
    assert surface.GetInput("metallic").Get() == pytest.approx(0.5)


def test_linear_colour_follows_the_srgb_curve() -> None:
    assert linear_colour("#000000") == (0.0, 0.0, 0.0)
    assert linear_colour("#ffffff") == pytest.approx((1.0, 1.0, 1.0))
    assert linear_colour("#808080")[0] == pytest.approx(0.2158605, abs=1e-6)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_own_image_is_copied_unchanged(tmp_path: Path, kind: str) -> None:
    source = tmp_path / "my floor.img"
    Image.new("RGB", (8, 8), (10, 200, 30)).save(source, kind)
    path = tmp_path / "out" / "track.usdc"
    path.parent.mkdir()
    write_track(path, ring_track(), StageSettings(floor_look=LookSettings(texture=source)))
    assert check_stage(path) == ()
    copies = [
        f for f in (path.parent / "track_usdc_textures").iterdir() if f.name.startswith("floor")
    ]
    assert [copy.read_bytes() for copy in copies] == [source.read_bytes()]
    assert copies[0].suffix == (".png" if kind == "PNG" else ".jpg")


@pytest.mark.parametrize("content", [None, b"", b"BM not an image", b"\x89PNG\r\n\x1a\n cut"])
def test_unusable_own_image_is_refused_and_nothing_is_written(
    tmp_path: Path, content: bytes | None
) -> None:
    source = tmp_path / "floor.png"
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        write_track(
            tmp_path / "track.usdc",
            ring_track(),
            StageSettings(floor_look=LookSettings(texture=source)),
        )
    assert caught.value.where == str(source)
    assert not (tmp_path / "track.usdc").exists()
    assert not (tmp_path / "track_usdc_textures").exists()


def test_texture_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "track_usdc_textures").write_text("in the way")
    with pytest.raises(OutputError, match="texture folder"):
        write_track(tmp_path / "track.usdc", ring_track())
    assert [entry.name for entry in tmp_path.iterdir()] == ["track_usdc_textures"]


def test_damaged_texture_is_restored_by_the_next_build(tmp_path: Path) -> None:
    path = tmp_path / "track.usdc"
    write_track(path, ring_track())
    image = next((tmp_path / "track_usdc_textures").glob("floor-*.png"))
    whole = image.read_bytes()
    image.write_bytes(b"cut")
    write_track(path, ring_track(), force=True)
    assert image.read_bytes() == whole
