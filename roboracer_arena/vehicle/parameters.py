"""What is known about the car: the chassis, the settings of a deployment, the observed envelope.

The chassis is measured once and fixed. Deployment values differ between floors, tyre sets and speed
controller settings, and are what is fitted to recordings. The observed envelope is a record of what
the real car did; no model reads it.
"""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from roboracer_arena.vehicle.quantities import ParameterModel, quantity

__all__ = [
    "Body",
    "Chassis",
    "Commands",
    "Deployment",
    "Drivetrain",
    "Motor",
    "Observed",
    "Resistance",
    "Steering",
    "Suspension",
    "Tyre",
    "VehicleParameters",
]

_IDENTITY_TOLERANCE = 1e-6
"""Relative slack of sums that must agree; above rounding, far below any ruler."""


class Body(ParameterModel):
    """The box that collides."""

    length: float = quantity("m", 0.05, 2.0)
    """Along the car."""
    width: float = quantity("m", 0.05, 1.0)
    """Across the car."""
    height: float = quantity("m", 0.01, 1.0)
    """Of the box itself."""
    clearance: float = quantity("m", 0.0, 0.5)
    """From the floor to the underside at rest."""
    center_ahead: float = quantity("m", -0.5, 1.0)
    """Centre of the box ahead of the rear axle."""


class Suspension(ParameterModel):
    """Spring and damper of one wheel, as felt at the wheel.

    Rates are means over front and rear; each axle has its part in proportion to the weight that it
    carries, so that the car sags level.
    """

    stiffness: float = quantity("N/m", 50.0, 1e5)
    """Wheel rate, mean of front and rear."""
    damping: float = quantity("N s/m", 0.0, 1e3)
    """Damper rate, mean of front and rear."""
    bump_travel: float = quantity("m", 0.001, 0.2)
    """Compression beyond rest at which the bump stop is met."""
    stop_stiffness: float = quantity("N/m", 0.0, 1e5)
    """Additional rate of the bump stop."""


class Drivetrain(ParameterModel):
    """From the motor to the wheels: four-wheel drive, open axle differentials."""

    gear_ratio: float = quantity("1", 0.5, 100.0)
    """Motor turns for one wheel turn."""
    torque_constant: float = quantity("N m/A", 1e-4, 1.0)
    """Motor torque for each ampere."""
    efficiency: float = quantity("1", 0.1, 1.0)
    """Share of the motor's torque that arrives at the wheels."""
    rotor_inertia: float = quantity("kg m^2", 0.0, 1e-3)
    """Of the motor, at its own shaft."""
    front_share: float = quantity("1", 0.0, 1.0)
    """Share of the torque that goes to the front axle: 0.5 four-wheel, 0 rear, 1 front drive."""
    center_coupling: float = quantity("N m s/rad", 0.0, 1e3)
    """Viscous torque between front and rear axle for each rad/s of difference: 0 an open centre
    differential, 1 and more a solid shaft."""
    axle_coupling: float = quantity("N m s/rad", 0.0, 1e3)
    """The same between the left and the right wheel of each axle: 0 an open differential."""


class Chassis(ParameterModel):
    """Fixed hardware."""

    wheelbase: float = quantity("m", 0.05, 2.0)
    """Front to rear axle."""
    track_width: float = quantity("m", 0.05, 1.0)
    """Left to right wheel centre, both axles."""
    mass: float = quantity("kg", 0.1, 100.0)
    """Whole car, wheels included."""
    yaw_inertia: float = quantity("kg m^2", 1e-4, 10.0)
    """About the vertical axis through the centre of mass."""
    roll_inertia: float = quantity("kg m^2", 1e-4, 10.0)
    """About the longitudinal axis through the centre of mass."""
    pitch_inertia: float = quantity("kg m^2", 1e-4, 10.0)
    """About the lateral axis through the centre of mass."""
    com_to_front: float = quantity("m", 0.0, 2.0, above=True)
    """Centre of mass to the front axle, along the car."""
    com_to_rear: float = quantity("m", 0.0, 2.0, above=True)
    """Centre of mass to the rear axle, along the car."""
    com_height: float = quantity("m", 0.001, 0.5)
    """Centre of mass above the floor at rest."""
    wheel_radius: float = quantity("m", 0.01, 0.3)
    """Rolling radius."""
    wheel_inertia: float = quantity("kg m^2", 1e-6, 0.1)
    """Of one wheel about its axle."""
    max_steering: float = quantity("rad", 0.01, 1.0)
    """Largest angle of the virtual middle front wheel, either way."""
    body: Body
    suspension: Suspension
    drivetrain: Drivetrain

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Self:
        total = self.com_to_front + self.com_to_rear
        if abs(total - self.wheelbase) > _IDENTITY_TOLERANCE:
            raise ValueError(
                f"chassis.com_to_front {self.com_to_front:g} m + chassis.com_to_rear "
                f"{self.com_to_rear:g} m = {total:g} m is not chassis.wheelbase "
                f"{self.wheelbase:g} m; give values that add up"
            )
        moments = (self.roll_inertia, self.pitch_inertia, self.yaw_inertia)
        if 2.0 * max(moments) > sum(moments) * (1.0 + _IDENTITY_TOLERANCE):
            raise ValueError(
                "no body has the moments chassis.roll_inertia {:g}, chassis.pitch_inertia {:g} and "
                "chassis.yaw_inertia {:g} kg m^2: none may exceed the sum of the other two".format(
                    *moments
                )
            )
        return self


