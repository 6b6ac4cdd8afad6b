"""Smooth lines for what is seen beside the corridor."""

from __future__ import annotations

import numpy as np

from roboracer_arena.corridor.curves import resample_closed
from roboracer_arena.corridor.model import Border, Corridor
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.corridor.smoothing import gaussian_closed
from roboracer_arena.corridor.trace import signed_area

__all__ = ["smooth_borders"]

_SPACING = 0.05
"""Distance of the points of a smooth line [m]; a sixth of a duct's diameter of 0.33 m."""
_LARGEST_SHARE = 0.05
"""Standard deviation of the smoothing, at most, as a share of a line's length: a circle then
keeps 95 % of its radius, and small islands are not smoothed away."""


def smooth_borders(
    corridor: Corridor, settings: CorridorSettings | None = None
) -> tuple[Border, ...]:
    """Return the borders as smooth lines for ducts, without the smallest islands.

    Args:
        corridor: The corridor.
        settings: ``duct_smoothing`` and ``duct_speck_area`` are used.

    Returns:
        As the corridor's borders, with evenly spaced points about 0.05 m apart. Unlike those they
        may cross where walls stand closer than the smoothing reaches.
    """
    settings = settings or CorridorSettings()
    smooth = []
    for border in corridor.borders:
        if border.kind == "obstacle" and border.area < settings.duct_speck_area:
            continue
        step = np.roll(border.points, -1, axis=0) - border.points
        length = float(np.hypot(step[:, 0], step[:, 1]).sum())
        spacing = min(_SPACING, length / 16)
        deviation = min(settings.duct_smoothing, _LARGEST_SHARE * length)
        points = gaussian_closed(resample_closed(border.points, spacing), deviation / spacing)
        # Smoothing shortens the line, and so brings its points a little closer at bends.
        points = resample_closed(points, spacing)
        smooth.append(Border(points, border.kind, abs(signed_area(points))))
    return tuple(smooth)
