"""The map_server YAML: what stands beside a map's image."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    model_validator,
)

from roboracer_arena.errors import MapError
from roboracer_arena.maps.occupancy import Pose2D
from roboracer_arena.maps.regular_file import GIT_LFS_SIGNATURE, read_regular_file
from roboracer_arena.maps.yaml_scalars import (
    Scalars,
    parse_bool,
    parse_mapping,
    parse_number,
    shorten,
)

__all__ = [
    "DEFAULT_FREE_THRESH",
    "DEFAULT_OCCUPIED_THRESH",
    "MAX_YAML_BYTES",
    "MapMetadata",
    "MapMode",
    "as_map_error",
    "parse_metadata",
    "read_metadata",
]

MapMode = Literal["trinary", "scale", "raw"]

MAX_YAML_BYTES = 256 * 1024
"""Largest YAML that is parsed [bytes]; real ones have 100 to 1,000, and parsing takes up to 20 µs
a byte."""
MIN_RESOLUTION, MAX_RESOLUTION = 1e-4, 10.0
"""Limits of the side of a cell [m]: outside of them the unit is mistaken."""
MAX_OFFSET = 1e8
"""Limit of the origin's coordinates [m]: more than once around the Earth."""
DEFAULT_OCCUPIED_THRESH, DEFAULT_FREE_THRESH = 0.65, 0.196
"""What map_saver has always written, for files that leave the thresholds out."""


def _number(value: object) -> object:
    return parse_number(value) if isinstance(value, str) else value


def _flag(value: object) -> object:
    return parse_bool(value) if isinstance(value, str) else value


