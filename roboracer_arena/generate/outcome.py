"""What can become of a request. All three are ordinary values; each carries its arithmetic.

A :class:`Rejection` proves that the request cannot be met. A :class:`GenerationFailure` says that
a bounded search found nothing, which proves nothing. An :class:`Acceptance` holds a map that passed
every test of the validator.
"""

from __future__ import annotations

from dataclasses import dataclass

from roboracer_arena.corridor.model import Centerline
from roboracer_arena.generate.defaults import ResolvedSpec
from roboracer_arena.generate.report import ValidationReport
from roboracer_arena.generate.screen import ScreenResult
from roboracer_arena.maps import OccupancyMap

__all__ = ["Acceptance", "GenerationFailure", "Outcome", "Rejection"]


@dataclass(frozen=True, slots=True, eq=False)
class Acceptance:
    """A map that satisfies its specification."""

    spec: ResolvedSpec
    screen: ScreenResult
    seed: int
    candidate: int
    """Number of the candidate that passed, from 1."""
    track: OccupancyMap
    centerline: Centerline
    """The curve that was drawn, in driving direction, from the middle of its longest straight."""
    report: ValidationReport


@dataclass(frozen=True, slots=True)
class Rejection:
    """A request that breaks a necessary condition."""

    spec: ResolvedSpec
    screen: ScreenResult

    @property
    def reasons(self) -> tuple[str, ...]:
        """The broken bounds in words, with the published capacity where it is exceeded too."""
        told = [bound for bound in self.screen.bounds if not bound.ok]
        return tuple(bound.sentence for bound in told)


@dataclass(frozen=True, slots=True)
class GenerationFailure:
    """A request for which no candidate passed."""

    spec: ResolvedSpec
    screen: ScreenResult
    seed: int
    candidates: int
    """Candidates tried."""
    built: int
    """Those of them that gave a curve and were drawn and measured."""
    failed_tests: tuple[tuple[str, int], ...]
    """Which tests failed how often, the most frequent first."""
    nearest: ValidationReport | None
    """The report with the fewest failed tests; None where nothing was built."""
    cancelled: bool
    """Whether the search was stopped before its end."""

    @property
    def reason(self) -> str:
        """What was tried and what stood in the way, in words."""
        tried = (
            f"{self.candidates} candidates were tried"
            + (" before the search was cancelled" if self.cancelled else "")
            + f"; {self.built} gave a closed curve"
        )
        if self.nearest is None:
            tight = [bound.sentence for bound in self.screen.bounds if not bound.ok]
            hint = "; ".join(tight) or "no layout had the lap and the features within the hall"
            return f"{tried}; {hint}. A larger hall, a longer lap or fewer features may help."
        missed = "; ".join(item.sentence for item in self.nearest.failures)
        return f"{tried}, none passed the validator; the nearest missed: {missed}."


Outcome = Acceptance | Rejection | GenerationFailure
"""Any of the three."""
