"""One measurement in a process of its own: a build, or the floor that no build can go below.

``python -m roboracer_arena.bench.measure build MAP.yaml OUTPUT WARM_UP.yaml`` prints one JSON
document. The parent starts it with one thread per library (:data:`SINGLE_THREAD`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from roboracer_arena.timing import peak_memory_bytes

__all__ = ["SINGLE_THREAD", "BuildMeasurement", "FloorMeasurement", "run_build", "run_floor"]

_THREAD_COUNTS = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    *("NUMEXPR_NUM_THREADS", "PXR_WORK_THREAD_LIMIT"),
)
SINGLE_THREAD = dict.fromkeys(_THREAD_COUNTS, "1")
"""Environment that keeps the libraries to one thread; OpenCV is told by a call."""


class FloorMeasurement(BaseModel):
    """Decoding the image, one 5x5 distance transform and one contour extraction."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cpu_seconds: float


class BuildMeasurement(BaseModel):
    """One build after another, small one has warmed the libraries up."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cpu_seconds: float
    """CPU time of the build with its USD write [s]."""
    wall_seconds: float
    """The same on the clock [s]."""
    start_seconds: float
    """CPU time before: interpreter, imports and first uses [s]."""
    peak_bytes: int
    """Largest resident size of the process."""
    usd_bytes: int
    """Size of the stage file, without textures."""
    lap_length_m: float
    """Lap length that the build found [m]."""
    step_seconds: dict[str, float]
    """CPU time by step [s]."""


def run_build(map_yaml: Path, output: Path, warm_up: Path) -> BuildMeasurement:
    """Measure a build in a fresh process."""
    text = _run("build", str(map_yaml), str(output), str(warm_up))
    return BuildMeasurement.model_validate_json(text)


def run_floor(image: Path, warm_up: Path) -> FloorMeasurement:
    """Measure the floor in a fresh process."""
    return FloorMeasurement.model_validate_json(_run("floor", str(image), str(warm_up)))


def _run(*arguments: str) -> str:
    """Run this module in a fresh process and return what it prints."""
    package = Path(__file__).resolve().parents[2]
    paths = [str(package), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | SINGLE_THREAD | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(
        [sys.executable, "-m", "roboracer_arena.bench.measure", *arguments],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"the measurement failed:\n{done.stderr}")
    return done.stdout


def _measure_build(map_yaml: Path, output: Path, warm_up: Path) -> BuildMeasurement:
    """Build a small map, then the one to measure."""
    import cv2

    from roboracer_arena.build import build_track

    cv2.setNumThreads(1)
    build_track(warm_up, output.with_name("warm-up.usdc"), force=True)
    start = time.process_time()
    wall = time.perf_counter()
    report = build_track(map_yaml, output, force=True)
    cpu_seconds = time.process_time() - start
    wall_seconds = time.perf_counter() - wall
    return BuildMeasurement(
        cpu_seconds=cpu_seconds,
        wall_seconds=wall_seconds,
        start_seconds=start,
        peak_bytes=peak_memory_bytes(),
        usd_bytes=report.usd_bytes,
        lap_length_m=report.lap_length_m or 0.0,
        step_seconds=report.cpu_seconds.model_dump(exclude={"total"}),
    )


def _measure_floor(image: Path, warm_up: Path) -> FloorMeasurement:
    """Do the least on a small image, then on the one to measure."""
    import cv2

    cv2.setNumThreads(1)
    _least(warm_up)
    start = time.process_time()
    _least(image)
    return FloorMeasurement(cpu_seconds=time.process_time() - start)


def _least(image: Path) -> None:
    """Decode an image, measure distances in it and trace its contours."""
    import cv2

    pixels = cv2.imread(str(image), cv2.IMREAD_GRAYSCALE)
    if pixels is None:
        raise FileNotFoundError(image)
    _, free = cv2.threshold(pixels, 253, 255, cv2.THRESH_BINARY)
    cv2.distanceTransform(free, cv2.DIST_L2, cv2.DIST_MASK_5)
    cv2.findContours(free, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)


def _main(arguments: list[str]) -> None:
    """Measure what the command line asks for and print it as JSON."""
    kind, *paths = arguments
    measures: dict[str, Callable[..., BaseModel]] = {
        "build": _measure_build,
        "floor": _measure_floor,
    }
    result = measures[kind](*map(Path, paths))
    sys.stdout.write(result.model_dump_json())


if __name__ == "__main__":
    _main(sys.argv[1:])
