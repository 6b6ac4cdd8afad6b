"""Settings of the geometry."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from roboracer_arena.mesh import (
    DuctSettings,
    FloorSettings,
    MeshSettings,
    ObstacleSettings,
    WallSettings,
)

ALL = (WallSettings, DuctSettings, ObstacleSettings, FloorSettings, MeshSettings)


@pytest.mark.parametrize("model", ALL)
def test_every_setting_is_documented_and_unknown_ones_are_refused(model: type[BaseModel]) -> None:
    assert all(field.description for field in model.model_fields.values())
    assert all(not field.is_required() for field in model.model_fields.values())
    with pytest.raises(ValidationError, match="Extra inputs"):
        model.model_validate({"colour": "red"})


@pytest.mark.parametrize(
    ("model", "values", "message"),
    [
        (WallSettings, {"height": 0.0}, "greater than 0"),
        (WallSettings, {"height": float("nan")}, "finite"),
        (WallSettings, {"skirt": -0.1}, "greater than or equal to 0"),
        (DuctSettings, {"sides": 10}, "multiple of 4"),
        (DuctSettings, {"sides": 4}, "greater than or equal to 8"),
        (DuctSettings, {"single_below": 0.9}, "greater than or equal to 1"),
        (DuctSettings, {"ring_thickness": 0.1}, r"must be smaller than 0\.0825"),
        (DuctSettings, {"ring_spacing": 0.02, "ring_thickness": 0.03}, r"smaller than 0\.02"),
        (FloorSettings, {"margin": -1.0}, "greater than or equal to 0"),
        (MeshSettings, {"wall": {"height": 0.3}}, "at least duct.diameter"),
    ],
)
def test_values_out_of_range_are_refused(
    model: type[BaseModel], values: dict[str, object], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        model.model_validate(values)


def test_a_wider_duct_needs_no_other_setting() -> None:
    assert MeshSettings.model_validate({"duct": {"diameter": 0.5}}).duct.radius == 0.25
