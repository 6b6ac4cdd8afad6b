"""What can be chosen about the geometry of a track: walls, ducts and floor. Lengths in metres."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, field_validator, model_validator

__all__ = [
    "DUCT_DIAMETER",
    "DuctSettings",
    "FloorSettings",
    "MeshSettings",
    "ObstacleSettings",
    "WallSettings",
]

DUCT_DIAMETER = 0.33
"""Diameter of the air ducts that RoboRacer tracks are laid out with [m]."""

_Length = Annotated[FiniteFloat, Field(gt=0.0)]


class WallSettings(BaseModel):
    """The collision walls: what cars and lidars meet. They are never drawn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    height: _Length = Field(
        default=0.5,
        le=10.0,
        description="top of the wall over the floor [m]; half as high again as a duct, so that a "
        "car thrown up by an impact still meets the wall",
    )
    skirt: FiniteFloat = Field(
        default=0.05,
        ge=0.0,
        le=1.0,
        description="how far the wall reaches below the floor [m], so that nothing slips under it",
    )
    level: FiniteFloat = Field(
        default=0.0,
        ge=-1.0,
        le=1.0,
        description="clearance at which the wall stands [m]: 0 is the wall face of the map, more "
        "narrows the corridor on each side, less widens it",
    )
    max_edge: _Length = Field(
        default=2.0,
        ge=0.05,
        description="longest wall panel [m]; physics engines lose precision on triangles much "
        "larger than the car",
    )


class DuctSettings(BaseModel):
    """The visible air ducts along the borders, and the rings around them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    diameter: FiniteFloat = Field(
        default=DUCT_DIAMETER,
        ge=0.02,
        le=2.0,
        description="diameter of the ducts [m]; 0.33 m is what RoboRacer tracks are built of",
    )
    single_below: FiniteFloat = Field(
        default=1.25,
        ge=1.0,
        le=4.0,
        description="wall thickness, in duct diameters, below which one duct along the middle of "
        "the wall stands for both sides; between 1 and 1.25 two ducts would be one within the "
        "other all but 8 cm, while one leaves at most 4 cm free on either side",
    )
    sides: int = Field(
        default=12,
        ge=8,
        le=64,
        description="sides of the cross-section, a multiple of 4 so that the duct exactly touches "
        "floor and wall face; 12 strays 6 mm from the circle and keeps a 700 m lap below 3 MB",
    )
    smoothing: FiniteFloat = Field(
        default=0.15,
        ge=0.0,
        le=2.0,
        description="standard deviation of the smoothing along the duct [m]; takes out the noise "
        "of a recorded wall, which a duct would not follow",
    )
    chord_tolerance: FiniteFloat = Field(
        default=0.005,
        ge=1e-4,
        le=0.1,
        description="how far a straight piece of duct may stray from its curved line [m]; 5 mm "
        "is about the error of a cross-section with 12 sides",
    )
    max_section: _Length = Field(
        default=1.0,
        ge=0.05,
        le=20.0,
        description="longest piece of duct between two cross-sections [m]; bounds the triangles "
        "on straights",
    )
    ring_spacing: _Length = Field(
        default=0.25,
        ge=0.02,
        description="wished distance of two rings [m]; stretched or squeezed a little so that it "
        "divides each duct evenly. The ribs of a real duct are nearer, but each costs 20 bytes",
    )
    ring_thickness: FiniteFloat = Field(
        default=0.012,
        ge=1e-3,
        le=0.2,
        description="thickness of a ring's wire [m]; half of it shows above the duct, about as "
        "much as the ribs of a real one",
    )
    texture_tile: _Length = Field(
        default=1.0,
        ge=0.01,
        description="side of one texture tile [m]; adjusted so that whole tiles go around a duct",
    )

    @field_validator("sides")
    @classmethod
    def _quarter_symmetric(cls, value: int) -> int:
        """Refuse cross-sections without a vertex at the bottom and at both flanks."""
        if value % 4:
            raise ValueError(f"sides is {value}, but must be a multiple of 4 (8, 12, 16, ...)")
        return value

    @model_validator(mode="after")
    def _rings_fit(self) -> DuctSettings:
        """Refuse rings that would overlap, or fill the duct."""
        limit = min(self.ring_spacing, self.diameter / 4.0)
        if self.ring_thickness >= limit:
            raise ValueError(
                f"ring_thickness ({self.ring_thickness:g}) must be smaller than {limit:g}: "
                f"than ring_spacing ({self.ring_spacing:g}) and a quarter of diameter "
                f"({self.diameter:g})"
            )
        return self

    @property
    def radius(self) -> float:
        """Half the diameter [m]."""
        return self.diameter / 2.0

    @property
    def single_thickness(self) -> float:
        """Wall thickness below which one duct stands for both sides [m]."""
        return self.single_below * self.diameter

    @property
    def min_bend(self) -> float:
        """Smallest radius that the axis may bend with [m].

        A tenth above the tube's radius: below, the inner side of the bend would fold over.
        """
        return 1.1 * self.radius

    @property
    def line_step(self) -> float:
        """Distance of the points that duct lines are worked out with [m]."""
        return 0.3 * self.radius


class ObstacleSettings(BaseModel):
    """What is seen where something smaller than an infield stands in the corridor."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    height: _Length = Field(
        default=DUCT_DIAMETER,
        le=10.0,
        description="height of the block that is drawn [m]; as high as a duct. What cars and "
        "lidars meet is the collision wall around it",
    )
    min_area: FiniteFloat = Field(
        default=0.02,
        ge=0.0,
        description="smaller ones are not drawn [m²]; recorded maps hold hundreds of specks, and "
        "they keep their collision walls",
    )
    texture_tile: _Length = Field(default=1.0, ge=0.01, description="side of a texture tile [m]")


class FloorSettings(BaseModel):
    """The floor under corridor and ducts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    margin: FiniteFloat = Field(
        default=1.0,
        ge=0.0,
        le=100.0,
        description="how far the floor reaches beyond walls and ducts [m], so that a car pushed "
        "through a wall lands on it and the picture has an edge",
    )
    max_panel: _Length = Field(
        default=10.0,
        ge=0.5,
        description="longest side of a floor panel [m]; engines lose precision on triangles that "
        "are hundreds of times larger than the car",
    )
    texture_tile: _Length = Field(
        default=2.0, ge=0.01, description="side of one texture tile [m]; about a floor slab"
    )


class MeshSettings(BaseModel):
    """All geometry of a track."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wall: WallSettings = Field(default=WallSettings(), description="collision walls")
    duct: DuctSettings = Field(default=DuctSettings(), description="visible ducts and rings")
    obstacle: ObstacleSettings = Field(
        default=ObstacleSettings(), description="visible blocks for obstacles in the corridor"
    )
    floor: FloorSettings = Field(default=FloorSettings(), description="the floor")

    @model_validator(mode="after")
    def _walls_hide_behind_ducts(self) -> MeshSettings:
        """Refuse walls lower than the ducts that are seen: a car would drive through the top."""
        if self.wall.height < self.duct.diameter:
            raise ValueError(
                f"wall.height ({self.wall.height:g}) must be at least duct.diameter "
                f"({self.duct.diameter:g}); a car would pass through the top of the duct"
            )
        return self
