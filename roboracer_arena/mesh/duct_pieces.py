"""The stretches of duct that a set of walls needs: beside each face, or once in a thin wall.

A duct's axis keeps one duct radius of distance to its wall face. Where the wall is about as thin
as a duct, both faces would claim the same place; there, one stretch on the wall's medial line
stands for both. So each border is cut where it changes between *beside* and *middle*, and the
second copy of each middle stretch is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from roboracer_arena.mesh.medial import BorderSamples
from roboracer_arena.mesh.settings import DuctSettings

__all__ = ["DuctPiece", "cut_pieces"]

_COVER = 1.0
"""A spur of the medial line into a corner of the wall is left out where the corner's tip is
within this many duct radii of the duct that passes it; 1 leaves out corners from 60 degrees on."""
_MIN_STRETCH = 2.0
"""Along the border, in duct diameters: shorter changes between one and two ducts are ignored."""


@dataclass(frozen=True, slots=True, eq=False)
class DuctPiece:
    """A stretch of one border's duct."""

    points: NDArray[np.float64]
    """Shape [n, 2], the duct's axis [m]."""
    middle: bool
    """Whether it runs along the middle of a thin wall."""
    depth: tuple[float, float] = (0.0, 0.0)
    """How far the wall reaches beyond its first and its last point [m]."""
    closed: bool = False
    """Whether it leads all around its border."""


def cut_pieces(samples: BorderSamples, settings: DuctSettings) -> list[DuctPiece]:
    """Cut all borders into pieces and drop what needs no duct.

    Args:
        samples: The wall faces, and how thick the wall behind them is.
        settings: Diameter, and the wall thickness below which one duct serves both sides.

    Returns:
        The pieces in the order of the borders.
    """
    index = np.arange(len(samples.points))
    thin = _thin_stretches(samples, settings)
    # The other side of a middle stretch is the same stretch once more, and is dropped.
    middle, free = thin & (samples.touch > index), ~thin
    depth = np.where(free, settings.radius, samples.radius)
    axis = samples.points + depth[:, None] * samples.normals
    passed = _folds(samples, thin) | _corner_spurs(samples, axis, middle, settings.radius)
    pieces: list[DuctPiece] = []
    for start, stop in pairwise(samples.starts):
        own = index[start:stop][~passed[start:stop]]
        if len(own):
            pieces += _cut_one(own, samples, axis, free, middle)
    return pieces


def _thin_stretches(samples: BorderSamples, settings: DuctSettings) -> NDArray[np.bool_]:
    """Return the samples where one duct serves both sides of the wall.

    A wall whose thickness keeps crossing the limit must not change over at each crossing: short
    thick stretches between thin ones count as thin, and short thin ones as thick unless two ducts
    would stick out of the wall.
    """
    shortest = max(2, round(_MIN_STRETCH * settings.diameter / samples.step))
    measured = samples.touch >= 0
    index = np.flatnonzero(measured)
    border = np.searchsorted(samples.starts, index, side="right")
    apart = np.flatnonzero((np.diff(index) > 1) | (np.diff(border) != 0)) + 1
    thin = np.zeros(len(samples.points), dtype=np.bool_)
    for run in np.split(index, apart):
        below = run[samples.radius[run] < settings.single_thickness / 2.0]
        for part in np.split(below, np.flatnonzero(np.diff(below) > shortest) + 1):
            if len(part) == 0:
                continue
            stretch = slice(int(part[0]), int(part[-1]) + 1)
            narrowest = samples.radius[stretch].min()
            if part[-1] - part[0] >= shortest or narrowest < settings.radius:
                thin[stretch] = True
    # Both sides of a wall must agree.
    return thin | (measured & thin[samples.touch])


