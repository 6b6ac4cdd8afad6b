"""A track stage on its way to disk, with its textures beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pxr import Usd

from roboracer_arena.errors import OutputError
from roboracer_arena.files import atomic_path, check_target
from roboracer_arena.usd.checks import findings_of, refuse_faulty
from roboracer_arena.usd.content import TrackContent
from roboracer_arena.usd.settings import StageSettings
from roboracer_arena.usd.stage import check_suffix, reload_open, save_stage
from roboracer_arena.usd.texture_files import published_textures, texture_folder
from roboracer_arena.usd.textures import Texture, make_texture
from roboracer_arena.usd.track import author_track

__all__ = ["check_stage_target", "make_textures", "save_track", "texture_paths", "write_track"]


def write_track(
    path: Path, content: TrackContent, settings: StageSettings | None = None, *, force: bool = False
) -> None:
    """Write a track as a USD stage, with its textures in a folder beside it.

    The images stand in ``<stem>_<suffix>_textures`` and are referred to relative to the stage:
    stage and folder can be moved together. Until the new stage is complete, an old one keeps its
    content and its images.

    Args:
        path: File to write: ``.usdc``, ``.usd`` (both binary) or ``.usda`` (text).
        content: The track, in grid-frame metres.
        settings: Looks, contact and scene; None for the defaults.
        force: Whether an existing file may be replaced.

    Raises:
        OutputExistsError: The file exists and ``force`` is false.
        OutputError: The file cannot be written, or it has another suffix.
        SettingsError: A texture image cannot be used.
        ValidationError: The stage fails its own checks; nothing was written.
    """
    settings = settings or StageSettings()
    check_stage_target(path, force=force)
    textures = make_textures(settings)
    stage = author_track(content, settings, texture_paths(path, textures))
    refuse_faulty(findings_of(stage, folder=None), where=str(path))
    save_track(path, stage, textures, force=force)


def check_stage_target(path: Path, *, force: bool) -> None:
    """Refuse a file that cannot or must not be written, before any work is done.

    Raises:
        OutputExistsError: The file exists and ``force`` is false.
        OutputError: The file cannot be written, or it has another suffix.
    """
    check_suffix(path)
    check_target(path, force=force)


def make_textures(settings: StageSettings) -> dict[str, Texture]:
    """Return the image of each look that has one, by the look's prim name.

    Raises:
        SettingsError: A texture image cannot be used.
    """
    made = {
        "Floor": make_texture("floor", settings.floor_look),
        "Duct": make_texture("duct", settings.duct_look),
        "Obstacle": make_texture("obstacle", settings.obstacle_look),
    }
    return {name: texture for name, texture in made.items() if texture is not None}


def texture_paths(path: Path, textures: Mapping[str, Texture]) -> dict[str, str]:
    """Return the asset path of each texture as a stage at ``path`` refers to it."""
    folder = texture_folder(path).name
    return {name: f"./{folder}/{texture.file_name}" for name, texture in textures.items()}


def save_track(
    path: Path, stage: Usd.Stage, textures: Mapping[str, Texture], *, force: bool = False
) -> None:
    """Write an authored track and its images; see :func:`write_track`."""
    with (
        published_textures(path, tuple(textures.values())),
        atomic_path(path, force=force) as temporary,
    ):
        try:
            save_stage(stage, temporary)
        except OutputError as error:  # name the target, not the temporary file
            raise OutputError(error.message, where=str(path)) from error
    reload_open(path)
