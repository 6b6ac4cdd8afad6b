"""The admissibility screen (Eqs. 1 and 2): what cannot exist is refused before anything is built.

Two kinds of bounds are shown. *Deciding* bounds are proofs: whatever the constructor builds and the
validator accepts satisfies them, tolerances included; ``docs/generate.md`` derives each one. The
*published* bounds L_max and the feature budget are shown beside them, since they say how tight a
request is, but they decide nothing: a 60 m oval fits a hall of 30 x 5 m although its L_max is
53.95 m, and an oval of two hairpins needs a sixth of the lap that the budget asks for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from roboracer_arena.generate import conventions
from roboracer_arena.generate.defaults import ResolvedSpec, published_capacity
from roboracer_arena.generate.settings import TrackSettings

__all__ = ["Bound", "ScreenResult", "feature_arc", "screen"]

_STRAIGHT_SHARE = 0.28
_FEATURE_SHARE = 0.70
"""Eq. 2: straights keep 28 % of the lap, features use at most 70 % of the rest."""

# The arc that a feature takes in the constructor's bands, in reference radii (Eq. 2's l_min).
_HAIRPIN_ARC = 1.2 * math.pi
"""Half a turn at 1.2 r_min: five of them need 21.91 m at the default width, 0.77 m less than the
22.68 m that a lap of 45 m offers, the published figure."""
_CHICANE_ARC = 2.0 * 1.05 * math.radians(60.0)
"""Two corners of 60 degrees at 1.05 r_min."""
_SWEEPER_ARC = 1.8 * math.radians(90.0)
"""A right angle at 1.8 r_min."""

_HIDDEN_CORNER = 0.95
"""A sustained radius bounds the mean curvature over a window, so it may hide corners of up to 0.6
rad, 0.6 radii apart: a polygon whose inner circle is 0.97 of that radius, and whose sides make a
turn appear up to half a window shorter than angle times radius."""


class Bound(BaseModel):
    """One inequality with its numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """Stable name, such as ``lap_capacity``."""
    kind: Literal["deciding", "published"]
    """Whether the bound decides, or is shown for information."""
    value: float
    """What the request needs [m]."""
    relation: Literal["<=", ">="]
    """How ``value`` must compare with ``limit``."""
    limit: float
    """[m]"""
    ok: bool
    """Whether the inequality holds."""
    sentence: str
    """The inequality in words, numbers included."""


class ScreenResult(BaseModel):
    """Every bound of a request; ``passed`` where all deciding ones hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    r_min_m: float
    """Reference radius r_min of Eq. 1 [m]."""
    pitch_m: float
    """Distance p of neighbouring centrelines [m]."""
    capacity_m: float
    """Published lap capacity L_max [m]."""
    bounds: tuple[Bound, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing is proven impossible."""
        return all(bound.ok or bound.kind == "published" for bound in self.bounds)

    @property
    def violations(self) -> tuple[Bound, ...]:
        """The deciding bounds that do not hold."""
        return tuple(item for item in self.bounds if not item.ok and item.kind == "deciding")


def screen(spec: ResolvedSpec, settings: TrackSettings | None = None) -> ScreenResult:
    """Check a specification against every necessary condition; takes microseconds.

    Args:
        spec: The complete specification.
        settings: Walls, clearances and margins.
    """
    needs = _Needs.of(spec, settings or TrackSettings())
    bounds = [
        _lap_turns(needs),
        _lap_fits(needs),
        *_hall_holds_turns(needs),
        _features_fit(needs),
        *_hairpins_close(needs),
        *_straight_fits(needs),
        _published_capacity(needs),
        _published_budget(needs),
    ]
    return ScreenResult(
        r_min_m=needs.radius,
        pitch_m=needs.settings.pitch(spec.corridor_width_m),
        capacity_m=needs.capacity,
        bounds=tuple(bounds),
    )


def feature_arc(spec: ResolvedSpec) -> float:
    """Return the sum of feature minima of Eq. 2 [m]."""
    return spec.reference_radius * (
        spec.hairpins * _HAIRPIN_ARC + spec.chicanes * _CHICANE_ARC + spec.sweepers * _SWEEPER_ARC
    )


