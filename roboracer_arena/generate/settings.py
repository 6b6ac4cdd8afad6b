"""How tracks are drawn, where a request has no say: walls, clearances, margins, cells."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["TrackSettings", "cell_for"]

_CELLS = (0.05, 0.025, 0.02, 0.01)
"""Cell sizes to choose from [m]; 0.05 m is what SLAM on these cars uses."""
_CELLS_PER_WIDTH = 24
"""A corridor has at least this many cells across, so that one cell is 4 % of its width, less than
the 5 % within which the width must be."""


class TrackSettings(BaseModel):
    """The constants of Eqs. 1 to 3 that no request states. Metres."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wall_m: float = Field(default=0.15, gt=0)
    """Wall thickness t_w: three cells, so that no scan slips through, and as thin as a board."""
    clearance_m: float = Field(default=0.30, ge=0)
    """Room d_c between the walls of neighbouring corridors: air ducts of 0.33 m stand on the
    walls, half of each outside its corridor."""
    hall_margin_m: float = Field(default=0.5, ge=0)
    """Margin m_h of the published capacity bound between the hall's walls and the track."""
    cell_m: float | None = Field(default=None, gt=0, le=0.1)
    """Side of a map cell; None chooses by the corridor width, see :func:`cell_for`."""

    def pitch(self, width: float) -> float:
        """Return the distance p of neighbouring centrelines (Eq. 1) [m]."""
        return width + 2.0 * self.wall_m + self.clearance_m

    def reach(self, width: float) -> float:
        """Return how far the outer wall reaches from the centreline [m]."""
        return width / 2.0 + self.wall_m

    def cell(self, width: float) -> float:
        """Return the side of a cell for a corridor of this width [m]."""
        return self.cell_m or cell_for(width)


def cell_for(width: float) -> float:
    """Return the coarsest usual cell that a corridor of this width is drawn well in [m]."""
    return next((cell for cell in _CELLS if width >= _CELLS_PER_WIDTH * cell - 1e-9), _CELLS[-1])
