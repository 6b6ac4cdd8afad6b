"""What is asked of a track: twelve fields, each of which may be left unstated.

A :class:`TrackSpec` holds exactly what somebody stated. Unstated fields are None (an unstated
feature order is empty). :mod:`roboracer_arena.generate.defaults` fills the gaps.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from roboracer_arena.errors import InputError

__all__ = [
    "FEATURES",
    "SPEC_FIELDS",
    "Direction",
    "Feature",
    "TrackSpec",
    "parse_spec",
    "read_spec",
]

Feature = Literal["hairpin", "chicane", "sweeper"]
"""A named feature of a track; ``docs/track-conventions.md`` defines each."""
Direction = Literal["cw", "ccw"]
"""Driving direction, seen from above."""

FEATURES: tuple[Feature, ...] = ("hairpin", "chicane", "sweeper")

# Sanity limits, far beyond any hall in which 1:10 cars race: they catch a lost decimal point or a
# wrong unit, not an ambitious request.
_MAX_LAP = 2000.0
_MAX_WIDTH = 10.0
_MIN_WIDTH = 0.4
"""A 1:10 car is about 0.3 m wide over its wheels."""
_MAX_HALL = 300.0
_MAX_FEATURES = 40
_MAX_ORDER = 3 * _MAX_FEATURES
_MAX_RADIUS = 100.0
_MAX_NAME = 100


def _length(limit: float, text: str) -> Any:
    return Field(default=None, gt=0, le=limit, allow_inf_nan=False, description=text)


def _count(what: str) -> Any:
    return Field(
        default=None, ge=0, le=_MAX_FEATURES, description=f"Exact number of {what}, or null."
    )


class TrackSpec(BaseModel):
    """The stated wishes of one request; metres throughout."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Annotated[str, Field(min_length=1, max_length=_MAX_NAME)] | None = Field(
        default=None, description="Name of the track, or null."
    )
    lap_length_m: float | None = _length(_MAX_LAP, "Length of one lap [m], or null.")
    corridor_width_m: float | None = Field(
        default=None,
        ge=_MIN_WIDTH,
        le=_MAX_WIDTH,
        allow_inf_nan=False,
        description="Drivable width between the walls [m], or null.",
    )
    hall_x_m: float | None = _length(_MAX_HALL, "Length of the hall along x [m], or null.")
    hall_y_m: float | None = _length(_MAX_HALL, "Length of the hall along y [m], or null.")
    direction: Direction | None = Field(
        default=None, description="Driving direction seen from above, or null."
    )
    hairpins: int | None = _count("hairpins")
    chicanes: int | None = _count("chicanes")
    sweepers: int | None = _count("sweepers")
    feature_order: tuple[Feature, ...] = Field(
        default=(),
        max_length=_MAX_ORDER,
        strict=False,
        description="Features in driving order; empty where no order is stated.",
    )
    min_radius_m: float | None = Field(
        default=None,
        ge=0,
        le=_MAX_RADIUS,
        allow_inf_nan=False,
        description="Smallest radius of the centreline [m]; 0 or null asks for none.",
    )
    longest_straight_m: float | None = Field(
        default=None,
        ge=0,
        le=_MAX_LAP,
        allow_inf_nan=False,
        description="Length that the longest straight must reach [m]; 0 or null asks for none.",
    )

    @model_validator(mode="after")
    def _order_agrees_with_counts(self) -> Self:
        for feature in FEATURES:
            count: int | None = getattr(self, f"{feature}s")
            listed = self.feature_order.count(feature)
            if count is not None and listed > count:
                raise ValueError(
                    f"feature_order lists {listed} x {feature}, but {feature}s is {count}; "
                    "make the two agree"
                )
        return self

    def stated(self) -> tuple[str, ...]:
        """Return the names of the fields that hold a value, in field order."""
        return tuple(name for name in SPEC_FIELDS if getattr(self, name) not in (None, ()))


SPEC_FIELDS: tuple[str, ...] = tuple(TrackSpec.model_fields)
"""The twelve field names, in order."""

_MARKS = ("stated", "defaulted")
"""Extra keys of a ``spec.json`` that Arena wrote itself; they carry no wish."""


def parse_spec(text: str, *, where: str = "specification") -> TrackSpec:
    """Read a specification from JSON.

    Args:
        text: A JSON object with the twelve fields; missing ones count as unstated. The marks
            ``stated`` and ``defaulted`` of an earlier result are allowed and ignored.
        where: Name of the source, for messages.

    Raises:
        InputError: No JSON object, an unknown field, or a value that cannot be meant; the message
            names every field that is wrong.
    """
    try:
        document = json.loads(text)
    except ValueError as error:
        raise InputError(f"is no JSON: {error}", where=where) from error
    if not isinstance(document, dict):
        raise InputError("must be a JSON object with the fields of a TrackSpec", where=where)
    fields = {key: value for key, value in document.items() if key not in _MARKS}
    if fields.get("feature_order", ...) is None:
        fields["feature_order"] = []
    try:
        return TrackSpec.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        raise InputError(_in_plain_words(error), where=where) from error


def read_spec(path: Path) -> TrackSpec:
    """Read a specification file; see :func:`parse_spec`.

    Raises:
        InputError: The file cannot be read or holds no specification.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from error
    return parse_spec(text, where=str(path))


def _in_plain_words(error: ValidationError) -> str:
    """Name each wrong field once, with its value and its limit."""
    sentences: dict[str, str] = {}
    for item in error.errors(include_url=False):
        field = str(item["loc"][0]) if item["loc"] else ""
        sentences.setdefault(field, _sentence(field, item))
    return "; ".join(sentences.values())


def _sentence(field: str, item: Any) -> str:
    value, context = item.get("input"), item.get("ctx", {})
    match item["type"]:
        case "extra_forbidden":
            return (
                f"{field} is no field of a specification; the fields are {', '.join(SPEC_FIELDS)}"
            )
        case "greater_than" | "greater_than_equal" if "gt" in context:
            return f"{field} is {value}, but must be a positive number"
        case "greater_than_equal":
            return f"{field} is {value}, but must be at least {context['ge']:g}"
        case "less_than_equal":
            return f"{field} is {value}, but must be at most {context['le']:g}"
        case "finite_number":
            return f"{field} is {value}, but must be a finite number"
        case "value_error":
            return str(context.get("error", item["msg"]))
        case _:
            return f"{field} is {value!r}: {item['msg'][0].lower()}{item['msg'][1:]}"
