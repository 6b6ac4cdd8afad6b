"""Dead time of commands, different for each car and for each part of a command."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.errors import UsageError

__all__ = ["DelayLine"]

_LONGEST = 10_000
"""Steps kept at most: 0.5 s of delay at a step of 50 µs."""


class DelayLine:
    """Gives back each command column as it was some time ago.

    Between steps the command is interpolated, so that a delay need not be a multiple of the step
    and results change smoothly with it. Before the first command of a car, its first command holds.

    Args:
        delays: Shape [n, k], dead time of each of the k command columns [s].
        dt: Step [s].
    """

    def __init__(self, delays: NDArray[np.float64], dt: float) -> None:
        steps = delays / dt
        longest = math.ceil(float(steps.max())) if steps.size else 0
        if longest > _LONGEST:
            raise UsageError(
                f"a delay of {float(delays.max()):g} s at a step of {dt:g} s needs {longest} steps "
                f"of memory; at most {_LONGEST} are kept",
                where="delay",
            )
        self.dt = dt
        self._whole = np.floor(steps).astype(np.int64)
        self._part = steps - self._whole
        self._depth = longest + 2
        self._history = np.zeros((*delays.shape, self._depth))
        self._head = 0
        self._fresh = np.ones(delays.shape[0], dtype=bool)

    def push(self, command: NDArray[np.float64]) -> NDArray[np.float64]:
        """Store the present command, shape [n, k], and return the delayed one."""
        self._head = (self._head + 1) % self._depth
        self._history[:, :, self._head] = command
        if self._fresh.any():
            self._history[self._fresh] = command[self._fresh][:, :, None]
            self._fresh[:] = False
        newer = (self._head - self._whole) % self._depth
        older = (newer - 1) % self._depth
        after = np.take_along_axis(self._history, newer[:, :, None], axis=2)[:, :, 0]
        before = np.take_along_axis(self._history, older[:, :, None], axis=2)[:, :, 0]
        return np.asarray(after + self._part * (before - after))

    def forget(self, ids: NDArray[np.int64]) -> None:
        """Drop what some cars were commanded before."""
        self._fresh[ids] = True
