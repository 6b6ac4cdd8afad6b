"""The top-down picture of a map and what was found in it. Needs the base dependencies only.

The picture is in map-frame axes: the map is turned by its yaw, x points right and y up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from roboracer_arena.corridor import Border, Centerline, Corridor
from roboracer_arena.files import atomic_path
from roboracer_arena.maps import OccupancyMap

__all__ = ["draw_preview", "write_preview"]

Color = tuple[int, int, int]
Point = tuple[float, float]

_PAPER: Color = (250, 250, 248)
_INK: Color = (38, 42, 48)
_FAINT: Color = (150, 155, 160)
_CORRIDOR: Color = (206, 229, 245)
_COLORS: dict[str, Color] = {
    "outer": (214, 69, 65),
    "infield": (36, 98, 171),
    "obstacle": (214, 138, 34),
}
_LINE: Color = (30, 132, 73)
_START: Color = (20, 20, 20)
_LONG_SIDE = 1400
"""Length of the longer side of the drawing [px]."""
_MARGIN = (96, 100, 40, 72)
"""Left, top, right, bottom, for axes and title [px]."""
_OVERSAMPLE = 2
"""Lines are drawn at this scale and reduced, which smooths them."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The part of the map frame that is shown, and its scale."""

    low: Point
    high: Point
    scale: float
    """[px/m]."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the drawing, margins included [px]."""
        left, top, right, bottom = _MARGIN
        return (
            round((self.high[0] - self.low[0]) * self.scale) + left + right,
            round((self.high[1] - self.low[1]) * self.scale) + top + bottom,
        )

    def pixels(self, points: NDArray[np.float64]) -> list[Point]:
        """Return where map-frame points, shape [n, 2] [m], are drawn [px]."""
        x = (points[:, 0] - self.low[0]) * self.scale + _MARGIN[0]
        y = (self.high[1] - points[:, 1]) * self.scale + _MARGIN[1]
        return [(float(a), float(b)) for a, b in zip(x, y, strict=True)]


def write_preview(
    path: Path,
    source: OccupancyMap,
    corridor: Corridor | None = None,
    line: Centerline | None = None,
    *,
    force: bool = False,
) -> None:
    """Draw a preview and write it as PNG.

    Raises:
        OutputError: The file cannot be written.
        OutputExistsError: It exists and ``force`` is false.
    """
    with atomic_path(path, force=force) as temporary:
        draw_preview(source, corridor, line).save(temporary, format="PNG", optimize=False)


def draw_preview(
    source: OccupancyMap, corridor: Corridor | None = None, line: Centerline | None = None
) -> Image.Image:
    """Draw the map, and over it the corridor, its borders and the lap with its direction.

    Args:
        source: The map.
        corridor: What was found in it; None draws the map alone.
        line: The lap; None where the corridor has none.

    Returns:
        A colour image, about 1400 pixels on its longer side.
    """
    sheet = _sheet(source, corridor)
    picture = _background(source, corridor, sheet)
    large = picture.resize((picture.width * _OVERSAMPLE, picture.height * _OVERSAMPLE))
    _draw_lines(ImageDraw.Draw(large), sheet, source, corridor, line)
    picture = large.resize(picture.size, Image.Resampling.LANCZOS)
    draw = ImageDraw.Draw(picture)
    _draw_axes(draw, sheet)
    _draw_title(draw, sheet, source, corridor, line)
    _draw_legend(draw, sheet, corridor, line)
    return picture


# -- what is shown ------------------------------------------------------------------------------


def _sheet(source: OccupancyMap, corridor: Corridor | None) -> _Sheet:
    """Show the corridor with some surroundings, or the whole map where there is none."""
    if corridor is None:
        far = np.array([[0.0, 0.0], [source.width, 0], [0, source.height]], dtype=np.float64)
        far = np.concatenate([far, [[source.width, source.height]]]) * source.resolution
        shown = source.origin.transform(far)
        around = 0.0
    else:
        shown = source.origin.transform(corridor.borders[0].points)
        around = max(0.6, 0.04 * float(np.ptp(shown, axis=0).max()))
    low, high = shown.min(axis=0) - around, shown.max(axis=0) + around
    scale = _LONG_SIDE / float((high - low).max())
    return _Sheet((float(low[0]), float(low[1])), (float(high[0]), float(high[1])), scale)


