"""The shared trouble inputs that concern the reading of maps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roboracer_arena.errors import MapError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, OccupancyMap, read_map
from tests.shared_cases import MAP_CASES

pytestmark = pytest.mark.shared

# The points of these lie in areas that are free by the map_server rule and no corridor.
EXTERIOR_IS_FREE = {"a02-grey-216-counts-as-free", "a26-antialiased-thin-walls"}


def test_every_map_case_is_listed(shared_dir):
    found = {path.name for path in (shared_dir / "cases").glob("a*")}
    assert found <= set(MAP_CASES)


@pytest.mark.parametrize("case", MAP_CASES)
def test_case_holds(case, shared_dir, monkeypatch):
    folder = shared_dir / "cases" / case
    if not folder.is_dir():
        pytest.skip(f"{case} is not among the shared cases")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    monkeypatch.chdir(folder / expected.get("run_from", "."))
    before = sorted(folder.rglob("*"))
    result = map_or_error(Path(yaml_of(expected)))
    if isinstance(result, MapError):
        assert expected["outcome"] in ("error", "ok_or_error"), str(result)
        text = str(result).lower()
        assert any(word.lower() in text for word in expected["error_mentions_any"]), text
        assert result.exit_code == 3
    else:
        assert expected["outcome"] in ("ok", "ok_or_error")
        check_map(result, {**expected, **expected.get("if_ok", {})}, case)
    assert sorted(folder.rglob("*")) == before


def map_or_error(yaml: Path) -> OccupancyMap | MapError:
    try:
        return read_map(yaml)
    except MapError as error:
        return error


def yaml_of(expected: dict[str, Any]) -> str:
    return expected.get("yaml") or next(f for f in expected["input"] if f.endswith(".yaml"))


def check_map(occupancy: OccupancyMap, expected: dict[str, Any], case: str) -> None:
    assert set(np.unique(occupancy.cells)) <= {FREE, OCCUPIED, UNKNOWN}
    if "loader" in expected:
        loader = expected["loader"]
        assert occupancy.resolution == loader["resolution"]
        origin = occupancy.origin
        assert [origin.x, origin.y, origin.yaw] == loader["origin"]
        assert [occupancy.width, occupancy.height] == loader["size_px"]
    if "loader_counts" in expected:
        check_counts(occupancy, expected["loader_counts"])
    if "must_warn_any" in expected:
        text = " ".join(occupancy.warnings).lower()
        assert any(word.lower() in text for word in expected["must_warn_any"])
    if "max_drivable_m2" in expected:
        area = np.count_nonzero(occupancy.cells == FREE) * occupancy.resolution**2
        assert area <= expected["max_drivable_m2"]
    world = expected.get("world", {})
    if "drivable" in world:
        assert (cells_at(occupancy, world["drivable"]) == FREE).all()
    if "not_drivable" in world and case not in EXTERIOR_IS_FREE:
        assert (cells_at(occupancy, world["not_drivable"]) != FREE).all()


def check_counts(occupancy: OccupancyMap, counts: dict[str, Any]) -> None:
    if "between" not in counts:
        for name, value in (("free", FREE), ("occupied", OCCUPIED), ("unknown", UNKNOWN)):
            assert np.count_nonzero(occupancy.cells == value) == counts[name], name
        return
    percents = occupancy.probability
    assert percents is not None
    assert np.count_nonzero(percents == 0) == counts["free"]
    assert np.count_nonzero(percents == 100) == counts["occupied"]
    assert np.count_nonzero(percents == -1) == counts["unknown"]
    between = percents[(percents > 0) & (percents < 100)]
    assert between.size == counts["between"]
    low, high = counts["between_value"]
    assert ((between >= low) & (between <= high)).all()


def cells_at(occupancy: OccupancyMap, points: list[list[float]]) -> np.ndarray:
    rows, columns = occupancy.world_to_cell(np.array(points, dtype=np.float64)).T
    return occupancy.cells[rows, columns]


def test_every_shared_map_is_read(shared_dir):
    yamls = sorted((shared_dir / "data" / "maps").glob("*/*.yaml"))
    assert yamls
    for yaml in yamls:
        occupancy = read_map(yaml)
        assert occupancy.cells.size > 0
        assert np.count_nonzero(occupancy.cells == FREE) > 0, yaml.name
