"""One candidate of the lattice constructor: cells, corners, spacing, curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.generate.construct import CENTERLINE_STRIDE
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

_STEPS, _STEPS_PER_EDGE = 300, 25
"""Changes of the cell set per candidate, and per lattice edge of the lap on top: about 20 ms. Most
sets that meet their goal do so by then, and a new start is worth more than a longer search."""
_PATIENCE = 50
"""Candidates after which a search gets as many steps again, up to :data:`_MOST_PATIENCE` times."""
_MOST_PATIENCE = 6.0
_STRETCH = 0.35
"""Lattice lines are up to this much further apart than they must be."""
_SQUEEZE = 0.3
"""The grid of half of all candidates has up to this share more lines than fit at usual spacing:
lines without a feature between them may be closer."""
_SETS = 6
"""Cell sets per candidate whose spacing is solved for."""
_MARGIN_CANDIDATES = 12
"""Candidates over which the margin to the walls of the hall shrinks to nothing."""
_SMALLEST_CORNER = 1.07
"""Radius of the tightest corner in reference radii: what a raster reads tighter by, and more."""
_CORNER_PAIR = 2.12
"""Least edge with a corner at both ends, in reference radii."""
_LARGEST_CORNER = 1.35
"""Radius of the widest corner in reference radii; from 1.5 on it would be a sweeper."""
_LEG_SPARE = 0.1
"""What the legs of a hairpin keep between their walls, at least [m]."""
_INNER_RADIUS = 0.05
"""Least radius of the wall on the inside of a turn [m]."""
_CELLS_PER_SAMPLE = 0.4
"""Distance of curve samples, in map cells."""
_GAPS = GapBands(joined=(0.02, 0.9), loose=0.1, apart=1.55)
"""Turns are joined up to 1.2 reference radii: what is to be joined stays under 0.9, what is to stay
two above 1.5."""
_ROUND_GAPS = GapBands(joined=(0.02, 0.4), loose=0.1, apart=1.55)
"""The same with hairpins that are nearly one arc."""
_STRAIGHT_SPARE = 1.02
"""The longest straight is drawn this much longer than asked."""
_MEAN_CORNER = 1.13
"""Mean radius of corners in reference radii, for the estimate of a lap."""
_RIGHT_ANGLE_LOSS = 2.0 - math.pi / 2.0
"""What rounding a right angle takes off a lap, in radii of the arc."""
_SWEEPER_LOSS = 0.5
"""What a sweeper takes off beyond an ordinary corner, in reference radii."""


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
        path = self._search(candidate)
        if path is None:
            return None
        cell = self.settings.cell(self.spec.corridor_width_m)
        start, end = path.longest_straight()
        curve = path.curve(
            _CELLS_PER_SAMPLE * cell, start=(start + end) / 2.0, multiple=CENTERLINE_STRIDE
        )
        if self.spec.direction == "cw":
            curve = curve.reversed()
        low, high = curve.points.min(axis=0), curve.points.max(axis=0)
        hall = np.array([self.spec.hall_x_m, self.spec.hall_y_m])
        return curve.moved((hall - low - high) / 2.0)

    def _search(self, candidate: int) -> Path | None:
        rng = Random(self.seed * 1_000_003 + candidate)
        spacing = self._least_spacing() * (1.0 + _STRETCH * rng.random())
        size = self._size(candidate)
        goal = self._goal(size, spacing, rng)
        if goal is None:
            return None
        patience = min(_MOST_PATIENCE, 1.0 + candidate / _PATIENCE)
        steps = int((_STEPS + _STEPS_PER_EDGE * goal.lap) * patience)
        for walk in islice(search(goal, rng, steps), _SETS):
            path = self._realise(walk, goal, size, spacing, rng)
            if path is not None:
                return path
        return None

    def _least_spacing(self) -> float:
        """Return the closest spacing of lines with corners at both ends of an edge [m]."""
        return max(
            _CORNER_PAIR * self.spec.reference_radius,
            self.settings.pitch(self.spec.corridor_width_m),
        )

    def _size(self, candidate: int) -> tuple[float, float]:
        """Return the room for the centreline within the hall [m].

        The first candidates keep the usual margin to the walls of the hall, later ones less and
        less: what fits only without it is still found.
        """
        share = max(0.0, 1.0 - (candidate - 1) / _MARGIN_CANDIDATES)
        margin = self.settings.reach(self.spec.corridor_width_m)
        margin += share * self.settings.hall_margin_m
        return self.spec.hall_x_m - 2.0 * margin, self.spec.hall_y_m - 2.0 * margin

    def _goal(self, size: tuple[float, float], spacing: float, rng: Random) -> Goal | None:
        spec = self.spec
        dense = self._least_spacing() * min(1.0, 1.0 - _SQUEEZE + 2.0 * _SQUEEZE * rng.random())
        columns, rows = (int(side / dense + 1e-9) for side in size)
        if columns < 1 or rows < 1:
            return None
        counts: dict[Feature, int] = {
            "hairpin": spec.hairpins,
            "chicane": spec.chicanes,
            "sweeper": spec.sweepers,
        }
        radius = spec.reference_radius
        straight = spec.longest_straight_m
        if straight:
            straight += 2.0 * _MEAN_CORNER * radius
        return Goal(
            hairpins=spec.hairpins,
            chicanes=spec.chicanes,
            sweepers=spec.sweepers,
            order=full_order(spec.feature_order, counts, reverse=spec.direction == "cw", rng=rng),
            lap=spec.lap_length_m / spacing,
            corner_loss=_RIGHT_ANGLE_LOSS * _MEAN_CORNER * radius / spacing,
            sweeper_loss=_SWEEPER_LOSS * radius / spacing,
            straight=max(1, int(straight / spacing)) if straight else 0,
            columns=columns,
            rows=rows,
        )

    def _realise(
        self, walk: Walk, goal: Goal, size: tuple[float, float], spacing: float, rng: Random
    ) -> Path | None:
        """Turn a cell set into a curve: choose roundings, solve for the spacing, draw."""
        sweepers = place_sweepers(walk.layout.letters, goal, rng)
        if sweepers is None:
            return None
        corners = find_corners(walk)
        room = Room(
            size=size,
            pitch=self.settings.pitch(self.spec.corridor_width_m),
            leg_pitch=2.0 * self.settings.reach(self.spec.corridor_width_m) + _LEG_SPARE,
            lap=self.spec.lap_length_m,
            straight=_STRAIGHT_SPARE * (self.spec.longest_straight_m or 0.0),
            radius=self.spec.reference_radius,
            spacing=spacing,
        )
        # First with round hairpins, many corners cut and most chicanes slanted; plainer shapes
        # leave more room.
        styles = (
            (self._bands(0.6 * rng.random(), 0.8), _ROUND_GAPS),
            (self._bands(0.0, 0.5), _GAPS),
        )
        for bands, gaps in styles:
            roundings = round_corners(corners, sweepers, bands, room.radius, rng)
            vertices = solve_spacing(corners, roundings, room, gaps, rng)
            if vertices is not None:
                path = _draw(vertices, corners, roundings)
                if path is not None and self._named_as_asked(path):
                    return path
        return None

    def _bands(self, cuts: float, slants: float) -> StyleBands:
        """Return the bands of all roundings, well inside the classes of the conventions.

        Where the corridor is wide for the radius asked, its inner wall needs larger radii. Beyond
        the class of corners, right angles are cut into turns of 45 degrees, which have no limit.
        """
        inner = (self.spec.corridor_width_m / 2.0 + _INNER_RADIUS) / self.spec.reference_radius
        low = max(_SMALLEST_CORNER, inner)
        wide = low > _LARGEST_CORNER
        return StyleBands(
            corner=(low, max(low, 1.2)),
            sweeper=(max(1.8, low), max(2.4, low)),
            sweeper_gap=(0.2, 0.9),
            cut_gap=(1.55, 3.0),
            cut_share=1.0 if wide else cuts,
            single_share=0.5,
            slant_share=1.0 if wide else slants,
            slant_angle=(math.radians(46.0), math.radians(54.0 if wide else 85.0)),
            slant_gap=(0.1, 0.8),
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
    """Cut the corners that are cut, slant the chicanes that are slanted, and round all."""
    outline, radii = [], []
    headings = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    for index, (corner, rounding) in enumerate(zip(corners, roundings, strict=True)):
        arriving = headings[corner.heading]
        leaving = headings[(corner.heading + corner.sign) % 4]
        if rounding.slant:
            first = corner.partner == (index + 1) % len(corners)
            outline.append(
                vertices[index] + rounding.slant.shift * (-arriving if first else leaving)
            )
        elif rounding.chamfer:
            outline.append(vertices[index] - rounding.chamfer * arriving)
            outline.append(vertices[index] + rounding.chamfer * leaving)
            radii.append(rounding.radius)
        else:
            outline.append(vertices[index])
        radii.append(rounding.radius)
    return fillet_polygon(np.array(outline), np.array(radii))
