"""The settings file of a build: read, checked and documented."""

from __future__ import annotations

import difflib
import hashlib
import json
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic import ValidationError as PydanticError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.errors import MapError, SettingsError
from roboracer_arena.maps.regular_file import read_regular_file
from roboracer_arena.mesh.settings import MeshSettings
from roboracer_arena.usd.settings import StageSettings

__all__ = ["BuildSettings", "default_settings_toml", "read_settings", "settings_digest"]

_FILE_BYTES = 2**20
"""Largest settings file accepted; the documented defaults have about 10 kB."""
_BOUNDS = {"gt": "above", "ge": "at least", "lt": "below", "le": "at most"}


class BuildSettings(BaseModel):
    """All that can be chosen about a build; the defaults suit recorded 1:10 tracks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    corridor: CorridorSettings = Field(
        default=CorridorSettings(), description="how the drivable corridor is found in the map"
    )
    mesh: MeshSettings = Field(
        default=MeshSettings(), description="the geometry of walls, ducts and floor"
    )
    stage: StageSettings = Field(
        default=StageSettings(), description="looks, contact, physics scene and lights"
    )


def read_settings(path: Path) -> BuildSettings:
    """Read a settings file. What it leaves out keeps its default.

    Raises:
        SettingsError: The file cannot be read, is no TOML, names an unknown setting, or holds a
            value that is not allowed.
    """
    where = str(path)
    try:
        content = read_regular_file(path, limit=_FILE_BYTES)
    except MapError as error:
        raise SettingsError(f"the settings file {error.message}", where=where) from error
    try:
        data = tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5000 digits
        raise SettingsError(f"is no TOML: {error}", where=where) from error
    # A table that sets one value must not reset the others to the defaults of its type: the
    # ducts, for one, have another default colour than the floor.
    merged = _merged(BuildSettings().model_dump(), data)
    try:
        return BuildSettings.model_validate(merged, strict=True, context={"folder": path.parent})
    except PydanticError as error:
        raise _settings_error(error.errors(), merged, path) from error


def settings_digest(settings: BuildSettings) -> str:
    """Return a hash of the settings that does not depend on where files lie."""
    values = _without_folders(settings.model_dump())
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def default_settings_toml() -> str:
    """Return a settings file that holds every default, with what each setting means."""
    head = "# Settings of a build. Every value below is the default; leave out what you keep.\n"
    return head + "".join(_tables(BuildSettings(), ())) + "\n"


def _merged(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with the values of ``over`` put over it, table by table."""
    result = dict(base)
    for key, value in over.items():
        below = result.get(key)
        nested = isinstance(below, dict) and isinstance(value, Mapping)
        result[key] = _merged(below, value) if nested and isinstance(below, dict) else value
    return result


def _without_folders(value: Any) -> Any:
    """Replace paths by their file names, at any depth."""
    if isinstance(value, dict):
        return {key: _without_folders(item) for key, item in value.items()}
    return value.name if isinstance(value, Path) else value


def _settings_error(errors: list[ErrorDetails], data: Any, path: Path) -> SettingsError:
    """Say which setting is wrong, its value and what is allowed."""
    field, message = _explain(errors[0], data)
    others = sorted({_explain(error, data)[0] for error in errors[1:]} - {field})
    if others:
        message += f" (also wrong: {', '.join(others)})"
    return SettingsError(message, where=f"{path}:{field}" if field else str(path))


def _explain(error: ErrorDetails, data: Any) -> tuple[str, str]:
    """Return the dotted name of a setting and what is wrong with it."""
    names: list[str] = []
    table: Any = data
    for part in error["loc"]:  # below a plain value, the location goes on with type names
        if not isinstance(table, dict) or part not in table:
            break
        names.append(str(part))
        table = table[part]
    field = ".".join(names)
    if error["type"] == "extra_forbidden":
        return field, _unknown(names)
    if error["type"] == "value_error":
        return field, error["msg"].removeprefix("Value error, ")
    if error["type"] == "string_pattern_mismatch":
        reason = f"must look like {error['ctx']['pattern']}"
    elif error["type"] in ("model_type", "model_attributes_type", "dict_type"):
        reason = "must be a table"
    else:
        reason = error["msg"].replace("Input should be", "must be")
    return field, f"is {error['input']!r:.60}; it {reason}"


def _unknown(names: list[str]) -> str:
    """Name the settings there are, where one was asked for that there is not."""
    model: BaseModel = BuildSettings()
    for name in names[:-1]:
        model = getattr(model, name)
    known = list(type(model).model_fields)
    close = difflib.get_close_matches(names[-1], known, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"there is no setting {'.'.join(names)}{hint or '.'} Known here: {', '.join(known)}"


def _tables(model: BaseModel, names: tuple[str, ...]) -> Iterator[str]:
    """Write a model as TOML: its own values first, then a table for each model in it."""
    fields = type(model).model_fields
    for name, info in fields.items():
        value = getattr(model, name)
        if not isinstance(value, BaseModel):
            yield _comment(info) + f"{name} = {_toml(value)}\n"
    for name, info in fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            title = f"[{'.'.join((*names, name))}]"
            yield f"\n{_comment(info)}{title}\n"
            yield from _tables(value, (*names, name))


def _comment(info: FieldInfo) -> str:
    """Return the meaning and the bounds of a setting as comment lines."""
    limits = {
        key: getattr(item, key)
        for key in _BOUNDS
        for item in info.metadata
        if getattr(item, key, None) is not None
    }
    if limits.get("ge", 0.0) > limits.get("gt", 0.0):
        limits.pop("gt", None)
    bounds = [f"{_BOUNDS[key]} {limit:g}" for key, limit in limits.items()]
    text = " ".join((info.description or "").split())
    if bounds:
        text += f" ({', '.join(bounds)})"
    return textwrap.fill(text, 96, initial_indent="# ", subsequent_indent="# ") + "\n"


def _toml(value: object) -> str:
    """Return a plain value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(str(value), ensure_ascii=False)