def _word(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _image_name(value: str) -> str:
    if not value.strip():
        raise ValueError("is empty; name the image file of the map")
    return value


def _resolution(value: float) -> float:
    if not MIN_RESOLUTION <= value <= MAX_RESOLUTION:
        hint = "; the unit is metres, not millimetres" if value > MAX_RESOLUTION else ""
        raise ValueError(
            f"is {value:g}, but the side of a cell must be a number from {MIN_RESOLUTION:g}"
            f" to {MAX_RESOLUTION:g} m{hint}"
        )
    return value


def _origin(value: tuple[float, float, float]) -> tuple[float, float, float]:
    for axis, number in zip("xy", value, strict=False):
        if not abs(number) <= MAX_OFFSET:
            raise ValueError(
                f"has {axis} = {number:g}, but it must be a number of at most {MAX_OFFSET:g} m;"
                " write the position of the image's lower-left corner"
            )
    if not math.isfinite(value[2]):
        raise ValueError(f"has yaw = {value[2]:g}, but it must be a finite angle in radians")
    return value


def _threshold(value: float) -> float:
    if not 0.0 <= value <= 1.0:
        hint = f"; for {value:g} % write {value / 100:g}" if 1.0 < value <= 100.0 else ""
        raise ValueError(f"is {value:g}, but it must be a number from 0 to 1{hint}")
    return value


_Number = Annotated[float, BeforeValidator(_number)]
_Threshold = Annotated[float, BeforeValidator(_number), AfterValidator(_threshold)]


class MapMetadata(BaseModel):
    """The fields of a map_server YAML, checked.

    Numbers may be given as text in any form that yaml-cpp reads. The exact value of a threshold
    is the shortest decimal that denotes its float: 0.2 means one fifth.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    image: Annotated[str, AfterValidator(_image_name)]
    """Path of the image, relative to the folder of the YAML file."""
    resolution: Annotated[_Number, AfterValidator(_resolution)]
    """Side of a cell [m]."""
    origin: Annotated[tuple[_Number, _Number, _Number], AfterValidator(_origin)]
    """x [m], y [m] and yaw [rad] of the lower-left corner of the lower-left cell."""
    mode: Annotated[MapMode, BeforeValidator(_word)] = "trinary"
    """How grey becomes occupancy."""
    negate: Annotated[bool, BeforeValidator(_flag)] = False
    """Whether white means occupied."""
    occupied_thresh: _Threshold = DEFAULT_OCCUPIED_THRESH
    """Cells of a greater occupancy are walls."""
    free_thresh: _Threshold = DEFAULT_FREE_THRESH
    """Cells of a smaller occupancy are free."""
    extra_keys: tuple[str, ...] = ()
    """Names of further keys in the file, which are ignored."""
    warnings: tuple[str, ...] = ()
    """What had to be decided while reading, one sentence each."""

    @model_validator(mode="after")
    def _thresholds_in_order(self) -> MapMetadata:
        if not self.free_thresh < self.occupied_thresh:
            raise ValueError(
                f"free_thresh is {self.free_thresh:g} and occupied_thresh {self.occupied_thresh:g},"
                " but free_thresh must be below occupied_thresh; are they swapped?"
            )
        return self

    @property
    def pose(self) -> Pose2D:
        """The origin as a pose."""
        return Pose2D(*self.origin)


_FIELDS = frozenset(MapMetadata.model_fields) - {"extra_keys", "warnings"}
_REMEDIES = {
    "resolution": "add the side of a cell in metres, for example 'resolution: 0.05'",
    "origin": "add the position of the lower-left corner, for example 'origin: [0.0, 0.0, 0.0]'",
}


def read_metadata(path: Path) -> MapMetadata:
    """Read a map_server YAML file.

    Raises:
        MapError: The file cannot be read, or is no valid map description.
    """
    data = read_regular_file(path, limit=MAX_YAML_BYTES)
    if data.startswith(GIT_LFS_SIGNATURE):
        raise MapError(
            "is a Git LFS pointer, not the file itself; run 'git lfs pull'", where=str(path)
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MapError(
            f"is not UTF-8 text (byte {error.start} is 0x{data[error.start]:02x});"
            " save it as UTF-8",
            where=str(path),
        ) from error
    return parse_metadata(text, where=str(path))


def parse_metadata(text: str, *, where: str) -> MapMetadata:
    """Build the metadata from the text of a map_server YAML.

    Args:
        text: The YAML text.
        where: What errors call the file.

    Raises:
        MapError: The text is no valid map description; ``where`` names the field.
    """
    pairs = parse_mapping(text, where=where)
    _check_keys([key for key, _ in pairs], where)
    given = {key: value for key, value in pairs if key in _FIELDS}
    warnings: list[str] = []
    values: dict[str, Any] = {key: _value(key, value, where) for key, value in given.items()}
    values["origin"] = _complete_origin(values["origin"], where, warnings)
    for name in ("negate", "occupied_thresh", "free_thresh"):
        if name not in given:
            default = MapMetadata.model_fields[name].default
            warnings.append(f"the YAML has no '{name}' field; {default:g} is taken")
    extra = (key for key, _ in pairs if key not in _FIELDS)
    try:
        return MapMetadata(
            **values, extra_keys=tuple(dict.fromkeys(extra)), warnings=tuple(warnings)
        )
    except ValidationError as error:
        raise as_map_error(error, where) from error


def _check_keys(keys: list[str], where: str) -> None:
    """Refuse a YAML of another kind, and one that says a thing twice."""
    if "image" not in keys:
        found = ", ".join(shorten(key, 40) for key in keys[:5]) + (", ..." if len(keys) > 5 else "")
        raise MapError(
            f"has no 'image' field, so it is not a map description (it has: {found or 'nothing'});"
            " hand over the YAML file that map_saver wrote beside the image",
            where=where,
        )
    for name in ("resolution", "origin"):
        if name not in keys:
            raise MapError(f"is missing; {_REMEDIES[name]}", where=f"{where}: {name}")
    for name in sorted(_FIELDS):
        if keys.count(name) > 1:
            raise MapError("is given more than once; keep one", where=f"{where}: {name}")


def _value(name: str, value: Scalars, where: str) -> str | tuple[str, ...]:
    """Return the text of a field, or the texts of the origin."""
    if name == "origin":
        if not isinstance(value, tuple) or len(value) not in (2, 3):
            raise MapError("must be a list of three numbers: [x, y, yaw]", where=f"{where}: {name}")
        return value
    if not isinstance(value, str):
        raise MapError("must be a single value, not a list or a group", where=f"{where}: {name}")
    if name != "image" and value.strip() in ("", "~", "null"):
        raise MapError("has no value; give it one or remove the line", where=f"{where}: {name}")
    return value


def _complete_origin(
    origin: tuple[str, ...], where: str, warnings: list[str]
) -> tuple[str, str, str]:
    """Return x, y and yaw; a yaw that is missing or no number becomes 0, with a warning."""
    if len(origin) == 2:
        return (*origin, "0")  # map_server reads a missing yaw as 0
    x, y, yaw = origin
    try:
        angle = parse_number(yaw)
    except ValueError as error:
        raise MapError(f"has a yaw that {error}", where=f"{where}: origin") from error
    if math.isnan(angle):
        warnings.append(f"the yaw of 'origin' is {shorten(yaw)}, not a number; yaw 0 is taken")
        return x, y, "0"
    if abs(angle) > 2 * math.pi:
        warnings.append(
            f"the yaw of 'origin' is {angle:g} rad, more than a full turn; is it in degrees?"
        )
    return x, y, yaw


def as_map_error(error: ValidationError, where: str) -> MapError:
    """Turn the first finding of pydantic into a message for the user."""
    finding = error.errors(include_url=False)[0]
    location: Iterable[object] = finding["loc"]
    field = next((str(part) for part in location), None)
    cause = finding.get("ctx", {}).get("error")
    if field == "mode":
        message = (
            f"is '{shorten(finding['input'])}'; known modes are {', '.join(get_args(MapMode))}"
        )
    elif cause is not None:
        message = str(cause)
    else:
        message = f"is {finding['input']!r}: {finding['msg']}"
    return MapError(message, where=f"{where}: {field}" if field else where)
