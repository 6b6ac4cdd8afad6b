"""Run files: everything that happened in a race, in one compressed file of arrays."""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from roboracer_arena import __version__
from roboracer_arena.errors import InputError
from roboracer_arena.files import atomic_path

if TYPE_CHECKING:
    from roboracer_arena.sim.world import World

__all__ = ["Recorder", "Run", "RunFacts", "read_run"]

_FORMAT = 1


class RunFacts(BaseModel):
    """What is needed to drive the same run again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int
    arena: str
    """Version of Arena."""
    engine: str
    car: str
    track: str
    track_sha256: str
    """Of the stage file."""
    vehicle: str
    """The car's parameters, as JSON."""
    seed: int
    dt: float
    count: int
    controllers: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A recorded race, read back."""

    facts: RunFacts
    time: NDArray[np.float64]
    """Shape [t], end of each step [s]."""
    state: NDArray[np.float64]
    """Shape [t, n, 13], after each step."""
    command: NDArray[np.float64]
    """Shape [t, n, 2], steering [rad] and speed [m/s] of each step."""
    steering: NDArray[np.float64]
    """Shape [t, n], angle that the servo reached [rad]."""
    scan_time: NDArray[np.float64]
    """Shape [k], when scans were taken [s]; empty if they were not recorded."""
    scans: NDArray[np.float32]
    """Shape [k, n, beams] [m]."""
    event_time: NDArray[np.float64]
    """Shape [e], [s]."""
    event_car: NDArray[np.int64]
    """Shape [e]."""
    event_kind: NDArray[np.str_]
    """Shape [e]."""
    event_value: NDArray[np.float64]
    """Shape [e]."""


class Recorder:
    """Takes down every step of a world and writes them as one ``.npz``."""

    def __init__(
        self, world: World, controllers: tuple[str, ...], *, seed: int, scans: bool = False
    ) -> None:
        self._with_scans = scans
        self._rows: list[tuple[float, NDArray[np.float64], NDArray[np.float64]]] = []
        self._steering: list[NDArray[np.float64]] = []
        self._scans: list[tuple[float, NDArray[np.float32]]] = []
        stage = world.stage
        self._facts = RunFacts(
            format=_FORMAT,
            arena=__version__,
            engine=world.engine.name,
            car=world.car.name,
            track=stage.name,
            track_sha256=hashlib.sha256(stage.path.read_bytes()).hexdigest(),
            vehicle=world.vehicle.model_dump_json(),
            seed=seed,
            dt=world.settings.dt,
            count=world.count,
            controllers=controllers,
        )

    def take(
        self, world: World, command: NDArray[np.float64], scans: NDArray[np.float64] | None
    ) -> None:
        """Take down one step; ``scans`` only where fresh ones were taken before it."""
        self._rows.append((world.time, world.state, command))
        self._steering.append(world.car.steering_angle)
        if self._with_scans and scans is not None:
            self._scans.append((world.time - world.settings.dt, scans.astype(np.float32)))

    def trail(self, car: int) -> NDArray[np.float64]:
        """Return where a car's centre of mass went, shape [t, 2] [m], relative to the anchor."""
        return np.array([row[1][car, :2] for row in self._rows]).reshape(-1, 2)

    def speed(self, car: int) -> NDArray[np.float64]:
        """Return how fast a car went, shape [t] [m/s]."""
        return np.array([np.hypot(row[1][car, 7], row[1][car, 8]) for row in self._rows])

    def write(self, world: World, path: Path, *, force: bool = False) -> None:
        """Write the run, also an unfinished one.

        Raises:
            OutputError: The file cannot be written.
        """
        events = world.race.events
        beams = world.lidar.model.beams
        arrays = {
            "time": np.array([row[0] for row in self._rows]),
            "state": np.array([row[1] for row in self._rows]).reshape(-1, world.count, 13),
            "command": np.array([row[2] for row in self._rows]).reshape(-1, world.count, 2),
            "steering": np.array(self._steering).reshape(-1, world.count),
            "scan_time": np.array([row[0] for row in self._scans]),
            "scans": np.array([row[1] for row in self._scans], dtype=np.float32).reshape(
                -1, world.count, beams
            ),
            "event_time": np.array([event.time for event in events]),
            "event_car": np.array([event.car for event in events], dtype=np.int64),
            "event_kind": np.array([event.kind for event in events], dtype="U32"),
            "event_value": np.array([event.value for event in events]),
            "facts": np.array(self._facts.model_dump_json()),
        }
        with atomic_path(path, force=force) as temporary, temporary.open("wb") as handle:
            np.savez_compressed(handle, allow_pickle=False, **arrays)


def read_run(path: Path) -> Run:
    """Read a run file.

    Raises:
        InputError: The file is missing, damaged or no run.
    """
    try:
        with path.open("rb") as handle, np.load(handle, allow_pickle=False) as data:
            facts = RunFacts.model_validate(json.loads(str(data["facts"])))
            names = [name for name in Run.__slots__ if name != "facts"]
            return Run(facts=facts, **{name: data[name] for name in names})
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise InputError(f"is no run file: {error}", where=str(path)) from error
