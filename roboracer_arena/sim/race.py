"""Race rules: laps, sectors, collisions, wrong way, off track; for any number of cars at once.

The clock of a car starts when it first crosses the start line in driving direction and each lap
ends at the next crossing, both to a fraction of a step. Crossings are counted on the distance
travelled along the course, so driving back and forth over the line earns nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.course import Course, Progress
from roboracer_arena.sim.engine import Contacts
from roboracer_arena.sim.rotation import yaw_of

__all__ = ["CollisionPolicy", "EndReason", "Event", "Lap", "Race", "RaceRules"]


class CollisionPolicy(StrEnum):
    """What happens to a car that touches a wall or another car."""

    CONTINUE = "continue"
    """It drives on; the contact is counted."""
    RESET = "reset"
    """It is put back on the centreline where it was, at rest."""
    END = "end"
    """Its race is over."""


class EndReason(StrEnum):
    """Why a car's race is over."""

    FINISHED = "finished"
    COLLISION = "collision"
    OFF_TRACK = "off_track"
    WRONG_WAY = "wrong_way"
    STALLED = "stalled"
    TIME_LIMIT = "time_limit"
    CONTROLLER = "controller_error"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class RaceRules:
    """The rules of a race."""

    laps: int = 3
    """Laps to finish; 0 races on until the time limit."""
    sectors: int = 3
    """Equal parts of the lap that are timed."""
    on_collision: CollisionPolicy = CollisionPolicy.CONTINUE
    """What a contact costs."""
    wrong_way_after: float = 1.5
    """Time a car may face against the course while moving [s]."""
    stalled_after: float = 5.0
    """Time a car may stand still, counted from the start [s]; 0 allows any."""
    off_track_margin: float = 0.3
    """How far beyond the wall face the centre of a car may be before it counts as escaped [m]."""
    contact_gap: float = 0.25
    """Contacts closer in time than this are one collision [s]."""

    def __post_init__(self) -> None:
        if self.laps < 0 or self.sectors < 1:
            raise UsageError(
                f"laps is {self.laps} and sectors {self.sectors}; they must be >= 0, 1"
            )


@dataclass(frozen=True, slots=True)
class Lap:
    """One finished lap."""

    time: float
    """[s]."""
    sectors: tuple[float, ...]
    """Time of each sector [s]."""
    collisions: int
    """Collisions during the lap."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to one car."""

    time: float
    """Simulated time [s]."""
    car: int
    kind: str
    """``lap``, ``sector``, ``collision_wall``, ``collision_car``, ``reset`` or an end reason."""
    value: float = 0.0
    """Lap or sector time [s], or impulse [N s]."""


