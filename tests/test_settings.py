from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.errors import SettingsError
from roboracer_arena.settings import (
    BuildSettings,
    default_settings_toml,
    read_settings,
    settings_digest,
)


def _read(folder: Path, text: str) -> BuildSettings:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings(path)


def test_documented_defaults_are_the_defaults(tmp_path: Path) -> None:
    assert _read(tmp_path, default_settings_toml()) == BuildSettings()


def test_every_documented_default_has_a_meaning() -> None:
    lines = default_settings_toml().splitlines()
    for before, line in pairwise(lines):
        if line and not line.startswith("#"):
            assert before.startswith("# "), line
            assert len(before) > len("# "), line


def test_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert _read(tmp_path, "") == BuildSettings()


def test_one_value_leaves_its_neighbours_at_their_defaults(tmp_path: Path) -> None:
    settings = _read(tmp_path, "[stage.duct_look]\nroughness = 0.25\n[mesh.wall]\nheight = 1\n")
    assert settings.stage.duct_look.roughness == 0.25
    assert settings.stage.duct_look.colour == BuildSettings().stage.duct_look.colour
    assert settings.mesh.wall.height == 1.0
    assert settings.mesh.duct == BuildSettings().mesh.duct


def test_image_is_looked_for_beside_the_settings_file(tmp_path: Path) -> None:
    settings = _read(tmp_path, '[stage.floor_look]\ntexture = "images/floor.png"\n')
    assert settings.stage.floor_look.texture == tmp_path / "images" / "floor.png"


@pytest.mark.parametrize(
    ("text", "field", "message"),
    [
        ("[mesh.wall]\nheight = -1", "mesh.wall.height", "is -1; it must be greater than 0"),
        ("[mesh.wall]\nheight = '0.5'", "mesh.wall.height", "must be a valid number"),
        ("[mesh.wall]\nheight = nan", "mesh.wall.height", "finite"),
        ("[mesh.wall]\nheight = true", "mesh.wall.height", "valid number"),
        ("[mesh.wall]\nhieght = 1", "mesh.wall.hieght", "did you mean height?"),
        ("[walls]\nheight = 1", "walls", "Known here: corridor, mesh, stage"),
        ("mesh = 3", "mesh", "is 3"),
        ("[mesh.duct]\nsides = 9", "mesh.duct.sides", "multiple of 4"),
        ("[mesh.wall]\nheight = 0.2", "mesh", "must be at least duct.diameter"),
        ("[stage.floor_look]\ncolour = 'red'", "stage.floor_look.colour", "'red'"),
        ("[stage.floor_look]\ntexture = 3", "stage.floor_look.texture", "is 3"),
        ("[stage.scene]\nsteps_per_second = 200.5", "stage.scene.steps_per_second", "integer"),
        ("[stage]\nlights = 'yes'", "stage.lights", "boolean"),
        (
            "[stage.wall_contact]\ncompliant_damping = 5",
            "stage.wall_contact",
            "set a stiffness too",
        ),
    ],
)
def test_bad_value_is_named_with_what_is_allowed(
    tmp_path: Path, text: str, field: str, message: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        _read(tmp_path, text)
    assert caught.value.where == f"{tmp_path / 'settings.toml'}:{field}"
    assert message in caught.value.message


def test_all_bad_values_are_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        _read(tmp_path, "[mesh.wall]\nheight = -1\nskirt = 7\n[stage.scene]\ngravity = -1\n")
    for field in ("mesh.wall.height", "mesh.wall.skirt", "stage.scene.gravity"):
        assert field in str(caught.value)


@pytest.mark.parametrize("content", [b"a = ", b"\xff\xfe", b"x = 1\nx = 2", b"#" * (2**20 + 1)])
def test_file_that_is_no_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        read_settings(path)
    assert caught.value.where == str(path)


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(SettingsError, match="settings file"):
            read_settings(path)


@given(st.floats(min_value=0.34, max_value=10.0), st.integers(2, 16).map(lambda n: 4 * n))
def test_digest_tells_settings_apart_and_nothing_else(height: float, sides: int) -> None:
    base = BuildSettings().model_dump()
    base["mesh"]["wall"]["height"] = height
    base["mesh"]["duct"]["sides"] = sides
    settings = BuildSettings.model_validate(base)
    again = BuildSettings.model_validate(settings.model_dump())
    assert settings_digest(settings) == settings_digest(again)
    differs = not math.isclose(height, 0.5, rel_tol=0.0, abs_tol=0.0) or sides != 12
    assert (settings_digest(settings) != settings_digest(BuildSettings())) == differs


def test_digest_does_not_depend_on_the_folder_of_an_image(tmp_path: Path) -> None:
    digests = set()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        text = '[stage.floor_look]\ntexture = "floor.png"\n'
        digests.add(settings_digest(_read(tmp_path / name, text)))
    assert len(digests) == 1
