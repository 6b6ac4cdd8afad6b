"""Print how the car models compare with theory and with the recorded car, and what they cost.

    python tools/validate_vehicle.py [--engine free_floor|physx|mujoco] [--vehicle my.toml]

Exits with 6 where a trial fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from roboracer_arena.sim.car import Fleet, make_car
from roboracer_arena.sim.car.trials import EngineMaker, Ground, all_trials, models_agree
from roboracer_arena.sim.engine import BodyModel, Engine, EngineSettings, StaticMesh
from roboracer_arena.vehicle import load_vehicle

KINDS = ("double_track", "single_track")
COUNTS = (1, 256, 1024)


def far_world() -> list[StaticMesh]:
    """Return a floor of small triangles and one wall that nobody reaches."""
    line = np.arange(-150.0, 151.0, 10.0, dtype=np.float32)
    x, y = np.meshgrid(line, line, indexing="ij")
    points = np.column_stack((x.ravel(), y.ravel(), np.zeros(x.size, np.float32)))
    n = len(line)
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    lower = np.column_stack((corner, corner + n, corner + n + 1))
    upper = np.column_stack((corner, corner + n + 1, corner + 1))
    triangles = np.vstack((lower, upper)).astype(np.int32)
    wall = np.array([[140, -5, 0], [140, 5, 0], [140, 5, 0.5], [140, -5, 0.5]], np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    return [
        StaticMesh(points, triangles, "floor", 0.8, 0.0),
        StaticMesh(wall, faces, "wall", 0.3, 0.1),
    ]


def maker(name: str) -> EngineMaker | None:
    """Return what makes the engine of a name; None is the free floor."""
    if name == "free_floor":
        return None

    def make(body: BodyModel, settings: EngineSettings) -> Engine:
        if name == "physx":
            from roboracer_arena.sim.physx import PhysxEngine

            return PhysxEngine(far_world(), body, settings)
        from roboracer_arena.sim.mujoco import MujocoEngine

        return MujocoEngine(far_world(), body, settings)

    return make


def cost(kind: str, count: int) -> float:
    """Return the CPU time of ``wrench`` for each car and step [ns], best of five, one core."""
    random = np.random.default_rng(0)
    fleet = Fleet.of(load_vehicle(), count)
    ground = Ground(kind, fleet)
    ground.start(3.0)
    angles, speeds = random.uniform(-0.3, 0.3, count), random.uniform(1.0, 6.0, count)
    for _ in ground.drive(angles, speeds, 0.5):
        pass
    state, command = ground.engine.state(), np.column_stack((angles, speeds))
    car = make_car(kind, fleet)
    repeats = max(50, 20_000 // count)
    best = np.inf
    for _ in range(5):
        begin = time.process_time()
        for _ in range(repeats):
            car.wrench(state, command, 0.005)
        best = min(best, time.process_time() - begin)
    return best / repeats / count * 1e9


def main() -> int:
    """Run all trials and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", choices=("free_floor", "physx", "mujoco"), default="free_floor")
    parser.add_argument("--vehicle", type=Path)
    options = parser.parse_args()
    vehicle = load_vehicle(options.vehicle)
    failed = 0
    for kind in (*KINDS, "both"):
        rows = models_agree(vehicle) if kind == "both" else []
        rows = rows or all_trials(kind, vehicle, maker(options.engine))
        print(f"\n{kind} on {options.engine}")
        for row in rows:
            error = (
                f"{100 * (row.measured / row.expected - 1):+7.2f} %" if row.expected else " " * 9
            )
            verdict = "ok" if row.passed else "FAILED"
            print(
                f"  {row.trial:46s} {row.measured:10.4g} {row.expected:10.4g} {row.unit:6s}"
                f" {error}  {verdict}"
            )
            failed += not row.passed
    print("\ncost of a car and step, one core [ns]")
    for kind in KINDS:
        cells = "  ".join(f"{count} cars {cost(kind, count):6.0f}" for count in COUNTS)
        print(f"  {kind:14s} {cells}")
    print(f"\n{failed} trials failed" if failed else "\nall trials passed")
    return 6 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
