"""The top-down picture of a map and what was found in it. Needs the base dependencies only.

The picture is in map-frame axes: the map is turned by its yaw, x points right and y up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from roboracer_arena.corridor import Border, Centerline, Corridor
from roboracer_arena.errors import OutputError
from roboracer_arena.files import atomic_path, check_target
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap
from roboracer_arena.view.preview_sheet import (
    PAPER,
    Color,
    LegendEntry,
    Sheet,
    draw_axes,
    draw_legend,
    draw_title,
)

__all__ = ["check_preview_target", "draw_preview", "write_preview"]

_WALL: Color = (58, 62, 70)
_UNSEEN: Color = (216, 216, 213)
_OPEN: Color = (255, 255, 255)
_CORRIDOR: Color = (203, 228, 246)
_COLORS: dict[str, Color] = {
    "outer": (214, 69, 65),
    "infield": (36, 98, 171),
    "obstacle": (222, 132, 20),
}
_LINE: Color = (30, 132, 73)
_NARROW: Color = (142, 68, 173)
_START: Color = (20, 20, 20)
_ZOOM = 2
"""Lines are drawn at this scale and reduced, which smooths them."""


def check_preview_target(path: Path, *, force: bool) -> None:
    """Refuse a target that cannot be written, or whose name promises another format.

    Raises:
        OutputError: The name does not end in ``.png``, or the file cannot be written.
        OutputExistsError: It exists and ``force`` is false.
    """
    if path.suffix.lower() != ".png":
        raise OutputError("the preview is a PNG; name it *.png", where=str(path))
    check_target(path, force=force)


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
        OutputError: The name does not end in ``.png``, or the file cannot be written.
        OutputExistsError: It exists and ``force`` is false.
    """
    check_preview_target(path, force=force)
    with atomic_path(path, force=force) as temporary:
        draw_preview(source, corridor, line).save(temporary, format="PNG")


def draw_preview(
    source: OccupancyMap, corridor: Corridor | None = None, line: Centerline | None = None
) -> Image.Image:
    """Draw the map, and over it the corridor, its borders and the lap with its direction.

    Args:
        source: The map.
        corridor: What was found in it; None draws the map alone.
        line: The lap; None where the corridor has none.

    Returns:
        A colour image; its drawing is about 1400 pixels on the longer side, whatever the size of
        the map. The same map gives the same pixels.
    """
    sheet = _sheet(source, corridor)
    picture = Image.new("RGB", sheet.size, PAPER)
    picture.paste(_background(source, corridor, sheet), sheet.corner)
    if corridor is not None:
        large = picture.resize((picture.width * _ZOOM, picture.height * _ZOOM))
        _draw_lines(ImageDraw.Draw(large), sheet, corridor, line)
        picture = large.resize(picture.size, Image.Resampling.BOX)
    draw_axes(picture, sheet)
    draw_title(picture, sheet, source.name, _facts(source, corridor, line))
    draw_legend(picture, sheet, _legend(corridor, line))
    return picture


# -- what is shown ------------------------------------------------------------------------------


def _sheet(source: OccupancyMap, corridor: Corridor | None) -> Sheet:
    """Show the corridor with some surroundings, or the whole map where there is none."""
    if corridor is None:
        width, height = source.width * source.resolution, source.height * source.resolution
        far = np.array([[0.0, 0.0], [width, 0.0], [0.0, height], [width, height]])
        return Sheet.around(source.origin.transform(far), 0.0)
    shown = source.origin.transform(corridor.borders[0].points)
    return Sheet.around(shown, max(0.6, 0.04 * float(np.ptp(shown, axis=0).max())))


