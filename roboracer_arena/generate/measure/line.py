"""The centreline of a drawn corridor, to a small fraction of a cell.

A wall drawn in cells is a staircase, but each pair of neighbouring cells of different kind says
where the wall crosses between their centres: within half a cell along the pair, hence very well
where the wall runs nearly along it. The line is the smoothest curve (least change of curvature)
that agrees with all those crossings, each weighted by what it knows, together with a half width
that may change slowly along the lap. So it is equidistant from both walls.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.ndimage import gaussian_filter1d
from scipy.sparse.linalg import spsolve
from scipy.spatial import cKDTree

from roboracer_arena.corridor.curves import resample_closed
from roboracer_arena.corridor.trace import signed_area
from roboracer_arena.generate.measure.topology import Topology

__all__ = ["Crossings", "MeasuredLine", "find_crossings", "measure_line"]

_SMOOTHING = 0.12
"""Wavelength / 2 pi below which the fit damps, in reference radii. On drawn ovals, U shapes and
jogs this keeps the lap within 0.15 % and ringing beside an arc at 2 % of its curvature."""
_WIDTH_SMOOTHING = 0.3
"""Length over which the half width may change, in reference radii."""
_SAMPLES_PER_RADIUS = 24
_ROUNDS = 3
"""Fits from the rough line: the second halves an error of a tenth of a cell, the third settles."""
_PRECISION_FLOOR = 0.05
"""Standard deviation of the best crossings [cells]; stands for what the drawing itself rounds."""
_FEWEST_CELLS = 32
"""Cells along the shortest line that is measured: a circle of radius five cells."""
_RIDGE = 1e-6
"""Share of the mean weight that pulls each sample towards staying where it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """Where walls pass between the centres of neighbouring cells. Units: cells."""

    points: NDArray[np.float64]
    """Shape [m, 2], column and row of the middle between the two cell centres."""
    axis: NDArray[np.int64]
    """Shape [m]; 0 where the two cells are neighbours in a row, 1 in a column."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredLine:
    """A closed line through the corridor, counter-clockwise, in metres of the cropped grid."""

    points: NDArray[np.float64]
    """Shape [n, 2], evenly spaced [m]."""
    width: NDArray[np.float64]
    """Shape [n], wall to wall across the line, plus one cell: the w of Eq. 3 [m]."""
    step: float
    """Distance of neighbours [m]."""

    @property
    def length(self) -> float:
        """Lap length [m]."""
        return self.step * len(self.points)


def measure_line(topology: Topology, cell: float, radius: float) -> MeasuredLine | None:
    """Measure the centreline of a map with one corridor and one infield.

    Args:
        topology: The cells; ``topology.is_lap`` must hold.
        cell: Side of a cell [m].
        radius: Reference radius, the scale of the curves to be kept [m].

    Returns:
        The line, or None for a ring around a speck, too small to have a shape in cells.
    """
    crossings = find_crossings(topology.free)
    rough = _rough_line(topology)
    if len(rough) < _FEWEST_CELLS:
        return None
    # A loop too small to hold a turn of the reference radius is measured at its own scale.
    scale = min(radius / cell, len(rough) / (2.0 * np.pi))
    spacing = max(1.0, scale / _SAMPLES_PER_RADIUS)
    line = resample_closed(rough, spacing)
    half = np.zeros(len(line))
    for _ in range(_ROUNDS):
        line, half = _fit(line, crossings, scale=scale)
        line = resample_closed(line, spacing)
    half = np.interp(np.arange(len(line)) / len(line), np.arange(len(half)) / len(half), half)
    gaps = np.roll(line, -1, axis=0) - line
    length = float(np.hypot(gaps[:, 0], gaps[:, 1]).sum())
    return MeasuredLine(
        points=(line + 0.5) * cell, width=(2.0 * half + 1.0) * cell, step=length * cell / len(line)
    )


def find_crossings(free: NDArray[np.bool_]) -> Crossings:
    """List every pair of neighbouring cells of which one is free.

    Args:
        free: Shape [h, w].
    """
    rows, columns = np.nonzero(free[:, 1:] != free[:, :-1])
    across = np.column_stack([columns + 0.5, rows])
    rows, columns = np.nonzero(free[1:, :] != free[:-1, :])
    along = np.column_stack([columns, rows + 0.5])
    axis = np.repeat([0, 1], [len(across), len(along)])
    return Crossings(points=np.concatenate([across, along]), axis=axis)


def _rough_line(topology: Topology) -> NDArray[np.float64]:
    """Return the pixel line midway between the walls, smoothed by two cells [cells]."""
    # Distances to the infield and to the exterior decide which wall is nearer.
    to_infield = cv2.distanceTransform((~topology.infield).astype(np.uint8), cv2.DIST_L2, 5)
    enclosed = topology.free | topology.infield
    to_exterior = cv2.distanceTransform(enclosed.astype(np.uint8), cv2.DIST_L2, 5)
    nearer_inside = (enclosed & (to_infield < to_exterior)).astype(np.uint8)
    contours, _ = cv2.findContours(nearer_inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    line = max(contours, key=len)[:, 0, :].astype(np.float64)
    if signed_area(line) < 0.0:
        line = line[::-1]
    return np.asarray(gaussian_filter1d(line, 2.0, axis=0, mode="wrap"))


def _fit(
    line: NDArray[np.float64], crossings: Crossings, *, scale: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Move a line along its normals to the best fit; return it with its half width [cells].

    A crossing beside sample j on side k (+1 left, -1 right) at normal distance d says
    d = u_j + k h_j, with u the move and h the half width. Minimised: the weighted squares of those
    equations, plus the third differences of the moved line, plus the first differences of h.
    """
    count = len(line)
    tangent = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    pitch = float(np.hypot(tangent[:, 0], tangent[:, 1]).mean()) / 2.0
    # On a ring of a few cells neighbouring points may coincide and have no direction.
    tangent /= np.maximum(np.hypot(tangent[:, 0], tangent[:, 1]), 1e-12)[:, None]
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    beside = cKDTree(line).query(crossings.points)[1]
    distance = ((crossings.points - line[beside]) * normal[beside]).sum(axis=1)
    side = np.sign(distance)
    # Uniform over one cell along the pair of cells: variance 1/12, seen under the wall's slope.
    seen = normal[beside, crossings.axis] ** 2
    weight = 1.0 / (seen / 12.0 + _PRECISION_FLOOR**2)

    def gather(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(beside, weights=values, minlength=count), dtype=np.float64)

    mean_weight = float(weight.sum()) / count
    stiffness = mean_weight * (_SMOOTHING * scale / pitch) ** 6
    evenness = mean_weight * (_WIDTH_SMOOTHING * scale / pitch) ** 2
    following = (np.arange(count) + 1) % count
    shift = sparse.csr_matrix((np.ones(count), (np.arange(count), following)))
    first = sparse.csr_matrix(shift - sparse.identity(count, format="csr"))
    third = first @ first @ first
    bending = sparse.csr_matrix((count, count))
    bent = np.zeros(count)
    for k in (0, 1):
        moved = third @ sparse.diags(normal[:, k])
        bending = bending + moved.T @ moved
        bent = bent + moved.T @ (third @ line[:, k])
    # The ridge only decides where crossings are too few to.
    own = sparse.diags(gather(weight) + _RIDGE * mean_weight)
    mixed = sparse.diags(gather(weight * side))
    system = sparse.bmat(
        [[own + stiffness * bending, mixed], [mixed, own + evenness * (first.T @ first)]],
        format="csc",
    )
    known = [gather(weight * distance) - stiffness * bent, gather(weight * np.abs(distance))]
    solution = np.asarray(spsolve(system, np.concatenate(known)))
    return line + solution[:count, None] * normal, solution[count:]
