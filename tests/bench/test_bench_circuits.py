"""The synthetic circuits that the benchmark draws."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from scipy.spatial import cKDTree

from roboracer_arena.bench.circuits import CircuitRequest, draw_circuit, make_circuit
from roboracer_arena.bench.ladder import LADDER, WARM_UP
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN

SMALL = CircuitRequest("small", megapixels=0.13, lap_length=50.0, corridor_width=1.4)


@pytest.mark.parametrize("request_", [*LADDER, WARM_UP], ids=lambda request: request.name)
def test_every_rung_has_a_circuit_of_the_length_and_size_asked_for(request_):
    circuit = make_circuit(request_)
    assert circuit.lap_length == pytest.approx(request_.lap_length, rel=1e-6)
    rows, columns = request_.shape
    assert rows * columns / 1e6 == pytest.approx(request_.megapixels, rel=0.01)
    assert np.all(circuit.centerline > 0)
    assert np.all(circuit.centerline < np.array([columns, rows]) * request_.resolution)


def test_the_ladder_climbs_from_a_hall_to_spa():
    sizes = [request.megapixels for request in LADDER]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (0.13, 10.9)
    assert max(request.lap_length for request in LADDER) == 700.0


def test_the_same_request_gives_the_same_cells():
    first, second = (draw_circuit(make_circuit(SMALL)) for _ in range(2))
    assert np.array_equal(first, second)


def test_cells_follow_their_distance_to_the_line():
    circuit = make_circuit(SMALL)
    cells = draw_circuit(circuit)
    closed = np.vstack([circuit.centerline, circuit.centerline[:1]])
    fine = np.vstack([np.linspace(a, b, 5, endpoint=False) for a, b in itertools.pairwise(closed)])
    rows, columns = np.indices(cells.shape)
    centres = (np.stack([columns, rows], axis=-1).reshape(-1, 2) + 0.5) * SMALL.resolution
    distance = cKDTree(fine).query(centres, distance_upper_bound=1.5)[0].reshape(cells.shape)
    slack = 1e-3  # the drawing's samples of the line lie 1 cm apart
    half, wall = SMALL.corridor_width / 2, 0.15
    assert np.all(cells[distance < half - SMALL.resolution / 2 - slack] == FREE)
    inside = (distance > half - SMALL.resolution / 2 + slack) & (distance < half + wall - slack)
    assert np.all(cells[inside] == OCCUPIED)
    assert np.all(cells[distance > half + wall + slack] == UNKNOWN)


@pytest.mark.parametrize("request_", LADDER[:3], ids=lambda request: request.name)
def test_the_corridor_is_one_closed_ring_between_two_walls(request_):
    cells = draw_circuit(make_circuit(request_))
    corridors, _ = cv2.connectedComponents((cells == FREE).astype(np.uint8), connectivity=4)
    assert corridors == 2  # the background counts as one
    walls, _ = cv2.connectedComponents((cells == OCCUPIED).astype(np.uint8), connectivity=8)
    assert walls == 3
    outside, _ = cv2.connectedComponents((cells == UNKNOWN).astype(np.uint8), connectivity=4)
    assert outside == 3


@pytest.mark.parametrize("length", [20.0, 500.0])
def test_a_lap_that_does_not_fit_is_refused(length):
    request = CircuitRequest("odd", megapixels=0.13, lap_length=length, corridor_width=1.4)
    with pytest.raises(ValueError, match="no lap of"):
        make_circuit(request)
