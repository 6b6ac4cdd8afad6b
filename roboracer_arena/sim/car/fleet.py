"""The parameters of many cars as arrays, one entry for each car.

Every car may differ in everything: that is what domain randomisation and the fitting of parameters
need. A fleet is made from :class:`VehicleParameters` and changed column by column::

    fleet = Fleet.of(load_vehicle(), count=256)
    slippery = fleet.with_columns(friction=rng.uniform(0.6, 0.9, 256))
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Annotated, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roboracer_arena.errors import SettingsError, UsageError
from roboracer_arena.sim.car import columns as c
from roboracer_arena.sim.engine import BodyModel
from roboracer_arena.vehicle.parameters import VehicleParameters

__all__ = ["AIR_DENSITY", "Fleet"]

AIR_DENSITY = 1.2
"""At 20 degrees Celsius and sea level [kg/m³]."""
_IDENTITY_TOLERANCE = 1e-6

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Fleet:
    """One array of shape [n] for each parameter, in the parameter's unit.

    Names and units are those of :class:`VehicleParameters`; names of sections are put in front
    where two parameters would share a name.
    """

    wheelbase: Annotated[Column, "chassis.wheelbase"]
    track_width: Annotated[Column, "chassis.track_width"]
    mass: Annotated[Column, "chassis.mass"]
    roll_inertia: Annotated[Column, "chassis.roll_inertia"]
    pitch_inertia: Annotated[Column, "chassis.pitch_inertia"]
    yaw_inertia: Annotated[Column, "chassis.yaw_inertia"]
    com_to_front: Annotated[Column, "chassis.com_to_front"]
    com_to_rear: Annotated[Column, "chassis.com_to_rear"]
    com_height: Annotated[Column, "chassis.com_height"]
    wheel_radius: Annotated[Column, "chassis.wheel_radius"]
    wheel_inertia: Annotated[Column, "chassis.wheel_inertia"]
    max_steering: Annotated[Column, "chassis.max_steering"]
    body_length: Annotated[Column, "chassis.body.length"]
    body_width: Annotated[Column, "chassis.body.width"]
    body_height: Annotated[Column, "chassis.body.height"]
    body_clearance: Annotated[Column, "chassis.body.clearance"]
    body_center_ahead: Annotated[Column, "chassis.body.center_ahead"]
    suspension_stiffness: Annotated[Column, "chassis.suspension.stiffness"]
    suspension_damping: Annotated[Column, "chassis.suspension.damping"]
    bump_travel: Annotated[Column, "chassis.suspension.bump_travel"]
    stop_stiffness: Annotated[Column, "chassis.suspension.stop_stiffness"]
    gear_ratio: Annotated[Column, "chassis.drivetrain.gear_ratio"]
    torque_constant: Annotated[Column, "chassis.drivetrain.torque_constant"]
    efficiency: Annotated[Column, "chassis.drivetrain.efficiency"]
    rotor_inertia: Annotated[Column, "chassis.drivetrain.rotor_inertia"]
    front_share: Annotated[Column, "chassis.drivetrain.front_share"]
    center_coupling: Annotated[Column, "chassis.drivetrain.center_coupling"]
    axle_coupling: Annotated[Column, "chassis.drivetrain.axle_coupling"]
    friction: Annotated[Column, "deployment.tyre.friction"]
    front_b: Annotated[Column, "deployment.tyre.front_b"]
    front_c: Annotated[Column, "deployment.tyre.front_c"]
    front_e: Annotated[Column, "deployment.tyre.front_e"]
    rear_b: Annotated[Column, "deployment.tyre.rear_b"]
    rear_c: Annotated[Column, "deployment.tyre.rear_c"]
    rear_e: Annotated[Column, "deployment.tyre.rear_e"]
    longitudinal_b: Annotated[Column, "deployment.tyre.longitudinal_b"]
    relaxation_length: Annotated[Column, "deployment.tyre.relaxation_length"]
    rolling: Annotated[Column, "deployment.resistance.rolling"]
    drag_area: Annotated[Column, "deployment.resistance.drag_area"]
    steering_gain: Annotated[Column, "deployment.steering.gain"]
    steering_offset: Annotated[Column, "deployment.steering.offset"]
    steering_delay: Annotated[Column, "deployment.steering.delay"]
    steering_time_constant: Annotated[Column, "deployment.steering.time_constant"]
    steering_rate: Annotated[Column, "deployment.steering.rate"]
    motor_gain: Annotated[Column, "deployment.motor.gain"]
    motor_delay: Annotated[Column, "deployment.motor.delay"]
    motor_time_constant: Annotated[Column, "deployment.motor.time_constant"]
    motor_loop_time: Annotated[Column, "deployment.motor.loop_time"]
    max_acceleration: Annotated[Column, "deployment.motor.max_acceleration"]
    max_braking: Annotated[Column, "deployment.motor.max_braking"]
    max_speed: Annotated[Column, "deployment.motor.max_speed"]
    max_reverse: Annotated[Column, "deployment.motor.max_reverse"]
    current_limit: Annotated[Column, "deployment.motor.current_limit"]
    power_speed: Annotated[Column, "deployment.motor.power_speed"]

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            column = getattr(self, field.name)
            if column.shape != (self.count,):
                raise UsageError(
                    f"has shape {column.shape}; needed is ({self.count},)", where=field.name
                )
            if not np.all(np.isfinite(column)):
                car = int(np.argmin(np.isfinite(column)))
                raise SettingsError(f"is {column[car]} for car {car}", where=field.name)
        gap = np.abs(self.com_to_front + self.com_to_rear - self.wheelbase)
        if np.any(gap > _IDENTITY_TOLERANCE):
            car = int(np.argmax(gap))
            raise SettingsError(
                f"{self.com_to_front[car]:g} m + com_to_rear {self.com_to_rear[car]:g} m is not "
                f"the wheelbase {self.wheelbase[car]:g} m (car {car})",
                where="com_to_front",
            )

    @classmethod
    def of(
        cls, vehicles: VehicleParameters | Sequence[VehicleParameters], count: int | None = None
    ) -> Fleet:
        """Return the fleet of one vehicle, ``count`` times, or of a sequence of vehicles.

        Raises:
            UsageError: No vehicle is given, or a count that is not the length of the sequence.
        """
        if isinstance(vehicles, VehicleParameters):
            rows: Sequence[VehicleParameters] = [vehicles]
            number = 1 if count is None else count
        else:
            rows, number = vehicles, len(vehicles)
            if count not in (None, number):
                raise UsageError(f"{number} vehicles are given for {count} cars", where="count")
        if number < 1:
            raise UsageError(f"is {number}; a fleet has at least one car", where="count")
        values: dict[str, Column] = {}
        for name, hint in get_type_hints(cls, include_extras=True).items():
            path = hint.__metadata__[0].split(".")
            column = np.array([reduce(getattr, path, row) for row in rows], dtype=np.float64)
            values[name] = np.repeat(column, number) if len(rows) == 1 else column
        return cls(**values)

    @property
    def count(self) -> int:
        """Number of cars."""
        return int(self.mass.shape[0])

    def with_columns(self, **columns: ArrayLike) -> Fleet:
        """Return the fleet with some columns replaced; a single number holds for every car.

        Values are not held to the limits of :class:`VehicleParameters`: randomisation and fitting
        choose them within their own.

        Raises:
            UsageError: A column has an unknown name or the wrong length.
            SettingsError: A value is not finite, or centre of mass and wheelbase do not add up.
        """
        known = {field.name for field in dataclasses.fields(self)}
        values: dict[str, Column] = {}
        for name, value in columns.items():
            if name not in known:
                raise UsageError(f"there is no column '{name}' in a fleet", where="with_columns")
            column = np.asarray(value, dtype=np.float64)
            values[name] = np.full(self.count, column) if column.ndim == 0 else column.copy()
        return dataclasses.replace(self, **values)

    def take(self, ids: Sequence[int] | NDArray[np.int64]) -> Fleet:
        """Return the fleet of some cars, in the given order; a car may come several times."""
        chosen = np.asarray(ids, dtype=np.int64)
        return Fleet(
            **{field.name: getattr(self, field.name)[chosen] for field in dataclasses.fields(self)}
        )

    def body(self) -> BodyModel:
        """Return the rigid boxes for an engine. All cars share the box of the first."""
        half = (
            0.5 * float(self.body_length[0]),
            0.5 * float(self.body_width[0]),
            0.5 * float(self.body_height[0]),
        )
        center = np.zeros((self.count, 3))
        center[:, 0] = self.body_center_ahead - self.com_to_rear
        center[:, 2] = self.body_clearance + half[2] - self.com_height
        inertia = np.column_stack((self.roll_inertia, self.pitch_inertia, self.yaw_inertia))
        return BodyModel(
            mass=self.mass.copy(), inertia=inertia, half_extents=half, box_center=center
        )

    def table(self, gravity: float) -> NDArray[np.float64]:
        """Return what the step functions read, shape [n, ``P_WIDTH``]."""
        table = np.zeros((self.count, c.P_WIDTH))
        rotor = self.rotor_inertia * self.gear_ratio**2
        spinning = (4.0 * self.wheel_inertia + rotor) / self.wheel_radius**2
        travelling = self.mass + spinning
        weight = self.mass * gravity
        front, rear = self.com_to_rear / self.wheelbase, self.com_to_front / self.wheelbase
        full_force = self.current_limit * self.torque_constant * self.gear_ratio * self.efficiency
        full_force = full_force / self.wheel_radius
        derived = {
            c.P_GRAVITY: np.full(self.count, gravity),
            c.P_TRAVELLING_MASS: travelling,
            c.P_AXLE_X_: self.com_to_front,
            c.P_AXLE_X_ + 1: -self.com_to_rear,
            c.P_HALF_TRACK: 0.5 * self.track_width,
            c.P_STATIC_LOAD_: 0.5 * weight * front,
            c.P_STATIC_LOAD_ + 1: 0.5 * weight * rear,
            # Springs and dampers share out as the weight does: both axles sag and swing alike.
            c.P_SPRING_: 2.0 * self.suspension_stiffness * front,
            c.P_SPRING_ + 1: 2.0 * self.suspension_stiffness * rear,
            c.P_DAMPER_: 2.0 * self.suspension_damping * front,
            c.P_DAMPER_ + 1: 2.0 * self.suspension_damping * rear,
            c.P_ROTOR: rotor,
            c.P_DRAG: 0.5 * AIR_DENSITY * self.drag_area,
            c.P_CURRENT_ACCELERATION: full_force / travelling,
        }
        for index, column in {**self._direct_columns(), **derived}.items():
            table[:, index] = column
        return table

    def _direct_columns(self) -> dict[int, Column]:
        return {
            c.P_MASS: self.mass,
            c.P_COM_HEIGHT: self.com_height,
            c.P_RADIUS: self.wheel_radius,
            c.P_WHEEL_INERTIA: self.wheel_inertia,
            c.P_MAX_STEERING: self.max_steering,
            c.P_TRAVEL: self.bump_travel,
            c.P_STOP: self.stop_stiffness,
            c.P_FRONT_SHARE: self.front_share,
            c.P_CENTER_COUPLING: self.center_coupling,
            c.P_AXLE_COUPLING: self.axle_coupling,
            c.P_FRICTION: self.friction,
            c.P_B_: self.front_b,
            c.P_B_ + 1: self.rear_b,
            c.P_C_: self.front_c,
            c.P_C_ + 1: self.rear_c,
            c.P_E_: self.front_e,
            c.P_E_ + 1: self.rear_e,
            c.P_LONGITUDINAL_B: self.longitudinal_b,
            c.P_RELAXATION: self.relaxation_length,
            c.P_ROLLING: self.rolling,
            c.P_STEER_GAIN: self.steering_gain,
            c.P_STEER_OFFSET: self.steering_offset,
            c.P_STEER_LAG: self.steering_time_constant,
            c.P_STEER_RATE: self.steering_rate,
            c.P_MOTOR_GAIN: self.motor_gain,
            c.P_MOTOR_LAG: self.motor_time_constant,
            c.P_MOTOR_LOOP: self.motor_loop_time,
            c.P_MAX_ACCELERATION: self.max_acceleration,
            c.P_MAX_BRAKING: self.max_braking,
            c.P_MAX_SPEED: self.max_speed,
            c.P_MAX_REVERSE: self.max_reverse,
            c.P_POWER_SPEED: self.power_speed,
            c.P_WHEELBASE: self.wheelbase,
        }
