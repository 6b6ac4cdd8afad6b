"""Commands as they come in: bad ones dropped and counted, old ones turned into a stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roboracer_arena.errors import UsageError

__all__ = ["CommandFilter", "Commands"]

Ids = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Commands:
    """What the cars are to do now, as :meth:`CarModel.wrench` takes it."""

    command: NDArray[np.float64]
    """Shape [n, 2], steering angle [rad] and speed [m/s] or acceleration [m/s²]."""
    accelerate: NDArray[np.bool_]
    """Shape [n], whether the second column is an acceleration."""
    stale: NDArray[np.bool_]
    """Shape [n], whether the car stops because nothing good has come for too long."""


class CommandFilter:
    """Keeps the last good command of each car.

    * A command with any number that is not finite is dropped as a whole and counted; the last good
      one holds on. It does not count as a sign of life.
    * Where no good command has come for longer than the timeout, the speed target becomes zero and
      the steering stays. The next good command ends the stop.
    * Before its first command a car stands.

    Limits of angle, speed and acceleration are those of the car model.

    Args:
        count: Number of cars.
        timeout: Silence after which a car stops [s].
    """

    def __init__(self, count: int, timeout: float) -> None:
        if count < 1:
            raise UsageError(f"is {count}; at least one car is needed", where="count")
        if not 0.0 < timeout <= 1.0:
            raise UsageError(f"is {timeout} s; it must lie in (0, 1]", where="timeout")
        self.timeout = timeout
        self._command = np.zeros((count, 2))
        self._accelerate = np.zeros(count, dtype=bool)
        self._heard = np.full(count, -np.inf)
        self._rejected = np.zeros(count, dtype=np.int64)

    @property
    def count(self) -> int:
        """Number of cars."""
        return int(self._command.shape[0])

    @property
    def rejected(self) -> NDArray[np.int64]:
        """How many commands of each car were dropped, shape [n]; a copy."""
        return self._rejected.copy()

    def submit(
        self,
        command: ArrayLike,
        time: float,
        ids: Ids | None = None,
        *,
        accelerate: ArrayLike = False,
    ) -> NDArray[np.bool_]:
        """Hand over commands.

        Args:
            command: Shape [k, 2], steering angle [rad] and speed [m/s] or acceleration [m/s²].
            time: When they arrive [s], in the time of the simulation.
            ids: For which cars, length k; all where None.
            accelerate: Whether the second column is an acceleration, one flag or k.

        Returns:
            Shape [k], which commands were taken.

        Raises:
            UsageError: The command has the wrong shape, or the time is not finite.
        """
        chosen = np.arange(self.count) if ids is None else np.asarray(ids, dtype=np.int64)
        rows = np.asarray(command, dtype=np.float64)
        if rows.shape != (len(chosen), 2):
            raise UsageError(
                f"has shape {rows.shape}; needed is ({len(chosen)}, 2)", where="command"
            )
        if not np.isfinite(time):
            raise UsageError(f"is {time}; a finite time in seconds is needed", where="time")
        flags = np.broadcast_to(np.asarray(accelerate, dtype=bool), chosen.shape)
        good: NDArray[np.bool_] = np.all(np.isfinite(rows), axis=1)
        self._rejected[chosen[~good]] += 1
        taken = chosen[good]
        self._command[taken] = rows[good]
        self._accelerate[taken] = flags[good]
        self._heard[taken] = time
        return good

    def current(self, time: float) -> Commands:
        """Return what the cars are to do at a time of the simulation [s]."""
        stale = time - self._heard > self.timeout
        command = self._command.copy()
        command[stale, 1] = 0.0
        return Commands(command=command, accelerate=self._accelerate & ~stale, stale=stale)

    def reset(self, ids: Ids | None = None) -> None:
        """Forget the commands of some cars, and their counts; they stand until the next command."""
        chosen = np.arange(self.count) if ids is None else np.asarray(ids, dtype=np.int64)
        self._command[chosen] = 0.0
        self._accelerate[chosen] = False
        self._heard[chosen] = -np.inf
        self._rejected[chosen] = 0
