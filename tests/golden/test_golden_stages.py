"""Small maps give the stages that a person has looked at; ``make golden`` writes them anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roboracer_arena.build import build_map
from tests.drawn import stadium_map
from tests.golden.summary import summarise
from tests.usd.validity import assert_valid_stage

MAPS: dict[str, dict[str, Any]] = {
    "stadium": {},
    "turned_obstacle": {"origin": (-3.0, 2.0, 0.5), "obstacle": True},
    "far_thin_lines": {"origin": (471234.5, 6543210.25, 0.0), "thin_lines": True},
}


@pytest.mark.parametrize("name", MAPS)
def test_stage_is_the_one_that_was_looked_at(name: str, tmp_path: Path, regenerate: bool) -> None:
    path = tmp_path / f"{name}.usdc"
    build_map(stadium_map(name, **MAPS[name]), path)
    assert_valid_stage(path, asset_validator=True)
    text = summarise(path)
    golden = Path(__file__).with_name(f"{name}.txt")
    if regenerate:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
