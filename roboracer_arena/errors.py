"""The errors that Arena raises on purpose, as one tree.

::

    ArenaError
    ├── UsageError               exit 2  an argument that cannot be meant
    │   └── OutputExistsError    exit 2  the target exists and --force was not given
    ├── InputError               exit 3  an input that cannot be read or makes no sense
    │   ├── MapError                     map YAML or image
    │   ├── CorridorError                the map holds no usable corridor
    │   │   ├── NoCorridorError          nothing drivable is enclosed by walls
    │   │   ├── OpenCorridorError        a corridor, but no closed lap
    │   │   ├── LeakError                the corridor runs out through a gap in a wall
    │   │   └── AmbiguousCorridorError   several loops are equally likely
    │   ├── SettingsError                a settings file or value
    │   ├── StageError                   a USD stage that is no Arena track
    │   └── OutputError                  the result cannot be written where asked
    ├── ValidationError          exit 6  a finished artefact fails its own checks
    └── MissingExtraError        exit 7  an optional package or program is absent

Rejections and generation failures of track requests are return values, not errors.
Anything else that escapes is a bug and ends with exit code 1.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "AmbiguousCorridorError",
    "ArenaError",
    "CorridorError",
    "InputError",
    "LeakError",
    "MapError",
    "MissingExtraError",
    "NoCorridorError",
    "OpenCorridorError",
    "OutputError",
    "OutputExistsError",
    "SettingsError",
    "StageError",
    "UsageError",
    "ValidationError",
]


class ArenaError(Exception):
    """Root of every error that Arena raises on purpose.

    Attributes:
        message: One or two sentences: what is wrong, the value, the limit, and what to do.
        where: The file, field or place in the map that the message is about, or None.
        kind: Stable machine-readable name, written as ``error.kind`` under ``--json``.
        exit_code: What the command line ends with.
    """

    kind: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, where: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class UsageError(ArenaError):
    """An argument that cannot be meant."""

    kind = "usage"
    exit_code = 2


class OutputExistsError(UsageError):
    """The target exists already and overwriting was not asked for."""

    kind = "output_exists"


class InputError(ArenaError):
    """An input that cannot be read or makes no sense."""

    kind = "input"
    exit_code = 3


class MapError(InputError):
    """A map YAML or its image is unreadable or contradicts itself."""

    kind = "map"


class CorridorError(InputError):
    """The map was read, but holds no usable corridor."""

    kind = "corridor"


class NoCorridorError(CorridorError):
    """Nothing drivable in the map is enclosed by walls."""

    kind = "no_corridor"


class OpenCorridorError(CorridorError):
    """There is a corridor, but it does not close into a lap."""

    kind = "open_corridor"


class LeakError(CorridorError):
    """The corridor runs out of the track through a gap in a wall."""

    kind = "leak"


class AmbiguousCorridorError(CorridorError):
    """Several corridors or several loops are equally likely."""

    kind = "ambiguous_corridor"


class SettingsError(InputError):
    """A settings file or a single setting is malformed or out of range."""

    kind = "settings"


class StageError(InputError):
    """A USD file that cannot be read or is not an Arena stage."""

    kind = "stage"


class OutputError(InputError):
    """The result cannot be written where it was asked for."""

    kind = "output"


class ValidationError(ArenaError):
    """A finished artefact fails its own checks and was not delivered."""

    kind = "validation"
    exit_code = 6


class MissingExtraError(ArenaError):
    """An optional package or program is absent; the message says how to get it."""

    kind = "missing_extra"
    exit_code = 7
