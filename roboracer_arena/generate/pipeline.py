"""From a request to a validated map: Algorithm 1 of the paper, line for line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from roboracer_arena.corridor.model import Centerline
from roboracer_arena.generate.construct import CENTERLINE_STRIDE, MAX_CANDIDATES, Constructor
from roboracer_arena.generate.defaults import ResolvedSpec, resolve_defaults
from roboracer_arena.generate.lattice.constructor import LatticeConstructor
from roboracer_arena.generate.outcome import Acceptance, GenerationFailure, Outcome, Rejection
from roboracer_arena.generate.path import Curve
from roboracer_arena.generate.raster import rasterise
from roboracer_arena.generate.report import ValidationReport
from roboracer_arena.generate.screen import ScreenResult, screen
from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import TrackSpec
from roboracer_arena.generate.validator import validate
from roboracer_arena.maps import OccupancyMap

__all__ = ["Progress", "draw", "generate", "generate_from_request"]


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search stands, told after every candidate."""

    candidate: int
    """Candidates tried so far."""
    limit: int
    """Candidates that will be tried at most."""
    built: int
    """Candidates so far that gave a curve."""


def generate_from_request(
    request: str,
    parse: Callable[[str], TrackSpec],
    *,
    seed: int = 0,
    settings: TrackSettings | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Outcome:
    """Generate a track from a sentence; see :func:`generate`.

    Args:
        request: What somebody wrote.
        parse: Turns it into what it states, and raises where it refuses.
        seed: As in :func:`generate`.
        settings: As in :func:`generate`.
        on_progress: As in :func:`generate`.
        is_cancelled: As in :func:`generate`.
    """
    spec = resolve_defaults(parse(request), settings)
    return generate(
        spec, seed=seed, settings=settings, on_progress=on_progress, is_cancelled=is_cancelled
    )


def generate(
    spec: ResolvedSpec,
    *,
    seed: int = 0,
    settings: TrackSettings | None = None,
    constructor: Constructor | None = None,
    candidates: int = MAX_CANDIDATES,
    on_progress: Callable[[Progress], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Outcome:
    """Screen a specification, then construct, draw and validate until a map passes.

    Args:
        spec: The complete specification.
        seed: Another seed gives another track; the same seed the same bytes.
        settings: Walls, clearances and cells.
        constructor: What proposes curves; the lattice constructor unless given.
        candidates: Candidates to try at most.
        on_progress: Called after every candidate that did not pass.
        is_cancelled: Asked before every candidate; true ends the search.
    """
    settings = settings or TrackSettings()
    constructor = constructor or LatticeConstructor(spec, settings, seed)
    tried = _Tried()
    screened = screen(spec, settings)
    if not screened.passed:
        return Rejection(spec=spec, screen=screened)
    for k in range(1, candidates + 1):
        if is_cancelled is not None and is_cancelled():
            return tried.failure(spec, screened, seed, cancelled=True)
        curve = constructor.construct(k)
        if curve is not None:
            track = draw(curve, spec, settings)
            report = validate(track, spec.values)
            if report.accepted:
                return Acceptance(
                    spec=spec,
                    screen=screened,
                    seed=seed,
                    candidate=k,
                    track=track,
                    centerline=_centerline(curve, track, spec),
                    report=report,
                )
            tried.refused(report)
        tried.candidates = k
        if on_progress is not None:
            on_progress(Progress(candidate=k, limit=candidates, built=tried.built))
    return tried.failure(spec, screened, seed, cancelled=False)


def draw(curve: Curve, spec: ResolvedSpec, settings: TrackSettings) -> OccupancyMap:
    """Rasterise a curve with the walls and cells of the settings (Eq. 3)."""
    width = spec.corridor_width_m
    return rasterise(
        curve.points,
        width=width,
        wall=settings.wall_m,
        cell=settings.cell(width),
        name=spec.name,
    )


class _Tried:
    """Keeps what a failure has to tell."""

    def __init__(self) -> None:
        self.candidates = 0
        self.built = 0
        self._tests: Counter[str] = Counter()
        self._nearest: ValidationReport | None = None

    def refused(self, report: ValidationReport) -> None:
        """Count a map that was drawn and did not pass."""
        self.built += 1
        self._tests.update(item.name for item in report.failures)
        if self._nearest is None or len(report.failures) < len(self._nearest.failures):
            self._nearest = report

    def failure(
        self, spec: ResolvedSpec, screened: ScreenResult, seed: int, *, cancelled: bool
    ) -> GenerationFailure:
        """Return what to report after the last candidate."""
        return GenerationFailure(
            spec=spec,
            screen=screened,
            seed=seed,
            candidates=self.candidates,
            built=self.built,
            failed_tests=tuple(self._tests.most_common()),
            nearest=self._nearest,
            cancelled=cancelled,
        )


def _centerline(curve: Curve, track: OccupancyMap, spec: ResolvedSpec) -> Centerline:
    """Return the drawn curve in the map's grid frame, with the width that was drawn."""
    points = curve.points[::CENTERLINE_STRIDE]
    # The last step is shorter where the samples are no whole multiple of the stride.
    arc = np.linspace(0.0, curve.length, len(curve.points), endpoint=False)[::CENTERLINE_STRIDE]
    half = np.full(len(points), (spec.corridor_width_m - track.resolution) / 2.0)
    return Centerline(
        points=track.origin.inverse_transform(points),
        arc_length=arc,
        heading=curve.heading[::CENTERLINE_STRIDE],
        curvature=curve.curvature[::CENTERLINE_STRIDE],
        width_right=half,
        width_left=half,
        length=curve.length,
    )
