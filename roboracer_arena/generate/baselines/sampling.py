"""The floor of the comparison: one profile drawn at random, drawn as it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import numpy as np

from roboracer_arena.corridor.curves import resample_closed
from roboracer_arena.generate.baselines.profile import TurnProfile, closed_curve
from roboracer_arena.generate.defaults import ResolvedSpec
from roboracer_arena.generate.path import Curve
from roboracer_arena.generate.settings import TrackSettings

__all__ = ["SamplingConstructor", "fine_curve"]

_SAMPLES_PER_CELL = 2.5


@dataclass(frozen=True, slots=True)
class SamplingConstructor:
    """Draws every number of the profile uniformly within its bounds, once."""

    spec: ResolvedSpec
    settings: TrackSettings
    seed: int

    def construct(self, candidate: int) -> Curve:
        """Return the curve of one draw; nothing makes it fit or even close."""
        rng = Random(self.seed * 1_000_003 + candidate)
        profile = TurnProfile.of(self.spec, rng)
        vector = np.array([low + (high - low) * rng.random() for low, high in profile.bounds()])
        knots = profile.knots(vector)
        cell = self.settings.cell(self.spec.corridor_width_m)
        count = math.ceil(_SAMPLES_PER_CELL * knots[0][-1] / cell)
        return fine_curve(closed_curve(knots, count, project=False), self.spec, self.settings)


def fine_curve(curve: Curve, spec: ResolvedSpec, settings: TrackSettings) -> Curve:
    """Close a curve with even samples, centre it in the hall and turn it the asked way."""
    spacing = settings.cell(spec.corridor_width_m) / _SAMPLES_PER_CELL
    points = resample_closed(curve.points, spacing)
    low, high = points.min(axis=0), points.max(axis=0)
    hall = np.array([spec.hall_x_m, spec.hall_y_m])
    points = points + (hall - low - high) / 2.0
    ahead = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    heading = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
    gaps = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
    fine = Curve(points, heading, np.gradient(heading) / spacing, float(gaps.sum()))
    clockwise = heading[-1] < heading[0]
    return fine.reversed() if clockwise == (spec.direction == "ccw") else fine