def _background(source: OccupancyMap, corridor: Corridor | None, sheet: _Sheet) -> Image.Image:
    """Return the map's greys with the corridor tinted, on paper."""
    left, top, right, bottom = _MARGIN
    width, height = sheet.size
    inner = (width - left - right, height - top - bottom)
    # From a pixel of the drawing to the cell that it shows.
    rotation = source.origin
    cos, sin = math.cos(rotation.yaw), math.sin(rotation.yaw)
    step = 1.0 / (sheet.scale * source.resolution)
    dx = (sheet.low[0] - rotation.x) / source.resolution
    dy = (sheet.high[1] - rotation.y) / source.resolution
    to_cell = np.array(
        [
            [cos * step, -sin * step, cos * dx + sin * dy - 0.5],
            [-sin * step, -cos * step, -sin * dx + cos * dy - 0.5],
        ]
    )
    shrinks = step > 1.0
    how = (cv2.INTER_LINEAR if shrinks else cv2.INTER_NEAREST) | cv2.WARP_INVERSE_MAP
    grey = cv2.warpAffine(source.cells, to_cell, inner, flags=how, borderValue=(205.0,))
    colors = np.repeat(grey[:, :, None], 3, axis=2)
    colors[grey > 230] = (255, 255, 255)
    if corridor is not None:
        shift = to_cell.copy()
        shift[:, 2] -= (corridor.window[1], corridor.window[0])
        free = cv2.warpAffine(corridor.free * np.uint8(255), shift, inner, flags=how)
        colors[free > 127] = _CORRIDOR
    picture = Image.new("RGB", (width, height), _PAPER)
    picture.paste(Image.fromarray(np.ascontiguousarray(colors)), (left, top))
    return picture


# -- lines --------------------------------------------------------------------------------------


def _draw_lines(
    draw: ImageDraw.ImageDraw,
    sheet: _Sheet,
    source: OccupancyMap,
    corridor: Corridor | None,
    line: Centerline | None,
) -> None:
    """Draw borders, then the lap with arrows and start line."""
    borders: Sequence[Border] = corridor.borders if corridor else ()
    for border in borders:
        _stroke(draw, sheet, source.origin.transform(border.points), _COLORS[border.kind], 2.0)
    if line is None:
        return
    places = source.origin.transform(line.points)
    _stroke(draw, sheet, places, _LINE, 2.5)
    _draw_arrows(draw, sheet, places, line)
    _draw_start(draw, sheet, places, line)


def _stroke(
    draw: ImageDraw.ImageDraw,
    sheet: _Sheet,
    points: NDArray[np.float64],
    color: Color,
    width: float,
) -> None:
    """Draw a closed line; a border too small to see becomes a dot."""
    pixels = [(x * _OVERSAMPLE, y * _OVERSAMPLE) for x, y in sheet.pixels(points)]
    thick = round(width * _OVERSAMPLE)
    spread = np.ptp(np.array(pixels), axis=0).max()
    if spread < 4 * thick:
        x, y = np.array(pixels).mean(axis=0)
        draw.ellipse([x - thick, y - thick, x + thick, y + thick], outline=color, width=thick // 2)
        return
    draw.line([*pixels, pixels[0]], fill=color, width=thick, joint="curve")


def _draw_arrows(
    draw: ImageDraw.ImageDraw, sheet: _Sheet, places: NDArray[np.float64], line: Centerline
) -> None:
    """Draw arrow heads along the lap, about every 110 pixels."""
    count = max(4, round(line.length * sheet.scale / 110))
    size = 9.0 / sheet.scale
    for number in range(count):
        index = int((number + 0.5) * len(places) / count) % len(places)
        ahead = places[(index + 1) % len(places)] - places[index - 1]
        ahead = ahead / max(float(np.hypot(*ahead)), 1e-12)
        side = np.array([-ahead[1], ahead[0]])
        tip = places[index] + size * ahead
        back = places[index] - size * ahead
        corners = np.array([tip, back + 0.75 * size * side, back - 0.75 * size * side])
        draw.polygon(
            [(x * _OVERSAMPLE, y * _OVERSAMPLE) for x, y in sheet.pixels(corners)], fill=_LINE
        )


def _draw_start(
    draw: ImageDraw.ImageDraw, sheet: _Sheet, places: NDArray[np.float64], line: Centerline
) -> None:
    """Draw the start line from wall to wall, chequered."""
    ahead = places[1] - places[-1]
    ahead = ahead / max(float(np.hypot(*ahead)), 1e-12)
    side = np.array([-ahead[1], ahead[0]])
    right, left = float(line.width_right[0]), float(line.width_left[0])
    depth = 6.0 / sheet.scale
    fields = max(4, 2 * round((left + right) / (2.0 * depth)))
    edges = np.linspace(-right, left, fields + 1)
    for row in range(2):
        for field in range(fields):
            shade = _START if (row + field) % 2 else (255, 255, 255)
            near, far = (row - 1) * depth, row * depth
            corners = np.array(
                [
                    places[0] + a * side + b * ahead
                    for a, b in (
                        (edges[field], near),
                        (edges[field + 1], near),
                        (edges[field + 1], far),
                        (edges[field], far),
                    )
                ]
            )
            draw.polygon(
                [(x * _OVERSAMPLE, y * _OVERSAMPLE) for x, y in sheet.pixels(corners)], fill=shade
            )


# -- words and scales ---------------------------------------------------------------------------


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _tick_step(span: float) -> float:
    """Return a round distance that divides a span into about eight parts [m]."""
    rough = span / 8.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough)


