"""The top-down picture: what it shows where, for maps of every size and name."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from roboracer_arena.corridor import Centerline, Corridor, find_centerline, find_corridor
from roboracer_arena.errors import OutputError, OutputExistsError
from roboracer_arena.maps import OccupancyMap, Pose2D
from roboracer_arena.view import preview
from roboracer_arena.view.lettering import text_width, write_text
from roboracer_arena.view.preview import draw_preview, write_preview

RADIUS, WIDTH = 3.5, 1.2
TINT, WALL, UNSEEN = (203, 228, 246), (58, 62, 70), (216, 216, 213)


def ring(
    cell: float = 0.05, origin: Pose2D | None = None, name: str = "ring"
) -> tuple[OccupancyMap, Corridor, Centerline]:
    """A ring road whose middle lies at grid position (6, 5) m."""
    rows, columns = round(10 / cell), round(12 / cell)
    y, x = np.mgrid[0:rows, 0:columns]
    radius = np.hypot((x + 0.5) * cell - 6.0, (y + 0.5) * cell - 5.0)
    cells = np.full((rows, columns), 205, np.uint8)
    cells[np.abs(radius - RADIUS) <= WIDTH / 2 + 0.15] = 0
    cells[np.abs(radius - RADIUS) <= WIDTH / 2] = 254
    source = OccupancyMap(
        cells=cells, resolution=cell, origin=origin or Pose2D(-6.0, -5.0), name=name
    )
    corridor = find_corridor(source)
    return source, corridor, find_centerline(corridor)


def color_at(
    picture: Image.Image, source: OccupancyMap, corridor: Corridor, grid: tuple[float, float]
) -> tuple[int, ...]:
    """The colour at a grid-frame position [m]."""
    sheet = preview._sheet(source, corridor)
    x, y = sheet.pixels(source.origin.transform(np.array([grid])))[0]
    color = picture.getpixel((math.floor(x), math.floor(y)))
    assert isinstance(color, tuple)
    return color


@pytest.mark.parametrize("cell", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("yaw", [0.0, 0.4, -2.5])
def test_corridor_walls_and_unseen_space_lie_where_the_map_says(cell: float, yaw: float) -> None:
    source, corridor, line = ring(cell, Pose2D(17.0, -250.0, yaw))
    picture = draw_preview(source, corridor, line)
    for angle in np.radians(range(7, 360, 45)):
        towards = np.array([math.cos(angle), math.sin(angle)])
        for radius, color in [
            (RADIUS - 0.3, TINT),
            (RADIUS + 0.3, TINT),
            (RADIUS + WIDTH / 2 + 0.08, WALL),
            (RADIUS - WIDTH / 2 - 0.08, WALL),
            (1.5, UNSEEN),
        ]:
            x, y = np.array([6.0, 5.0]) + radius * towards
            seen = color_at(picture, source, corridor, (float(x), float(y)))
            assert np.abs(np.subtract(seen, color)).max() < 45, (angle, radius)


@pytest.mark.parametrize(
    ("rows", "columns"), [(1, 1), (3, 2000), (2000, 3), (40, 60), (3000, 4000), (1, 40_000)]
)
def test_a_picture_has_a_sensible_size_whatever_the_size_of_the_map(
    rows: int, columns: int
) -> None:
    source = OccupancyMap(
        cells=np.full((rows, columns), 254, np.uint8), resolution=0.05, origin=Pose2D(0, 0, 0.3)
    )
    width, height = draw_preview(source).size
    assert 1000 <= width <= 1600
    assert 400 <= height <= 1700


def test_thin_walls_of_large_maps_stay_visible() -> None:
    cells = np.full((6000, 6000), 254, np.uint8)
    cells[3000] = 0
    source = OccupancyMap(cells=cells, resolution=0.05, origin=Pose2D(0, 0))
    column = np.asarray(draw_preview(source).convert("L"))[200:1400, 700].astype(int)
    assert column.min() < 220


def test_the_same_map_gives_the_same_bytes(tmp_path: Path) -> None:
    source, corridor, line = ring()
    paths = [tmp_path / "a.png", tmp_path / "b.png"]
    for path in paths:
        write_preview(path, source, corridor, line)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_an_existing_picture_and_other_formats_are_left_alone(tmp_path: Path) -> None:
    source, corridor, line = ring()
    old = tmp_path / "old.png"
    old.write_bytes(b"mine")
    with pytest.raises(OutputExistsError):
        write_preview(old, source, corridor, line)
    with pytest.raises(OutputError, match=r"\.png"):
        write_preview(tmp_path / "map.pgm", source, corridor, line, force=True)
    assert [entry.name for entry in tmp_path.iterdir()] == ["old.png"]
    assert old.read_bytes() == b"mine"


def test_the_lap_turns_the_way_it_is_driven() -> None:
    source, corridor, _ = ring()
    there = find_centerline(corridor, direction="ccw")
    back = find_centerline(corridor, direction="cw")
    pictures = [np.asarray(draw_preview(source, corridor, line)) for line in (there, back)]
    assert (pictures[0] != pictures[1]).any()


@given(st.text(max_size=300))
@settings(max_examples=40, deadline=None)
def test_any_name_can_be_written(name: str) -> None:
    source = OccupancyMap(
        cells=np.full((20, 30), 254, np.uint8), resolution=0.05, origin=Pose2D(0, 0), name=name
    )
    draw_preview(source)


def test_letters_of_many_scripts_differ() -> None:
    drawn = set()
    for text in ("a", "ü", "ß", "Ω", "Ж", "赛", "道", "ひ", "서"):
        picture = Image.new("RGB", (60, 60), "white")
        write_text(picture, (10, 45), text, size=30, color=(0, 0, 0))
        drawn.add(picture.tobytes())
    assert len(drawn) == 9


def test_without_fonts_of_opencv_plain_latin_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roboracer_arena.view.lettering._HAS_FONTS", False)
    pictures = []
    for text in ("Zürich", "Zurich"):
        picture = Image.new("RGB", (200, 60), "white")
        write_text(picture, (10, 45), text, size=30, color=(0, 0, 0))
        pictures.append(picture.tobytes())
    assert pictures[0] == pictures[1]
    assert text_width("赛道", size=30) > 0
