"""Differential evolution over the curvature profile, against a sum of penalties."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.generate import conventions
from roboracer_arena.generate.baselines.profile import TurnProfile, closed_curve
from roboracer_arena.generate.baselines.sampling import fine_curve
from roboracer_arena.generate.defaults import ResolvedSpec
from roboracer_arena.generate.features import name_features, order_matches
from roboracer_arena.generate.measure.turns import (
    CurvatureProfile,
    find_turns,
    longest_straight,
    profile_of,
)
from roboracer_arena.generate.path import Curve
from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import FEATURES

__all__ = ["EvolutionConstructor"]

_POPULATION = 4
"""Members per number of the vector."""
_GENERATIONS = 60
_SAMPLES = 192
"""Curve samples per evaluation; a third of a metre on a lap of 60 m."""
_CROWDING_STRIDE = 2
"""Every which sample is compared with every other."""
_HOPELESS = 200.0
"""Penalty from which features are not looked at: the shape is still too wrong to have any."""
_FEATURE_WEIGHT = 4.0
"""Penalty of one feature too many or too few, against 1 for a tolerance fully used."""


@dataclass(frozen=True, slots=True)
class EvolutionConstructor:
    """Evolves one profile to convergence, and proposes it whatever its penalties are."""

    spec: ResolvedSpec
    settings: TrackSettings
    seed: int
    generations: int = _GENERATIONS

    def construct(self, candidate: int) -> Curve:
        """Return the evolved curve, whatever penalties are left."""
        from scipy.optimize import (
            Bounds,
            differential_evolution,
        )  # not at module level: slow to import

        seed = self.seed * 1_000_003 + candidate
        profile = TurnProfile.of(self.spec, Random(seed))
        result = differential_evolution(
            self._penalty_of,
            Bounds(*np.array(profile.bounds()).T),
            args=(profile,),
            popsize=_POPULATION,
            maxiter=self.generations,
            tol=1e-3,
            polish=False,
            rng=np.random.default_rng(seed),
        )
        knots = profile.knots(result.x)
        cell = self.settings.cell(self.spec.corridor_width_m)
        fine = closed_curve(knots, math.ceil(2.5 * knots[0][-1] / cell), project=True)
        return fine_curve(fine, self.spec, self.settings)

    def _penalty_of(self, vector: NDArray[np.float64], profile: TurnProfile) -> float:
        return self._penalty(closed_curve(profile.knots(vector), _SAMPLES, project=True).points)

    def _penalty(self, points: NDArray[np.float64]) -> float:
        """Sum the penalties of a closed curve; 1 each where a tolerance is used up."""
        spec, radius = self.spec, self.spec.reference_radius
        curvature = profile_of(points, radius)
        lap = curvature.length
        off = (lap / spec.lap_length_m - 1.0) / conventions.LAP_TOLERANCE
        reach = 2.0 * self.settings.reach(spec.corridor_width_m)
        extent = points.max(axis=0) - points.min(axis=0) + reach
        excess = np.maximum(0.0, extent - [spec.hall_x_m, spec.hall_y_m])
        tight = max(0.0, radius * float(np.abs(curvature.curvature).max()) - 1.0)
        shape = (
            off**2
            + float((excess**2).sum())
            + (tight / conventions.RADIUS_TOLERANCE) ** 2
            + self._crowding(points[::_CROWDING_STRIDE])
        )
        return shape + (self._missed(curvature) if shape < _HOPELESS else _HOPELESS)

    def _crowding(self, points: NDArray[np.float64]) -> float:
        """Sum how far parts of the lap come too near to one another, in pitches."""
        count = len(points)
        x, y = points.T.astype(np.float32)
        distance = np.hypot(x[:, None] - x, y[:, None] - y)
        step = float(np.hypot(*(np.roll(points, -1, axis=0) - points).T).mean())
        index = np.arange(count)
        apart = np.abs(index[:, None] - index)
        apart = np.minimum(apart, count - apart) * step
        pitch = 2.0 * self.settings.reach(self.spec.corridor_width_m)
        short = np.maximum(0.0, pitch - distance)[apart > math.pi / 2.0 * pitch]
        return float(short.sum()) / pitch

    def _missed(self, curvature: CurvatureProfile) -> float:
        """Return the squared error of the feature counts, and what order and straight lack."""
        spec, radius = self.spec, self.spec.reference_radius
        turns = find_turns(curvature, radius)
        found = [item.feature for item in name_features(turns, curvature.length, radius)]
        counts = {"hairpin": spec.hairpins, "chicane": spec.chicanes, "sweeper": spec.sweepers}
        missed = sum((found.count(feature) - counts[feature]) ** 2 for feature in FEATURES)
        wrong = 0.0 if order_matches(found, spec.feature_order) else 1.0
        lacking = 0.0
        if spec.longest_straight_m:
            straight = longest_straight(curvature, turns)
            lacking = max(0.0, 1.0 - straight / spec.longest_straight_m)
        return _FEATURE_WEIGHT * (missed + wrong + lacking)
