"""Telling from impulses and poses what each car touched. The same for every engine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.sim.engine import BodyModel, Contacts, EngineSettings
from roboracer_arena.sim.rotation import yaw_of

__all__ = ["contact_impulse", "split_contacts"]

_IMPULSE_NOISE = 2.0e-3
"""Impulse below which nothing was touched [N s]: float32 velocities of a 5 kg car at 20 m/s resolve
about 1e-5 N s; solver residuals stay under 1e-3 N s."""
_REACH = 0.03
"""Gap up to which two boxes count as touching [m]: contact offset plus one step of rebound."""


def contact_impulse(
    gained: NDArray[np.float64],
    wrench: NDArray[np.float64],
    body: BodyModel,
    settings: EngineSettings,
) -> NDArray[np.float64]:
    """Return the impulse that contacts gave each car in a step, shape [n, 3] [N s].

    It is the change of momentum less what the applied force and gravity explain.

    Args:
        gained: Shape [n, 3], change of velocity in the step [m/s].
        wrench: Shape [n, 6], applied during the step.
        body: The boxes.
        settings: Length of the step, gravity, and whether the height is held.
    """
    expected = wrench[:, :3] * settings.dt
    if settings.planar:
        expected[:, 2] = 0.0
    else:
        expected[:, 2] -= body.mass * settings.gravity * settings.dt
    return np.asarray(body.mass[:, None] * gained - expected)


def split_contacts(
    state: NDArray[np.float64],
    impulse: NDArray[np.float64],
    body: BodyModel,
    *,
    cars_collide: bool,
) -> Contacts:
    """Attribute the horizontal impulse of each car to a wall or to another car.

    A car that received a horizontal impulse touched another car if their boxes are within reach of
    each other, and a wall otherwise; a car whose neighbour explains less than the whole impulse
    touched both.

    Args:
        state: Shape [n, 13], after the step.
        impulse: Shape [n, 3], contact impulse of the step [N s].
        body: The boxes.
        cars_collide: Whether cars can touch each other at all.
    """
    count = state.shape[0]
    hit = np.hypot(impulse[:, 0], impulse[:, 1]) > _IMPULSE_NOISE
    other = np.full(count, -1, dtype=np.int64)
    if not hit.any():
        return Contacts(wall=hit, car=hit, impulse=impulse, other=other)
    residual = impulse.copy()
    struck = np.flatnonzero(hit)
    if cars_collide and len(struck) > 1:
        _pair_up(state, impulse, body, struck, other, residual)
    car = other >= 0
    wall = hit & (np.hypot(residual[:, 0], residual[:, 1]) > _IMPULSE_NOISE)
    return Contacts(wall=wall, car=car, impulse=impulse, other=other)


def _pair_up(
    state: NDArray[np.float64],
    impulse: NDArray[np.float64],
    body: BodyModel,
    struck: NDArray[np.int64],
    other: NDArray[np.int64],
    residual: NDArray[np.float64],
) -> None:
    """Find touching pairs among the struck cars; clusters without outside impulse met no wall."""
    centers = state[struck, :2]
    yaw = yaw_of(state[struck, 3:7])
    distance = np.linalg.norm(centers[:, None] - centers[None, :], axis=2)
    reach = 2.0 * float(np.hypot(body.half_extents[0], body.half_extents[1])) + 2.0 * _REACH
    first, second = np.nonzero(np.triu(distance < reach, k=1))
    clusters = {int(index): {int(index)} for index in struck}
    for i, j in zip(first, second, strict=True):
        if _box_gap(centers[i], yaw[i], centers[j], yaw[j], body.half_extents) > _REACH:
            continue
        a, b = int(struck[i]), int(struck[j])
        other[a], other[b] = b, a
        merged = clusters[a] | clusters[b]
        for member in merged:
            clusters[member] = merged
    for members in {id(group): group for group in clusters.values() if len(group) > 1}.values():
        rows = sorted(members)
        # Newton's third law: impulses between the cars of a cluster cancel; what is left is walls.
        residual[rows] = impulse[rows].sum(axis=0)


def _box_gap(
    first: NDArray[np.float64],
    first_yaw: float,
    second: NDArray[np.float64],
    second_yaw: float,
    half_extents: tuple[float, float, float],
) -> float:
    """Return the largest separating gap of two upright boxes [m]; negative where they overlap."""
    axes_a, axes_b = _axes(first_yaw), _axes(second_yaw)
    half = np.array(half_extents[:2])
    offset = second - first
    gaps = [
        abs(float(axis @ offset))
        - float(np.abs(axes_a @ axis) @ half)
        - float(np.abs(axes_b @ axis) @ half)
        for axis in (*axes_a, *axes_b)
    ]
    return max(gaps)


def _axes(yaw: float) -> NDArray[np.float64]:
    """Return the two side directions of an upright box, one a row."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    return np.array([[cos, sin], [-sin, cos]])
