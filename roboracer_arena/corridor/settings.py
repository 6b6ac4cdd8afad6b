"""What can be chosen about finding a corridor; every length in metres, every area in m²."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["CorridorSettings"]

_Length = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Area = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class CorridorSettings(BaseModel):
    """How the drivable corridor is told from the rest of a map, and how finely it is drawn."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    core_clearance: Annotated[float, Field(gt=0, le=5, allow_inf_nan=False)] = 0.2
    """[m] Cells farther than this from every cell that is not free make the core of a corridor;
    what hangs together only through narrower passages is cut apart. A 1:10 car is about 0.3 m
    wide and needs 0.15 m on either side; the rest is margin. Rays of laser light that slipped
    through a hole are narrower, doors are wider."""
    min_infield_area: _Area = 1.0
    """[m²] Smallest island that a lap goes around; smaller ones are obstacles. On recorded maps
    the smallest infield found is 3.6 m², the largest obstacle 0.7 m²."""
    min_infield_share: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.05
    """Share of the corridor's own area from which an island is an infield although it is smaller
    than that, if no island is larger: on a table-top track everything is small. The infields of
    recorded maps have 3 % and more, the largest obstacle has 0.2 %."""
    min_infield_length: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 2.0
    """[m] Length from which an island is an infield although it is smaller than both, if no island
    is larger and it is at least 0.4 of the corridor long: a thin wall that the lap goes around."""
    max_obstacle_area: _Area = 0.5
    """[m²] Islands up to this size do not cut a corridor in two, however little room they leave
    beside them, if no lap is found otherwise: a box on the track is no end of the track."""
    max_phantom_area: _Area = 1.0
    """[m²] Islands up to this size that hold no occupied cell are unseen floor, not walls, and
    are made drivable with a warning; 0 keeps all of them. The largest found is 0.9 m²."""
    max_streak_width: _Length = 0.2
    """[m] Unknown streaks up to this width along a corridor, with no wall in or beside them, are
    unseen floor and are made drivable with a warning; 0 keeps all of them. An air duct is 0.33 m
    wide. Streaks across the corridor are a matter of ``close_gaps``."""
    outside_contact: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.25
    """Share of the image border along which free space counts as the outside of a drawing, not
    as a corridor that the image cuts off. Outsides touch nearly all of it, corridors a few
    per cent."""
    close_gaps: Annotated[float, Field(ge=0, le=5, allow_inf_nan=False)] = 0.0
    """[m] Widest hole in a wall that is closed, and widest unseen stripe across the corridor
    that is bridged, to get a closed lap; 0 closes none. Off, since either changes the map."""
    allow_open: bool = False
    """Take a corridor that does not close into a lap. It gets walls and a floor, no centreline."""
    allow_branches: bool = False
    """Take a corridor with several infields. The lap then goes around all of them."""
    collision_smoothing: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 1.5
    """Standard deviation, in samples of about 0.8 cells, of the smoothing along collision
    borders: enough to take the steps of the raster off, too little to move a corner. No point
    moves by more than 0.3 cells."""
    collision_tolerance: Annotated[float, Field(ge=0, le=0.1, allow_inf_nan=False)] = 0.01
    """[m] How far a collision border may run from the smoothed line after leaving points out."""
    centerline_wavelength: Annotated[float, Field(gt=0, le=20, allow_inf_nan=False)] = 1.6
    """[m] Bends of the centreline shorter than this are smoothed away. The tightest circle that a
    1:10 car can drive, radius 0.57 m (wheelbase 0.3275 m, steering 0.524 rad), is 3.6 m around.
    With 1.6 m the steps of a 5 cm raster leave a curvature of 0.02 to 0.03 1/m, and the line stays
    within 1 cm of the middle on average."""
    centerline_spacing: Annotated[float, Field(ge=0.005, le=1, allow_inf_nan=False)] = 0.1
    """[m] Distance between points of the centreline; the points are even, so the true value
    differs by a part in the number of points."""