@dataclass(frozen=True, slots=True)
class _Needs:
    """A request at the far end of every tolerance of the validator [m]."""

    spec: ResolvedSpec
    settings: TrackSettings
    radius: float
    """r_min of Eq. 1."""
    cell: float
    least_radius: float
    """Smallest radius that the validator lets pass."""
    least_width: float
    """Smallest mean width that it lets pass, walls of one side included on both sides."""
    least_lap: float
    most_lap: float
    capacity: float
    """Published L_max."""

    @staticmethod
    def of(spec: ResolvedSpec, settings: TrackSettings) -> _Needs:
        """Work out what a specification needs."""
        radius, cell = spec.reference_radius, settings.cell(spec.corridor_width_m)
        slack = max(conventions.RADIUS_SLACK_CELLS * cell, conventions.RADIUS_TOLERANCE * radius)
        width = (1.0 - conventions.WIDTH_TOLERANCE) * spec.corridor_width_m
        return _Needs(
            spec=spec,
            settings=settings,
            radius=radius,
            cell=cell,
            least_radius=max(0.0, radius - slack),
            least_width=width + 2.0 * settings.wall_m - conventions.CLEARANCE_SLACK_CELLS * cell,
            least_lap=(1.0 - conventions.LAP_TOLERANCE) * spec.lap_length_m,
            most_lap=(1.0 + conventions.LAP_TOLERANCE) * spec.lap_length_m,
            capacity=published_capacity(
                (spec.hall_x_m, spec.hall_y_m), spec.corridor_width_m, settings
            ),
        )


def _bound(
    name: str,
    value: float,
    relation: Literal["<=", ">="],
    limit: float,
    sentence: str,
    kind: Literal["deciding", "published"] = "deciding",
) -> Bound:
    # One part in 10^9: equality that only rounding breaks is equality.
    slack = 1e-9 * max(1.0, abs(limit))
    ok = value <= limit + slack if relation == "<=" else value >= limit - slack
    return Bound(
        name=name,
        kind=kind,
        value=value,
        relation=relation,
        limit=limit,
        ok=ok,
        sentence=f"{sentence}: {value:.2f} m {relation} {limit:.2f} m "
        + ("holds" if ok else "does not hold"),
    )


def _lap_turns(needs: _Needs) -> Bound:
    """A closed curve of curvature at most 1/r turns once around: it is at least 2 pi r long."""
    return _bound(
        "lap_turns_once",
        needs.most_lap,
        ">=",
        2.0 * math.pi * needs.least_radius,
        f"a lap of {needs.spec.lap_length_m:g} m (+3 %) turns full circle at a radius of "
        f"{needs.radius:.2f} m (less the tolerance)",
    )


def _lap_fits(needs: _Needs) -> Bound:
    """A corridor with its walls covers lap times width, and no spot twice, within the hall.

    The corners of the hall stay empty: no point within h of the hall's inner rectangle, shrunk by
    h, lies in the four corner squares outside their quarter circles.
    """
    sides = _hall_sides(needs)
    reach = needs.least_width / 2.0
    area = sides[0] * sides[1] - (4.0 - math.pi) * reach**2
    return _bound(
        "lap_capacity",
        needs.least_lap,
        "<=",
        max(0.0, area) / needs.least_width,
        f"a lap of {needs.spec.lap_length_m:g} m (-3 %) with its walls, {needs.least_width:.2f} m "
        f"wide after tolerances, fits the area of a {needs.spec.hall_x_m:g} x "
        f"{needs.spec.hall_y_m:g} m hall",
    )


def _hall_sides(needs: _Needs) -> tuple[float, float]:
    slack = conventions.HALL_SLACK_CELLS * needs.cell
    return needs.spec.hall_x_m + slack, needs.spec.hall_y_m + slack


