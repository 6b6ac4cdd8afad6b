"""The collected trouble inputs: what each must lead to."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from roboracer_arena.corridor import (
    CorridorSettings,
    find_centerline,
    find_corridor,
    measure_corridor,
)
from roboracer_arena.errors import ArenaError, CorridorError
from roboracer_arena.maps import read_map
from tests.corridor.drawings import drivable
from tests.shared_cases import MAP_CASES

pytestmark = pytest.mark.shared

_CASES = [
    *MAP_CASES,
    "b01-small-gap-to-unknown",
    "b02-gap-to-white-outside",
    "b04-speckle",
    "b05-diagonal-one-pixel-wall",
    "b06-thin-line-map",
    "b09-shortcut-two-infields",
    "b10-obstacle-on-track",
    "b12-open-corridor",
    "b16-start-in-wall",
    "b17-unknown-stripe-across",
    "b18-pocket-beside-track",
    "d12-far-origin",
]


def _map_yaml(folder, expected):
    names = [name for name in expected["input"] if name.endswith(".yaml")]
    return folder / names[0]


def _warned(corridor, words):
    said = " ".join((*corridor.source.warnings, *corridor.warnings)).lower()
    return any(word.lower() in said for word in words)


def _check_corridor(corridor, wanted):
    infields = [border for border in corridor.borders if border.kind == "infield"]
    holes = wanted.get("holes")
    if isinstance(holes, int):
        assert len(corridor.borders) - 1 == holes
    elif holes is not None:
        assert len(infields) == 1
    if wanted.get("area_m2"):
        low, high = wanted["area_m2"]
        assert low <= corridor.area <= high
    if "lap_length_m" in wanted:
        measures = measure_corridor(corridor, find_centerline(corridor))
        assert wanted["lap_length_m"][0] <= measures.lap_length <= wanted["lap_length_m"][1]
        assert wanted["mean_width_m"][0] <= measures.width_mean <= wanted["mean_width_m"][1]


def _check_world(corridor, world):
    if world.get("drivable"):
        assert all(drivable(corridor, *world["drivable"]))
    if world.get("not_drivable"):
        assert not any(drivable(corridor, *world["not_drivable"]))


def test_every_case_about_maps_is_in_the_list(shared_dir):
    names = {folder.name for folder in (shared_dir / "cases").iterdir()}
    assert {name for name in names if name.startswith(("a", "b", "d12"))} == set(_CASES)


@pytest.mark.parametrize("name", _CASES)
def test_a_case_ends_as_expected(shared_dir, name):
    folder = shared_dir / "cases" / name
    expected = json.loads((folder / "expected.json").read_text())
    corridor, error = _outcome(_map_yaml(folder, expected))
    if error is not None:
        assert expected["outcome"] in ("error", "ok_or_error"), error
        words = expected.get("error_mentions_any", [])
        assert not words or any(word.lower() in str(error).lower() for word in words)
        return
    assert expected["outcome"] in ("ok", "ok_or_error")
    if "start.json" in expected["input"]:
        expected.pop("if_ok")  # the start has a test of its own
    wanted = {**expected, **expected.get("if_ok", {})}
    _check_corridor(corridor, wanted.get("corridor", {}))
    _check_world(corridor, wanted.get("world", {}))
    assert corridor.area <= wanted.get("max_drivable_m2", math.inf)
    assert "must_warn_any" not in wanted or _warned(corridor, wanted["must_warn_any"])


def _outcome(path):
    try:
        return find_corridor(read_map(path)), None
    except ArenaError as error:
        return None, error


def test_a_start_in_a_wall_is_refused_by_name(shared_dir):
    folder = next((shared_dir / "cases").glob("b16-*"))
    start = json.loads((folder / "start.json").read_text())
    with pytest.raises(CorridorError, match=r"the start pose \(0\.00, 0\.00\) m"):
        find_corridor(read_map(folder / "map.yaml"), start=(start["x"], start["y"]))


def test_the_unknown_stripe_is_bridged_on_request(shared_dir):
    folder = next((shared_dir / "cases").glob("b17-*"))
    expected = json.loads((folder / "expected.json").read_text())["if_ok"]
    corridor = find_corridor(read_map(folder / "map.yaml"), close_gaps=0.2)
    _check_corridor(corridor, expected["corridor_if_bridged"])
    assert _warned(corridor, expected["must_warn_any"])


def test_the_short_cut_can_be_allowed(shared_dir):
    folder = next((shared_dir / "cases").glob("b09-*"))
    expected = json.loads((folder / "expected.json").read_text())["if_ok"]
    corridor = find_corridor(read_map(folder / "map.yaml"), CorridorSettings(allow_branches=True))
    _check_corridor(corridor, expected["corridor"])
    _check_world(corridor, expected["world"])
    assert _warned(corridor, expected["must_warn_any"])


def test_the_open_corridor_can_be_allowed(shared_dir):
    folder = next((shared_dir / "cases").glob("b12-*"))
    expected = json.loads((folder / "expected.json").read_text())["if_ok"]
    corridor = find_corridor(read_map(folder / "map.yaml"), CorridorSettings(allow_open=True))
    _check_corridor(corridor, expected["corridor"])
    assert _warned(corridor, expected["must_warn_any"])


def test_a_far_origin_does_not_change_the_shape(shared_dir):
    far, near = (next((shared_dir / "cases").glob(name)) for name in ("d12-*", "d13-*"))
    borders = [find_corridor(read_map(folder / "map.yaml")).borders for folder in (far, near)]
    for one, other in zip(*borders, strict=True):
        assert math.isclose(one.area, other.area)
        assert np.array_equal(one.points, other.points)
