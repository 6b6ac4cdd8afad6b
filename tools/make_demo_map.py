"""Make the bundled demo map: an indoor track as a lidar would have recorded it.

The track is the project's own design. It is laid out with air ducts in a hall, a car is driven
twice around it, its lidar is simulated, and the scans are gathered in a grid by the rule that
slam_toolbox uses. So the map has what recorded maps have: walls of one to two noisy cells, grey
behind them, thin white rays through the joints of the ducts, gaps where black ducts return no
echo, specks, and a frame that is turned against the hall.

    python tools/make_demo_map.py [FOLDER]      # default: tracks/demo/arena_hall
"""

from __future__ import annotations

import argparse
import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from roboracer_arena.files import atomic_path
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap, Pose2D, write_map

Points = NDArray[np.float64]
Clearance = NDArray[np.float32]

SEED = 27
CELL = 0.05
"""Side of a cell of the map [m]."""
FRAME = Pose2D(4.0, 1.7, math.radians(3.4))
"""The map frame in the hall: where the car stood when mapping began."""

HALL = (20.0, 12.0)
"""Size of the hall [m]."""
# Corners of the centreline [m], counter-clockwise, each with the radius that rounds it [m]:
# start straight of 16 m, two corners, hairpin left, hairpin right, chicane, corner, sweeper.
CORNERS = (
    (1.8, 1.7, 1.6),
    (18.2, 1.7, 1.7),
    (18.2, 10.3, 2.0),
    (10.8, 10.3, 1.2),
    (10.8, 7.9, 1.2),
    (15.8, 7.9, 1.25),
    (15.8, 5.4, 1.25),
    (11.4, 5.4, 1.8),
    (9.5, 4.1, 1.8),
    (6.2, 4.1, 1.5),
    (6.2, 10.3, 2.2),
    (1.8, 10.3, 2.2),
)
# Width of the corridor [m] at a fraction of the lap; linear in between.
WIDTHS = ((0.0, 2.0), (0.16, 2.1), (0.30, 1.9), (0.45, 1.7), (0.62, 1.65), (0.74, 1.8), (0.88, 2.1))
DUCT = 0.33
"""Diameter of an air duct [m]."""
LITTER = ((0.52, 0.72), (0.93, -0.85))
"""Small things on the track: place as a fraction of the lap, and offset to the left [m]."""
MAX_RANGE = 10.0
"""Range of the lidar [m]."""
PIXEL = 0.01
"""Side of a pixel of the simulated hall [m]."""


@dataclass(frozen=True)
class Hall:
    """The simulated hall, row 0 at y = 0; pixels of ``PIXEL``."""

    solid: NDArray[np.uint8]
    """1 where something stands."""
    tall: NDArray[np.uint8]
    """1 where something stands that is higher than a duct."""
    echo: NDArray[np.float32]
    """Probability that the lidar gets an echo."""
    overlook: NDArray[np.float32]
    """Probability that a beam passes above."""


def rounded_loop(corners: tuple[tuple[float, float, float], ...], step: float) -> Points:
    """Return a closed polyline around rounded corners, with points about ``step`` apart."""
    points: list[Points] = []
    for index, (x, y, radius) in enumerate(corners):
        corner = np.array([x, y])
        before = np.array(corners[index - 1][:2]) - corner
        after = np.array(corners[(index + 1) % len(corners)][:2]) - corner
        before, after = before / np.linalg.norm(before), after / np.linalg.norm(after)
        half = math.acos(float(np.clip(before @ after, -1, 1))) / 2
        bisector = (before + after) / np.linalg.norm(before + after)
        centre = corner + bisector * radius / math.sin(half)
        start = corner + before * radius / math.tan(half) - centre
        turn = math.copysign(math.pi - 2 * half, before[1] * after[0] - before[0] * after[1])
        count = max(2, math.ceil(abs(turn) * radius / step))
        angles = math.atan2(start[1], start[0]) + turn * np.linspace(0, 1, count + 1)
        points.append(centre + radius * np.column_stack([np.cos(angles), np.sin(angles)]))
    return resampled(np.concatenate(points), step)


def resampled(loop: Points, step: float) -> Points:
    """Return a closed polyline with evenly spaced points."""
    closed = np.vstack([loop, loop[:1]])
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.linspace(0.0, length[-1], round(length[-1] / step), endpoint=False)
    return np.column_stack([np.interp(at, length, closed[:, axis]) for axis in (0, 1)])


