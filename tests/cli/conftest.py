"""A small track on disk, and the command line as a user calls it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "import sys; from roboracer_arena.cli import main; sys.exit(main())"


@dataclass(frozen=True)
class Ran:
    """What a call left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


def arena(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> Ran:
    """Call the command line in its own process."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=False,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def write_ring(folder: Path, name: str = "ring") -> Path:
    """Write the map of a ring road, 3.5 m in radius and 1.2 m wide, and return its YAML."""
    y, x = np.mgrid[0:200, 0:200]
    radius = np.hypot(x - 99.5, y - 99.5) * 0.05
    image = np.full((200, 200), 205, np.uint8)
    image[np.abs(radius - 3.5) <= 0.7] = 0
    image[np.abs(radius - 3.5) <= 0.6] = 254
    Image.fromarray(image).save(folder / f"{name}.png")
    yaml = folder / f"{name}.yaml"
    yaml.write_text(
        f"image: {name}.png\nresolution: 0.05\norigin: [-5.0, -5.0, 0.0]\n"
        "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )
    return yaml


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    """The YAML of a ring road in a folder of its own."""
    return write_ring(tmp_path)
