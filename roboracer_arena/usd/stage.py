"""The stage as a whole: its metadata, its file, and its lights."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pxr import Gf, Sdf, Tf, Usd, UsdGeom, UsdLux, UsdPhysics

from roboracer_arena.errors import OutputError, StageError

__all__ = ["author_lights", "author_stage", "check_suffix", "open_fresh", "save_stage"]

_SUFFIXES = {".usd": "usdc", ".usda": "usda", ".usdc": "usdc"}
"""File suffixes that can be written, and the format behind each."""


def author_stage() -> Usd.Stage:
    """Return an empty stage in memory: metres, kilograms, Z up.

    It has no file: USD keeps one layer a path for a whole process, so a stage that is authored
    under the name of an open one would collide with it.
    """
    stage = Usd.Stage.Open(Sdf.Layer.CreateAnonymous(".usdc"))
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdPhysics.SetStageKilogramsPerUnit(stage, 1.0)
    return stage


def author_lights(stage: Usd.Stage, path: str) -> None:
    """Define a sky and a sun, so that the stage looks right when it is opened."""
    UsdGeom.Scope.Define(stage, path)
    sky = UsdLux.DomeLight.Define(stage, f"{path}/Sky")
    sky.CreateIntensityAttr(600.0)
    sky.CreateColorAttr(Gf.Vec3f(0.87, 0.93, 1.0))
    sun = UsdLux.DistantLight.Define(stage, f"{path}/Sun")
    sun.CreateIntensityAttr(1800.0)
    sun.CreateColorAttr(Gf.Vec3f(1.0, 0.96, 0.9))
    sun.CreateAngleAttr(1.5)
    # The light shines along its -z: tilted from straight down, so that rings cast shadows.
    sun.AddRotateXYZOp().Set(Gf.Vec3f(35.0, 20.0, 0.0))


def check_suffix(path: Path) -> None:
    """Refuse a file name that is no USD stage, or that USD cannot write or refer to.

    Raises:
        OutputError: The suffix is none of ``.usdc``, ``.usda``, ``.usd``, or the name holds a
            character that asset paths must not.
    """
    try:
        os.fspath(path).encode("utf-8")
    except UnicodeEncodeError as error:
        raise OutputError(
            "is no text in UTF-8, so USD cannot write it", where=repr(path)
        ) from error
    for character in path.name:
        if character == "\\" or not character.isprintable():
            raise OutputError(
                f"holds {character!r}, which must not be in a USD asset path; choose another name",
                where=repr(os.fspath(path)),
            )
    if path.suffix.lower() not in _SUFFIXES:
        raise OutputError(
            f"the suffix '{path.suffix}' is no USD stage; use .usdc (or .usda for text)",
            where=str(path),
        )


def save_stage(stage: Usd.Stage, path: Path) -> None:
    """Write a stage to a file, in the format of the suffix.

    Raises:
        OutputError: The file cannot be written, or it has another suffix.
    """
    check_suffix(path)
    try:
        written = stage.GetRootLayer().Export(
            str(path), args={"format": _SUFFIXES[path.suffix.lower()]}
        )
    except Tf.ErrorException as error:
        raise OutputError(_write_failure(path), where=str(path)) from error
    if not written:
        raise OutputError(_write_failure(path), where=str(path))


def _write_failure(path: Path) -> str:
    """Say in one sentence why USD could not write; its own report is pages of C++ frames."""
    try:
        free = shutil.disk_usage(path.parent).free
    except OSError:
        return "USD cannot write the stage there"
    return f"USD cannot write the stage; {free / 1e6:.1f} MB are free on that disk"


def reload_open(path: Path) -> None:
    """Make stages of this process that have the file open show its new content."""
    real = path.resolve()
    for layer in Sdf.Layer.GetLoadedLayers():
        if layer.realPath and Path(layer.realPath).resolve() == real:
            layer.Reload(force=True)


def open_fresh(path: Path) -> Usd.Stage:
    """Open the file as it is on disk now, whatever this process has open under its name.

    Raises:
        StageError: The file is missing or no USD layer.
    """
    where = str(path)
    if not path.is_file():
        raise StageError("is no file; name a USD stage", where=where)
    try:
        layer = Sdf.Layer.OpenAsAnonymous(os.fspath(path))
        stage = Usd.Stage.Open(layer) if layer else None
    except Tf.ErrorException as error:
        raise StageError("is no USD stage, or it is damaged", where=where) from error
    if not stage:
        raise StageError("is no USD stage, or it is damaged", where=where)
    return stage
