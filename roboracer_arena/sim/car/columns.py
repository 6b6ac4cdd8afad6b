"""Where each number stands in the tables of the vehicle models.

Wheels are ordered front left, front right, rear left, rear right; axles front, rear. Names ending
in an underscore are the first of several columns. The single-track model uses the first two wheel
columns for its front and its rear tyre.
"""

from __future__ import annotations

from typing import Final

# -- state of the rigid body, as every engine gives it --------------------------------------------
X_POSITION_: Final = 0
X_QUATERNION_: Final = 3
X_VELOCITY_: Final = 7
X_SPIN_: Final = 10

# -- command --------------------------------------------------------------------------------------
U_STEERING: Final = 0
U_DRIVE: Final = 1
U_ACCELERATE: Final = 2
U_WIDTH: Final = 3

# -- parameters of a car --------------------------------------------------------------------------
P_MASS: Final = 0
P_GRAVITY: Final = 1
P_TRAVELLING_MASS: Final = 2  # mass plus all that turns with the wheels
P_AXLE_X_: Final = 3  # front, rear, ahead of the centre of mass
P_HALF_TRACK: Final = 5
P_COM_HEIGHT: Final = 6
P_RADIUS: Final = 7
P_WHEEL_INERTIA: Final = 8
P_STATIC_LOAD_: Final = 9  # of one front, one rear wheel
P_MAX_STEERING: Final = 11
P_SPRING_: Final = 12  # front, rear
P_DAMPER_: Final = 14
P_TRAVEL: Final = 16
P_STOP: Final = 17
P_ROTOR: Final = 18  # inertia of the motor, felt at the wheels
P_FRONT_SHARE: Final = 19
P_CENTER_COUPLING: Final = 20
P_AXLE_COUPLING: Final = 21
P_FRICTION: Final = 22
P_B_: Final = 23
P_C_: Final = 25
P_E_: Final = 27
P_LONGITUDINAL_B: Final = 29
P_RELAXATION: Final = 30
P_ROLLING: Final = 31
P_DRAG: Final = 32  # half air density times drag area
P_STEER_GAIN: Final = 33
P_STEER_OFFSET: Final = 34
P_STEER_LAG: Final = 35
P_STEER_RATE: Final = 36
P_MOTOR_GAIN: Final = 37
P_MOTOR_LAG: Final = 38
P_MOTOR_LOOP: Final = 39
P_MAX_ACCELERATION: Final = 40
P_MAX_BRAKING: Final = 41
P_MAX_SPEED: Final = 42
P_MAX_REVERSE: Final = 43
P_CURRENT_ACCELERATION: Final = 44  # what the current limit allows
P_POWER_SPEED: Final = 45
P_WHEELBASE: Final = 46
P_WIDTH: Final = 47

# -- internal values of a car: what a model remembers (first), and what it shows or scratches -----
S_STEERING: Final = 0  # angle of the virtual middle wheel
S_REFERENCE: Final = 1  # speed that the speed controller tracks, m/s
S_LAST_COMMAND_: Final = 2  # last good steering and drive command
S_LONGITUDINAL: Final = 4  # acceleration of the last step, single-track only
S_WHEEL_: Final = 5  # wheel speeds, rad/s
S_SLIP_X_: Final = 9
S_SLIP_Y_: Final = 13
S_LOAD_: Final = 17
S_FORCE_X_: Final = 21  # tyre force along and across each wheel
S_FORCE_Y_: Final = 25
S_ALONG_: Final = 29  # speed of the contact points along and across each wheel
S_ACROSS_: Final = 33
S_COS_: Final = 37  # heading of each wheel in the world
S_SIN_: Final = 41
S_ARM_X_: Final = 45  # contact point relative to the centre of mass, world axes
S_ARM_Y_: Final = 49
S_TRAVEL_: Final = 53  # speed at which the tyre meets new floor
S_DAMPED_Y_: Final = 57
S_STIFF_: Final = 61  # secant stiffness of the longitudinal force
S_WHEEL_BEFORE_: Final = 65
S_DRIVE_FORCE: Final = 69  # at the wheels, N
S_WIDTH: Final = 70
