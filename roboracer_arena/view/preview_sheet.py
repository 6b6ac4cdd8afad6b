"""The sheet that a preview is drawn on: what part of the map it shows, axes, title and legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from roboracer_arena.view.lettering import text_width, write_text

__all__ = ["PAPER", "Color", "LegendEntry", "Sheet", "draw_axes", "draw_legend", "draw_title"]

Color = tuple[int, int, int]
Point = tuple[float, float]

PAPER: Color = (250, 250, 248)
_INK: Color = (38, 42, 48)
_FAINT: Color = (122, 128, 134)
_LONG_SIDE = 1400
"""Length of the longer side of the drawing [px]."""
_LEAST = (900, 240)
"""Least width and height of the drawing [px]; title and legend need that width."""
_LEFT, _TOP, _RIGHT, _BOTTOM = 84, 96, 36, 112
"""Room for axes, title and legend [px]."""
_LARGE, _SMALL = 32, 18
"""Font sizes [px]."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One colour and what it stands for."""

    text: str
    color: Color


@dataclass(frozen=True, slots=True)
class Sheet:
    """The part of the map frame that is shown, and its scale."""

    low: Point
    """Lower-left corner of the drawing, map frame [m]."""
    high: Point
    """Upper-right corner [m]."""
    scale: float
    """[px/m]"""

    @classmethod
    def around(cls, points: NDArray[np.float64], margin: float) -> Sheet:
        """Return a sheet that shows points, shape [n, 2] [m], with a margin [m] around them.

        Long and narrow surroundings are widened, so that title and legend have room.
        """
        low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
        scale = _LONG_SIDE / max(float((high - low).max()), 1e-9)
        missing = np.maximum(np.array(_LEAST) / scale - (high - low), 0.0)
        low, high = low - missing / 2, high + missing / 2
        return cls((float(low[0]), float(low[1])), (float(high[0]), float(high[1])), scale)

    @property
    def inner_size(self) -> tuple[int, int]:
        """Width and height of the drawing without its surroundings [px]."""
        return (
            round((self.high[0] - self.low[0]) * self.scale),
            round((self.high[1] - self.low[1]) * self.scale),
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture [px]."""
        width, height = self.inner_size
        return width + _LEFT + _RIGHT, height + _TOP + _BOTTOM

    @property
    def corner(self) -> tuple[int, int]:
        """Upper-left corner of the drawing in the picture [px]."""
        return _LEFT, _TOP

    def pixels(self, points: NDArray[np.float64], zoom: int = 1) -> list[Point]:
        """Return where map-frame points, shape [n, 2] [m], lie in the picture, enlarged [px]."""
        x = (points[:, 0] - self.low[0]) * self.scale + _LEFT
        y = (self.high[1] - points[:, 1]) * self.scale + _TOP
        return [(float(a) * zoom, float(b) * zoom) for a, b in zip(x, y, strict=True)]


def draw_axes(picture: Image.Image, sheet: Sheet) -> None:
    """Frame the drawing and label both axes in metres; a scale bar shows one tick's length."""
    draw = ImageDraw.Draw(picture)
    width, height = sheet.inner_size
    right, bottom = _LEFT + width - 1, _TOP + height - 1
    draw.rectangle([_LEFT, _TOP, right, bottom], outline=_INK, width=1)
    step = _tick_step(max(sheet.high[0] - sheet.low[0], sheet.high[1] - sheet.low[1]))
    for value, text in _ticks(sheet.low[0], sheet.high[0], step):
        x = _LEFT + (value - sheet.low[0]) * sheet.scale
        draw.line([x, bottom, x, bottom + 7], fill=_INK)
        write_text(picture, (x, bottom + 28), text, size=_SMALL, color=_INK, anchor="center")
    for value, text in _ticks(sheet.low[1], sheet.high[1], step):
        y = bottom - (value - sheet.low[1]) * sheet.scale
        draw.line([_LEFT - 7, y, _LEFT, y], fill=_INK)
        place = (_LEFT - 12, y + _SMALL / 3)
        write_text(picture, place, text, size=_SMALL, color=_INK, anchor="right")
    middle = (_LEFT + width / 2, bottom + 56)
    write_text(picture, middle, "x [m]", size=_SMALL, color=_FAINT, anchor="center")
    corner = (_LEFT - 12, _TOP - 16)  # on the base line of the facts
    write_text(picture, corner, "y [m]", size=_SMALL, color=_FAINT, anchor="right")
    _draw_scale(picture, (right, bottom + 96), step, sheet.scale)


def draw_title(picture: Image.Image, sheet: Sheet, name: str, facts: Sequence[str]) -> None:
    """Write the name and what was measured over the drawing."""
    room = sheet.inner_size[0]
    title = _shortened(name, room, _LARGE, bold=True)
    write_text(picture, (_LEFT, 46), title, size=_LARGE, color=_INK, bold=True)
    line = _shortened("   ·   ".join(facts), room, _SMALL, bold=False)
    write_text(picture, (_LEFT, 80), line, size=_SMALL, color=_FAINT)


def draw_legend(picture: Image.Image, sheet: Sheet, entries: Sequence[LegendEntry]) -> None:
    """Explain the colours in a row under the drawing."""
    draw = ImageDraw.Draw(picture)
    x, y = float(_LEFT), sheet.size[1] - 16
    for entry in entries:
        draw.line([x, y - 6, x + 26, y - 6], fill=entry.color, width=4)
        write_text(picture, (x + 34, y), entry.text, size=_SMALL, color=_INK)
        x += 34 + text_width(entry.text, size=_SMALL) + 26


def _draw_scale(picture: Image.Image, end: Point, length: float, scale: float) -> None:
    """Draw a bar of a length [m] that ends at a place, with its length beside it."""
    draw = ImageDraw.Draw(picture)
    x, y = end
    start = x - length * scale
    draw.line([start, y - 6, x, y - 6], fill=_INK, width=3)
    for stop in (start, x):
        draw.line([stop, y - 12, stop, y], fill=_INK, width=2)
    text = f"{length:g} m"
    write_text(picture, (start - 12, y), text, size=_SMALL, color=_INK, anchor="right")


def _tick_step(span: float) -> float:
    """Return a round distance that divides a span into five to twelve parts [m]."""
    power = 10.0 ** math.floor(math.log10(span / 5))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= span / 5 * (1 + 1e-9))


def _ticks(low: float, high: float, step: float) -> list[tuple[float, str]]:
    """Return the round values between two numbers, and how to write them."""
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
    return [(number * step, f"{number * step:.{digits}f}") for number in numbers]


def _shortened(text: str, room: int, size: int, *, bold: bool) -> str:
    """Return as much of a line as there is room for [px]."""
    if text_width(text, size=size, bold=bold) <= room:
        return text
    fits = len(text)
    while fits > 1 and text_width(text[:fits] + "...", size=size, bold=bold) > room:
        fits -= 1 + fits // 50
    return text[:fits] + "..."
