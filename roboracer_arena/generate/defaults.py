"""What a request leaves open: indoor values that fit what it does state.

Each default depends on stated fields only, so that the order of the rules does not matter to a
reader: width, then features, then lap, then hall. ``docs/generate.md`` lists them with reasons.
"""

from __future__ import annotations

import math
from typing import Any

from pydantic import BaseModel, ConfigDict

from roboracer_arena.generate.conventions import reference_radius
from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import FEATURES, SPEC_FIELDS, Direction, Feature, TrackSpec

__all__ = [
    "DEFAULT_LAP",
    "DEFAULT_WIDTH",
    "ResolvedSpec",
    "comfortable_lap",
    "published_capacity",
    "resolve_defaults",
]

DEFAULT_WIDTH = 1.55
"""Corridor width [m]: three times the 0.3 m of a car plus room to pass, and with the walls and
clearances of :class:`TrackSettings` the published pitch of 2.15 m."""
_WIDTH_PER_RADIUS = 2.3
"""Corridor width for a stated minimum radius, at most: leaves the inner wall 13 % of the radius."""
_WIDTH_PER_HALL = 0.2
"""Corridor width as a share of the longer side of a stated hall, at most: both ways of an oval and
as much again between and beside them."""
_NARROWEST = 0.6
"""Default corridor width, at least [m]: twice a car."""
DEFAULT_LAP = 45.0
"""Lap length where neither hall nor features ask for another [m]; about 12 s at the 3.4 m/s that
these cars drive in races at the median."""
_DEFAULT_HALL = (20.0, 15.0)
"""Hall where nothing is stated [m]: half a sports hall."""
_USUAL_FILL = 0.45
"""Share of the hall's capacity L_max that a default lap uses at most, and that a default hall
leaves for a stated lap at least."""

_HIGHEST_FILL = 0.70
"""Share of L_max that a default lap uses at most where the features ask for more than the usual."""
_CROWDED_FILL = 0.60
"""Share of L_max from which a lap needs hairpins: without them, parts two corridors apart are as
close as it gets."""

# Laps in which features find room without crowding, in reference radii: one and a half times the
# shortest that the constructor built for three seeds or more (docs/generate.md has the table).
_PLAIN_LAP = 16.0
_LAP_PER_HAIRPIN = 8.0
_LAP_PER_CHICANE = 7.0
_LAP_PER_SWEEPER = 6.0
_SHORTEST_OVAL = 11.0
"""Lap of the shortest oval, in reference radii: a full turn, and two straights long enough to keep
its hairpins two."""
_OVAL_HALL = 4.6
"""A hall narrower than this plus the corridor, in reference radii, holds ovals only."""


class ResolvedSpec(BaseModel):
    """A specification without gaps, and which of its values nobody stated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    values: TrackSpec
    """All twelve fields; only the minimum radius and the longest straight may still be None, and
    the order empty: that asks for none."""
    stated: tuple[str, ...]
    """Names of the fields that the request stated."""
    defaulted: tuple[str, ...]
    """Names of all other fields."""

    @property
    def name(self) -> str:
        """Name of the track."""
        return str(self.values.name)

    @property
    def lap_length_m(self) -> float:
        """Lap length L [m]."""
        return float(self.values.lap_length_m or 0.0)

    @property
    def corridor_width_m(self) -> float:
        """Corridor width w [m]."""
        return float(self.values.corridor_width_m or 0.0)

    @property
    def hall_x_m(self) -> float:
        """Length of the hall along x [m]."""
        return float(self.values.hall_x_m or 0.0)

    @property
    def hall_y_m(self) -> float:
        """Length of the hall along y [m]."""
        return float(self.values.hall_y_m or 0.0)

    @property
    def direction(self) -> Direction:
        """Driving direction."""
        return self.values.direction or "ccw"

    @property
    def hairpins(self) -> int:
        """Number of hairpins."""
        return int(self.values.hairpins or 0)

    @property
    def chicanes(self) -> int:
        """Number of chicanes."""
        return int(self.values.chicanes or 0)

    @property
    def sweepers(self) -> int:
        """Number of sweepers."""
        return int(self.values.sweepers or 0)

    @property
    def feature_order(self) -> tuple[Feature, ...]:
        """Features in driving order; empty asks for none."""
        return self.values.feature_order

    @property
    def longest_straight_m(self) -> float | None:
        """Least length of the longest straight [m]; None asks for none."""
        return self.values.longest_straight_m or None

    @property
    def reference_radius(self) -> float:
        """r_ref: the requested minimum radius, or Eq. 1's default [m]."""
        return reference_radius(self.corridor_width_m, self.values.min_radius_m)


