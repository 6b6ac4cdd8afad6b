"""What one candidate of the lattice search is after, in lattice units."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from roboracer_arena.generate.lattice.blocks import Layout
from roboracer_arena.generate.spec import Feature

__all__ = ["Goal", "full_order", "order_gap", "place_sweepers"]

_LETTER: dict[Feature, str] = {"hairpin": "H", "chicane": "C", "sweeper": "T"}


@dataclass(frozen=True, slots=True)
class Goal:
    """Counts, order and size that a cell set should have."""

    hairpins: int
    chicanes: int
    sweepers: int
    order: str
    """All features in walking order, as letters H, C and T; empty where any order will do."""
    lap: float
    """Lap length [lattice edges]."""
    corner_loss: float
    """What rounding one corner takes off the lap [lattice edges]."""
    sweeper_loss: float
    """What a sweeper takes off beyond that [lattice edges]."""
    straight: int
    """Edges that the longest straight needs, between its two corners; 0 asks for none."""
    columns: int
    """Largest width of the set in cells."""
    rows: int
    """Largest height of the set in cells."""

    def distance(self, walk: str, layout: Layout) -> float:
        """Say how far a cell set is from the goal; 0 where spacing can do the rest.

        A feature too many or too few costs most, since its removal takes several changes.
        """
        letters = layout.letters
        hairpins, chicanes = letters.count("H"), letters.count("C")
        lone = len(letters) - hairpins - chicanes
        cost = 3.0 * layout.faults
        cost += 2.0 * (abs(hairpins - self.hairpins) + abs(chicanes - self.chicanes))
        cost += 1.5 * max(0, self.sweepers - lone)
        if self.order:
            counted = hairpins == self.hairpins and chicanes == self.chicanes
            cost += 0.8 * order_gap(letters, self.order) if counted else 1.6
        lap = len(walk) - self.corner_loss * layout.corners - self.sweeper_loss * self.sweepers
        # Spacing gives and takes about a tenth without looking stretched.
        cost += 0.6 * max(0.0, abs(lap - self.lap) - 0.08 * self.lap)
        if self.straight:
            cost += 1.0 * self._straight_gap(walk)
        return cost

    def _straight_gap(self, walk: str) -> int:
        doubled = walk + walk
        for missing in range(self.straight):
            if "S" * (self.straight - missing - 1) in doubled:
                return missing
        return self.straight


def full_order(
    order: tuple[Feature, ...], counts: dict[Feature, int], *, reverse: bool, rng: Random
) -> str:
    """Complete an order by features that it does not mention, at random places.

    Args:
        order: Features in driving order; may leave some out. Empty gives an empty result.
        counts: How many of each there are.
        reverse: Whether driving goes against the walk around the cells.
        rng: Chooses the places.
    """
    if not order:
        return ""
    letters = [_LETTER[feature] for feature in order]
    for feature, count in counts.items():
        for _ in range(count - order.count(feature)):
            letters.insert(int(rng.random() * (len(letters) + 1)), _LETTER[feature])
    return "".join(letters[::-1] if reverse else letters)


def order_gap(letters: str, order: str) -> int:
    """Return how many changes separate a walk from the nearest rotation of an order."""
    have = _stretches(letters)
    return min(_mismatch(have, _stretches(turned)) for turned in _rotations(order))


def place_sweepers(letters: str, goal: Goal, rng: Random) -> list[int] | None:
    """Choose which lone corners become sweepers.

    Args:
        letters: Features of the walk, from :class:`Layout`.
        goal: What is wanted.
        rng: Chooses among the possible places.

    Returns:
        Indices into ``letters``, each of a lone corner; None where none fit the order.
    """
    if not goal.order:
        lone = [index for index, letter in enumerate(letters) if letter == "T"]
        return _choose(lone, goal.sweepers, rng) if len(lone) >= goal.sweepers else None
    have = _stretches(letters)
    for turned in _rotations(goal.order):
        want = _stretches(turned)
        if _mismatch(have, want) == 0:
            chosen = []
            for (_, lone), (_, needed) in zip(have, want, strict=True):
                chosen += _choose(list(lone), len(needed), rng)
            return chosen
    return None


_Stretch = tuple[str, list[int]]
"""A fixed feature, H or C, and the places of the lone corners between it and the next one."""


def _rotations(order: str) -> list[str]:
    """Return the distinct rotations that begin with a fixed feature, or the order itself."""
    turned = {order[shift:] + order[:shift] for shift in range(len(order))}
    return sorted(text for text in turned if text[0] != "T") or [order]


def _stretches(letters: str) -> list[_Stretch]:
    """Cut a cyclic word into its stretches, beginning with its first fixed feature."""
    first = len(letters) - len(letters.lstrip("T"))
    if first == len(letters):
        return [("", list(range(first)))]
    stretches: list[_Stretch] = []
    for index in [*range(first, len(letters)), *range(first)]:
        if letters[index] == "T":
            stretches[-1][1].append(index)
        else:
            stretches.append((letters[index], []))
    return stretches


def _mismatch(have: list[_Stretch], want: list[_Stretch]) -> int:
    if len(have) != len(want):
        return abs(len(have) - len(want)) + 1
    return sum(
        (feature != wanted) + max(0, len(needed) - len(lone))
        for (feature, lone), (wanted, needed) in zip(have, want, strict=True)
    )


def _choose(items: list[int], count: int, rng: Random) -> list[int]:
    """Draw without replacement, by ``random()`` alone, which no Python version changes."""
    return [items.pop(int(rng.random() * len(items))) for _ in range(count)]
