"""Settings files and textures that are no plain files are refused at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from roboracer_arena.build import build_map
from roboracer_arena.errors import SettingsError
from roboracer_arena.settings import read_settings
from tests.drawn import stadium_map


def test_a_pipe_or_a_folder_as_settings_file_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (tmp_path / "pipe.toml", tmp_path, tmp_path / "none.toml"):
        with pytest.raises(SettingsError) as caught:
            read_settings(path)
        assert caught.value.where == str(path)


def test_a_pipe_as_texture_does_not_hang_and_names_the_look(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "s.toml").write_text('[stage.floor_look]\ntexture = "pipe.png"\n')
    settings = read_settings(tmp_path / "s.toml")
    with pytest.raises(SettingsError, match="floor_look"):
        build_map(stadium_map(), tmp_path / "t.usdc", settings=settings)
    assert not (tmp_path / "t.usdc").exists()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[corridor]\ncenterline_spacing = 1e-9\n", "greater than or equal to 0.005"),
        ("[stage.scene]\nsteps_per_second = " + "9" * 5000, "TOML"),
        ('[stage.floor_look]\ncolour = "red"\n', "must look like"),
        ("corridor = 3\n", "must be a table"),
        ("[corridor]\nfoo = 1\n", r"corridor\.foo\. Known here"),
    ],
)
def test_bad_values_are_explained(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(SettingsError, match=word):
        read_settings(tmp_path / "s.toml")
