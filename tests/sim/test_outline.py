"""The plan of the walls is what the meshes say."""

from __future__ import annotations

import numpy as np
from shapes import circle, floor, stadium, wall

from roboracer_arena.sim.outline import slice_walls
from roboracer_arena.sim.wallboxes import wall_boxes


def test_a_cut_gives_back_the_line_that_was_extruded() -> None:
    line = stadium(6.0, 2.0, 40)
    (cut,) = slice_walls([wall(line), floor()], 0.1)
    assert np.allclose(cut[0], cut[-1])
    gaps = np.linalg.norm(cut[:, None] - line[None], axis=2).min(axis=1)
    assert gaps.max() < 1.0e-6
    assert len(cut) <= len(line) + 1


def test_the_corridor_stays_on_the_left() -> None:
    (cut,) = slice_walls([wall(circle(4.0))], 0.1)
    x, y = cut[:-1].T
    assert np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0
    (cut,) = slice_walls([wall(circle(4.0, clockwise=True))], 0.1)
    x, y = cut[:-1].T
    assert np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0


def test_an_open_wall_stays_open() -> None:
    line = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]])
    (cut,) = slice_walls([wall(line, closed=False)], 0.2)
    assert np.allclose(cut, line, atol=1e-6)


def test_boxes_lie_behind_the_wall_and_not_in_the_next_corridor() -> None:
    # Two corridors share a wall 0.1 m thick.
    upper = np.array([[-3.0, 0.05], [3.0, 0.05]])
    lower = np.array([[3.0, -0.05], [-3.0, -0.05]])
    mesh = wall(np.concatenate([upper, lower]), closed=False)
    boxes = wall_boxes([upper, lower], [mesh])
    assert len(boxes) == 2
    for box, side in zip(boxes, (1.0, -1.0), strict=True):
        face = side * box.center[1] + box.half_extents[1]
        back = side * box.center[1] - box.half_extents[1]
        assert abs(face - 0.05) < 1e-9
        assert back > -0.05
