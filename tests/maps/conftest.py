"""A small map on disk, whose parts a test can replace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

MapFactory = Callable[..., Path]

FIELDS = {
    "image": "map.png",
    "resolution": "0.05",
    "origin": "[0.0, 0.0, 0.0]",
    "negate": "0",
    "occupied_thresh": "0.65",
    "free_thresh": "0.196",
}


def yaml_text(**fields: str | None) -> str:
    """The text of a map YAML; a field that is None is left out."""
    merged: dict[str, str | None] = {**FIELDS, **fields}
    return "".join(f"{key}: {value}\n" for key, value in merged.items() if value is not None)


@pytest.fixture
def make_map(tmp_path: Path) -> MapFactory:
    """Write ``hall.yaml`` with ``map.png`` into a fresh folder and return the YAML's path."""

    def make(
        pixels: NDArray[np.generic] | bytes | None = None,
        *,
        text: str | bytes | None = None,
        name: str = "hall.yaml",
        folder: str = ".",
        **fields: str | None,
    ) -> Path:
        if pixels is None:
            pixels = np.array([[0, 205], [254, 254], [254, 0]], np.uint8)
        if isinstance(pixels, np.ndarray):
            pixels = cv2.imencode(".png", pixels)[1].tobytes()
        home = tmp_path / folder
        home.mkdir(exist_ok=True)
        (home / (fields.get("image") or "map.png")).write_bytes(pixels)
        if text is None:
            text = yaml_text(**fields)
        yaml = home / name
        yaml.write_bytes(text.encode() if isinstance(text, str) else text)
        return yaml

    return make
