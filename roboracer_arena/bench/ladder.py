"""The rasters that are measured, and what is asked of the build on them."""

from __future__ import annotations

from roboracer_arena.bench.circuits import CircuitRequest

__all__ = ["FLOOR_FACTOR", "LADDER", "MAX_PEAK_MB", "MAX_USD_MB", "OFFSET_SECONDS", "WARM_UP"]

LADDER = (
    CircuitRequest("hall", megapixels=0.13, lap_length=50.0, corridor_width=1.4),
    CircuitRequest("park", megapixels=0.6, lap_length=130.0, corridor_width=1.4),
    CircuitRequest("town", megapixels=2.6, lap_length=280.0, corridor_width=1.6),
    CircuitRequest("harbour", megapixels=3.1, lap_length=333.0, corridor_width=1.2),
    CircuitRequest("airfield", megapixels=7.5, lap_length=589.0, corridor_width=1.5),
    CircuitRequest("coast", megapixels=8.5, lap_length=580.0, corridor_width=1.4),
    CircuitRequest("forest", megapixels=10.9, lap_length=700.0, corridor_width=1.5),
)
"""Sizes, laps and widths of 1:10 circuits from a competition hall to Spa-Francorchamps."""

WARM_UP = CircuitRequest("warm-up", megapixels=0.1, lap_length=43.0, corridor_width=1.4)
"""Built before each measurement, so that imports and first uses are not counted."""

FLOOR_FACTOR = 4.0
"""The build may take this many times what decoding, distances and contours take alone."""
OFFSET_SECONDS = 0.15
"""The build may take this much more CPU time [s], whatever the size."""
MAX_PEAK_MB = 500.0
"""Largest resident size of the process, on every rung [MB, 10⁶ bytes]."""
MAX_USD_MB = 3.0
"""Largest stage file, on every rung: the longest lap has 700 m [MB, 10⁶ bytes]."""