def _background(source: OccupancyMap, corridor: Corridor | None, sheet: Sheet) -> Image.Image:
    """Return the map in greys with the corridor tinted, as large as the drawing."""
    colors, cell_low = _shown_cells(source, corridor, sheet)
    shrink = max(1.0, 1.0 / (sheet.scale * source.resolution))
    if shrink > 1.0:
        # The mean of the cells that fall into a pixel: a thin wall stays visible as a faint one.
        height, width = (max(1, round(side / shrink)) for side in colors.shape[:2])
        shrink_x, shrink_y = colors.shape[1] / width, colors.shape[0] / height
        resized = cv2.resize(colors, (width, height), interpolation=cv2.INTER_AREA)
        colors = np.asarray(resized, dtype=np.uint8)
    else:
        shrink_x = shrink_y = 1.0
    to_source = _pixel_to_cell(source, sheet)
    to_source[:, 2] += 0.5 - cell_low
    to_source /= np.array([[shrink_x], [shrink_y]])
    to_source[:, 2] -= 0.5
    how = (cv2.INTER_LINEAR if shrink > 1.0 else cv2.INTER_NEAREST) | cv2.WARP_INVERSE_MAP
    drawn = cv2.warpAffine(colors, to_source, sheet.inner_size, flags=how, borderValue=_UNSEEN)
    return Image.fromarray(np.asarray(drawn, dtype=np.uint8))


