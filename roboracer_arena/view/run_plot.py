"""The picture of a run: where each car went and how fast, over the plan of the track."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from roboracer_arena.files import atomic_path
from roboracer_arena.view.lettering import write_text
from roboracer_arena.view.preview_sheet import PAPER, Sheet, draw_axes, draw_title

__all__ = ["draw_run", "write_run_plot"]

_WALL = (70, 76, 84)
_FLOOR = (236, 239, 242)
_OVERSAMPLE = 2
_INK = (38, 42, 48)


def write_run_plot(
    path: Path,
    walls: Sequence[NDArray[np.float64]],
    trails: Sequence[NDArray[np.float64]],
    speeds: Sequence[NDArray[np.float64]],
    *,
    title: str,
    facts: Sequence[str],
    force: bool = False,
) -> None:
    """Draw a run and write it as PNG; arguments as for :func:`draw_run`.

    Raises:
        OutputError: The file cannot be written.
    """
    with atomic_path(path, force=force) as temporary:
        draw_run(walls, trails, speeds, title=title, facts=facts).save(temporary, format="PNG")


def draw_run(
    walls: Sequence[NDArray[np.float64]],
    trails: Sequence[NDArray[np.float64]],
    speeds: Sequence[NDArray[np.float64]],
    *,
    title: str,
    facts: Sequence[str],
) -> Image.Image:
    """Draw the trails of cars, coloured by speed.

    Args:
        walls: Plan of the walls, polylines of shape [k, 2], map frame [m].
        trails: For each car its positions, shape [t, 2], map frame [m].
        speeds: For each car its speed, shape [t] [m/s].
        title: Name of the track.
        facts: What to write below it.
    """
    every = np.concatenate(list(walls))
    sheet = Sheet.around(every, max(0.5, 0.03 * float(np.ptp(every, axis=0).max())))
    top = max(1.0, max((float(speed.max(initial=0.0)) for speed in speeds), default=1.0))
    picture = Image.new("RGB", sheet.size, PAPER)
    large = picture.resize((picture.width * _OVERSAMPLE, picture.height * _OVERSAMPLE))
    draw = ImageDraw.Draw(large)
    for wall in sorted(walls, key=lambda line: -float(np.ptp(line, axis=0).prod())):
        pixels = sheet.pixels(wall, _OVERSAMPLE)
        if len(pixels) > 2:
            x, y = wall.T
            outer = float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0.0
            draw.polygon(pixels, fill=_FLOOR if outer else PAPER)
        draw.line(pixels, fill=_WALL, width=3 * _OVERSAMPLE, joint="curve")
    for trail, speed in zip(trails, speeds, strict=True):
        _draw_trail(draw, sheet, trail, speed, top)
    picture = large.resize(picture.size, Image.Resampling.LANCZOS)
    draw_axes(picture, sheet)
    draw_title(picture, sheet, title, facts)
    _draw_scale(picture, top)
    return picture


def _colors(share: NDArray[np.float64]) -> list[tuple[int, int, int]]:
    """Return colours for shares of the top speed, shape [n] in 0..1 (OpenCV's turbo map)."""
    grey = np.clip(share * 255.0, 0, 255).astype(np.uint8)[:, None]
    table = cv2.applyColorMap(grey, cv2.COLORMAP_TURBO)[:, 0, ::-1]
    return [(int(r), int(g), int(b)) for r, g, b in table]


def _draw_trail(
    draw: ImageDraw.ImageDraw,
    sheet: Sheet,
    trail: NDArray[np.float64],
    speed: NDArray[np.float64],
    top: float,
) -> None:
    """Draw one car's way in short strokes."""
    stride = max(1, len(trail) // 8000)
    pixels = sheet.pixels(trail[::stride], _OVERSAMPLE)
    colors = _colors(speed[::stride] / top)
    for start, end, color in zip(pixels[:-1], pixels[1:], colors, strict=False):
        draw.line([start, end], fill=color, width=3 * _OVERSAMPLE)


def _draw_scale(picture: Image.Image, top: float) -> None:
    """Draw the colour scale in the lower right of the sheet."""
    width, height = 260, 14
    x0, y0 = 110, picture.height - 44
    draw = ImageDraw.Draw(picture)
    for column, color in enumerate(_colors(np.linspace(0.0, 1.0, width))):
        draw.line([x0 + column, y0, x0 + column, y0 + height], fill=color)
    write_text(picture, (x0 - 8, y0 + 13), "0", size=16, color=_INK, anchor="right")
    write_text(picture, (x0 + width + 8, y0 + 13), f"{top:.1f}", size=16, color=_INK, anchor="left")
    write_text(
        picture, (x0 + width / 2, y0 - 8), "speed [m/s]", size=16, color=_INK, anchor="center"
    )
