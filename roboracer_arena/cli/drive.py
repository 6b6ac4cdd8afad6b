"""``arena drive``: cars race on a track."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from roboracer_arena.cli.options import Flag
from roboracer_arena.cli.output import print_json, print_table, print_warnings, show_progress

if TYPE_CHECKING:
    from roboracer_arena.sim.controllers import Controller
    from roboracer_arena.sim.drive import DriveResult
    from roboracer_arena.sim.record import Recorder
    from roboracer_arena.sim.world import World
    from roboracer_arena.usd import TrackStage

__all__ = ["drive"]


def drive(
    track: str,
    /,
    *,
    controller: str = "pure-pursuit",
    laps: int = 3,
    cars: int = 1,
    engine: Literal["physx", "mujoco"] = "physx",
    car: Literal["double_track", "single_track"] = "double_track",
    vehicle: Path | None = None,
    on_collision: Literal["continue", "reset", "end"] = "continue",
    start_line: float = 0.0,
    time_limit: float = 600.0,
    seed: int = 0,
    record: Path | None = None,
    record_scans: Flag = False,
    plot: Path | None = None,
    view: Path | None = None,
    force: Flag = False,
    json: Flag = False,
) -> int:
    """Let cars drive laps on a track in contact physics.

    Parameters
    ----------
    track
        A built stage, a map YAML, or the name of a library track; what is not built gets built.
    controller
        pure-pursuit, follow-the-gap, stanley, wall-follow, or FILE.py:name for your own.
    laps
        Laps to finish.
    cars
        Number of cars; they start on the grid behind the line.
    engine
        Physics engine.
    car
        Car model.
    vehicle
        Parameter file with what differs from the standard car.
    on_collision
        Whether a car that touches something drives on, is put back, or is out.
    start_line
        Move the start line forward along the lap [m].
    time_limit
        Longest simulated time [s].
    seed
        Seed of the sensor noise.
    record
        Write every step to this run file (.npz).
    record_scans
        Put the lidar scans into the run file too.
    plot
        Draw where the cars went and how fast, as PNG.
    view
        Render the cars on the track at the start in 3D, as PNG or JPEG.
    force
        Replace files that exist.
    json
        Print the result as one JSON document.
    """
    from roboracer_arena.cli.targets import check_targets
    from roboracer_arena.files import check_target
    from roboracer_arena.sim.drive import drive as run
    from roboracer_arena.sim.record import Recorder
    from roboracer_arena.sim.track_source import open_track

    inputs = [Path(track), *([vehicle] if vehicle else [])]
    check_targets([record, plot, view], inputs=inputs)
    for target in (record, plot, view):
        if target is not None:
            check_target(target, force=force)
    with show_progress(f"Driving on {track}") as progress:
        stage = open_track(track, progress=progress)
        world = _world(stage, vehicle, cars, laps, engine, car, on_collision, start_line, seed)
        if view is not None:
            from roboracer_arena.view.race_view import render_race

            print_warnings(render_race(world, view, force=force, progress=progress))
        drivers = _drivers(controller, cars)
        recorder = None
        if record is not None or plot is not None:
            names = tuple(name for name, _ in drivers)
            recorder = Recorder(world, names, seed=seed, scans=record_scans)
        result = run(
            world,
            drivers,
            time_limit=time_limit,
            recorder=recorder,
            progress=progress,
            seed=seed,
        )
        if recorder is not None:
            _keep(world, recorder, result, record, plot, force=force)
    world.close()
    if json:
        print_json(result)
    else:
        _print(result)
    return 130 if any(one.end == "interrupted" for one in result.cars) else 0


def _world(
    stage: TrackStage,
    vehicle: Path | None,
    cars: int,
    laps: int,
    engine: str,
    car: Literal["double_track", "single_track"],
    on_collision: str,
    start_line: float,
    seed: int,
) -> World:
    """Set the cars up on the grid."""
    from roboracer_arena.sim.lidar import LidarModel
    from roboracer_arena.sim.race import CollisionPolicy, RaceRules
    from roboracer_arena.sim.world import World, WorldSettings
    from roboracer_arena.vehicle import load_lidar, load_vehicle

    return World(
        stage,
        load_vehicle(vehicle),
        cars,
        settings=WorldSettings(engine=engine, car=car, start=start_line),
        lidar=LidarModel.from_parameters(load_lidar()),
        rules=RaceRules(laps=laps, on_collision=CollisionPolicy(on_collision)),
        seed=seed,
    )


def _drivers(controller: str, cars: int) -> list[tuple[str, Controller]]:
    """Return one driver for each car."""
    from roboracer_arena.sim.controllers import load_controller

    return [(controller, load_controller(controller)) for _ in range(cars)]


def _keep(
    world: World,
    recorder: Recorder,
    result: DriveResult,
    record: Path | None,
    plot: Path | None,
    *,
    force: bool,
) -> None:
    """Write the run file and draw the picture."""
    if record is not None:
        recorder.write(world, record, force=force)
    if plot is not None:
        import numpy as np

        from roboracer_arena.sim.engines import stage_meshes
        from roboracer_arena.sim.outline import slice_walls
        from roboracer_arena.view.run_plot import write_run_plot

        anchor = np.array(world.stage.anchor)
        walls = [line + anchor for line in slice_walls(stage_meshes(world.stage), 0.1)]
        trails = [recorder.trail(car) + anchor for car in range(world.count)]
        speeds = [recorder.speed(car) for car in range(world.count)]
        write_run_plot(
            plot, walls, trails, speeds, title=result.track, facts=_facts(result), force=force
        )


def _facts(result: DriveResult) -> list[str]:
    """Return what the picture says below its title."""
    first = result.cars[0]
    laps = ", ".join(f"{lap.time_s:.2f}" for lap in first.laps[:6])
    facts = [f"lap {result.lap_length_m:.2f} m", first.controller]
    return [*facts, f"laps {laps} s"] if laps else facts


def _print(result: DriveResult) -> None:
    """Print the result for a person."""
    rows = [
        ("track", f"{result.track}, lap of {result.lap_length_m:.2f} m"),
        ("engine", f"{result.engine}, {result.car}"),
    ]
    for one in result.cars:
        rows.append((f"car {one.car}", f"{one.controller}: {one.end}"))
        for number, lap in enumerate(one.laps, start=1):
            hits = f", {lap.collisions} collision(s)" if lap.collisions else ""
            rows.append((f"  lap {number}", f"{lap.time_s:.3f} s{hits}"))
        rows.append(
            (
                "  all",
                (
                    f"{one.distance_m:.1f} m, at most {one.max_speed_mps:.2f} m/s, "
                    f"{one.collisions} collision(s)"
                ),
            )
        )
        if one.message:
            print_warnings([f"car {one.car}: {one.message}"])
    rows.append(("speed", f"{result.real_time_factor:.1f} x real time"))
    print_table(rows)