class Tyre(ParameterModel):
    """Magic formula of both axles; the peak force is friction times wheel load."""

    friction: float = quantity("1", 0.01, 3.0)
    """Peak force over wheel load, the same in all directions."""
    front_b: float = quantity("1", 0.5, 100.0)
    """Stiffness factor of the front tyres over the tangent of the slip angle."""
    front_c: float = quantity("1", 1.05, 1.95)
    """Shape factor of the front tyres. At 1 the peak moves to infinite slip, at 2 the force at full
    sliding changes its sign."""
    front_e: float = quantity("1", -10.0, 0.95)
    """Curvature factor of the front tyres. At 1 the peak may not be reached at any slip."""
    rear_b: float = quantity("1", 0.5, 100.0)
    """Stiffness factor of the rear tyres over the tangent of the slip angle."""
    rear_c: float = quantity("1", 1.05, 1.95)
    """Shape factor of the rear tyres."""
    rear_e: float = quantity("1", -10.0, 0.95)
    """Curvature factor of the rear tyres."""
    longitudinal_b: float = quantity("1", 0.5, 100.0)
    """Stiffness factor of all tyres over the longitudinal slip."""
    relaxation_length: float = quantity("m", 0.002, 0.5)
    """Distance rolled until a slip has built up to 63 %."""


class Resistance(ParameterModel):
    """What slows the car without braking."""

    rolling: float = quantity("1", 0.0, 0.3)
    """Rolling resistance, gears included, over wheel load."""
    drag_area: float = quantity("m^2", 0.0, 1.0)
    """Drag coefficient times frontal area."""


class Steering(ParameterModel):
    """The servo: command, delay, first-order lag, rate limit, stop."""

    gain: float = quantity("1", 0.1, 5.0)
    """Angle that is reached for each radian commanded."""
    offset: float = quantity("rad", -0.3, 0.3)
    """Angle at command zero."""
    delay: float = quantity("s", 0.0, 0.5)
    """Dead time before the servo sees a command."""
    time_constant: float = quantity("s", 0.0, 1.0)
    """First-order lag."""
    rate: float = quantity("rad/s", 0.1, 100.0)
    """Fastest turning of the virtual middle wheel."""


class Motor(ParameterModel):
    """The speed controller: command, delay, first-order lag, rate limits; then a loop on the motor.

    Lag and limits shape the speed that is aimed at, as the ramp of a VESC does; the loop makes the
    wheels follow it with what current and power allow.
    """

    gain: float = quantity("1", 0.1, 5.0)
    """Wheel speed aimed at for each m/s commanded."""
    delay: float = quantity("s", 0.0, 0.5)
    """Dead time before the controller sees a command."""
    time_constant: float = quantity("s", 0.0, 3.0)
    """First-order lag of the speed aimed at."""
    loop_time: float = quantity("s", 0.005, 1.0)
    """Time in which a speed error of the wheels decays to 37 %."""
    max_acceleration: float = quantity("m/s^2", 0.1, 100.0)
    """Limit away from standstill."""
    max_braking: float = quantity("m/s^2", 0.1, 100.0)
    """Limit towards standstill."""
    max_speed: float = quantity("m/s", 0.1, 60.0)
    """Fastest forward command that is obeyed."""
    max_reverse: float = quantity("m/s", 0.0, 60.0)
    """Fastest backward command that is obeyed."""
    current_limit: float = quantity("A", 1.0, 500.0)
    """Of the motor, driving and braking."""
    power_speed: float = quantity("m/s", 0.1, 60.0)
    """Speed above which the power, no longer the current, limits the acceleration."""


class Commands(ParameterModel):
    """How commands arrive."""

    rate: float = quantity("Hz", 0.1, 1000.0)
    """At which drivers send."""
    timeout: float = quantity("s", 0.01, 1.0)
    """Silence after which the car stops itself."""
    odometry_rate: float = quantity("Hz", 0.1, 1000.0)
    """At which the car reports its motion."""


class Deployment(ParameterModel):
    """Settings that differ from place to place."""

    tyre: Tyre
    resistance: Resistance
    steering: Steering
    motor: Motor
    commands: Commands


class Observed(ParameterModel):
    """What the recorded car did. Never an input of any model."""

    speed_median: float = quantity("m/s", 0.0, 100.0)
    """Half of the recorded time was slower."""
    speed_p99: float = quantity("m/s", 0.0, 100.0)
    """99 % of the recorded time was slower."""
    speed_max: float = quantity("m/s", 0.0, 100.0)
    """Fastest reading."""
    yaw_rate_median: float = quantity("rad/s", 0.0, 100.0)
    """Half of the recorded time turned more slowly."""
    yaw_rate_p99: float = quantity("rad/s", 0.0, 100.0)
    """99 % of the recorded time turned more slowly."""
    recorded_driving: float = quantity("min", 0.0, 1e6)
    """Length of the recordings."""


class VehicleParameters(ParameterModel):
    """Everything that defines a car."""

    chassis: Chassis
    deployment: Deployment
    observed: Observed
