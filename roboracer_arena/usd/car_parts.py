"""What of the car is seen: an open 1:10 racing chassis with its electronics deck and lidar.

Places are those of the standard car, stretched to the wheelbase, track width, clearance and wheel
radius of another. Wheels, bumpers and lidar stand exactly where the parameters put them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.mesh.car_solids import (
    box,
    loft,
    merge,
    prism,
    rod,
    rounded_rectangle,
    spindle,
    turned_rings,
)
from roboracer_arena.mesh.surface import SurfaceMesh
from roboracer_arena.usd.car_masses import tyre_width
from roboracer_arena.usd.settings import PlainLookSettings
from roboracer_arena.vehicle.lidar import LidarHardware
from roboracer_arena.vehicle.parameters import Chassis

__all__ = ["LOOKS", "CarPart", "chassis_parts", "wheel_parts"]

LOOKS = {
    "Carbon": PlainLookSettings(colour="#1b1d20", roughness=0.45),
    "Deck": PlainLookSettings(colour="#1c5fb8", roughness=0.35),
    "Foam": PlainLookSettings(colour="#26282b", roughness=0.95),
    "Rubber": PlainLookSettings(colour="#2b2b2d", roughness=0.9),
    "Rim": PlainLookSettings(colour="#e4e5e7", roughness=0.3),
    "Metal": PlainLookSettings(colour="#a9adb3", roughness=0.3, metallic=0.8),
    "Spring": PlainLookSettings(colour="#d8471c", roughness=0.4),
    "Battery": PlainLookSettings(colour="#d9a514", roughness=0.5),
    "Board": PlainLookSettings(colour="#1f7a42", roughness=0.5),
    "Sink": PlainLookSettings(colour="#3a3d42", roughness=0.35, metallic=0.6),
    "Sensor": PlainLookSettings(colour="#101114", roughness=0.25),
    "Accent": PlainLookSettings(colour="#e8641b", roughness=0.4),
}
"""Surfaces by the name of their material."""

_DECK_TOP = 0.072
"""Upper side of the electronics deck of the standard car [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class CarPart:
    """A visible part."""

    name: str
    """Name of its prim."""
    look: str
    """Which of :data:`LOOKS`."""
    mesh: SurfaceMesh
    """In the frame of its link [m]."""


def chassis_parts(chassis: Chassis, lidar: LidarHardware | None) -> tuple[CarPart, ...]:
    """Return everything but the wheels, in the frame of base_link."""
    stretched = [
        CarPart(name, look, _stretch(mesh, chassis)) for name, look, mesh in _standard_parts()
    ]
    parts = [*stretched, *_bumpers(chassis)]
    if lidar is not None:
        parts += _lidar(lidar, float(_height(np.array(_DECK_TOP), chassis)))
    return tuple(parts)


def wheel_parts(chassis: Chassis, corner: str) -> tuple[CarPart, ...]:
    """Return tyre and rim of one wheel, about the y axis, its outside to the car's outside."""
    radius, width = chassis.wheel_radius, tyre_width(chassis)
    out = 1.0 if corner[1] == "l" else -1.0
    return (
        CarPart("tyre", "Rubber", _tyre(radius, width)),
        CarPart("rim", "Rim", _rim(radius, width, out)),
        CarPart("nut", "Accent", _nut(radius, width, out)),
    )


def _height(z: NDArray[np.floating], chassis: Chassis) -> NDArray[np.floating]:
    """Return heights of the standard car as those of another."""
    return chassis.body.clearance + (z - 0.03) * (chassis.wheel_radius / 0.0525)


def _stretch(mesh: SurfaceMesh, chassis: Chassis) -> SurfaceMesh:
    """Fit a part of the standard car to another."""
    points = mesh.points.astype(np.float64)
    points[:, 0] *= chassis.wheelbase / 0.3275
    points[:, 1] *= chassis.track_width / 0.265
    points[:, 2] = _height(points[:, 2], chassis)
    return SurfaceMesh(points=points.astype(np.float32), triangles=mesh.triangles)


def _standard_parts() -> list[tuple[str, str, SurfaceMesh]]:
    """Return name, look and shape of the parts between the bumpers."""
    plate = _mirrored(
        (0.405, 0.375, 0.29, 0.26, 0.09, 0.05, -0.06, -0.095),
        (0.03, 0.045, 0.048, 0.08, 0.08, 0.05, 0.045, 0.03),
    )
    deck = _mirrored(
        (0.325, 0.305, 0.255, 0.225, 0.085, 0.06, -0.045, -0.06),
        (0.034, 0.05, 0.056, 0.078, 0.078, 0.06, 0.056, 0.042),
    )
    return [
        ("plate", "Carbon", prism(plate, 0.03, 0.036, chamfer=0.0012)),
        ("rails", "Carbon", merge([_rail(1), _rail(-1)])),
        ("gearboxes", "Carbon", merge([_gearbox(0.3275), _gearbox(0.0), *_towers()])),
        ("arms", "Carbon", merge([_arm(x, s) for x in (0.3275, 0.0) for s in (1, -1)])),
        ("shafts", "Metal", merge([_shaft(x, s) for x in (0.3275, 0.0) for s in (1, -1)])),
        ("dampers", "Metal", merge([_damper(x, s) for x in (0.352, -0.026) for s in (1, -1)])),
        ("springs", "Spring", merge([_spring(x, s) for x in (0.352, -0.026) for s in (1, -1)])),
        ("battery", "Battery", box((0.085, 0.012, 0.0365), (0.235, 0.06, 0.0625), radius=0.004)),
        ("motor", "Metal", merge(_motor())),
        ("deck", "Deck", prism(deck, 0.068, _DECK_TOP, chamfer=0.0008)),
        ("standoffs", "Metal", merge(_standoffs())),
        ("computer_board", "Board", box((0.075, -0.047, 0.0785), (0.185, 0.047, 0.081))),
        ("computer", "Sink", merge(_heat_sink())),
        ("speed_controller", "Accent", box((-0.005, -0.026, 0.0724), (0.05, 0.026, 0.09))),
        ("radio", "Sensor", box((-0.044, -0.044, 0.0724), (-0.018, 0.044, 0.088))),
        ("antennas", "Sensor", merge([_antenna(1), _antenna(-1)])),
    ]


def _mirrored(ahead: tuple[float, ...], aside: tuple[float, ...]) -> NDArray[np.float64]:
    """Return a counter-clockwise outline from its left half, given from front to rear."""
    left = np.column_stack([ahead, aside])
    return np.concatenate([left, (left * (1.0, -1.0))[::-1]])


def _rail(side: int) -> SurfaceMesh:
    """The guard between the wheels of one side: a bar on two stays."""
    bar = box(
        (0.075, min(side * 0.1, side * 0.112), 0.032), (0.255, max(side * 0.1, side * 0.112), 0.046)
    )
    stays = [
        box(
            (x, min(side * 0.076, side * 0.104), 0.0325),
            (x + 0.014, max(side * 0.076, side * 0.104), 0.0375),
        )
        for x in (0.1, 0.16, 0.218)
    ]
    return merge([bar, *stays])


def _gearbox(axle: float) -> SurfaceMesh:
    """The housing of a differential."""
    return box((axle - 0.026, -0.026, 0.0345), (axle + 0.026, 0.026, 0.0665), radius=0.008)


def _towers() -> list[SurfaceMesh]:
    """The two plates that the dampers hang on."""
    outline = np.array(
        [(-0.03, 0.036), (0.03, 0.036), (0.062, 0.088), (0.05, 0.096), (-0.05, 0.096)]
    )
    outline = np.vstack([outline, (-0.062, 0.088)])
    towers = []
    for x in (0.343, -0.0195):
        rings = [np.column_stack([np.full(6, x + d), outline]) for d in (0.0, 0.005)]
        towers.append(loft(np.stack(rings)))
    return towers


def _arm(axle: float, side: int) -> SurfaceMesh:
    """The lower suspension arm of one wheel: a tapered plate."""
    outline = np.array([(axle + 0.032, side * 0.024), (axle - 0.032, side * 0.024)])
    outline = np.vstack([outline, (axle - 0.011, side * 0.112), (axle + 0.011, side * 0.112)])
    if side > 0:
        outline = outline[::-1]
    return prism(outline, 0.037, 0.0432, chamfer=0.001)


def _shaft(axle: float, side: int) -> SurfaceMesh:
    """The drive shaft of one wheel."""
    return rod((axle, side * 0.02, 0.0525), (axle, side * 0.118, 0.0525), 0.004, 12)


def _damper(x: float, side: int) -> SurfaceMesh:
    """Cylinder and rod of one damper."""
    return spindle(
        (x, side * 0.055, 0.0925),
        (x, side * 0.098, 0.0435),
        (0.0, 0.08, 0.5, 0.52, 1.0),
        (0.005, 0.0072, 0.0072, 0.0025, 0.0025),
    )


def _spring(x: float, side: int) -> SurfaceMesh:
    """The coil over a damper, as a bellows of the same outline."""
    turns = 8
    stations = np.linspace(0.14, 0.92, 2 * turns + 1)
    radii = [0.0105 if index % 2 else 0.0082 for index in range(2 * turns + 1)]
    return spindle(
        (x, side * 0.055, 0.0925), (x, side * 0.098, 0.0435), tuple(stations), tuple(radii)
    )


def _motor() -> list[SurfaceMesh]:
    """The motor beside the battery, along the car."""
    stations, radii = (0.0, 0.04, 0.96, 1.0), (0.0125, 0.0145, 0.0145, 0.0125)
    can = spindle((0.09, -0.038, 0.0515), (0.155, -0.038, 0.0515), stations, radii, 24)
    pinion = rod((0.154, -0.038, 0.0515), (0.175, -0.038, 0.0515), 0.003)
    return [can, pinion]


def _standoffs() -> list[SurfaceMesh]:
    """Posts that carry the deck, and the four below the computer."""
    posts = [(0.24, 0.062), (0.1, 0.068), (-0.05, 0.036), (0.31, 0.03)]
    tall = [
        rod((x, s * y, 0.0355), (x, s * y, 0.0685), 0.0032, 12) for x, y in posts for s in (1, -1)
    ]
    feet = [(0.082, 0.04), (0.178, 0.04)]
    short = [
        rod((x, s * y, 0.0715), (x, s * y, 0.079), 0.0025, 12) for x, y in feet for s in (1, -1)
    ]
    return tall + short


def _heat_sink() -> list[SurfaceMesh]:
    """The computer's heat sink with its fins along the car, and its sockets at the side."""
    parts = [box((0.088, -0.034, 0.0806), (0.172, 0.034, 0.0885))]
    parts += [
        box((0.09, y - 0.0016, 0.088), (0.17, y + 0.0016, 0.1015), radius=0.0005)
        for y in np.linspace(-0.031, 0.031, 9)
    ]
    parts += [box((x, 0.036, 0.0806), (x + 0.014, 0.049, 0.0925)) for x in (0.094, 0.114, 0.134)]
    return parts


def _antenna(side: int) -> SurfaceMesh:
    """One of the two aerials at the rear, leaning outwards."""
    return spindle(
        (-0.031, side * 0.036, 0.085),
        (-0.045, side * 0.052, 0.2),
        (0.0, 0.16, 0.2, 0.97, 1.0),
        (0.0055, 0.0055, 0.0042, 0.0034, 0.0015),
        12,
    )


def _bumpers(chassis: Chassis) -> list[CarPart]:
    """Foam in front and a bar behind, out to the ends of the collision box."""
    body = chassis.body
    front = body.center_ahead + 0.5 * body.length
    rear = body.center_ahead - 0.5 * body.length
    half = 0.5 * chassis.track_width
    low, high = (float(_height(np.array(z), chassis)) for z in (0.031, 0.07))
    inner = max(chassis.wheelbase + 1.12 * chassis.wheel_radius, front - 0.07)
    inner = min(inner, front - 0.01)
    across = np.linspace(-1.0, 1.0, 15)
    bow = front - (front - inner) * 0.55 * np.abs(across) ** 3
    foam = np.column_stack([bow, 0.92 * half * across])
    back = [(inner, 0.5 * half), (inner, -0.5 * half)]
    outline = np.vstack([foam, back])
    stem = chassis.wheelbase + 0.2 * chassis.wheel_radius
    mount = box((stem, -0.3 * half, low), (inner + 0.004, 0.3 * half, low + 0.35 * (high - low)))
    tail = -0.3 * chassis.wheel_radius
    bar = rounded_rectangle((rear + 0.009, 0.0), (0.018, 1.1 * half), 0.006)
    bars = [prism(bar, low + 0.15 * (high - low), low + 0.6 * (high - low), chamfer=0.003)]
    bars += [
        rod(
            (tail, s * 0.2 * half, low + 0.3 * (high - low)),
            (rear + 0.01, s * 0.3 * half, low + 0.36 * (high - low)),
            0.005,
        )
        for s in (1, -1)
    ]
    edge = 0.15 * (high - low)
    return [
        CarPart("front_bumper", "Foam", prism(outline, low, high, chamfer=min(edge, 0.004))),
        CarPart("front_mount", "Carbon", mount),
        CarPart("rear_bumper", "Carbon", merge(bars)),
    ]


def _lidar(lidar: LidarHardware, deck: float) -> list[CarPart]:
    """The scanner: bracket, housing, dark window about the scan plane, cap with a coloured band."""
    x, plane = lidar.mount_ahead, lidar.mount_height
    foot = min(deck, plane - 0.025)
    sill = plane - 0.0125
    stand = foot + 0.25 * (sill - foot)

    def round_part(low: float, high: float, radius: float, edge: float) -> SurfaceMesh:
        share = edge / (high - low)
        stations = (0.0, share, 1.0 - share, 1.0)
        return spindle(
            (x, 0.0, low),
            (x, 0.0, high),
            stations,
            (radius - edge, radius, radius, radius - edge),
            40,
        )

    bracket = box((x - 0.03, -0.03, foot - 0.0005), (x + 0.03, 0.03, stand))
    housing = prism(
        rounded_rectangle((x, 0.0), (0.05, 0.05), 0.008), stand - 0.0005, sill, chamfer=0.0015
    )
    return [
        CarPart("lidar_bracket", "Metal", bracket),
        CarPart("lidar_housing", "Sensor", housing),
        CarPart("lidar_window", "Sensor", round_part(sill - 0.001, plane + 0.0125, 0.0215, 0.0005)),
        CarPart("lidar_band", "Accent", round_part(plane + 0.0115, plane + 0.016, 0.0242, 0.0008)),
        CarPart("lidar_cap", "Sensor", round_part(plane + 0.0155, plane + 0.026, 0.0238, 0.003)),
    ]


def _tyre(radius: float, width: float) -> SurfaceMesh:
    """A tyre with blocks of tread, its largest radius the rolling radius."""
    half = 0.5 * width
    side = [(0.62, 0.86), (0.74, 0.98), (0.88, 1.0), (0.965, 0.9), (1.0, 0.62), (1.0, 0.2)]
    right = [(reach, -across) for reach, across in side]
    inner = [(0.58, 0.6), (0.58, -0.6)]
    profile = np.array([*right, *side[::-1], *inner]) * (radius, half)
    segments = 96
    rings = turned_rings(profile, segments)
    # Every fourth gap is a groove across the tread; the middle rib is offset by half a block.
    for ring, shift in ((4, 0), (5, 0), (6, 2), (7, 2)):
        groove = (np.arange(segments) + shift) % 4 == 0
        rings[ring, groove] *= (0.955, 1.0, 0.955)
    return loft(rings, closed=True)


def _rim(radius: float, width: float, out: float) -> SurfaceMesh:
    """A five-spoke rim that faces outwards."""
    half = 0.5 * width
    barrel = np.array(
        [(0.655, -0.9), (0.655, 0.9), (0.62, 0.97), (0.57, 0.9), (0.55, 0.6), (0.55, -0.9)]
    ) * (radius, half)
    hub = np.array([(0.2, -0.3), (0.2, 0.62), (0.16, 0.72)]) * (radius, half)
    spokes = [_spoke(turn, radius, half) for turn in np.arange(5) * 2.0 * np.pi / 5]
    parts = [loft(turned_rings(barrel, 60), closed=True), loft(turned_rings(hub, 30)), *spokes]
    rim = merge(parts)
    if out > 0:
        return rim
    # Turned about z by half a turn: the outside looks the other way.
    points = rim.points * np.array([-1.0, -1.0, 1.0], dtype=np.float32)
    return SurfaceMesh(points=points, triangles=rim.triangles)


def _spoke(turn: float, radius: float, half: float) -> SurfaceMesh:
    """One spoke: a bar that narrows outwards, from the hub to the barrel."""
    ends = []
    for reach, breadth, low, high in ((0.17, 0.1, 0.2, 0.62), (0.57, 0.07, 0.3, 0.8)):
        corners = np.array([(-breadth, low), (breadth, low), (breadth, high), (-breadth, high)])
        ring = np.column_stack(
            [corners[:, 0] * radius, corners[:, 1] * half, np.full(4, reach * radius)]
        )
        ends.append(ring)
    rings = np.stack(ends)
    cos, sin = np.cos(turn), np.sin(turn)
    rotation = np.array([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]])
    return loft(rings @ rotation.T)


def _nut(radius: float, width: float, out: float) -> SurfaceMesh:
    """The wheel nut, six-sided."""
    half = 0.5 * width
    start, end = (0.0, out * 0.6 * half, 0.0), (0.0, out * 0.92 * half, 0.0)
    return spindle(start, end, (0.0, 0.8, 1.0), (0.1 * radius, 0.1 * radius, 0.075 * radius), 6)
