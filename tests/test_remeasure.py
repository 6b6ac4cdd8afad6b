"""Finished stages measured against their maps, with none of the code that made them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from pxr import Usd, UsdGeom
from scipy.spatial import cKDTree

from roboracer_arena.build import build_map, build_track
from roboracer_arena.maps import FREE, OccupancyMap, read_map
from tests.drawn import stadium_map
from tests.usd.slices import slice_at, world_triangles
from tests.usd.validity import assert_valid_stage

REAL_MAPS = (
    "Austin_map",
    "Germany2022",
    "IPZ33",
    "RCA1",
    "SaoPaulo_map",
    "basement_fixed",
    "berlin",
    "hangar12",
    "hangar3",
    "icra2022",
    "levine",
    "skirk",
    "track_barca",
    "vegas",
)
PIXEL = 0.025
"""Side of a pixel of the raster that is flooded [m]; a ball of 5 cm is two pixels wide."""


def _free(source: OccupancyMap) -> np.ndarray:
    """Free cells without the dim grey that stands for unseen space."""
    free = source.cells == FREE
    if source.dim_free is not None:
        free &= ~source.dim_free.astype(bool)
    return free


def _sampled(segments: np.ndarray, spacing: float) -> np.ndarray:
    """Points along segments, at least the middle of each, shape [n, 2]."""
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    points = []
    for (start, end), length in zip(segments, lengths, strict=True):
        count = max(1, int(np.ceil(length / spacing)))
        share = (np.arange(count) + 0.5) / count
        points.append(start + share[:, None] * (end - start))
    return np.concatenate(points)


def _cell_edges(free: np.ndarray, source: OccupancyMap) -> np.ndarray:
    """Middles of the edges between free and other cells in the map frame, shape [n, 2]."""
    padded = np.pad(free, 1)
    rows, columns = np.nonzero(padded[1:] != padded[:-1])
    level = np.stack([columns - 0.5, rows * 1.0], axis=1)
    rows, columns = np.nonzero(padded[:, 1:] != padded[:, :-1])
    upright = np.stack([columns * 1.0, rows - 0.5], axis=1)
    return source.origin.transform(np.concatenate([level, upright]) * source.resolution)


def _centreline(path: Path) -> np.ndarray:
    stage = Usd.Stage.Open(str(path))
    prim = stage.GetPrimAtPath("/Track/Centerline")
    points = np.array(UsdGeom.PointBased(prim).GetPointsAttr().Get(), dtype=float)
    offset = UsdGeom.XformCache().GetLocalToWorldTransform(prim).ExtractTranslation()
    return points[:, :2] + np.array(offset)[:2]


def _reached(segments: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Flood from a point up to the walls; return the raster and the place of its corner."""
    corner = segments.reshape(-1, 2).min(axis=0) - 4 * PIXEL
    size = np.ceil((segments.reshape(-1, 2).max(axis=0) - corner) / PIXEL).astype(int) + 4
    raster = np.zeros((size[1], size[0]), dtype=np.uint8)
    # 8-connected lines stop a flood in four directions: what gets out, gets out by a gap.
    pixels = np.floor((segments - corner) / PIXEL).astype(np.int32)
    cv2.polylines(raster, list(pixels), isClosed=False, color=1, lineType=cv2.LINE_8)
    x, y = np.floor((start - corner) / PIXEL).astype(int)
    cv2.floodFill(raster, None, (int(x), int(y)), 2, flags=4)
    return raster == 2, corner


def _assert_walls_match(source: OccupancyMap, path: Path) -> None:
    segments = slice_at(world_triangles(path), 0.1)
    line = _centreline(path)
    free = _free(source)
    cell = source.resolution

    distance, _ = cKDTree(_cell_edges(free, source)).query(_sampled(segments, cell / 2.0))
    assert distance.mean() <= cell
    assert np.quantile(distance, 0.95) <= 2.0 * cell

    clearance = cv2.distanceTransform(free.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    core = (clearance - 0.5) * cell > 0.2
    _, labels = cv2.connectedComponents(core.astype(np.uint8), connectivity=4)
    cells = source.world_to_cell(line)
    on_line = labels[cells[:, 0], cells[:, 1]]  # 0 where an obstacle stands on the line

    reached, corner = _reached(segments, line[np.flatnonzero(on_line)[0]])
    assert not reached[0].any()
    assert not reached[-1].any()
    assert not reached[:, 0].any()
    assert not reached[:, -1].any()

    rows, columns = np.nonzero(np.isin(labels, on_line[on_line > 0]))
    centres = source.cell_to_world(np.stack([rows, columns], axis=1).astype(float))
    x, y = np.floor((centres - corner) / PIXEL).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < reached.shape[1]) & (y < reached.shape[0])
    assert len(rows) > 0
    assert inside.all()
    assert reached[y, x].all()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"origin": (-3.0, 2.0, 0.5), "obstacle": True},
        {"origin": (471234.5, 6543210.25, 0.0)},
        {"thin_lines": True},
        {"width": 0.7, "scale": 2.0},
    ],
)
def test_walls_of_a_drawn_map_stand_where_the_map_has_them(
    tmp_path: Path, options: dict[str, object]
) -> None:
    source = stadium_map(**options)  # type: ignore[arg-type]
    path = tmp_path / "track.usdc"
    build_map(source, path)
    _assert_walls_match(source, path)


@pytest.mark.shared
@pytest.mark.parametrize("name", REAL_MAPS)
def test_walls_of_a_real_map_stand_where_the_map_has_them(
    name: str, tmp_path: Path, shared_dir: Path
) -> None:
    folder = shared_dir / "data" / "maps" / name
    path = tmp_path / "track.usdc"
    report = build_track(folder, path)
    assert_valid_stage(path, asset_validator=name in ("Germany2022", "RCA1", "levine"))
    assert report.usd_bytes <= 3_000_000
    _assert_walls_match(read_map(folder), path)
