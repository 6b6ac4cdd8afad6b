"""The last word on a track: its finished raster, measured anew against what was asked.

Nothing here sees the curve that the constructor drew. ``docs/track-conventions.md`` defines every
property; tolerances are in :mod:`roboracer_arena.generate.conventions`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roboracer_arena.generate import conventions
from roboracer_arena.generate.features import name_features, order_matches
from roboracer_arena.generate.measure.line import MeasuredLine, measure_line
from roboracer_arena.generate.measure.topology import Topology, find_topology
from roboracer_arena.generate.measure.turns import find_turns, longest_straight, profile_of
from roboracer_arena.generate.measure.walls import (
    narrowest_width,
    nearest_facing,
    wall_thickness,
)
from roboracer_arena.generate.report import Measurement, ValidationReport
from roboracer_arena.generate.spec import FEATURES, Feature, TrackSpec
from roboracer_arena.maps import OccupancyMap

__all__ = ["validate"]


def validate(track: OccupancyMap, spec: TrackSpec) -> ValidationReport:
    """Measure a map and compare it with a specification.

    Args:
        track: The finished map.
        spec: What was asked. Unstated fields are measured, but cannot fail.

    Returns:
        One measurement per test. A map without exactly one corridor around one infield, or with
        a ring of a few cells only, has no centreline: the later tests then fail unmeasured.
    """
    topology = find_topology(track)
    tests = _topology_tests(topology)
    lap = _measure_lap(track, topology, spec) if topology.is_lap else None
    if lap is None:
        radius = conventions.reference_radius(spec.corridor_width_m or 0.0, spec.min_radius_m)
        tests += [_unmeasured(name) for name in _LAP_TESTS] + _hall_tests(track, topology, spec)
        return _report(track, radius, None, (), tests)
    tests += _length_tests(lap, spec)
    tests += _shape_tests(lap, spec)
    tests += [_clearance_test(lap, spec), *_hall_tests(track, topology, spec)]
    return _report(track, lap.radius, lap.thickness, lap.features, tests)


_ROUNDING = 1e-9
"""Whole cells times their size must not fail a limit by rounding [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lap:
    """All that is measured along the centreline [m]."""

    cell: float
    radius: float
    line: MeasuredLine
    narrowest: float
    thickness: float
    smallest_radius: float
    straight: float
    features: tuple[Feature, ...]
    facing: float


def _measure_lap(track: OccupancyMap, topology: Topology, spec: TrackSpec) -> _Lap | None:
    cell = track.resolution
    width = spec.corridor_width_m
    if width is None:
        # Free area over a first lap length is close enough to choose a scale by.
        first = measure_line(topology, cell, conventions.FREE_RADIUS_FLOOR)
        free = float(np.count_nonzero(topology.free)) * cell**2
        width = free / first.length + cell if first else 0.0
    radius = conventions.reference_radius(width, spec.min_radius_m)
    line = measure_line(topology, cell, radius)
    if line is None:
        return None
    profile = profile_of(line.points, radius)
    turns = find_turns(profile, radius)
    named = name_features(turns, line.length, radius)
    order = tuple(item.feature for item in named)
    thickness = wall_thickness(track, topology)
    apart = math.pi / 2.0 * (width + 2.0 * min(thickness, width))
    return _Lap(
        cell=cell,
        radius=radius,
        line=line,
        narrowest=narrowest_width(topology, line, cell),
        thickness=thickness,
        smallest_radius=1.0 / float(np.abs(profile.curvature).max()),
        straight=longest_straight(profile, turns),
        features=order[::-1] if spec.direction == "cw" else order,
        facing=nearest_facing(line.points, line.step, apart),
    )


_LAP_TESTS = (
    "lap_length",
    "mean_width",
    "narrowest_width",
    "min_radius",
    "hairpins",
    "chicanes",
    "sweepers",
    "feature_order",
    "longest_straight",
    "self_clearance",
)


def _unmeasured(name: str) -> Measurement:
    return Measurement(
        name=name,
        wanted=None,
        measured=None,
        tolerance=None,
        unit="",
        ok=False,
        sentence=f"{name} cannot be measured: no corridor of some length around one infield",
    )


def _exact(name: str, what: str, wanted: float | str | None, measured: int | str) -> Measurement:
    ok = wanted is None or measured == wanted
    asked = "nothing asked" if wanted is None else f"asked {wanted}"
    return Measurement(
        name=name,
        wanted=wanted,
        measured=measured,
        tolerance=None,
        unit="",
        ok=ok,
        sentence=f"{what}: found {measured}, {asked}",
    )


def _within(
    name: str, what: str, wanted: float | None, measured: float, low: float, high: float
) -> Measurement:
    """Compare a length with ``wanted`` minus ``low`` to ``wanted`` plus ``high`` [m].

    One of the two allowances is infinite for a bound that holds on one side only.
    """
    ok = wanted is None or wanted - low - _ROUNDING <= measured <= wanted + high + _ROUNDING
    finite = [value for value in (low, high) if math.isfinite(value)]
    bound = "exactly" if len(finite) == 2 else "at least" if math.isfinite(low) else "at most"
    asked = (
        "nothing asked"
        if wanted is None
        else f"asked {bound} {wanted:.3f} m, tolerance {finite[0]:.3f} m"
    )
    return Measurement(
        name=name,
        wanted=wanted,
        measured=measured if math.isfinite(measured) else None,
        tolerance=None if wanted is None else finite[0],
        unit="m",
        ok=ok,
        sentence=f"{what} is {f'{measured:.3f} m' if math.isfinite(measured) else 'unlimited'}; "
        + asked,
    )


def _topology_tests(topology: Topology) -> list[Measurement]:
    return [
        _exact("corridors", "separate free areas", 1, topology.corridors),
        _exact("infields", "areas enclosed by the corridor", 1, topology.infields),
        _exact("sealed", "free cells that touch unknown space", 0, topology.unsealed),
    ]


def _length_tests(lap: _Lap, spec: TrackSpec) -> list[Measurement]:
    length, width = spec.lap_length_m, spec.corridor_width_m
    lap_slack = conventions.LAP_TOLERANCE * (length or 0.0)
    width_slack = conventions.WIDTH_TOLERANCE * (width or 0.0)
    mean = float(lap.line.width.mean())
    least = None if width is None else conventions.NARROWEST_SHARE * width
    narrow_slack = conventions.NARROWEST_SLACK_CELLS * lap.cell
    return [
        _within("lap_length", "the lap", length, lap.line.length, lap_slack, lap_slack),
        _within("mean_width", "the mean width", width, mean, width_slack, width_slack),
        _within(
            "narrowest_width", "the narrowest place", least, lap.narrowest, narrow_slack, math.inf
        ),
    ]


def _shape_tests(lap: _Lap, spec: TrackSpec) -> list[Measurement]:
    known = spec.corridor_width_m is not None or bool(spec.min_radius_m)
    slack = max(
        conventions.RADIUS_SLACK_CELLS * lap.cell, conventions.RADIUS_TOLERANCE * lap.radius
    )
    straight = spec.longest_straight_m or None
    straight_slack = max(
        conventions.STRAIGHT_TOLERANCE * (straight or 0.0),
        conventions.STRAIGHT_SLACK_CELLS * lap.cell,
    )
    return [
        _within(
            "min_radius",
            "the smallest sustained radius",
            lap.radius if known else None,
            lap.smallest_radius,
            slack,
            math.inf,
        ),
        *(
            _exact(f"{name}s", f"{name}s", getattr(spec, f"{name}s"), lap.features.count(name))
            for name in FEATURES
        ),
        _order_test(lap.features, spec.feature_order),
        _within(
            "longest_straight",
            "the longest straight",
            straight,
            lap.straight,
            straight_slack,
            math.inf,
        ),
    ]


def _order_test(found: Sequence[Feature], wanted: Sequence[Feature]) -> Measurement:
    seen = ", ".join(found) or "none"
    asked = ", ".join(wanted)
    return Measurement(
        name="feature_order",
        wanted=asked or None,
        measured=seen,
        tolerance=None,
        unit="",
        ok=order_matches(found, wanted),
        sentence=f"features in driving order: {seen}; "
        + (f"asked {asked}" if asked else "no order asked"),
    )


def _clearance_test(lap: _Lap, spec: TrackSpec) -> Measurement:
    width = spec.corridor_width_m or float(lap.line.width.mean())
    slack = conventions.CLEARANCE_SLACK_CELLS * lap.cell
    spare = lap.facing - width - 2.0 * lap.thickness
    if math.isinf(lap.facing):
        spare = math.inf
    return _within(
        "self_clearance", "room between the walls of facing parts", 0.0, spare, slack, math.inf
    )


def _hall_tests(track: OccupancyMap, topology: Topology, spec: TrackSpec) -> list[Measurement]:
    slack = conventions.HALL_SLACK_CELLS * track.resolution
    sizes = [count * track.resolution for count in topology.extent]
    return [
        _within(f"hall_{axis}", f"the extent along {axis}", hall, size, math.inf, slack)
        for axis, hall, size in zip("xy", (spec.hall_x_m, spec.hall_y_m), sizes, strict=True)
    ]


def _report(
    track: OccupancyMap,
    radius: float,
    thickness: float | None,
    features: Sequence[str],
    tests: list[Measurement],
) -> ValidationReport:
    return ValidationReport(
        map_name=track.name,
        resolution_m=track.resolution,
        reference_radius_m=radius,
        wall_thickness_m=thickness,
        features=tuple(features),
        measurements=tuple(tests),
    )
