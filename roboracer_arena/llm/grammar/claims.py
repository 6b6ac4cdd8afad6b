"""Statements about fields, and what they say together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["NAMES", "Claim", "Conflict", "settle"]

NAMES = {
    "lap_length_m": "lap length",
    "corridor_width_m": "corridor width",
    "hall_x_m": "hall length",
    "hall_y_m": "hall width",
    "hairpins": "number of hairpins",
    "chicanes": "number of chicanes",
    "sweepers": "number of sweepers",
    "min_radius_m": "minimum radius",
    "longest_straight_m": "longest straight",
}
"""Fields in plain words."""

_SAME = 0.01
"""Two exact values closer than this share are one statement, such as "180 feet (55 m)"."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement about one field.

    Attributes:
        field: Name of the field.
        low: Smallest value that it allows; minus infinity for none.
        high: Largest value that it allows; infinity for none.
        text: What stands in the request.
        choice: What was chosen where the statement leaves it open; empty where it does not.
    """

    field: str
    low: float
    high: float
    text: str
    choice: str = ""

    @property
    def exact(self) -> bool:
        """Whether one value is stated."""
        return self.low == self.high


class Conflict(Exception):  # noqa: N818 - two statements, not a fault of the program
    """Two statements about one field cannot both hold."""

    def __init__(self, field: str, first: Claim, second: Claim) -> None:
        super().__init__(field)
        self.field, self.first, self.second = field, first, second

    def sentence(self) -> str:
        """Say which two statements contradict each other."""
        return (
            f"the {NAMES[self.field]} is contradictory: '{self.first.text}' and "
            f"'{self.second.text}' cannot both hold; state one of them"
        )


def settle(field: str, claims: Sequence[Claim]) -> tuple[float, str]:
    """Return the value that all statements about a field allow, and a note on the choice.

    Args:
        field: Name of the field.
        claims: At least one statement about it.

    Raises:
        Conflict: No value satisfies all of them.
    """
    exact = next((claim for claim in claims if claim.exact), None)
    low = max(claims, key=lambda claim: claim.low)
    high = min(claims, key=lambda claim: claim.high)
    if exact is not None:
        for claim in claims:
            slack = _SAME * abs(exact.low) if not field.endswith("s") else 0.0
            if not claim.low - slack <= exact.low <= claim.high + slack:
                raise Conflict(field, claim, exact)
        return exact.low, exact.choice
    if low.low > high.high:
        raise Conflict(field, low, high)
    bounds = (low.low, high.high)
    if all(math.isfinite(bound) for bound in bounds):
        value = float(f"{sum(bounds) / 2.0:.12g}")
        if field.endswith("s"):
            value = math.floor(value)
        where = "within it" if field.endswith("s") and sum(bounds) % 2.0 else "the middle"
        return value, f"{_number(bounds[0])} to {_number(bounds[1])} was taken as " + (
            f"{_number(value)}, {where}" if bounds[0] < bounds[1] else _number(value)
        )
    value = bounds[0] if math.isfinite(bounds[0]) else bounds[1]
    side = "at least" if math.isfinite(bounds[0]) else "at most"
    return value, f"{side} {_number(value)} was taken as {_number(value)}"


def _number(value: float) -> str:
    return f"{value:.6g}"
