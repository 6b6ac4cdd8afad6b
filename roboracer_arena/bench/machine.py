"""Where a benchmark ran: without it, its numbers mean nothing."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pydantic import BaseModel, ConfigDict

__all__ = ["Machine", "describe_machine"]

_PACKAGES = ("numpy", "scipy", "opencv-python", "usd-core")


class Machine(BaseModel):
    """Processor and software."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    processor: str
    cores: int
    """Cores that this process may use."""
    system: str
    python: str
    libraries: dict[str, str]
    """Version of each library that the build's time depends on."""


def describe_machine() -> Machine:
    """Return what this process runs on."""
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else (os.cpu_count() or 1),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        libraries={name: _version(name) for name in _PACKAGES},
    )


def _processor() -> str:
    """Return the model of the processor, as far as the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