def _hall_holds_turns(needs: _Needs) -> list[Bound]:
    """A closed curve of curvature at most 1/r encloses a disc of radius r (Pestov, Ionin 1959)."""
    return [
        _bound(
            f"hall_{axis}",
            2.0 * _HIDDEN_CORNER * needs.least_radius + needs.least_width,
            "<=",
            side,
            f"the hall is wide enough along {axis} for one turn of {needs.radius:.2f} m radius "
            "with corridor and walls (less the tolerances)",
        )
        for axis, side in zip("xy", _hall_sides(needs), strict=True)
    ]


def _features_fit(needs: _Needs) -> Bound:
    """Features do not overlap, and each is at least its smallest angle times its radius long."""
    spec = needs.spec
    arc = (
        spec.hairpins * conventions.HAIRPIN_MIN_ANGLE * needs.least_radius
        + spec.chicanes * 2.0 * conventions.CORNER_MIN_ANGLE * needs.least_radius
        + spec.sweepers
        * conventions.SWEEPER_MIN_ANGLE
        * conventions.SWEEPER_MIN_RADIUS
        * needs.radius
    )
    return _bound(
        "feature_arc",
        _HIDDEN_CORNER * arc,
        "<=",
        needs.most_lap,
        f"the arcs of {spec.hairpins} hairpins, {spec.chicanes} chicanes and {spec.sweepers} "
        f"sweepers at their smallest fit into the lap",
    )


def _hairpins_close(needs: _Needs) -> list[Bound]:
    """A line half a width from its inner wall cannot turn tighter than that."""
    if not needs.spec.hairpins:
        return []
    half = (1.0 - conventions.WIDTH_TOLERANCE) * needs.spec.corridor_width_m / 2.0
    return [
        _bound(
            "hairpin_radius",
            _HIDDEN_CORNER * half - needs.cell,
            "<=",
            conventions.HAIRPIN_MAX_RADIUS * needs.radius,
            "a hairpin around a wall's end, half the corridor's width (less the tolerances), is "
            f"within twice the radius of {needs.radius:.2f} m",
        )
    ]


def _straight_fits(needs: _Needs) -> list[Bound]:
    """A straight fits the hall's diagonal, and the lap must come back to where it began."""
    spec = needs.spec
    asked = spec.longest_straight_m or 0.0
    if not asked:
        return []
    slack = max(
        conventions.STRAIGHT_TOLERANCE * asked, conventions.STRAIGHT_SLACK_CELLS * needs.cell
    )
    least = max(0.0, asked - slack)
    chord = least * math.cos(conventions.STRAIGHT_HEADING)
    sides = [max(0.0, side - needs.least_width) for side in _hall_sides(needs)]
    # The way back: at least the chord, plus a full turn less what 2 x 8 degrees of the straight
    # and the window of the sustained radius may hide.
    turning = 2.0 * math.pi - 4.0 * conventions.STRAIGHT_HEADING
    window = conventions.SUSTAINED_WINDOW * needs.radius
    back = max(0.0, turning * needs.least_radius - 2.0 * window)
    return [
        _bound(
            "straight_in_hall",
            chord,
            "<=",
            math.hypot(*sides),
            f"a straight of {asked:g} m (less the tolerance) fits the diagonal of the hall",
        ),
        _bound(
            "straight_in_lap",
            least + chord + back,
            "<=",
            needs.most_lap,
            f"a straight of {asked:g} m, its way back and the turns between fit into the lap",
        ),
    ]


def _published_capacity(needs: _Needs) -> Bound:
    limit = needs.capacity
    return _bound(
        "lap_capacity_published",
        needs.spec.lap_length_m,
        "<=",
        limit,
        f"a lap of {needs.spec.lap_length_m:g} m within L_max of the hall at a pitch of "
        f"p = {needs.settings.pitch(needs.spec.corridor_width_m):.2f} m and a margin of "
        f"{needs.settings.hall_margin_m:g} m",
        kind="published",
    )


def _published_budget(needs: _Needs) -> Bound:
    return _bound(
        "feature_budget_published",
        feature_arc(needs.spec),
        "<=",
        _FEATURE_SHARE * (1.0 - _STRAIGHT_SHARE) * needs.spec.lap_length_m,
        "the features' usual arcs within 0.70 (1 - 0.28) of the lap",
        kind="published",
    )
