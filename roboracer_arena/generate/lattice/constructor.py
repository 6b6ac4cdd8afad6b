"""One candidate of the lattice constructor: cells, corners, spacing, curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.generate.defaults import ResolvedSpec
from roboracer_arena.generate.features import Turn, name_features, order_matches
from roboracer_arena.generate.lattice.anneal import Walk, search
from roboracer_arena.generate.lattice.corners import (
    Corner,
    Rounding,
    StyleBands,
    find_corners,
    round_corners,
)
from roboracer_arena.generate.lattice.goal import Goal, full_order, place_sweepers
from roboracer_arena.generate.lattice.spacing import GapBands, Room, solve_spacing
from roboracer_arena.generate.path import Curve, Path, fillet_polygon
from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import FEATURES, Feature

__all__ = ["LatticeConstructor"]

_STEPS = 700
"""Changes of the cell set per candidate: 10 ms. Most sets that meet their goal do so by then, and
a new start is worth more than a longer search."""
_SETS = 6
"""Cell sets per candidate whose spacing is solved for."""
_SAMPLES_PER_CELL = 0.4
"""Distance of curve samples, in map cells."""
_GAPS = GapBands(joined=(0.02, 0.9), loose=0.1, apart=1.55)
_STRAIGHT_SPARE = 0.02


@dataclass(frozen=True, slots=True)
class LatticeConstructor:
    """Draws closed centrelines on a lattice of cells; see ``docs/generate.md``."""

    spec: ResolvedSpec
    settings: TrackSettings
    seed: int

    def construct(self, candidate: int) -> Curve | None:
        """Return a candidate, or None where its search found nothing that fits.

        The same specification, settings, seed and number give the same curve.
        """
        path = self._search(Random(self.seed * 1_000_003 + candidate))
        if path is None:
            return None
        cell = self.settings.cell(self.spec.corridor_width_m)
        start, end = path.longest_straight()
        curve = path.curve(_SAMPLES_PER_CELL * cell, start=(start + end) / 2.0)
        if self.spec.direction == "cw":
            curve = curve.reversed()
        low, high = curve.points.min(axis=0), curve.points.max(axis=0)
        hall = np.array([self.spec.hall_x_m, self.spec.hall_y_m])
        return curve.moved((hall - low - high) / 2.0)

    def _search(self, rng: Random) -> Path | None:
        radius = self.spec.reference_radius
        spacing = self._least_spacing() * (1.0 + 0.35 * rng.random())
        goal = self._goal(spacing, rng)
        if goal is None:
            return None
        for walk in islice(search(goal, rng, _STEPS), _SETS):
            path = self._realise(walk, goal, spacing, radius, rng)
            if path is not None:
                return path
        return None

    def _least_spacing(self) -> float:
        return max(
            2.12 * self.spec.reference_radius, self.settings.pitch(self.spec.corridor_width_m)
        )

    def _size(self) -> tuple[float, float]:
        margin = 2.0 * self.settings.reach(self.spec.corridor_width_m)
        return self.spec.hall_x_m - margin, self.spec.hall_y_m - margin

    def _goal(self, spacing: float, rng: Random) -> Goal | None:
        spec, size = self.spec, self._size()
        columns, rows = (int(side / self._least_spacing() + 1e-9) for side in size)
        if columns < 1 or rows < 1:
            return None
        counts: dict[Feature, int] = {
            "hairpin": spec.hairpins,
            "chicane": spec.chicanes,
            "sweeper": spec.sweepers,
        }
        straight = spec.longest_straight_m
        return Goal(
            hairpins=spec.hairpins,
            chicanes=spec.chicanes,
            sweepers=spec.sweepers,
            order=full_order(spec.feature_order, counts, reverse=spec.direction == "cw", rng=rng),
            lap=spec.lap_length_m / spacing,
            corner_loss=0.4292 * 1.13 * spec.reference_radius / spacing,
            sweeper_loss=0.5 * spec.reference_radius / spacing,
            straight=0
            if not straight
            else max(1, math.floor((straight + 2.2 * spec.reference_radius) / spacing)),
            columns=columns,
            rows=rows,
        )

    def _realise(
        self, walk: Walk, goal: Goal, spacing: float, radius: float, rng: Random
    ) -> Path | None:
        sweepers = place_sweepers(walk.layout.letters, goal, rng)
        if sweepers is None:
            return None
        corners = find_corners(walk)
        room = Room(
            size=self._size(),
            pitch=self.settings.pitch(self.spec.corridor_width_m),
            lap=self.spec.lap_length_m,
            straight=(1.0 + _STRAIGHT_SPARE) * (self.spec.longest_straight_m or 0.0),
            radius=radius,
            spacing=spacing,
        )
        for cuts in (0.6 * rng.random(), 0.0):
            roundings = round_corners(corners, sweepers, self._bands(cuts), radius, rng)
            vertices = solve_spacing(corners, roundings, room, _GAPS, rng)
            if vertices is not None:
                path = _draw(vertices, corners, roundings)
                if path is not None and self._named_as_asked(path):
                    return path
        return None

    def _bands(self, cuts: float) -> StyleBands:
        low = max(1.07, (self.spec.corridor_width_m / 2.0 + 0.05) / self.spec.reference_radius)
        return StyleBands(
            corner=(low, max(low, 1.2)),
            sweeper=(1.8, 2.4),
            sweeper_gap=(0.2, 0.9),
            cut_gap=(1.55, 3.0),
            cut_share=cuts,
            single_share=0.5,
        )

    def _named_as_asked(self, path: Path) -> bool:
        """Whether the curve, named by the validator's rules, has what was asked."""
        radius = self.spec.reference_radius
        turns, place = [], 0.0
        for piece in path.pieces:
            if piece.angle:
                turns.append(
                    Turn(place, place + piece.length, piece.angle, piece.length / abs(piece.angle))
                )
            place += piece.length
        found = [item.feature for item in name_features(turns, path.length, radius)]
        counts = (self.spec.hairpins, self.spec.chicanes, self.spec.sweepers)
        if self.spec.direction == "cw":
            found.reverse()
        return tuple(map(found.count, FEATURES)) == counts and order_matches(
            found, self.spec.feature_order
        )


def _draw(
    vertices: NDArray[np.float64], corners: Sequence[Corner], roundings: Sequence[Rounding]
) -> Path | None:
    """Cut the corners that are cut, and round all."""
    outline, radii = [], []
    headings = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    for vertex, corner, rounding in zip(vertices, corners, roundings, strict=True):
        if rounding.chamfer:
            leaving = (corner.heading + corner.sign) % 4
            outline.append(vertex - rounding.chamfer * headings[corner.heading])
            outline.append(vertex + rounding.chamfer * headings[leaving])
            radii += [rounding.radius, rounding.radius]
        else:
            outline.append(vertex)
            radii.append(rounding.radius)
    return fillet_polygon(np.array(outline), np.array(radii))
