"""USD stages: written, checked and read here.

The names below load ``pxr`` when they are first used; the settings and the content models do not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from roboracer_arena.errors import MissingExtraError

if TYPE_CHECKING:
    from roboracer_arena.usd.assemble import assemble_track
    from roboracer_arena.usd.car import author_car, write_car
    from roboracer_arena.usd.car_checks import check_car
    from roboracer_arena.usd.checks import Finding, check_stage, findings_of, refuse_faulty
    from roboracer_arena.usd.content import (
        CenterlineContent,
        RingContent,
        TrackContent,
        TrackMetadata,
        WallPiece,
    )
    from roboracer_arena.usd.names import track_identifier
    from roboracer_arena.usd.read import TrackStage, read_track
    from roboracer_arena.usd.scene import place_cars
    from roboracer_arena.usd.settings import (
        ContactSettings,
        LookSettings,
        PlainLookSettings,
        SceneSettings,
        StageSettings,
    )
    from roboracer_arena.usd.track import author_track
    from roboracer_arena.usd.write import (
        check_stage_target,
        make_textures,
        save_track,
        texture_paths,
        write_track,
    )

__all__ = [
    "CenterlineContent",
    "ContactSettings",
    "Finding",
    "LookSettings",
    "PlainLookSettings",
    "RingContent",
    "SceneSettings",
    "StageSettings",
    "TrackContent",
    "TrackMetadata",
    "TrackStage",
    "WallPiece",
    "assemble_track",
    "author_car",
    "author_track",
    "check_car",
    "check_stage",
    "check_stage_target",
    "findings_of",
    "make_textures",
    "place_cars",
    "read_track",
    "refuse_faulty",
    "save_track",
    "texture_paths",
    "track_identifier",
    "write_car",
    "write_track",
]

_MODULES = {
    "CenterlineContent": "content",
    "ContactSettings": "settings",
    "Finding": "checks",
    "LookSettings": "settings",
    "PlainLookSettings": "settings",
    "RingContent": "content",
    "SceneSettings": "settings",
    "StageSettings": "settings",
    "TrackContent": "content",
    "TrackMetadata": "content",
    "TrackStage": "read",
    "WallPiece": "content",
    "assemble_track": "assemble",
    "author_car": "car",
    "author_track": "track",
    "check_car": "car_checks",
    "check_stage": "checks",
    "check_stage_target": "write",
    "findings_of": "checks",
    "make_textures": "write",
    "place_cars": "scene",
    "read_track": "read",
    "refuse_faulty": "checks",
    "save_track": "write",
    "texture_paths": "write",
    "track_identifier": "names",
    "write_car": "car",
    "write_track": "write",
}


def __getattr__(name: str) -> Any:
    """Load the module of a public name when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"{__name__}.{_MODULES[name]}")
    except ModuleNotFoundError as error:
        if error.name != "pxr":
            raise
        raise MissingExtraError(
            "reading and writing USD needs the package usd-core; "
            "install it with: pip install 'roboracer-arena[usd]'"
        ) from error
    value = getattr(module, name)
    globals()[name] = value
    return value