def _draw_axes(draw: ImageDraw.ImageDraw, sheet: _Sheet) -> None:
    """Frame the map and label both axes in metres."""
    (x0, y0), (x1, y1) = sheet.pixels(np.array([sheet.low, sheet.high]))
    draw.rectangle([x0, y1, x1, y0], outline=_INK, width=1)
    span = max(sheet.high[0] - sheet.low[0], sheet.high[1] - sheet.low[1])
    step = _tick_step(span)
    digits = max(0, -math.floor(math.log10(step)))
    font = _font(19)
    for axis in (0, 1):
        first = math.ceil(sheet.low[axis] / step)
        last = math.floor(sheet.high[axis] / step)
        for number in range(first, last + 1):
            value = number * step
            text = f"{value:.{digits}f}"
            if axis == 0:
                x = x0 + (value - sheet.low[0]) * sheet.scale
                draw.line([x, y0, x, y0 + 7], fill=_INK)
                draw.text((x, y0 + 11), text, fill=_INK, font=font, anchor="mt")
            else:
                y = y0 - (value - sheet.low[1]) * sheet.scale
                draw.line([x0 - 7, y, x0, y], fill=_INK)
                draw.text((x0 - 12, y), text, fill=_INK, font=font, anchor="rm")
    draw.text(((x0 + x1) / 2, y0 + 38), "x [m]", fill=_FAINT, font=font, anchor="mt")
    draw.text((x0 - 12, y1 - 14), "y [m]", fill=_FAINT, font=font, anchor="rs")
    _draw_scale(draw, (x1 - 16, y0 - 16), step, sheet.scale)


def _draw_scale(draw: ImageDraw.ImageDraw, corner: Point, length: float, scale: float) -> None:
    """Draw a bar of one tick's length in the lower right corner."""
    x, y = corner
    start = x - length * scale
    draw.rectangle([start - 10, y - 36, x + 10, y + 8], fill=_PAPER, outline=_FAINT)
    draw.line([start, y, x, y], fill=_INK, width=3)
    for end in (start, x):
        draw.line([end, y - 6, end, y + 1], fill=_INK, width=2)
    draw.text(((start + x) / 2, y - 10), f"{length:g} m", fill=_INK, font=_font(18), anchor="mb")


def _draw_title(
    draw: ImageDraw.ImageDraw,
    sheet: _Sheet,
    source: OccupancyMap,
    corridor: Corridor | None,
    line: Centerline | None,
) -> None:
    """Write the name and what was measured."""
    draw.text((_MARGIN[0], 18), _drawable(source.name), fill=_INK, font=_font(34))
    facts = [
        f"{source.width} x {source.height} cells of {source.resolution:g} m",
    ]
    if line is not None:
        width = line.width_left + line.width_right
        facts.append(f"lap {line.length:.2f} m")
        facts.append(f"width {width.mean():.2f} m (least {width.min():.2f} m)")
    if corridor is not None:
        facts.append(f"area {corridor.area:.1f} sq m")
    draw.text((_MARGIN[0], 64), "   ".join(facts), fill=_FAINT, font=_font(20))


def _drawable(text: str) -> str:
    """Return the text with what the built-in font lacks shown as a box."""
    return "".join(c if c.isprintable() and ord(c) < 0x2500 else "□" for c in text)[:60]


def _draw_legend(
    draw: ImageDraw.ImageDraw, sheet: _Sheet, corridor: Corridor | None, line: Centerline | None
) -> None:
    """Explain the colours, in the top right corner of the sheet."""
    kinds = dict.fromkeys(border.kind for border in corridor.borders) if corridor else {}
    entries = [(f"{kind} wall" if kind != "obstacle" else kind, _COLORS[kind]) for kind in kinds]
    if line is not None:
        entries.append(("centreline", _LINE))
    font = _font(19)
    x = float(sheet.size[0] - _MARGIN[2])
    for text, color in reversed(entries):
        x -= draw.textlength(text, font=font)
        draw.text((x, 76), text, fill=_INK, font=font, anchor="lm")
        x -= 34
        draw.line([x, 76, x + 26, 76], fill=color, width=4)
        x -= 18
