"""What can be chosen about a stage: looks, contact, scene and lights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationInfo,
    field_validator,
    model_validator,
)

__all__ = ["ContactSettings", "LookSettings", "PlainLookSettings", "SceneSettings", "StageSettings"]

Fraction = Annotated[FiniteFloat, Field(ge=0.0, le=1.0)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$"), AfterValidator(str.lower)]


class PlainLookSettings(BaseModel):
    """How a surface of one colour looks; becomes a UsdPreviewSurface."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    colour: Colour = Field(default="#808080", description="sRGB base colour, '#rrggbb'")
    roughness: Fraction = Field(default=0.8, description="0 mirror-like, 1 matt")
    metallic: Fraction = Field(default=0.0, description="0 plastic or stone, 1 metal")


class LookSettings(PlainLookSettings):
    """How a surface with an image on it looks."""

    texture: Literal["procedural", "none"] | Path = Field(
        default="procedural",
        description="'procedural' (made here from the colour), 'none' (plain colour), or the path "
        "of a PNG or JPEG image, relative to the settings file; the image is used as it is",
    )

    @field_validator("texture", mode="before")
    @classmethod
    def _relative_to_settings(cls, value: object, info: ValidationInfo) -> object:
        """Take any other text for an image path, relative to the folder of a settings file."""
        if not isinstance(value, str) or value in ("procedural", "none"):
            return value
        folder = (info.context or {}).get("folder")
        return folder / value if isinstance(folder, Path) else Path(value)


class ContactSettings(BaseModel):
    """How a surface behaves in contact; becomes a physics material."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    static_friction: FiniteFloat = Field(
        default=0.83, ge=0.0, le=10.0, description="friction coefficient at rest"
    )
    dynamic_friction: FiniteFloat = Field(
        default=0.83, ge=0.0, le=10.0, description="friction coefficient while sliding"
    )
    restitution: Fraction = Field(default=0.0, description="0 no bounce, 1 elastic")
    compliant_stiffness: FiniteFloat = Field(
        default=0.0,
        ge=0.0,
        description="spring stiffness of the contact [N/m]; 0 is a rigid contact. PhysX only",
    )
    compliant_damping: FiniteFloat = Field(
        default=0.0,
        ge=0.0,
        description="damping of the contact [N s/m]; needs a stiffness. PhysX only",
    )

    @model_validator(mode="after")
    def _consistent(self) -> ContactSettings:
        """Refuse damping without a spring, and sliding friction above friction at rest."""
        if self.compliant_damping > 0.0 and self.compliant_stiffness == 0.0:
            raise ValueError(
                f"compliant_damping is {self.compliant_damping:g} but compliant_stiffness is 0; "
                "damping acts only on a compliant contact: set a stiffness too"
            )
        if self.dynamic_friction > self.static_friction:
            raise ValueError(
                f"dynamic_friction ({self.dynamic_friction:g}) must not exceed static_friction "
                f"({self.static_friction:g})"
            )
        return self


class SceneSettings(BaseModel):
    """The physics scene, for engines that take it from the stage."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gravity: FiniteFloat = Field(default=9.81, ge=0.0, le=100.0, description="downwards [m/s²]")
    steps_per_second: int = Field(
        default=200, ge=30, le=10_000, description="physics steps per simulated second"
    )
    position_iterations: int = Field(
        default=4, ge=1, le=255, description="solver iterations for positions, at least"
    )
    velocity_iterations: int = Field(
        default=1, ge=0, le=255, description="solver iterations for velocities, at least"
    )
    gpu: bool = Field(default=True, description="ask PhysX for the GPU; it falls back to the CPU")


class StageSettings(BaseModel):
    """Everything about the stage that is not geometry."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    floor_look: LookSettings = Field(
        default=LookSettings(colour="#8d8f92", roughness=0.85), description="the floor"
    )
    duct_look: LookSettings = Field(
        default=LookSettings(colour="#43474d", roughness=0.55), description="the air ducts"
    )
    ring_look: PlainLookSettings = Field(
        default=PlainLookSettings(colour="#c8551e", roughness=0.5),
        description="the rings around the ducts; too thin for an image",
    )
    obstacle_look: LookSettings = Field(
        default=LookSettings(texture="none", colour="#a9814f", roughness=0.8),
        description="the blocks where obstacles stand in the corridor",
    )
    floor_contact: ContactSettings = Field(
        default=ContactSettings(),
        description="the floor; 0.83 is the tyre-surface friction measured on the real car",
    )
    wall_contact: ContactSettings = Field(
        default=ContactSettings(static_friction=0.3, dynamic_friction=0.3),
        description="the walls: plastic duct against the car's bumper",
    )
    scene: SceneSettings = Field(default=SceneSettings(), description="the physics scene")
    lights: bool = Field(default=True, description="a sun and a sky, so that the stage is lit")
