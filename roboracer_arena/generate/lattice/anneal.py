"""The search for a cell set: simulated annealing, one cell at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from roboracer_arena.generate.lattice.blocks import Layout, read_layout
from roboracer_arena.generate.lattice.cells import CellGrid
from roboracer_arena.generate.lattice.goal import Goal

__all__ = ["Walk", "search"]

_HOT, _COLD = 1.2, 0.12
"""First and last temperature, against costs of 0.6 to 3 per fault: hot enough to grow and drop
arms freely, cold enough to keep what fits."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A cell set that meets its goal, as the line around it."""

    letters: str
    """One letter per lattice edge: L, R or S."""
    edges: tuple[int, ...]
    """Per edge, the cell on its left times 4 plus its heading."""
    stride: int
    """Cells per row of the grid, border included."""
    layout: Layout


def search(goal: Goal, rng: Random, steps: int) -> Iterator[Walk]:
    """Yield cell sets that meet the goal, as they are found.

    The search goes on from each set that the caller did not like.

    Args:
        goal: What is wanted.
        rng: Source of all choices.
        steps: Number of changes tried in all.
    """
    grid = _first_set(goal, rng)
    walk, edges = grid.outline()
    layout = read_layout(walk)
    cost = goal.distance(walk, layout)
    cooling = (_COLD / _HOT) ** (1.0 / max(1, steps))
    temperature = _HOT
    seen: set[str] = set()
    for _ in range(steps):
        temperature *= cooling
        if cost <= 0.0 and walk not in seen:
            seen.add(walk)
            yield Walk(walk, tuple(edges), grid.stride, layout)
        edge = edges[int(rng.random() * len(edges))]
        cell = edge >> 2
        if rng.random() < 0.5:
            cell = grid.across(edge)
        if not grid.toggle(cell):
            continue
        new_walk, new_edges = grid.outline()
        new_layout = read_layout(new_walk)
        new_cost = goal.distance(new_walk, new_layout)
        if new_cost <= cost or rng.random() < math.exp((cost - new_cost) / temperature):
            walk, edges, layout, cost = new_walk, new_edges, new_layout, new_cost
        else:
            grid.toggle(cell)


def _first_set(goal: Goal, rng: Random) -> CellGrid:
    """Start from a rectangle of about half the wanted outline, somewhere on the grid."""
    grid = CellGrid(goal.columns, goal.rows)
    half = max(2.0, goal.lap / 4.0)
    share = 0.3 + 0.4 * rng.random()
    columns = min(goal.columns, max(1, round(half * share)))
    rows = min(goal.rows, max(1, round(half * (1.0 - share))))
    grid.fill_rectangle(
        int(rng.random() * (goal.columns - columns + 1)),
        int(rng.random() * (goal.rows - rows + 1)),
        columns,
        rows,
    )
    return grid
