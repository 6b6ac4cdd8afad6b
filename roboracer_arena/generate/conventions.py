"""The numbers of ``docs/track-conventions.md``: one definition for constructor and validator.

Lengths that scale with the track are in units of the reference radius, angles in radians.
"""

from __future__ import annotations

import math

__all__ = [
    "CHICANE_MAX_ANGLE",
    "CLEARANCE_SLACK_CELLS",
    "CORNER_MIN_ANGLE",
    "FREE_RADIUS_FLOOR",
    "HAIRPIN_MAX_RADIUS",
    "HAIRPIN_MIN_ANGLE",
    "HALL_SLACK_CELLS",
    "LAP_TOLERANCE",
    "MERGE_MAX_ANGLE",
    "NARROWEST_SHARE",
    "NARROWEST_SLACK_CELLS",
    "RADIUS_SLACK_CELLS",
    "RADIUS_TOLERANCE",
    "SHORT_STRAIGHT",
    "STRAIGHT_HEADING",
    "STRAIGHT_SLACK_CELLS",
    "STRAIGHT_TOLERANCE",
    "SUSTAINED_WINDOW",
    "SWEEPER_MIN_ANGLE",
    "SWEEPER_MIN_RADIUS",
    "TURN_MIN_ANGLE",
    "TURN_MIN_CURVATURE",
    "WIDTH_TOLERANCE",
    "reference_radius",
]

FREE_RADIUS_FLOOR = 0.9
"""Smallest reference radius when none is asked for [m] (Eq. 1): a 1:10 car at full lock turns
about 0.6 m, and needs room to correct."""
SUSTAINED_WINDOW = 0.6
"""Curvature counts where its mean over this many reference radii reaches it."""

TURN_MIN_CURVATURE = 1.0 / 6.0
"""A turn curves at least this much, in 1 / reference radius."""
TURN_MIN_ANGLE = math.radians(12.0)
"""Anything that turns less is part of a straight."""
SHORT_STRAIGHT = 1.2
"""A gap between turns up to this long joins them."""
MERGE_MAX_ANGLE = math.radians(200.0)
"""Turns of one sign joined by a short straight are one turn up to this total."""
HAIRPIN_MIN_ANGLE = math.radians(150.0)
HAIRPIN_MAX_RADIUS = 2.0
"""Length over angle of a hairpin, at most."""
SWEEPER_MIN_ANGLE = math.radians(60.0)
SWEEPER_MIN_RADIUS = 1.5
"""Smallest sustained radius of a sweeper, at least."""
CORNER_MIN_ANGLE = math.radians(30.0)
CHICANE_MAX_ANGLE = math.radians(110.0)
"""A corner of a chicane turns at most this much."""
STRAIGHT_HEADING = math.radians(8.0)
"""A straight is the longest stretch between two turns whose headings agree this well."""

LAP_TOLERANCE = 0.03
WIDTH_TOLERANCE = 0.05
NARROWEST_SHARE = 0.90
NARROWEST_SLACK_CELLS = 0.5
RADIUS_TOLERANCE = 0.07
RADIUS_SLACK_CELLS = 1.5
STRAIGHT_TOLERANCE = 0.03
STRAIGHT_SLACK_CELLS = 2.0
CLEARANCE_SLACK_CELLS = 1.0
HALL_SLACK_CELLS = 1.0


def reference_radius(width: float, requested: float | None) -> float:
    """Return the reference radius r_ref (Eq. 1) [m].

    Args:
        width: Corridor width [m].
        requested: Requested minimum radius [m]; None or 0 asks for none.
    """
    return requested or max(FREE_RADIUS_FLOOR, 0.75 * width)
