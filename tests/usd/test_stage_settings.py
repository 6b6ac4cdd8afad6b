from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from roboracer_arena.usd import ContactSettings, LookSettings, SceneSettings, StageSettings


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (LookSettings, {"colour": "red"}),
        (LookSettings, {"colour": "#12345g"}),
        (LookSettings, {"roughness": 1.5}),
        (LookSettings, {"roughness": float("nan")}),
        (LookSettings, {"shininess": 1.0}),
        (ContactSettings, {"static_friction": -0.1, "dynamic_friction": -0.2}),
        (ContactSettings, {"restitution": 1.1}),
        (ContactSettings, {"compliant_damping": 10.0}),
        (ContactSettings, {"static_friction": 0.2, "dynamic_friction": 0.3}),
        (SceneSettings, {"steps_per_second": 10}),
        (SceneSettings, {"gravity": float("inf")}),
        (StageSettings, {"floor": {}}),
    ],
)
def test_values_that_make_no_sense_are_refused(model: type, values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model(**values)


def test_every_setting_is_described() -> None:
    for model in (LookSettings, ContactSettings, SceneSettings, StageSettings):
        for name, field in model.model_fields.items():
            assert field.description, f"{model.__name__}.{name}"


def test_colours_are_kept_in_lower_case() -> None:
    assert LookSettings(colour="#ABCDEF").colour == "#abcdef"