def resolve_defaults(spec: TrackSpec, settings: TrackSettings | None = None) -> ResolvedSpec:
    """Fill the unstated fields of a specification so that the whole fits together.

    Args:
        spec: What was stated; those values stay as they are.
        settings: Walls, clearances and margins.
    """
    settings = settings or TrackSettings()
    width = spec.corridor_width_m or _width(spec)
    radius = reference_radius(width, spec.min_radius_m)
    counts = _features(spec, radius, width, settings)
    lap = spec.lap_length_m or _lap(spec, counts, radius, width, settings)
    hall = _hall(spec, lap, width, radius, settings)
    filled: dict[str, Any] = {
        **spec.model_dump(),
        "name": spec.name or "track",
        "lap_length_m": lap,
        "corridor_width_m": width,
        "hall_x_m": hall[0],
        "hall_y_m": hall[1],
        "direction": spec.direction or "ccw",
        **{f"{feature}s": counts[feature] for feature in FEATURES},
    }
    stated = spec.stated()
    return ResolvedSpec(
        values=TrackSpec(**filled),
        stated=stated,
        defaulted=tuple(name for name in SPEC_FIELDS if name not in stated),
    )


def _width(spec: TrackSpec) -> float:
    """Return a corridor that suits a small hall and a small radius, in steps of 5 cm [m]."""
    width = DEFAULT_WIDTH
    if spec.min_radius_m:
        width = min(width, _WIDTH_PER_RADIUS * spec.min_radius_m)
    sides = [side for side in (spec.hall_x_m, spec.hall_y_m) if side]
    if sides:
        width = min(width, _WIDTH_PER_HALL * max(sides))
    return round(max(_NARROWEST, math.floor(width / 0.05 + 1e-9) * 0.05), 2)


def _features(
    spec: TrackSpec, radius: float, width: float, settings: TrackSettings
) -> dict[Feature, int]:
    """Return the number of each feature: as stated or listed; none where another is asked for.

    A request that only rules features out gets the usual ones of the others.
    """
    stated: dict[Feature, int | None] = {
        feature: getattr(spec, f"{feature}s") for feature in FEATURES
    }
    listed = {feature: spec.feature_order.count(feature) for feature in FEATURES}
    if spec.feature_order or any(stated.values()):
        return {name: listed[name] if count is None else count for name, count in stated.items()}
    hairpins, chicanes = _usual_features(spec, radius, width, settings)
    usual: dict[Feature, int] = {"hairpin": hairpins, "chicane": chicanes, "sweeper": 0}
    return {name: usual[name] if count is None else 0 for name, count in stated.items()}


def _usual_features(
    spec: TrackSpec, radius: float, width: float, settings: TrackSettings
) -> tuple[int, int]:
    """Return hairpins and chicanes for a request that names no feature at all.

    One of each where there is room; an oval where there is room for nothing else; more hairpins
    where only they can fold so long a lap into the hall.
    """
    roomy = (_PLAIN_LAP + _LAP_PER_HAIRPIN + _LAP_PER_CHICANE) * radius
    capacity = _capacity(spec, width, settings)
    usual = min(DEFAULT_LAP, _USUAL_FILL * capacity) if capacity else max(DEFAULT_LAP, roomy)
    lap = spec.lap_length_m or usual
    sides = [side for side in (spec.hall_x_m, spec.hall_y_m) if side]
    room = (min(sides, default=math.inf) - 2.0 * settings.reach(width)) / radius
    if room < _OVAL_HALL or lap < _PLAIN_LAP * radius:
        return 2, 0
    if capacity and lap > _CROWDED_FILL * capacity:
        return (4 if lap > 40.0 * radius else 2), 0
    return (1, 1) if lap >= roomy else (0, 0)


