"""From a map to a collision-ready stage; reads like a table of contents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from roboracer_arena.build_report import BuildReport, StepSeconds
from roboracer_arena.corridor import (
    Border,
    Centerline,
    Corridor,
    find_centerline,
    find_corridor,
    wall_faces,
)
from roboracer_arena.maps import OccupancyMap, read_map
from roboracer_arena.mesh import (
    DuctBarrier,
    SurfaceMesh,
    duct_barriers,
    floor_mesh,
    obstacle_blocks,
    ring_prototype,
    wall_mesh,
)
from roboracer_arena.settings import BuildSettings, settings_digest
from roboracer_arena.timing import StepTimer, peak_memory_bytes
from roboracer_arena.usd import (
    TrackMetadata,
    assemble_track,
    author_track,
    check_stage_target,
    findings_of,
    make_textures,
    refuse_faulty,
    save_track,
    texture_paths,
)

__all__ = ["BuildReport", "StepSeconds", "build_map", "build_track"]

Direction = Literal["ccw", "cw"]
Progress = Callable[[str], None]
"""Called with the name of each step before it begins; may raise to cancel the build."""
Found = Callable[[Corridor, Centerline | None], None]
"""Called with the corridor and the lap of a map, which has none where the corridor is open."""


@dataclass(frozen=True, slots=True)
class _Request:
    """What is to be built, apart from the map."""

    origin: str
    output: Path
    settings: BuildSettings
    start: tuple[float, float] | None
    close_gaps: float | None
    direction: Direction
    force: bool
    found: Found | None


class _Steps:
    """Times the steps of a build and tells of each before it begins."""

    def __init__(self, progress: Progress | None) -> None:
        self._timer = StepTimer()
        self._progress = progress

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        if self._progress:
            self._progress(name)
        with self._timer.step(name):
            yield

    def seconds(self) -> tuple[StepSeconds, StepSeconds]:
        """Return CPU and wall-clock time."""
        cpu, wall = self._timer.cpu_seconds, self._timer.wall_seconds
        return (
            StepSeconds(**cpu, total=sum(cpu.values())),
            StepSeconds(**wall, total=sum(wall.values())),
        )


def build_track(
    map_path: Path,
    output: Path,
    *,
    settings: BuildSettings | None = None,
    start: tuple[float, float] | None = None,
    close_gaps: float | None = None,
    direction: Direction = "ccw",
    force: bool = False,
    progress: Progress | None = None,
    found: Found | None = None,
) -> BuildReport:
    """Build the stage of a recorded map.

    Args:
        map_path: The map's YAML file.
        output: Stage to write: ``.usdc``, ``.usd`` or ``.usda``.
        settings: What can be chosen; None for the defaults.
        start: A point of the wanted corridor, map frame [m]; the lap starts nearest to it. None
            to find corridor and start line.
        close_gaps: Widest gap in a wall that is closed [m]; None for the settings' value.
        direction: Driving direction seen from above.
        force: Whether an existing stage may be replaced.
        progress: Told of each step; may raise to cancel.
        found: Told what was found in the map, before the stage is made of it.

    Raises:
        ArenaError: The map, its corridor, a setting or the output is unusable. Whatever is
            raised, ``KeyboardInterrupt`` included, an old stage keeps its content and no
            temporary file is left.
    """
    request = _Request(
        os.fsencode(map_path).decode("utf-8", "replace"),
        output,
        settings or BuildSettings(),
        start,
        close_gaps,
        direction,
        force,
        found,
    )
    check_stage_target(output, force=force)
    steps = _Steps(progress)
    with steps("read"):
        source = read_map(map_path)
    return _build(source, request, steps)


def build_map(
    source: OccupancyMap,
    output: Path,
    *,
    settings: BuildSettings | None = None,
    start: tuple[float, float] | None = None,
    close_gaps: float | None = None,
    direction: Direction = "ccw",
    force: bool = False,
    progress: Progress | None = None,
    found: Found | None = None,
) -> BuildReport:
    """Build the stage of a map in memory; as :func:`build_track` otherwise."""
    request = _Request(
        source.name.encode("utf-8", "replace").decode(),
        output,
        settings or BuildSettings(),
        start,
        close_gaps,
        direction,
        force,
        found,
    )
    check_stage_target(output, force=force)
    return _build(source, request, _Steps(progress))


def _build(source: OccupancyMap, request: _Request, steps: _Steps) -> BuildReport:
    """Build, step by step."""
    settings, output = request.settings, request.output
    with steps("corridor"):
        corridor = find_corridor(
            source, settings.corridor, start=request.start, close_gaps=request.close_gaps
        )
    with steps("centerline"):
        line = _centerline(corridor, request)
    if request.found:
        request.found(corridor, line)
    with steps("walls"):
        faces = wall_faces(
            corridor,
            settings.mesh.wall.level,
            tolerance=settings.corridor.collision_tolerance,
        )
        walls = [(border, wall_mesh(border, settings.mesh.wall)) for border in faces]
    with steps("ducts"):
        ducts = duct_barriers(faces, settings.mesh.duct)
        blocks = obstacle_blocks(faces, settings.mesh.obstacle)
    with steps("floor"):
        tubes = [duct.tube for duct in ducts]
        floor = floor_mesh(faces, tubes, settings.mesh.floor)
    with steps("stage"):
        metadata = _metadata(corridor, line, settings)
        ring = ring_prototype(settings.mesh.duct)
        content = assemble_track(metadata, floor, walls, ducts, blocks, ring, line)
        textures = make_textures(settings.stage)
        stage = author_track(content, settings.stage, texture_paths(output, textures))
    with steps("check"):
        refuse_faulty(findings_of(stage, folder=None), where=str(output))
    with steps("write"):
        save_track(output, stage, textures, force=request.force)
    images = sum(len(texture.data) for texture in textures.values())
    return _report(corridor, line, request, steps, walls, ducts, metadata, images)


def _centerline(corridor: Corridor, request: _Request) -> Centerline | None:
    """Return the lap, or None where the settings allow a corridor without one.

    Its widths are those between the collision walls, wherever the settings put them.
    """
    if not any(border.kind == "infield" for border in corridor.borders):
        return None
    line = find_centerline(
        corridor,
        direction=request.direction,
        start=request.start,
        settings=request.settings.corridor,
    )
    level = request.settings.mesh.wall.level
    return replace(line, width_right=line.width_right - level, width_left=line.width_left - level)


def _metadata(
    corridor: Corridor, line: Centerline | None, settings: BuildSettings
) -> TrackMetadata:
    """Return what the stage says of its track."""
    source = corridor.source
    width = None if line is None else line.width_left + line.width_right
    return TrackMetadata(
        name=source.name,
        resolution=source.resolution,
        origin_x=source.origin.x,
        origin_y=source.origin.y,
        origin_yaw=source.origin.yaw,
        lap_length=None if line is None else line.length,
        width_mean=None if width is None else float(width.mean()),
        width_min=None if width is None else float(width.min()),
        area=corridor.area,
        settings_digest=settings_digest(settings),
    )


def _report(
    corridor: Corridor,
    line: Centerline | None,
    request: _Request,
    steps: _Steps,
    walls: list[tuple[Border, SurfaceMesh]],
    ducts: tuple[DuctBarrier, ...],
    metadata: TrackMetadata,
    texture_bytes: int,
) -> BuildReport:
    """Say what was read, made and measured."""
    source = corridor.source
    kinds = [border.kind for border, _ in walls]
    cpu, wall = steps.seconds()
    return BuildReport(
        map=request.origin,
        output=str(request.output),
        name=metadata.name,
        megapixels=source.cells.size / 1e6,
        resolution_m=source.resolution,
        style=corridor.style,
        closed=corridor.closed,
        lap_length_m=metadata.lap_length,
        width_mean_m=metadata.width_mean,
        width_min_m=metadata.width_min,
        area_m2=metadata.area,
        radius_min_m=None if line is None else _smallest_radius(line),
        infields=kinds.count("infield"),
        obstacles=kinds.count("obstacle"),
        wall_triangles=sum(len(mesh.triangles) for _, mesh in walls),
        ducts=len(ducts),
        duct_triangles=sum(len(duct.tube.triangles) for duct in ducts),
        rings=sum(len(duct.ring_positions) for duct in ducts),
        usd_bytes=request.output.stat().st_size,
        texture_bytes=texture_bytes,
        peak_bytes=peak_memory_bytes(),
        cpu_seconds=cpu,
        wall_seconds=wall,
        warnings=(*source.warnings, *corridor.warnings),
    )


def _smallest_radius(line: Centerline) -> float | None:
    """Return the smallest radius of the lap [m], or None where it never turns."""
    sharpest = float(np.abs(line.curvature).max())
    return 1.0 / sharpest if sharpest > 0.0 else None