def normals(loop: Points) -> Points:
    """Return the unit normals to the left of a closed polyline."""
    tangent = np.roll(loop, -1, axis=0) - np.roll(loop, 1, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    return np.column_stack([-tangent[:, 1], tangent[:, 0]])


def smooth_noise(rng: np.random.Generator, count: int, waves: int, size: float) -> Points:
    """Return ``count`` values of a periodic curve of ``waves`` sines, of about ``size``."""
    at = np.linspace(0, 2 * math.pi, count, endpoint=False)
    numbers = rng.integers(2, 4 * waves, waves)
    phases = rng.uniform(0, 2 * math.pi, waves)
    total: Points = size * np.sin(np.outer(at, numbers) + phases).sum(axis=1) / math.sqrt(waves)
    return total


def build_hall(rng: np.random.Generator, centre: Points) -> Hall:
    """Lay the ducts of both borders and put some things around the track."""
    shape = tuple(round(side / PIXEL) for side in reversed(HALL))
    tall, ducts = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    echo, overlook = np.ones(shape, np.float32), np.zeros(shape, np.float32)
    fraction = np.arange(len(centre)) / len(centre)
    knots, widths = zip(*WIDTHS, strict=True)
    half = np.interp(fraction, knots, widths, period=1.0) / 2
    track = np.zeros(shape, np.uint8)
    for point, reach in zip(centre[::4], half[::4], strict=True):
        draw_disc(track, point, reach + DUCT, 1)
    for side in (1, -1):
        wobble = smooth_noise(rng, len(centre), 9, 0.025)
        faces = [normals(centre) * (side * (half + wobble + out))[:, None] for out in (0.0, DUCT)]
        for duct in lay_ducts(rng, centre + faces[0], centre + faces[1], ducts):
            chance = rng.random()
            if chance < 0.12:  # a black duct, which hardly echoes
                draw_disc(echo, duct, rng.uniform(0.12, 0.3), 0.003)
            elif chance < 0.4 and side == -1:  # a sagging duct on the outside
                draw_disc(overlook, duct, rng.uniform(0.08, 0.4), 0.4)
    clutter(rng, track, tall)
    for place, offset in LITTER:
        index = round(place * len(centre))
        spot = centre[index] + normals(centre)[index] * offset
        draw_disc(ducts, spot, 0.03, 1)
    tall[:6], tall[-6:], tall[:, :6], tall[:, -6:] = 1, 1, 1, 1
    return Hall(ducts | tall, tall, echo, overlook)


# The hall is drawn with plain arithmetic, since drawing libraries differ from version to version.


def window(array: NDArray[np.generic], centre: Points, reach: float) -> tuple[slice, slice]:
    """Return the rows and columns of an array within ``reach`` [m] of a point."""
    low = np.maximum(np.floor((centre - reach) / PIXEL), 0).astype(int)
    high = np.maximum(np.ceil((centre + reach) / PIXEL) + 1, 0).astype(int)
    return slice(low[1], high[1]), slice(low[0], high[0])


def draw_disc(array: NDArray[np.generic], centre: Points, radius: float, value: float) -> None:
    """Set the pixels of a disc."""
    rows, columns = window(array, centre, radius)
    part = array[rows, columns]
    y, x = np.mgrid[rows.start : rows.start + part.shape[0], 0 : part.shape[1]] * PIXEL
    x += columns.start * PIXEL
    part[(x - centre[0]) ** 2 + (y - centre[1]) ** 2 <= radius**2] = value


def draw_strip(array: NDArray[np.uint8], left: Points, right: Points) -> None:
    """Set the pixels between two lines of as many points, by sampling finer than a pixel."""
    fine = np.linspace(0, len(left) - 1, 10 * len(left))
    known = np.arange(len(left))
    sides = [
        np.column_stack([np.interp(fine, known, line[:, axis]) for axis in (0, 1)])
        for line in (left, right)
    ]
    across = np.linspace(0, 1, round(DUCT / PIXEL * 2.5))[:, None, None]
    index = np.floor((sides[0] + across * (sides[1] - sides[0])) / PIXEL + 0.5).astype(int)
    array[index[..., 1], index[..., 0]] = 1


def lay_ducts(
    rng: np.random.Generator, inner: Points, outer: Points, solid: NDArray[np.uint8]
) -> list[Points]:
    """Put ducts of 2 to 3 m end to end along a border, some joints not quite tight.

    Args:
        rng: Source of chance.
        inner: Shape [n, 2], the side of the border that faces the track [m].
        outer: Shape [n, 2], the other side [m].
        solid: Where the ducts are drawn.

    Returns:
        The middle of each duct [m].
    """
    step = float(np.linalg.norm(inner[1] - inner[0]))
    shortest = round(1.0 / step)
    ducts, position = [], 0
    while position < len(inner):
        count = round(rng.uniform(2.0, 3.0) / step)
        if len(inner) - position - count < shortest:
            count = len(inner) - position
        joint = rng.uniform(0.06, 0.13) if rng.random() < 0.4 else 0.0
        index = np.arange(position, position + count - round(joint / step) + 1) % len(inner)
        shift = rng.normal(0.0, 0.012, 2)
        draw_strip(solid, inner[index] + shift, outer[index] + shift)
        middle = index[len(index) // 2]
        ducts.append((inner[middle] + outer[middle]) / 2 + shift)
        position += count
    return ducts


def clutter(rng: np.random.Generator, track: NDArray[np.uint8], tall: NDArray[np.uint8]) -> None:
    """Put boxes, tables and the legs of spectators around the track, never on it."""
    for _ in range(160):
        centre = rng.uniform((0.3, 0.3), np.array(HALL) - 0.3)
        large = rng.random() < 0.3
        half = rng.uniform(0.02, 0.18, 2) if large else np.full(2, rng.uniform(0.02, 0.05))
        angle = rng.uniform(0, math.pi / 2)
        rows, columns = window(tall, centre, float(np.hypot(*half)))
        y, x = np.mgrid[rows, columns] * PIXEL
        along = (x - centre[0]) * math.cos(angle) + (y - centre[1]) * math.sin(angle)
        aside = (y - centre[1]) * math.cos(angle) - (x - centre[0]) * math.sin(angle)
        box = (np.abs(along) <= half[0]) & (np.abs(aside) <= half[1])
        if not (box & (track[rows, columns] > 0)).any():
            tall[rows, columns] |= box


def scan(
    rng: np.random.Generator, hall: Hall, clearances: tuple[Clearance, Clearance], pose: Pose2D
) -> tuple[Points, Points]:
    """Simulate one scan of a UST-10LX: 1081 beams over 270 degrees, up to 10 m.

    Args:
        rng: Source of chance.
        hall: What stands around.
        clearances: Distance to what stands there, and to what is tall [pixels].
        pose: Where the lidar is in the hall.

    Returns:
        Angles [rad] and ranges [m] of the beams that came back.
    """
    angles = np.radians(np.linspace(-135, 135, 1081))
    direction = np.column_stack([np.cos(pose.yaw + angles), np.sin(pose.yaw + angles)])
    ranges = cast(clearances[0], pose, direction)
    columns, rows = pixels_at(hall.echo.shape, pose, direction, ranges)
    above = rng.random(len(angles)) < hall.overlook[rows, columns]
    heard = above | (rng.random(len(angles)) < hall.echo[rows, columns])
    ranges[above] = cast(clearances[1], pose, direction[above])
    # Beams that graze an edge mix two distances, which leaves specks behind the edge.
    behind = np.append(ranges[1:], ranges[-1])
    mixed = (np.abs(behind - ranges) > 0.3) & (rng.random(len(angles)) < 0.3)
    ranges = np.where(mixed, ranges + rng.random(len(angles)) * (behind - ranges), ranges)
    heard &= ranges < MAX_RANGE
    return angles[heard], (ranges + rng.normal(0.0, 0.012, len(angles)))[heard]


def cast(clearance: Clearance, pose: Pose2D, direction: Points) -> Points:
    """Return how far beams get [m], stepping by the distance to the nearest thing."""
    ranges = np.full(len(direction), 0.1)
    flying = np.arange(len(direction))
    for _ in range(120):
        columns, rows = pixels_at(clearance.shape, pose, direction[flying], ranges[flying])
        advance = np.maximum(clearance[rows, columns] - 1.0, 0.0) * PIXEL
        ranges[flying] += advance
        flying = flying[(advance > 0.0) & (ranges[flying] < MAX_RANGE)]
    return ranges


def pixels_at(
    shape: tuple[int, ...], pose: Pose2D, direction: Points, ranges: Points
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pixel columns and rows that the tips of beams are in."""
    tips = np.array([pose.x, pose.y]) + direction * ranges[:, None]
    index = np.floor(tips / PIXEL + 0.5).astype(np.int64)
    return np.clip(index[:, 0], 0, shape[1] - 1), np.clip(index[:, 1], 0, shape[0] - 1)


class Grid:
    """Counts of beams that passed through each cell and that ended in it, in the map frame."""

    def __init__(self, lower: Points, size: tuple[int, int]) -> None:
        self.lower = lower
        self.hits = np.zeros(size, np.int64)
        self.passes = np.zeros(size, np.int64)

    def add(self, pose: Pose2D, angles: Points, ranges: Points) -> None:
        """Enter a scan that was taken at a pose of the map frame."""
        direction = np.column_stack([np.cos(pose.yaw + angles), np.sin(pose.yaw + angles)])
        start = np.array([pose.x, pose.y])
        distance = np.arange(0.0, ranges.max(initial=0.0), CELL / 2)
        tips = start + direction[:, None, :] * distance[:, None]
        cells = self._cells(tips)
        before_end = distance[None, :] < ranges[:, None]
        # A beam counts once in a cell: only the first of successive samples in it.
        fresh = np.ones_like(before_end)
        fresh[:, 1:] = cells[:, 1:] != cells[:, :-1]
        ends = self._cells(start + direction * ranges[:, None])
        fresh &= cells != ends[:, None]
        count = self.passes.size
        passed = np.concatenate([cells[before_end & fresh], ends])
        self.passes += np.bincount(passed, minlength=count).reshape(self.passes.shape)
        self.hits += np.bincount(ends, minlength=count).reshape(self.hits.shape)

    def cells(self) -> NDArray[np.uint8]:
        """Return the map by slam_toolbox's rule: at least 2 beams, a tenth of them ended there."""
        seen = self.passes >= 2
        occupied = seen & (self.hits > 0.1 * self.passes)
        return np.where(occupied, OCCUPIED, np.where(seen, FREE, UNKNOWN)).astype(np.uint8)

    def _cells(self, points: Points) -> NDArray[np.int64]:
        index = np.floor((points - self.lower) / CELL).astype(np.int64)
        return index[..., 1] * self.passes.shape[1] + index[..., 0]


def clearance_of(solid: NDArray[np.uint8]) -> Clearance:
    """Return the distance to the nearest solid pixel [pixels]."""
    return np.asarray(ndimage.distance_transform_edt(1 - solid), dtype=np.float32)


def record(rng: np.random.Generator, hall: Hall, centre: Points) -> Grid:
    """Drive two laps, scanning every 0.5 m, with the small pose errors that SLAM leaves."""
    clearances = (clearance_of(hall.solid), clearance_of(hall.tall))
    corners = FRAME.inverse_transform(np.array([[0, 0], [HALL[0], 0], HALL, [0, HALL[1]]]))
    lower = np.floor(corners.min(axis=0) - 1.0)
    grid = Grid(lower, tuple(np.ceil((corners.max(axis=0) + 1.0 - lower) / CELL).astype(int)[::-1]))
    side = normals(centre)
    for _ in range(2):
        line = resampled(centre + side * smooth_noise(rng, len(centre), 5, 0.12)[:, None], 0.5)
        left = normals(line)
        heading = np.unwrap(np.arctan2(-left[:, 0], left[:, 1]))
        drift = [smooth_noise(rng, len(line), 4, size) for size in (0.014, 0.014, 0.0022)]
        for index, (x, y) in enumerate(line):
            yaw = float(heading[index] + rng.normal(0, 0.05))
            angles, ranges = scan(rng, hall, clearances, Pose2D(x, y, yaw))
            place = FRAME.inverse_transform(np.array([[x, y]]))[0]
            believed = Pose2D(
                place[0] + drift[0][index],
                place[1] + drift[1][index],
                yaw - FRAME.yaw + drift[2][index],
            )
            grid.add(believed, angles, ranges)
    return grid


def make_map() -> OccupancyMap:
    """Return the demo map; the same on every call."""
    rng = np.random.default_rng(SEED)
    centre = rounded_loop(CORNERS, 0.02)
    grid = record(rng, build_hall(rng, centre), centre)
    cells = grid.cells()
    rows, columns = np.nonzero(cells != UNKNOWN)
    low, high = (rows.min() - 8, columns.min() - 8), (rows.max() + 9, columns.max() + 9)
    x, y = grid.lower + CELL * np.array([low[1], low[0]])
    return OccupancyMap(
        cells=np.ascontiguousarray(cells[low[0] : high[0], low[1] : high[1]]),
        resolution=CELL,
        origin=Pose2D(round(float(x), 3), round(float(y), 3), 0.0),
        name="arena_hall",
    )


def track_toml(image: bytes) -> str:
    """Return the provenance of the map."""
    return (
        'name = "Arena hall"\n'
        "description = \"Indoor track of the project's own design, lined with air ducts:"
        ' a straight, two hairpins, a chicane and sweepers. Simulated recording."\n'
        'licence = "Apache-2.0"\n'
        'author = "The RoboRacer Arena developers"\n'
        'source = "made by tools/make_demo_map.py"\n'
        f'sha256 = "{hashlib.sha256(image).hexdigest()}"\n'
    )


def main() -> None:
    """Write the demo map into a folder."""
    default = Path(__file__).resolve().parents[1] / "tracks" / "demo" / "arena_hall"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=default)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    write_map(make_map(), folder / "map.yaml", force=True)
    with atomic_path(folder / "track.toml", force=True) as toml:
        toml.write_text(track_toml((folder / "map.png").read_bytes()), encoding="utf-8")
    print(folder)


if __name__ == "__main__":
    main()
