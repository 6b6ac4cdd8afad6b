"""Naming the features of a lap from its turns; ``docs/track-conventions.md`` in code.

The constructor names the turns it draws and the validator those it measures: by the same rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from roboracer_arena.generate.conventions import (
    CHICANE_MAX_ANGLE,
    CORNER_MIN_ANGLE,
    HAIRPIN_MAX_RADIUS,
    HAIRPIN_MIN_ANGLE,
    MERGE_MAX_ANGLE,
    SHORT_STRAIGHT,
    SWEEPER_MIN_ANGLE,
    SWEEPER_MIN_RADIUS,
)
from roboracer_arena.generate.spec import Feature

__all__ = [
    "NamedFeature",
    "Turn",
    "classify",
    "join_turns",
    "name_features",
    "order_matches",
]

TurnKind = Literal["hairpin", "sweeper", "corner", "kink"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A stretch of a lap that curves one way."""

    start: float
    """Arc length where it begins [m], in [0, lap)."""
    end: float
    """Arc length where it ends [m], above ``start``; may exceed the lap."""
    angle: float
    """How far it turns [rad], left positive."""
    peak_radius: float
    """Smallest sustained radius [m]."""

    @property
    def effective_radius(self) -> float:
        """Length over angle [m]."""
        return (self.end - self.start) / abs(self.angle)


@dataclass(frozen=True, slots=True)
class NamedFeature:
    """A hairpin, chicane or sweeper at its place on the lap."""

    feature: Feature
    start: float
    """Arc length where it begins [m]."""
    end: float
    """Arc length where it ends [m]; may exceed the lap."""


def join_turns(turns: Sequence[Turn], lap: float, radius: float) -> tuple[Turn, ...]:
    """Join turns of one sign across short straights, the smallest gap first.

    Args:
        turns: In lap order.
        lap: Lap length [m].
        radius: Reference radius [m].
    """
    joined = list(turns)
    while len(joined) > 1:
        candidates = [
            (gap, index)
            for index, gap in enumerate(_gaps(joined, lap))
            if gap <= SHORT_STRAIGHT * radius and _one_turn(joined[index], _after(joined, index))
        ]
        if not candidates:
            break
        index = min(candidates)[1]
        first, second = joined[index], _after(joined, index)
        end = second.end if second.start > first.start else second.end + lap
        whole = replace(
            first,
            end=end,
            angle=first.angle + second.angle,
            peak_radius=min(first.peak_radius, second.peak_radius),
        )
        joined[index] = whole
        del joined[(index + 1) % len(joined)]
    return tuple(sorted(joined, key=lambda turn: turn.start))


def _after(turns: Sequence[Turn], index: int) -> Turn:
    return turns[(index + 1) % len(turns)]


def _gaps(turns: Sequence[Turn], lap: float) -> list[float]:
    """Return the straight after each turn [m]; ends that overlap by blur count as no gap."""
    return [
        max(0.0, following.start + (lap if index == len(turns) - 1 else 0.0) - turn.end)
        for index, turn in enumerate(turns)
        for following in [_after(turns, index)]
    ]


def _one_turn(first: Turn, second: Turn) -> bool:
    return first.angle * second.angle > 0 and abs(first.angle + second.angle) <= MERGE_MAX_ANGLE


def classify(turn: Turn, radius: float) -> TurnKind:
    """Say what kind of turn it is.

    Args:
        turn: A turn, joined with its neighbours where that applies.
        radius: Reference radius [m].
    """
    angle = abs(turn.angle)
    if angle >= HAIRPIN_MIN_ANGLE and turn.effective_radius <= HAIRPIN_MAX_RADIUS * radius:
        return "hairpin"
    if angle >= SWEEPER_MIN_ANGLE and turn.peak_radius >= SWEEPER_MIN_RADIUS * radius:
        return "sweeper"
    return "corner" if angle >= CORNER_MIN_ANGLE else "kink"


def name_features(turns: Sequence[Turn], lap: float, radius: float) -> tuple[NamedFeature, ...]:
    """Find the hairpins, sweepers and chicanes of a lap, in lap order.

    Args:
        turns: In lap order, not joined yet.
        lap: Lap length [m].
        radius: Reference radius [m].
    """
    joined = join_turns(turns, lap, radius)
    kinds = [classify(turn, radius) for turn in joined]
    features = [
        NamedFeature(kind, turn.start, turn.end)
        for turn, kind in zip(joined, kinds, strict=True)
        if kind in ("hairpin", "sweeper")
    ]
    features += _chicanes(joined, kinds, lap, radius)
    return tuple(sorted(features, key=lambda feature: feature.start))


def _chicanes(
    turns: Sequence[Turn], kinds: Sequence[TurnKind], lap: float, radius: float
) -> list[NamedFeature]:
    """Pair off alternating corners along each chain of them."""
    count = len(turns)
    small = [
        kind == "corner" and abs(turn.angle) <= CHICANE_MAX_ANGLE
        for turn, kind in zip(turns, kinds, strict=True)
    ]
    linked = [
        small[index]
        and small[(index + 1) % count]
        and turns[index].angle * _after(turns, index).angle < 0
        and gap <= SHORT_STRAIGHT * radius
        for index, gap in enumerate(_gaps(turns, lap))
    ]
    if count < 2 or not any(linked):
        return []
    # Start behind an unlinked turn, so that no chain is cut by the start of the lap.
    origin = next((index + 1 for index in range(count) if not linked[index]), 0)
    pairs, step = [], 0
    while step < count:
        index = (origin + step) % count
        if linked[index]:
            end = _after(turns, index).end
            end += lap if end <= turns[index].start else 0.0
            pairs.append(NamedFeature("chicane", turns[index].start, end))
            step += 1
        step += 1
    return pairs


def order_matches(found: Sequence[Feature], wanted: Sequence[Feature]) -> bool:
    """Whether a cyclic sequence of features contains the wanted one.

    A wanted list of the same length must match up to rotation, which is the same as being a cyclic
    subsequence; a shorter one may skip features.

    Args:
        found: Features in driving order, once around.
        wanted: Features in the order asked for; empty asks for none.
    """
    return not wanted or any(
        _is_subsequence(wanted, [*found[shift:], *found[:shift]]) for shift in range(len(found))
    )


def _is_subsequence(wanted: Sequence[Feature], found: Sequence[Feature]) -> bool:
    rest = iter(found)
    return all(feature in rest for feature in wanted)
