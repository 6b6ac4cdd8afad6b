"""A closed curve as a vector of numbers: straights, link turns, and the asked features.

Around the lap, links alternate with features. A link is a straight, a turn of either sign, and
another straight; a feature has its turn, its radius and its sign. The vector holds one number per
quantity, all within bounds that both baselines share.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.generate.defaults import ResolvedSpec
from roboracer_arena.generate.path import Curve
from roboracer_arena.generate.spec import FEATURES, Feature

__all__ = ["TurnProfile", "closed_curve"]

_LEAST_LINKS = 4
_LINK_TURN = math.radians(137.0)
"""Largest turn of a link, either way; the published bound."""
_LINK_RADIUS = (1.0, 1.4)
_STRAIGHTS = (0.1, 0.9)
"""Length of each straight of a link, as a share of the lap per link."""

# Turn [rad] and radius [reference radii] of features, at the bands of the conventions.
_HAIRPIN = ((math.radians(160.0), math.radians(195.0)), (1.05, 1.7))
_SWEEPER = ((math.radians(65.0), math.radians(120.0)), (1.6, 3.0))
_CHICANE = ((math.radians(40.0), math.radians(95.0)), (1.0, 1.3))
_CHICANE_GAP = (0.0, 0.9)
"""Straight between the corners of a chicane, in reference radii."""


@dataclass(frozen=True, slots=True)
class TurnProfile:
    """The meaning of the vector for one specification."""

    spec: ResolvedSpec
    features: tuple[Feature, ...]
    """In driving order."""

    @staticmethod
    def of(spec: ResolvedSpec, rng: Random) -> TurnProfile:
        """Take the asked order, or draw one."""
        features = list(spec.feature_order)
        counts = {"hairpin": spec.hairpins, "chicane": spec.chicanes, "sweeper": spec.sweepers}
        for feature in FEATURES:
            for _ in range(counts[feature] - spec.feature_order.count(feature)):
                features.insert(int(rng.random() * (len(features) + 1)), feature)
        return TurnProfile(spec, tuple(features))

    @property
    def links(self) -> int:
        """Number of links: one per feature, and enough to close a lap without any."""
        return max(_LEAST_LINKS, len(self.features))

    def bounds(self) -> list[tuple[float, float]]:
        """Return least and largest value of each number of the vector."""
        radius = self.spec.reference_radius
        share = self.spec.lap_length_m / self.links
        straight = (_STRAIGHTS[0] * share / 2.0, _STRAIGHTS[1] * share / 2.0)
        link = [straight, (-_LINK_TURN, _LINK_TURN), _scaled(_LINK_RADIUS, radius), straight]
        bounds = link * self.links
        bands = {"hairpin": _HAIRPIN, "sweeper": _SWEEPER, "chicane": _CHICANE}
        for feature in self.features:
            turn, arc = bands[feature]
            bounds += [turn, _scaled(arc, radius), (-1.0, 1.0), _scaled(_CHICANE_GAP, radius)]
        return bounds

    def knots(self, vector: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return arc length [m] and heading [rad] where the curvature changes."""
        lengths: list[float] = []
        turns: list[float] = []
        offset = 4 * self.links
        for index in range(self.links):
            before, turn, radius, after = vector[4 * index : 4 * index + 4]
            lengths += [before, radius * abs(turn), after]
            turns += [0.0, turn, 0.0]
            if index < len(self.features):
                part = vector[offset + 4 * index : offset + 4 * index + 4]
                pieces = _feature(self.features[index], *part.tolist())
                lengths += [length for length, _ in pieces]
                turns += [angle for _, angle in pieces]
        arc = np.concatenate([[0.0], np.cumsum(lengths)])
        return arc, np.concatenate([[0.0], np.cumsum(turns)])


def _scaled(band: tuple[float, float], factor: float) -> tuple[float, float]:
    return band[0] * factor, band[1] * factor


def _feature(
    feature: Feature, turn: float, radius: float, sign: float, gap: float
) -> list[tuple[float, float]]:
    """Return length and turn of each piece of a feature."""
    side = math.copysign(1.0, sign)
    if feature == "chicane":
        return [(radius * turn, side * turn), (gap, 0.0), (radius * turn, -side * turn)]
    return [(radius * turn, side * turn)]


def closed_curve(
    knots: tuple[NDArray[np.float64], NDArray[np.float64]], count: int, *, project: bool
) -> Curve:
    """Integrate a heading profile into a curve.

    Args:
        knots: Arc length and heading, from :meth:`TurnProfile.knots`.
        count: Number of samples.
        project: Whether to spread what is missing of a full turn over the heading, and what is
            missing of closure over the position. Without, the ends are joined by a chord.

    Returns:
        The curve, its lowest x and y at 0; ``length`` is that of the profile.
    """
    arc, heading = knots
    where = (np.arange(count) + 0.5) / count
    angle = np.interp(where * arc[-1], arc, heading)
    curvature = np.gradient(angle) * count / arc[-1]
    if project:
        full = math.copysign(2.0 * math.pi, heading[-1] or 1.0)
        angle = angle + where * (full - heading[-1])
    steps = np.column_stack([np.cos(angle), np.sin(angle)]) * (arc[-1] / count)
    points = np.cumsum(steps, axis=0)
    if project:
        points -= where[:, None] * points[-1]
    return Curve(
        points=points - points.min(axis=0),
        heading=angle,
        curvature=curvature,
        length=float(arc[-1]),
    )
