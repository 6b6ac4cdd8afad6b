"""Compiling vehicle models: one source, run car by car in machine code or over arrays in numpy.

A model is a function over *records*: ``state[k]``, ``parameters[k]`` and so on. Given rows of one
car, every ``record[k]`` is a number; given transposed tables, it is an array over all cars. Written
without branches, the same source serves both, so the numpy path is no second implementation.

numba keeps compiled code on disk and notices only changes of the file that holds the outer
function. The outer function here therefore closes over a digest of all sources it was compiled
from, the constants in :mod:`roboracer_arena.sim.car.columns` included.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.sim.car import columns

__all__ = ["Kernel", "Source", "compiled", "interpreted", "numba_is_here", "select"]

Table = NDArray[np.float64]
Kernel = Callable[[Table, Table, Table, Table, Table, float], None]
"""Called with state, command, parameters, internal values and wrench (tables with one row for each
car) and the step [s]; writes internal values and wrench."""


@dataclass(frozen=True, slots=True)
class Source:
    """A model as functions over records."""

    step: Callable[[Any, Any, Any, Any, Any, float], None]
    """As :data:`Kernel`, but over records."""
    parts: tuple[Callable[..., Any], ...]
    """Every function that the step calls, directly or not, :func:`select` aside."""


def select(condition: Any, this: Any, other: Any) -> Any:
    """Return ``this`` where the condition holds and ``other`` elsewhere."""
    return np.where(condition, this, other)


def numba_is_here() -> bool:
    """Return whether numba can be imported."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def interpreted(source: Source) -> Kernel:
    """Return a kernel that runs a model over whole columns with numpy."""

    def run(
        state: Table, command: Table, parameters: Table, internal: Table, wrench: Table, dt: float
    ) -> None:
        source.step(state.T, command.T, parameters.T, internal.T, wrench.T, dt)

    return run


@cache
def compiled(source: Source) -> Kernel:
    """Return a kernel that runs a model car by car in machine code, which is kept on disk."""
    from numba import njit

    _register(source)
    step = source.step
    functions = (*source.parts, step)
    digest = _digest([columns, *(inspect.getmodule(function) for function in functions)])

    def run(
        state: Table, command: Table, parameters: Table, internal: Table, wrench: Table, dt: float
    ) -> None:
        digest  # noqa: B018  the closure makes it part of the key of the compiled code
        for car in range(state.shape[0]):
            step(state[car], command[car], parameters[car], internal[car], wrench[car], dt)

    kernel: Kernel = njit(cache=True, error_model="numpy")(run)
    return kernel


_registered: set[Callable[..., Any]] = set()


def _register(source: Source) -> None:
    """Let compiled code call the functions of a model; each of them once in a process."""
    from numba.extending import overload, register_jitable

    if select not in _registered:
        overload(select)(_select_numbers)
        _registered.add(select)
    for function in (*source.parts, source.step):
        if function not in _registered:
            register_jitable(function)
            _registered.add(function)


def _select_numbers(condition: Any, this: Any, other: Any) -> Any:
    def choose(condition: Any, this: Any, other: Any) -> Any:
        return this if condition else other

    return choose


def _digest(modules: Iterable[ModuleType | None]) -> str:
    named = {module.__name__: module for module in modules if module is not None}
    content = hashlib.sha256()
    for name in sorted(named):
        content.update(inspect.getsource(named[name]).encode())
    return content.hexdigest()
