"""Tracks from requests: specification, screen, constructors, raster and validator.

The heavy parts are in their modules: :mod:`.pipeline` generates, :mod:`.validator` judges,
:mod:`.write` saves.
"""

from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import (
    FEATURES,
    SPEC_FIELDS,
    Direction,
    Feature,
    TrackSpec,
    parse_spec,
    read_spec,
)

__all__ = [
    "FEATURES",
    "SPEC_FIELDS",
    "Direction",
    "Feature",
    "TrackSettings",
    "TrackSpec",
    "parse_spec",
    "read_spec",
]