def _folds(samples: BorderSamples, thin: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which samples go around the tip of a wall, or into a corner from about 65 degrees on.

    Along a thin wall, two samples that touch each other are far apart along the border. Around
    its tip they are no further apart than half the ball's circumference, and the medial line
    stands still or runs off into a corner.
    """
    index = np.flatnonzero(thin)
    touch = samples.touch[index]
    border = np.searchsorted(samples.starts, index, side="right")
    count = samples.starts[border] - samples.starts[border - 1]
    apart = np.abs(touch - index)
    apart = np.minimum(apart, count - apart)
    same = border == np.searchsorted(samples.starts, touch, side="right")
    folded = same & (apart * samples.step <= np.pi * samples.radius[index] + 2.0 * samples.step)
    folds = np.zeros(len(thin), dtype=np.bool_)
    folds[index[folded]] = True
    folds[touch[folded]] = True
    return folds


def _corner_spurs(
    samples: BorderSamples,
    axis: NDArray[np.float64],
    middle: NDArray[np.bool_],
    radius: float,
) -> NDArray[np.bool_]:
    """Return which samples only lead into a corner of the wall and back.

    Seen along the border, such samples touch each other pairwise, nested around the corner.
    """
    passed = np.zeros(len(axis), dtype=np.bool_)
    for first, last in _runs(samples, middle):
        opposite = int(samples.touch[last])
        own = int(np.searchsorted(samples.starts, first, side="right"))
        ends_in_tip = (
            opposite < samples.starts[own]
            and (opposite - last) * samples.step <= np.pi * samples.radius[last] + 4 * samples.step
        )
        if not ends_in_tip:
            continue
        tip = samples.points[(last + opposite) // 2]
        if np.linalg.norm(tip - axis[first]) <= (1.0 + _COVER) * radius:
            passed[first : int(samples.touch[first]) + 1] = True
    return passed


def _runs(samples: BorderSamples, chosen: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return first and last sample of each run of chosen ones that touch a steady other side."""
    index = np.flatnonzero(chosen)
    if len(index) == 0:
        return []
    breaks = _breaks(index, samples)
    firsts = np.concatenate([[0], breaks])
    lasts = np.concatenate([breaks, [len(index)]]) - 1
    return [(int(index[a]), int(index[b])) for a, b in zip(firsts, lasts, strict=True)]


def _breaks(index: NDArray[np.int64], samples: BorderSamples) -> NDArray[np.int64]:
    """Return where a row of samples is interrupted, or its other side jumps."""
    jump = max(4, round(4.0 * float(samples.radius.max()) / samples.step))
    border = np.searchsorted(samples.starts, index, side="right")
    touch = samples.touch[index]
    broken = (np.diff(index) > 1) | (np.diff(border) != 0) | (np.abs(np.diff(touch)) > jump)
    return np.flatnonzero(broken) + 1


def _cut_one(
    own: NDArray[np.int64],
    samples: BorderSamples,
    axis: NDArray[np.float64],
    free: NDArray[np.bool_],
    middle: NDArray[np.bool_],
) -> list[DuctPiece]:
    """Cut the samples of one border where they change between beside, middle and dropped."""
    kind = np.where(free[own], 0, np.where(middle[own], 1, 2))
    jump = max(4, round(4.0 * float(samples.radius.max()) / samples.step))
    leap = (np.abs(np.diff(samples.touch[own])) > jump) & (kind[1:] == 1)
    cuts = np.flatnonzero((np.diff(kind) != 0) | leap) + 1
    parts = np.split(own, cuts)
    if len(parts) == 1:
        return [DuctPiece(axis[own], bool(kind[0]), closed=True)] if kind[0] != 2 else []
    if kind[0] == kind[-1] == 0:
        parts = [np.concatenate([parts[-1], parts[0]]), *parts[1:-1]]
    return [
        DuctPiece(
            axis[part],
            bool(middle[part[0]]),
            depth=(float(samples.radius[part[0]]), float(samples.radius[part[-1]])),
        )
        for part in parts
        if len(part) > 1 and (free[part[0]] or middle[part[0]])
    ]
