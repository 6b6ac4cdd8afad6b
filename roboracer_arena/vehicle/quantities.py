"""Quantities in files: a value, its unit and its source, and the models that they fill.

A parameter file is TOML. Each line names one quantity::

    [deployment.tyre]
    friction = { value = 0.83, unit = "1", source = "Table I: lateral pull test" }

A user's file may hold a few of the quantities only, and may give a bare number, which is then in
the unit of the model. Units are checked, never converted.
"""

from __future__ import annotations

import difflib
import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.config import JsonDict

from roboracer_arena.errors import SettingsError
from roboracer_arena.files import atomic_path

__all__ = [
    "ParameterModel",
    "Quantity",
    "build",
    "merge",
    "quantity",
    "read_quantities",
    "rename",
    "write_quantities",
]

_TRIPLET = ("value", "unit", "source")


class ParameterModel(BaseModel):
    """Base of all parameter models: frozen, nothing undeclared, nothing infinite."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )


Model = TypeVar("Model", bound=ParameterModel)


class Quantity(ParameterModel):
    """One line of a parameter file."""

    name: str
    """Dotted name, such as ``deployment.tyre.friction``."""
    value: float
    """Number in ``unit``."""
    unit: str
    """Unit symbol; ``1`` for a ratio."""
    source: str
    """Where the value comes from."""


def quantity(unit: str, low: float, high: float, *, above: bool = False) -> Any:
    """Declare a field of a parameter model.

    Args:
        unit: Unit symbol that files have to name.
        low: Smallest value that can be meant.
        high: Largest value that can be meant.
        above: Whether ``low`` itself is excluded.
    """
    extra: JsonDict = {"unit": unit, "low": low, "high": high, "above": above}
    if above:
        return Field(gt=low, le=high, json_schema_extra=extra)
    return Field(ge=low, le=high, json_schema_extra=extra)


def _declared(field: Any) -> Any:
    """Return what :func:`quantity` declared: unit, low, high, above."""
    return field.json_schema_extra


def leaves(model: type[ParameterModel], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted name and the field of every quantity of a model, in order of declaration."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, ParameterModel):
            yield from leaves(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


def rename(model: type[ParameterModel], name: str, *, where: str | None = None) -> str:
    """Return the full dotted name for a name that may leave out leading parts.

    ``tyre.friction`` and ``friction`` both mean ``deployment.tyre.friction`` while only one
    quantity ends so.

    Raises:
        SettingsError: No quantity, or more than one, goes by this name.
    """
    known = [full for full, _ in leaves(model)]
    if name in known:
        return name
    matches = [full for full in known if full.endswith(f".{name}")]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise SettingsError(f"'{name}' may mean {' or '.join(matches)}; say which", where=where)
    close = difflib.get_close_matches(name, known + [full.split(".")[-1] for full in known], n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    raise SettingsError(f"there is no parameter '{name}'{hint}", where=where)


def read_quantities(model: type[ParameterModel], path: Path) -> tuple[Quantity, ...]:
    """Read a parameter file, which may hold only some of the quantities of the model.

    Raises:
        SettingsError: The file cannot be read, or a name, type or unit is wrong.
    """
    where = str(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SettingsError(f"cannot be read: {error.strerror}", where=where) from error
    except UnicodeDecodeError as error:
        raise SettingsError("is not UTF-8 text; save it as TOML", where=where) from error
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"is not valid TOML: {error}", where=where) from error
    return tuple(_walk(model, model, document, "", where))


def _walk(
    root: type[ParameterModel],
    model: type[ParameterModel],
    table: Mapping[str, Any],
    prefix: str,
    where: str,
) -> Iterator[Quantity]:
    for name, entry in table.items():
        full = f"{prefix}{name}"
        field = model.model_fields.get(name)
        if field is None:
            full = rename(root, full, where=where)
            field = dict(leaves(root))[full]
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, ParameterModel):
            if not isinstance(entry, dict):
                raise SettingsError(f"is {entry!r}; a table was expected", where=f"{where}: {full}")
            yield from _walk(root, kind, entry, f"{full}.", where)
        else:
            yield _quantity_from(full, _declared(field)["unit"], entry, where)


def _quantity_from(name: str, unit: str, entry: Any, where: str) -> Quantity:
    place = f"{where}: {name}"
    if not isinstance(entry, dict):
        return Quantity(name=name, value=_number(entry, place), unit=unit, source=Path(where).name)
    unknown = [key for key in entry if key not in _TRIPLET]
    if unknown or "value" not in entry:
        problem = f"holds '{unknown[0]}'" if unknown else "holds no value"
        raise SettingsError(f"{problem}; a quantity is value, unit and source", where=place)
    given = entry.get("unit", unit)
    if given != unit:
        raise SettingsError(f"is given in '{given}'; convert it to '{unit}'", where=place)
    source = str(entry.get("source", "")).strip() or Path(where).name
    return Quantity(name=name, value=_number(entry["value"], place), unit=unit, source=source)


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SettingsError(f"is {value!r}; a number was expected", where=where)
    if not math.isfinite(value):
        raise SettingsError(f"is {value}; a finite number was expected", where=where)
    return float(value)


def merge(
    model: type[ParameterModel],
    base: tuple[Quantity, ...],
    changes: tuple[Quantity, ...] = (),
    overrides: Mapping[str, float] | None = None,
) -> tuple[Quantity, ...]:
    """Return the base with some quantities replaced, in the order of the model.

    Args:
        model: The model that the quantities are of.
        base: Quantities to start from.
        changes: Quantities that replace those of the same name.
        overrides: Values by dotted name that replace both; their source reads ``override``.

    Raises:
        SettingsError: An override has an unknown name or is no number.
    """
    rows = {row.name: row for row in (*base, *changes)}
    units = {name: _declared(field)["unit"] for name, field in leaves(model)}
    for name, value in (overrides or {}).items():
        full = rename(model, name)
        number = _number(value, full)
        rows[full] = Quantity(name=full, value=number, unit=units[full], source="override")
    return tuple(rows[name] for name in units if name in rows)


def build(model: type[Model], rows: tuple[Quantity, ...], *, where: str | None = None) -> Model:
    """Fill a model with quantities.

    Raises:
        SettingsError: A quantity is missing or out of its limits, or two contradict each other; the
            message names the quantity, its value and the limits.
    """
    tree: dict[str, Any] = {}
    for row in rows:
        branch = tree
        *parents, leaf = row.name.split(".")
        for parent in parents:
            branch = branch.setdefault(parent, {})
        branch[leaf] = row.value
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        problems = "; ".join(_explain(model, problem) for problem in error.errors())
        raise SettingsError(problems, where=where) from error


def _explain(model: type[ParameterModel], problem: Any) -> str:
    name = ".".join(str(part) for part in problem["loc"])
    fields = dict(leaves(model))
    if problem["type"] == "missing" and name:
        return f"{name} is missing"
    if name not in fields:
        return str(problem["msg"]).removeprefix("Value error, ")
    extra = _declared(fields[name])
    relation = "above" if extra["above"] else "at least"
    unit = "" if extra["unit"] == "1" else f" {extra['unit']}"
    limits = f"{relation} {extra['low']:g} and at most {extra['high']:g}{unit}"
    return f"{name} is {problem['input']:g}; it must be {limits}"


def write_quantities(
    target: Path, rows: tuple[Quantity, ...], *, title: str, force: bool = False
) -> None:
    """Write quantities as a parameter file that :func:`read_quantities` reads back exactly.

    Raises:
        OutputError: The file cannot be written.
        OutputExistsError: It exists and ``force`` is false.
    """
    lines = [f"# {line}" for line in title.splitlines()]
    section = None
    for row in rows:
        parent, _, leaf = row.name.rpartition(".")
        if parent != section:
            lines += ["", f"[{parent}]"]
            section = parent
        lines.append(
            f"{leaf} = {{ value = {row.value!r}, unit = {_text(row.unit)}, "
            f"source = {_text(row.source)} }}"
        )
    with atomic_path(target, force=force) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _text(value: str) -> str:
    """Return a TOML string; the escapes of JSON are valid there, and it leaves out only DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
