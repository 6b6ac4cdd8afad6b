"""Named wall-clock and CPU timings of a multi-step job, and its peak memory."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

__all__ = ["StepTimer", "peak_memory_bytes"]


@dataclass
class StepTimer:
    """Collects the time of each step of a job, in order.

    Attributes:
        wall_seconds: Wall-clock time of each step [s], by step name.
        cpu_seconds: CPU time of the whole process during each step [s], by step name.
    """

    wall_seconds: dict[str, float] = field(default_factory=dict)
    cpu_seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a block; a name used twice accumulates."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.wall_seconds[name] = self.wall_seconds.get(name, 0.0) + time.perf_counter() - wall
            self.cpu_seconds[name] = self.cpu_seconds.get(name, 0.0) + time.process_time() - cpu


def peak_memory_bytes() -> int:
    """Return the largest resident size this process has had so far [bytes]."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # getrusage(2): kilobytes on Linux, bytes on macOS.
    return peak if sys.platform == "darwin" else peak * 1024
