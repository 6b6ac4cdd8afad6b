"""Corridors with known geometry, as borders."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from roboracer_arena.corridor import Border


def border_from(points: NDArray[np.float64], kind: str = "outer") -> Border:
    """Wrap a closed line, turned so that the corridor is on its left."""
    x, y = points.T
    area = float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2.0)
    if (area < 0.0) == (kind == "outer"):
        points = points[::-1]
    return Border(points=np.ascontiguousarray(points), kind=kind, area=abs(area))  # type: ignore[arg-type]


def circle(radius: float, count: int = 200, center: tuple[float, float] = (0.0, 0.0)) -> NDArray:
    """Points on a circle, counter-clockwise."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius + center


def densify(corners: NDArray[np.float64], step: float = 0.05) -> NDArray[np.float64]:
    """Points along a closed polygon at most ``step`` apart, corners included."""
    parts = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = max(1, int(np.ceil(np.linalg.norm(b - a) / step)))
        parts.append(a + (b - a) * np.arange(count)[:, None] / count)
    return np.concatenate(parts)


def rectangle(x0: float, y0: float, x1: float, y1: float, step: float = 0.05) -> NDArray:
    """Points along a rectangle, counter-clockwise."""
    return densify(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), step)


def ring(inner: float = 3.0, outer: float = 5.0) -> list[Border]:
    """A circular corridor around the origin."""
    return [border_from(circle(outer, 320)), border_from(circle(inner, 200), "infield")]


def stadium(length: float, radius: float, step: float = 0.05) -> NDArray[np.float64]:
    """Two straights joined by half circles, counter-clockwise, around the origin."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, max(8, int(np.pi * radius / step)))
    cap = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius
    shift = np.array([length / 2, 0.0])
    corners = np.concatenate([cap + shift, -cap - shift])
    return densify(corners, step)


def oval() -> list[Border]:
    """A corridor of 1.5 m width around a stadium-shaped infield."""
    return [border_from(stadium(10.0, 3.5)), border_from(stadium(10.0, 2.0), "infield")]


def paperclip(wall: float) -> list[Border]:
    """An oval whose infield is a straight wall of the given thickness."""
    return [
        border_from(stadium(8.0, 1.5 + wall / 2)),
        border_from(stadium(8.0, wall / 2, step=min(0.05, wall / 4)), "infield"),
    ]


@st.composite
def star_lines(
    draw: st.DrawFn, low: float = 2.0, high: float = 8.0, waves: int = 5
) -> NDArray[np.float64]:
    """Smooth star-shaped closed lines around a random centre, counter-clockwise."""
    base = draw(st.floats(low, high))
    angle = np.linspace(0.0, 2.0 * np.pi, 240, endpoint=False)
    radius = np.ones_like(angle)
    for wave in range(2, 2 + waves):
        amplitude = draw(st.floats(0.0, 0.5)) / wave / waves
        phase = draw(st.floats(0.0, 2.0 * np.pi))
        radius += amplitude * np.cos(wave * angle + phase)
    center = [draw(st.floats(-50.0, 50.0)), draw(st.floats(-50.0, 50.0))]
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * (base * radius)[:, None] + center


def teardrop() -> list[Border]:
    """A hall around a round infield that runs out into a long spike 0.2 to 0.12 m thick."""
    angle = np.linspace(0.6, 2.0 * np.pi - 0.6, 200)
    head = np.stack([np.cos(angle), np.sin(angle)], axis=1) * 1.5
    spike = np.array([[3.5, -0.1], [5.0, -0.06], [5.0, 0.06], [3.5, 0.1]])
    return [
        border_from(rectangle(-3.0, -3.0, 7.0, 3.0)),
        border_from(densify(np.concatenate([head, spike])), "infield"),
    ]


def hairpin(wall: float) -> list[Border]:
    """A U-shaped corridor: a tongue of the outer wall reaches in between its two arms."""
    low, high = 2.0 - wall / 2.0, 2.0 + wall / 2.0
    outer = [[0, 0], [10, 0], [10, 4], [0, 4], [0, high], [7, high], [7, low], [0, low]]
    inner = [[1, 0.8], [8.6, 0.8], [8.6, 3.2], [1, 3.2], [1, 3.1], [8, 3.1], [8, 0.9], [1, 0.9]]
    return [
        border_from(densify(np.array(outer, dtype=np.float64))),
        border_from(densify(np.array(inner, dtype=np.float64)), "infield"),
    ]


def stub() -> list[Border]:
    """A rectangular infield with a thin wall that stands out from one of its sides."""
    corners = [[2, 2], [10, 2], [10, 4], [7, 4], [7, 5], [6.9, 5], [6.9, 4], [2, 4]]
    return [
        border_from(rectangle(0.0, 0.0, 12.0, 6.0)),
        border_from(densify(np.array(corners, dtype=np.float64)), "infield"),
    ]


def wedge(degrees: float) -> list[Border]:
    """An infield that tapers to a point."""
    half = 4.0 * np.tan(np.deg2rad(degrees / 2.0))
    corners = np.array([[0, 0], [4, half], [6, half], [6, -half], [4, -half]])
    return [
        border_from(rectangle(-2.0, -4.0, 8.0, 4.0)),
        border_from(densify(corners), "infield"),
    ]


def rough_bar(thickness: float, seed: int, roughness: float = 0.03) -> list[Border]:
    """An oval around a straight wall with rough faces, like a recorded one."""
    random = np.random.default_rng(seed)
    line = stadium(8.0, thickness / 2.0, step=0.02)
    place = 2.0 * np.pi * np.arange(len(line)) / len(line)
    noise = np.sum(
        [random.normal() * np.cos(k * place + random.uniform(0.0, 6.28)) for k in range(1, 60)],
        axis=0,
    )
    along = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    rough = line + normal * (roughness / noise.std() * noise)[:, None]
    return [border_from(stadium(8.0, 2.0)), border_from(rough, "infield")]