class Race:
    """Keeps the score of ``count`` cars on one course."""

    def __init__(
        self,
        course: Course,
        count: int,
        rules: RaceRules,
        inside: Callable[[NDArray[np.float64]], NDArray[np.bool_]] | None = None,
    ) -> None:
        """Take the course.

        Args:
            course: The lap.
            count: Number of cars.
            rules: The rules.
            inside: Whether points, shape [n, 2] [m], lie in the corridor; asked only for cars
                that are farther off the line than its widths, since a corridor may have bays.
        """
        self._inside = inside
        self.course = course
        self.rules = rules
        self.count = count
        self.travelled = np.zeros(count)
        """Shape [n], distance along the course since the start line was first crossed [m]."""
        self.progress = Progress(np.zeros(count), np.zeros(count), np.zeros(count))
        self.ended: list[EndReason | None] = [None] * count
        self.laps: list[list[Lap]] = [[] for _ in range(count)]
        self.collisions = np.zeros(count, dtype=np.int64)
        self.events: list[Event] = []
        self._active = np.ones(count, dtype=bool)
        self._gate = np.zeros(count, dtype=np.int64)
        self._gate_times: list[list[float]] = [[] for _ in range(count)]
        self._collisions_before = np.zeros(count, dtype=np.int64)
        self._last_contact = np.full(count, -np.inf)
        self._facing_back = np.zeros(count)
        self._standing = np.zeros(count)

    @property
    def active(self) -> NDArray[np.bool_]:
        """Shape [n], whether each car still races; a copy."""
        return self._active.copy()

    def begin(self, ids: NDArray[np.int64], positions: NDArray[np.float64]) -> None:
        """Start cars afresh from where they stand, shape [k, 2] [m]."""
        found = self.course.locate(positions)
        behind = found.s > 0.5 * self.course.length
        self.travelled[ids] = np.where(behind, found.s - self.course.length, found.s)
        self._store(ids, found)
        self.collisions[ids] = 0
        self._collisions_before[ids] = 0
        self._last_contact[ids] = -np.inf
        self._facing_back[ids] = 0.0
        self._standing[ids] = 0.0
        gates = np.ceil(self.travelled[ids] * self.rules.sectors / self.course.length)
        self._gate[ids] = np.maximum(gates, 0).astype(np.int64)
        for car in ids:
            self.ended[car] = None
            self._active[car] = True
            self.laps[car] = []
            self._gate_times[car] = []

    def replace(self, ids: NDArray[np.int64], positions: NDArray[np.float64]) -> None:
        """Tell that cars were put elsewhere on the course without having driven there."""
        found = self.course.locate(positions)
        half = 0.5 * self.course.length
        step = (found.s - self.progress.s[ids] + half) % self.course.length - half
        self.travelled[ids] += np.minimum(step, 0.0)
        self._store(ids, found)
        self._facing_back[ids] = 0.0
        self._standing[ids] = 0.0

    def update(
        self, time: float, dt: float, state: NDArray[np.float64], contacts: Contacts
    ) -> NDArray[np.int64]:
        """Score one step that ended at ``time``.

        Args:
            time: Simulated time at the end of the step [s].
            dt: Length of the step [s].
            state: Shape [n, 13], after the step.
            contacts: What was touched during the step.

        Returns:
            The cars that the collision policy wants to be reset, shape [k].
        """
        before = self.travelled.copy()
        half = 0.5 * self.course.length
        found = self.course.locate(state[:, :2], near=self.progress.s)
        moved = (found.s - self.progress.s + half) % self.course.length - half
        self.travelled = np.where(self._active, before + moved, before)
        self.progress = found
        self._score_gates(time, dt, before)
        self._watch_direction(time, dt, state)
        self._watch_edges(time, state)
        return self._score_contacts(time, contacts)

    def end(self, car: int, reason: EndReason, time: float) -> None:
        """End the race of one car; the first reason stays."""
        if self.ended[car] is None:
            self.ended[car] = reason
            self._active[car] = False
            self.events.append(Event(time, car, reason.value))

    # -- the rules ------------------------------------------------------------------------------

    def _store(self, ids: NDArray[np.int64], found: Progress) -> None:
        self.progress.s[ids] = found.s
        self.progress.lateral[ids] = found.lateral
        self.progress.heading[ids] = found.heading

    def _score_gates(self, time: float, dt: float, before: NDArray[np.float64]) -> None:
        """Count crossings of sector lines; the start line is every ``sectors``-th of them."""
        spacing = self.course.length / self.rules.sectors
        position = self._gate * spacing
        for car in np.flatnonzero((self.travelled >= position) & self._active):
            share = (position[car] - before[car]) / max(self.travelled[car] - before[car], 1e-12)
            moment = time - dt + dt * float(np.clip(share, 0.0, 1.0))
            self._pass_gate(int(car), moment)

    def _pass_gate(self, car: int, moment: float) -> None:
        times = self._gate_times[car]
        started = len(times) > 0
        gate = int(self._gate[car])
        self._gate[car] += 1
        if not started and gate % self.rules.sectors:
            return  # the clock starts at the start line only
        times.append(moment)
        if started:
            self.events.append(Event(moment, car, "sector", moment - times[-2]))
        if not started or gate % self.rules.sectors:
            return
        splits = np.diff(times[-self.rules.sectors - 1 :])
        total = int(self.collisions[car])
        lap = Lap(
            time=float(splits.sum()),
            sectors=tuple(float(split) for split in splits),
            collisions=total - int(self._collisions_before[car]),
        )
        self._collisions_before[car] = total
        self.laps[car].append(lap)
        self.events.append(Event(moment, car, "lap", lap.time))
        if self.rules.laps and len(self.laps[car]) >= self.rules.laps:
            self.end(car, EndReason.FINISHED, moment)

    def _watch_direction(self, time: float, dt: float, state: NDArray[np.float64]) -> None:
        speed = np.hypot(state[:, 7], state[:, 8])
        turned = np.cos(yaw_of(state[:, 3:7]) - self.progress.heading) < 0.0
        self._facing_back = np.where(turned & (speed > 0.3), self._facing_back + dt, 0.0)
        self._standing = np.where(speed < 0.05, self._standing + dt, 0.0)
        for car in np.flatnonzero(self._facing_back > self.rules.wrong_way_after):
            self.end(int(car), EndReason.WRONG_WAY, time)
        if self.rules.stalled_after > 0.0:
            for car in np.flatnonzero(self._standing > self.rules.stalled_after):
                self.end(int(car), EndReason.STALLED, time)

    def _watch_edges(self, time: float, state: NDArray[np.float64]) -> None:
        right, left = self.course.widths_at(self.progress.s)
        lateral, margin = self.progress.lateral, self.rules.off_track_margin
        far = np.flatnonzero((lateral > left + margin) | (-lateral > right + margin))
        if len(far) and self._inside is not None:
            far = far[~self._inside(state[far, :2])]
        for car in far:
            self.end(int(car), EndReason.OFF_TRACK, time)

    def _score_contacts(self, time: float, contacts: Contacts) -> NDArray[np.int64]:
        touched = (contacts.wall | contacts.car) & self._active
        if not touched.any():
            return np.empty(0, dtype=np.int64)
        fresh = touched & (time - self._last_contact > self.rules.contact_gap)
        self._last_contact[touched] = time
        self.collisions[fresh] += 1
        for car in np.flatnonzero(fresh):
            kind = "collision_car" if contacts.car[car] else "collision_wall"
            size = float(np.linalg.norm(contacts.impulse[car]))
            self.events.append(Event(time, int(car), kind, size))
        struck = np.flatnonzero(fresh)
        if self.rules.on_collision is CollisionPolicy.END:
            for car in struck:
                self.end(int(car), EndReason.COLLISION, time)
        return struck if self.rules.on_collision is CollisionPolicy.RESET else struck[:0]