def _shown_cells(
    source: OccupancyMap, corridor: Corridor | None, sheet: Sheet
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the colours of the cells that the sheet shows, and column and row of the first.

    Cells beyond the map are unseen; there is always at least one.
    """
    (x0, y0), (x1, y1) = sheet.low, sheet.high
    cells = source.world_to_cell(np.array([[x0, y0], [x0, y1], [x1, y0], [x1, y1]]))
    limits = np.array([source.height, source.width])
    low = np.clip(cells.min(axis=0) - 1, 0, limits - 1)
    high = np.clip(cells.max(axis=0) + 2, low + 1, limits)
    palette = np.full((256, 3), _UNSEEN, dtype=np.uint8)
    palette[[OCCUPIED, UNKNOWN, FREE]] = (_WALL, _UNSEEN, _OPEN)
    colors = palette[source.cells[low[0] : high[0], low[1] : high[1]]]
    if corridor is not None:
        place = np.array(corridor.window) - low
        rows, columns = np.nonzero(corridor.free)
        rows, columns = rows + place[0], columns + place[1]
        inside = (rows >= 0) & (columns >= 0)
        inside &= (rows < colors.shape[0]) & (columns < colors.shape[1])
        colors[rows[inside], columns[inside]] = _CORRIDOR
    return colors, low[::-1].astype(np.float64)


def _pixel_to_cell(source: OccupancyMap, sheet: Sheet) -> NDArray[np.float64]:
    """Return the affine map, shape [2, 3], from a pixel of the drawing to column and row."""
    pose = source.origin
    cos, sin = math.cos(pose.yaw), math.sin(pose.yaw)
    step = 1.0 / (sheet.scale * source.resolution)
    half = 0.5 / sheet.scale  # from a pixel's corner to its centre
    dx = (sheet.low[0] + half - pose.x) / source.resolution
    dy = (sheet.high[1] - half - pose.y) / source.resolution
    return np.array(
        [
            [cos * step, -sin * step, cos * dx + sin * dy - 0.5],
            [-sin * step, -cos * step, -sin * dx + cos * dy - 0.5],
        ]
    )


# -- lines --------------------------------------------------------------------------------------


def _draw_lines(
    draw: ImageDraw.ImageDraw, sheet: Sheet, corridor: Corridor, line: Centerline | None
) -> None:
    """Draw borders, then the lap with arrows, narrowest place and start line."""
    origin = corridor.source.origin
    for border in corridor.borders:
        _stroke(draw, sheet, origin.transform(border.points), _COLORS[border.kind], 2.0)
    if line is None:
        return
    places = origin.transform(line.points)
    _stroke(draw, sheet, places, _LINE, 2.5)
    _draw_arrows(draw, sheet, places, line)
    _draw_narrowest(draw, sheet, places, line)
    _draw_start(draw, sheet, places, line)


def _stroke(
    draw: ImageDraw.ImageDraw,
    sheet: Sheet,
    points: NDArray[np.float64],
    color: Color,
    width: float,
) -> None:
    """Draw a closed line; a border too small to see becomes a dot."""
    pixels = sheet.pixels(points, _ZOOM)
    thick = round(width * _ZOOM)
    spread = np.ptp(np.array(pixels), axis=0).max()
    if spread < 4 * thick:
        x, y = np.array(pixels).mean(axis=0)
        draw.ellipse([x - thick, y - thick, x + thick, y + thick], outline=color, width=thick // 2)
        return
    draw.line([*pixels, pixels[0]], fill=color, width=thick, joint="curve")


def _directions(places: NDArray[np.float64], index: int) -> tuple[NDArray[np.float64], ...]:
    """Return the unit vectors ahead and to the left at a point of a closed line."""
    ahead = places[(index + 1) % len(places)] - places[index - 1]
    ahead = ahead / max(float(np.hypot(*ahead)), 1e-12)
    return ahead, np.array([-ahead[1], ahead[0]])


def _draw_arrows(
    draw: ImageDraw.ImageDraw, sheet: Sheet, places: NDArray[np.float64], line: Centerline
) -> None:
    """Draw arrow heads along the lap, about every 110 pixels."""
    count = max(4, round(line.length * sheet.scale / 110))
    size = 9.0 / sheet.scale
    for number in range(count):
        index = int((number + 0.5) * len(places) / count) % len(places)
        ahead, side = _directions(places, index)
        tip, back = places[index] + size * ahead, places[index] - size * ahead
        corners = np.array([tip, back + 0.75 * size * side, back - 0.75 * size * side])
        draw.polygon(sheet.pixels(corners, _ZOOM), fill=_LINE)


def _draw_narrowest(
    draw: ImageDraw.ImageDraw, sheet: Sheet, places: NDArray[np.float64], line: Centerline
) -> None:
    """Draw a bar from wall to wall where the corridor is narrowest."""
    index = int(np.argmin(line.width_left + line.width_right))
    ahead, side = _directions(places, index)
    left = places[index] + line.width_left[index] * side
    right = places[index] - line.width_right[index] * side
    tick = 6.0 / sheet.scale * ahead
    for first, last in ((left, right), (left - tick, left + tick), (right - tick, right + tick)):
        draw.line(sheet.pixels(np.array([first, last]), _ZOOM), fill=_NARROW, width=3 * _ZOOM)


def _draw_start(
    draw: ImageDraw.ImageDraw, sheet: Sheet, places: NDArray[np.float64], line: Centerline
) -> None:
    """Draw the start line from wall to wall, chequered."""
    ahead, side = _directions(places, 0)
    right, left = float(line.width_right[0]), float(line.width_left[0])
    depth = 6.0 / sheet.scale
    fields = max(4, 2 * round((left + right) / (2.0 * depth)))
    edges = np.linspace(-right, left, fields + 1)
    for row in range(2):
        near, far = (row - 1) * depth * ahead, row * depth * ahead
        for field in range(fields):
            shade = _START if (row + field) % 2 else (255, 255, 255)
            low, high = places[0] + edges[field] * side, places[0] + edges[field + 1] * side
            corners = np.array([low + near, high + near, high + far, low + far])
            draw.polygon(sheet.pixels(corners, _ZOOM), fill=shade)


# -- words --------------------------------------------------------------------------------------


def _facts(source: OccupancyMap, corridor: Corridor | None, line: Centerline | None) -> list[str]:
    """Return what stands under the title."""
    facts = [f"{source.width} × {source.height} cells of {source.resolution:g} m"]
    if line is not None:
        width = line.width_left + line.width_right
        facts.append(f"lap {line.length:.2f} m")
        facts.append(f"width {width.mean():.2f} m, at least {width.min():.2f} m")
    if corridor is not None:
        facts.append(f"area {corridor.area:.1f} m²")
    return facts


def _legend(corridor: Corridor | None, line: Centerline | None) -> list[LegendEntry]:
    """Return the colours that the picture uses and what they stand for."""
    borders: Sequence[Border] = corridor.borders if corridor else ()
    words = {"outer": "outer wall", "infield": "infield wall", "obstacle": "obstacle"}
    kinds = dict.fromkeys(border.kind for border in borders)
    entries = [LegendEntry(words[kind], _COLORS[kind]) for kind in kinds]
    if line is not None:
        entries += [LegendEntry("centreline", _LINE), LegendEntry("narrowest place", _NARROW)]
    return entries