def _capacity(spec: TrackSpec, width: float, settings: TrackSettings) -> float | None:
    """Return L_max of a hall of which both sides are stated [m]."""
    if not (spec.hall_x_m and spec.hall_y_m):
        return None
    return published_capacity((spec.hall_x_m, spec.hall_y_m), width, settings)


def _lap(
    spec: TrackSpec,
    counts: dict[Feature, int],
    radius: float,
    width: float,
    settings: TrackSettings,
) -> float:
    """Return a lap for the features, and for the hall as far as it is stated, in whole metres."""
    comfortable = math.ceil(
        comfortable_lap(
            counts["hairpin"],
            counts["chicane"],
            counts["sweeper"],
            radius=radius,
            straight=spec.longest_straight_m,
        )
    )
    capacity = _capacity(spec, width, settings)
    if capacity is None:
        return max(DEFAULT_LAP, float(comfortable))
    usual = min(DEFAULT_LAP, _USUAL_FILL * capacity)
    fitting = max(usual, min(comfortable, _HIGHEST_FILL * capacity))
    return float(max(math.floor(fitting), math.ceil(_SHORTEST_OVAL * radius)))


def _hall(
    spec: TrackSpec, lap: float, width: float, radius: float, settings: TrackSettings
) -> tuple[float, float]:
    """Return a hall for the lap: stated sides kept, the others in whole metres."""
    margins, reach = 2.0 * settings.hall_margin_m, settings.reach(width)
    # Parallel straights are a pitch apart, but a hairpin between them needs two radii.
    area = lap * max(settings.pitch(width), 2.2 * radius) / _USUAL_FILL
    long_side = 1.05 * (spec.longest_straight_m or 0.0) + 2.0 * (reach + 1.25 * radius)
    if spec.hall_x_m and spec.hall_y_m:
        return spec.hall_x_m, spec.hall_y_m
    known = spec.hall_x_m or spec.hall_y_m
    if known:
        needed = area / max(1.0, known - margins) + margins
        if known < long_side:
            needed = max(needed, long_side)
        other = float(math.ceil(max(0.75 * known, needed)))
        return (known, other) if spec.hall_x_m else (other, known)
    scale = max(
        1.0,
        math.sqrt(area / ((_DEFAULT_HALL[0] - margins) * (_DEFAULT_HALL[1] - margins))),
        long_side / _DEFAULT_HALL[0],
    )
    return (
        float(math.ceil(scale * _DEFAULT_HALL[0] - 1e-9)),
        float(math.ceil(scale * _DEFAULT_HALL[1] - 1e-9)),
    )


def published_capacity(hall: tuple[float, float], width: float, settings: TrackSettings) -> float:
    """Return L_max of Eq. 1 [m]; 0 where the margins leave nothing of the hall.

    Args:
        hall: Both sides [m].
        width: Corridor width [m].
        settings: Walls, clearances and margins.
    """
    free_x, free_y = (max(0.0, side - 2.0 * settings.hall_margin_m) for side in hall)
    return free_x * free_y / settings.pitch(width)


def comfortable_lap(
    hairpins: int, chicanes: int, sweepers: int, *, radius: float, straight: float | None
) -> float:
    """Return a lap in which features and a straight find room without crowding [m].

    Args:
        hairpins: Number of hairpins.
        chicanes: Number of chicanes.
        sweepers: Number of sweepers.
        radius: Reference radius [m].
        straight: Least length of the longest straight [m]; None asks for none.
    """
    units = (
        _PLAIN_LAP
        + _LAP_PER_HAIRPIN * hairpins
        + _LAP_PER_CHICANE * chicanes
        + _LAP_PER_SWEEPER * sweepers
    )
    return radius * units + 2.0 * (straight or 0.0)
