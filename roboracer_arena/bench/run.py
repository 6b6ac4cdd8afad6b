"""Measuring the whole ladder."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from roboracer_arena.bench.circuits import CircuitRequest, draw_circuit, make_circuit
from roboracer_arena.bench.ladder import (
    FLOOR_FACTOR,
    MAX_PEAK_MB,
    MAX_USD_MB,
    OFFSET_SECONDS,
    WARM_UP,
)
from roboracer_arena.bench.machine import Machine, describe_machine
from roboracer_arena.bench.measure import BuildMeasurement, run_build, run_floor
from roboracer_arena.maps import OccupancyMap, Pose2D, write_map

__all__ = ["Benchmark", "Rung", "measure_ladder"]

ImageFormat = Literal["png", "pgm"]
_FROM_MEGAPIXELS = 2.0
"""Growth is fitted from this size on; below, what every build costs hides it."""


class Rung(BaseModel):
    """One size, measured; medians over the repetitions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    map: str
    megapixels: float
    lap_length_m: float
    """Lap length that the build found [m]."""
    cpu_seconds: float
    """CPU time of the build with its USD write [s]."""
    wall_seconds: float
    floor_seconds: float
    """CPU time of decoding, one 5x5 distance transform and one contour extraction [s]."""
    limit_seconds: float
    """What the build may take [s]."""
    start_seconds: float
    """CPU time of interpreter, imports and first uses, before the build [s]."""
    peak_mb: float
    """Largest resident size of the process, warm-up included [MB]."""
    usd_mb: float
    step_seconds: dict[str, float]
    """CPU time by step [s]."""

    @property
    def failures(self) -> tuple[str, ...]:
        """What is above its limit."""
        limits = (
            ("time", self.cpu_seconds, self.limit_seconds),
            ("memory", self.peak_mb, MAX_PEAK_MB),
            ("size", self.usd_mb, MAX_USD_MB),
        )
        return tuple(name for name, value, limit in limits if value > limit)


class Benchmark(BaseModel):
    """All sizes, and where they were measured."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    machine: Machine
    repetitions: int
    image_format: ImageFormat
    rungs: tuple[Rung, ...]

    @property
    def growth(self) -> float | None:
        """Exponent of time over raster size: 1 is linear. None with fewer than two large sizes."""
        large = [rung for rung in self.rungs if rung.megapixels >= _FROM_MEGAPIXELS]
        if len({rung.megapixels for rung in large}) < 2:
            return None
        return statistics.linear_regression(
            [math.log(rung.megapixels) for rung in large],
            [math.log(rung.cpu_seconds) for rung in large],
        ).slope

    @property
    def passed(self) -> bool:
        """Whether every size is within its limits."""
        return not any(rung.failures for rung in self.rungs)


def measure_ladder(
    requests: tuple[CircuitRequest, ...],
    folder: Path,
    *,
    repetitions: int = 3,
    image_format: ImageFormat = "pgm",
    progress: Callable[[str], None] | None = None,
) -> Benchmark:
    """Draw and measure circuits.

    Args:
        requests: What to draw.
        folder: Where maps and stages go; files of the same names are replaced.
        repetitions: Measurements of each, in turns of floor and build, each in a fresh process.
        image_format: How maps are stored. ``pgm`` is what map_saver writes, and the stricter
            choice: its decoding adds less to the floor.
        progress: Told of each step.
    """
    tell = progress or (lambda _step: None)
    warm_up = _draw(WARM_UP, folder, image_format)
    rungs = []
    for request in requests:
        tell(f"drawing {request.name}")
        map_yaml = _draw(request, folder, image_format)
        tell(f"measuring {request.name}, {request.megapixels:g} MP")
        rungs.append(_measure(request, map_yaml, warm_up, image_format, repetitions))
    return Benchmark(
        machine=describe_machine(),
        repetitions=repetitions,
        image_format=image_format,
        rungs=tuple(rungs),
    )


def _draw(request: CircuitRequest, folder: Path, image_format: ImageFormat) -> Path:
    """Write the map of a circuit."""
    cells = draw_circuit(make_circuit(request))
    map_yaml = folder / f"{request.name}.yaml"
    source = OccupancyMap(cells, request.resolution, Pose2D(0.0, 0.0), request.name)
    write_map(source, map_yaml, force=True, image_format=image_format)
    return map_yaml


def _measure(
    request: CircuitRequest,
    map_yaml: Path,
    warm_up: Path,
    image_format: ImageFormat,
    repetitions: int,
) -> Rung:
    """Measure one size several times and take the medians."""
    suffix = f".{image_format}"
    floors, builds = [], []
    for _ in range(repetitions):
        floors.append(run_floor(map_yaml.with_suffix(suffix), warm_up.with_suffix(suffix)))
        builds.append(run_build(map_yaml, map_yaml.with_suffix(".usdc"), warm_up))
    floor = statistics.median(one.cpu_seconds for one in floors)
    rows, columns = request.shape

    def median(value: Callable[[BuildMeasurement], float]) -> float:
        return statistics.median(map(value, builds))

    return Rung(
        map=request.name,
        megapixels=rows * columns / 1e6,
        lap_length_m=builds[0].lap_length_m,
        cpu_seconds=median(lambda one: one.cpu_seconds),
        wall_seconds=median(lambda one: one.wall_seconds),
        floor_seconds=floor,
        limit_seconds=FLOOR_FACTOR * floor + OFFSET_SECONDS,
        start_seconds=median(lambda one: one.start_seconds),
        peak_mb=max(one.peak_bytes for one in builds) / 1e6,
        usd_mb=builds[0].usd_bytes / 1e6,
        step_seconds={
            step: statistics.median(one.step_seconds[step] for one in builds)
            for step in builds[0].step_seconds
        },
    )
