"""What every car model does, and the part that all of them share."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roboracer_arena.errors import UsageError
from roboracer_arena.sim.car import columns as c
from roboracer_arena.sim.car.compile import Kernel, Source, compiled, interpreted, numba_is_here
from roboracer_arena.sim.car.delay import DelayLine
from roboracer_arena.sim.car.fleet import Fleet
from roboracer_arena.sim.engine import STATE_WIDTH
from roboracer_arena.vehicle.ackermann import wheel_angles

__all__ = ["Backend", "CarMemory", "CarModel", "TableCar"]

Backend = Literal["auto", "numba", "numpy"]
Ids = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CarMemory:
    """All that a car model remembers from one step to the next."""

    internal: NDArray[np.float64]
    """Shape [n, ``S_WIDTH``]."""
    delay: DelayLine | None
    """Commands on their way, where some car has a delay."""


class CarModel(Protocol):
    """Turns commands and the motion of rigid bodies into forces on them, for many cars at once."""

    @property
    def count(self) -> int:
        """Number of cars."""
        ...

    @property
    def planar(self) -> bool:
        """Whether the engine must hold height, roll and pitch, and leave gravity out."""
        ...

    @property
    def fleet(self) -> Fleet:
        """Parameters of the cars."""
        ...

    def reset(
        self, ids: Ids | None = None, forward_speed: ArrayLike = 0.0, steering: ArrayLike = 0.0
    ) -> None:
        """Forget the past of some cars; wheels roll at ``forward_speed``, tyres are relaxed."""
        ...

    def wrench(
        self,
        state: NDArray[np.float64],
        command: NDArray[np.float64],
        dt: float,
        accelerate: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.float64]:
        """Return force and torque of the coming step, shape [n, 6]; advances the model."""
        ...

    def save(self) -> CarMemory:
        """Return all that the model remembers; a copy."""
        ...

    def restore(self, memory: CarMemory) -> None:
        """Go back to what :meth:`save` returned."""
        ...


class TableCar:
    """A car model made of a step function over records; see :class:`CarModel`.

    Args:
        fleet: Parameters of the cars.
        gravity: [m/s²].
        backend: ``numba`` compiled, ``numpy`` not, ``auto`` compiled where numba is installed.
    """

    source: ClassVar[Source]
    name: ClassVar[str]
    planar: ClassVar[bool]
    tyres: ClassVar[int]
    """Tyres of the model: 4, or 2 where one stands for each axle."""

    def __init__(self, fleet: Fleet, *, gravity: float = 9.81, backend: Backend = "auto") -> None:
        self._fleet, self._gravity = fleet, gravity
        use_numba = backend == "numba" or (backend == "auto" and numba_is_here())
        self._kernel: Kernel = compiled(self.source) if use_numba else interpreted(self.source)
        self._parameters = fleet.table(gravity)
        self._internal = np.zeros((fleet.count, c.S_WIDTH))
        self._command = np.zeros((fleet.count, c.U_WIDTH))
        self._delay: DelayLine | None = None
        self.reset()

    @property
    def count(self) -> int:
        """Number of cars."""
        return self._fleet.count

    @property
    def fleet(self) -> Fleet:
        """Parameters of the cars."""
        return self._fleet

    def set_fleet(self, fleet: Fleet) -> None:
        """Change parameters between steps; what the cars remember stays, but for delayed commands.

        Raises:
            UsageError: The new fleet has another number of cars.
        """
        if fleet.count != self.count:
            raise UsageError(f"{fleet.count} cars are given for {self.count}", where="fleet")
        self._fleet = fleet
        self._parameters = fleet.table(self._gravity)
        self._delay = None

    def reset(
        self, ids: Ids | None = None, forward_speed: ArrayLike = 0.0, steering: ArrayLike = 0.0
    ) -> None:
        """Forget the past of some cars.

        Args:
            ids: Which cars, length k; all where None.
            forward_speed: Speed at which the wheels roll [m/s], one number or k.
            steering: Angle of the virtual middle wheel [rad], one number or k.
        """
        chosen = np.arange(self.count) if ids is None else np.asarray(ids, dtype=np.int64)
        speed = np.broadcast_to(np.asarray(forward_speed, dtype=np.float64), chosen.shape)
        angle = np.broadcast_to(np.asarray(steering, dtype=np.float64), chosen.shape)
        limit = self._fleet.max_steering[chosen]
        rows = np.zeros((len(chosen), c.S_WIDTH))
        rows[:, c.S_STEERING] = np.clip(angle, -limit, limit)
        rows[:, c.S_REFERENCE] = speed
        # Until a good command comes, a bad one holds the car as it is.
        rows[:, c.S_LAST_COMMAND_] = rows[:, c.S_STEERING]
        axle = np.arange(self.tyres) // (self.tyres // 2)
        static = self._parameters[chosen][:, c.P_STATIC_LOAD_ : c.P_STATIC_LOAD_ + 2]
        wheels = slice(c.S_WHEEL_, c.S_WHEEL_ + self.tyres)
        loads = slice(c.S_LOAD_, c.S_LOAD_ + self.tyres)
        rows[:, wheels] = (speed / self._fleet.wheel_radius[chosen])[:, None]
        rows[:, loads] = static[:, axle] * (4 // self.tyres)
        self._internal[chosen] = rows
        if self._delay is not None:
            self._delay.forget(chosen)

    def wrench(
        self,
        state: NDArray[np.float64],
        command: NDArray[np.float64],
        dt: float,
        accelerate: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.float64]:
        """Return force and torque of the coming step and advance the model by it.

        Args:
            state: Shape [n, 13], from the engine.
            command: Shape [n, 2], steering angle of the virtual middle wheel [rad, left positive]
                and speed [m/s, negative backward]. Numbers that are not finite are ignored: the
                last good one of that column holds.
            dt: Step [s].
            accelerate: Shape [n], where true the second column is an acceleration [m/s²], and 0
                means to coast. It is a torque on the wheels: they turn backward where it outlasts
                their motion or their grip.

        Returns:
            Shape [n, 6], force [N] and torque about the centre of mass [N m], world frame.

        Raises:
            UsageError: An array has the wrong shape, or the step is not positive.
        """
        self._check(state, command, dt)
        self._command[:, :2] = command
        self._command[:, c.U_ACCELERATE] = 0.0 if accelerate is None else accelerate
        self._apply_delay(dt)
        out = np.empty((self.count, 6))
        rows = np.ascontiguousarray(state, dtype=np.float64)
        self._kernel(rows, self._command, self._parameters, self._internal, out, float(dt))
        return out

    def _check(self, state: NDArray[np.float64], command: NDArray[np.float64], dt: float) -> None:
        if state.shape != (self.count, STATE_WIDTH):
            raise UsageError(
                f"has shape {state.shape}; needed is ({self.count}, {STATE_WIDTH})", where="state"
            )
        if command.shape != (self.count, 2):
            raise UsageError(
                f"has shape {command.shape}; needed is ({self.count}, 2)", where="command"
            )
        if not 0.0 < dt <= 0.1:
            raise UsageError(f"is {dt} s; it must lie in (0, 0.1]", where="dt")

    def _apply_delay(self, dt: float) -> None:
        """Replace the commands by those of the past where some car has a dead time."""
        if self._delay is None or self._delay.dt != dt:
            delays = np.column_stack((self._fleet.steering_delay, self._fleet.motor_delay))
            if not delays.any():
                return
            self._delay = DelayLine(delays, dt)
        last = self._internal[:, c.S_LAST_COMMAND_ : c.S_LAST_COMMAND_ + 2]
        wanted = self._command[:, :2]
        # A bad number must not enter the line: interpolation would spread it.
        good = np.where(np.isfinite(wanted), wanted, last)
        self._command[:, :2] = self._delay.push(good)

    def save(self) -> CarMemory:
        """Return all that the model remembers; a copy."""
        return CarMemory(internal=self._internal.copy(), delay=copy.deepcopy(self._delay))

    def restore(self, memory: CarMemory) -> None:
        """Go back to what :meth:`save` returned.

        Raises:
            UsageError: The memory is of another number of cars.
        """
        if memory.internal.shape != self._internal.shape:
            raise UsageError(
                f"has shape {memory.internal.shape}; needed is {self._internal.shape}",
                where="memory",
            )
        self._internal[:] = memory.internal
        self._delay = copy.deepcopy(memory.delay)

    # -- what the cars are doing ----------------------------------------------------------------

    @property
    def steering_angle(self) -> NDArray[np.float64]:
        """Angle of the virtual middle wheel, shape [n], [rad]; a copy."""
        return self._internal[:, c.S_STEERING].copy()

    @property
    def wheel_angle(self) -> NDArray[np.float64]:
        """Steering of each wheel, shape [n, 4], [rad]; with two tyres both front ones alike."""
        angles = np.zeros((self.count, 4))
        width = self._fleet.track_width if self.tyres == 4 else np.zeros(self.count)
        left, right = wheel_angles(self.steering_angle, self._fleet.wheelbase, width)
        angles[:, 0], angles[:, 1] = left, right
        return angles

    @property
    def wheel_speed(self) -> NDArray[np.float64]:
        """Wheel speeds, shape [n, 4]: front left, front right, rear left, rear right [rad/s]."""
        return self._per_wheel(c.S_WHEEL_)

    @property
    def wheel_load(self) -> NDArray[np.float64]:
        """Load of the wheels in the last step, shape [n, 4], [N]."""
        return self._per_wheel(c.S_LOAD_) * (self.tyres / 4.0)

    @property
    def tyre_force(self) -> NDArray[np.float64]:
        """Force along and across each wheel in the last step, shape [n, 4, 2], [N]."""
        share = self.tyres / 4.0
        along, across = self._per_wheel(c.S_FORCE_X_), self._per_wheel(c.S_FORCE_Y_)
        return np.stack((along, across), axis=2) * share

    @property
    def drive_force(self) -> NDArray[np.float64]:
        """Force that the motor asks of the wheels in the last step, shape [n], [N]."""
        return self._internal[:, c.S_DRIVE_FORCE].copy()

    def _per_wheel(self, first: int) -> NDArray[np.float64]:
        columns = self._internal[:, first : first + self.tyres]
        return np.repeat(columns, 4 // self.tyres, axis=1)
