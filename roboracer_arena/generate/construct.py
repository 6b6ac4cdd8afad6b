"""What the pipeline asks of a constructor; the baselines answer the same questions."""

from __future__ import annotations

from typing import Protocol

from roboracer_arena.generate.path import Curve

__all__ = ["CENTERLINE_STRIDE", "MAX_CANDIDATES", "Constructor"]

MAX_CANDIDATES = 800
"""Candidates per request (Algorithm 1)."""
CENTERLINE_STRIDE = 5
"""Every which sample of a curve goes into the centreline: a tenth of a metre, as usual."""


class Constructor(Protocol):
    """Proposes closed centrelines for one specification."""

    def construct(self, candidate: int) -> Curve | None:
        """Return candidate number ``candidate`` (from 1), or None where it came to nothing.

        The result depends on the number alone, not on what was asked before. The curve is in
        driving direction, within a hall whose lower left corner is the origin, sampled at half a
        map cell or finer.
        """
        ...
