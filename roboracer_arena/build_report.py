"""What a build says about itself."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

__all__ = ["BuildReport", "StepSeconds"]


class StepSeconds(BaseModel):
    """Time of each step and of the whole build [s]; a step that was not needed has 0."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    read: float = 0.0
    corridor: float = 0.0
    centerline: float = 0.0
    walls: float = 0.0
    ducts: float = 0.0
    floor: float = 0.0
    stage: float = 0.0
    check: float = 0.0
    write: float = 0.0
    total: float = 0.0


class BuildReport(BaseModel):
    """What a build read, made and measured."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    map: str
    """The map that was read; its name, if it came from memory."""
    output: str
    """The stage that was written."""
    name: str
    """Display name of the track."""
    megapixels: float
    """Size of the map's raster."""
    resolution_m: float
    """Side of a cell [m]."""
    style: Literal["filled", "thin-line"]
    """``thin-line``: a drawing whose exterior and infield are free too."""
    closed: bool
    """Whether the corridor closes into a lap."""
    lap_length_m: float | None
    """Length of the centreline [m]; None where the corridor does not close."""
    width_mean_m: float | None
    """Mean width of the corridor [m]; None where there is no centreline."""
    width_min_m: float | None
    """Smallest width of the corridor [m]; None where there is no centreline."""
    area_m2: float
    """Drivable area [m²]."""
    radius_min_m: float | None
    """Smallest radius of the centreline [m]; None where there is none."""
    infields: int
    """Islands that the lap goes around."""
    obstacles: int
    """Smaller islands in the corridor; each has a collision wall."""
    wall_triangles: int
    """Triangles of all collision walls."""
    ducts: int
    """Visible duct tubes."""
    duct_triangles: int
    """Triangles of all duct tubes, rings not counted."""
    rings: int
    """Rings around the ducts."""
    usd_bytes: int
    """Size of the stage file."""
    texture_bytes: int
    """Size of the images beside it."""
    peak_bytes: int
    """Largest resident size this process has had so far."""
    cpu_seconds: StepSeconds
    """CPU time of the process."""
    wall_seconds: StepSeconds
    """Time on the clock."""
    warnings: tuple[str, ...]
    """What had to be decided or repaired, one sentence each."""
