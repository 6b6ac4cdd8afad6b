"""Every bundled generated track, validated again from its files."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

from roboracer_arena.corridor import read_centerline_csv
from roboracer_arena.generate.spec import TrackSpec
from roboracer_arena.generate.validator import validate
from roboracer_arena.llm.grammar.parser import GrammarParser
from roboracer_arena.llm.protocol import Parsed
from roboracer_arena.maps import read_map
from roboracer_arena.resources import data_dir

FOLDERS = sorted(path.parent for path in (data_dir("tracks") / "generated").glob("*/map.yaml"))


def test_there_are_many_of_many_kinds() -> None:
    specs = [tomllib.loads((path / "track.toml").read_text("utf-8"))["spec"] for path in FOLDERS]
    assert len(FOLDERS) >= 40
    for field, least in [("lap_length_m", 30), ("corridor_width_m", 10), ("hall_x_m", 14),
                         ("hairpins", 7), ("chicanes", 4), ("sweepers", 4)]:  # fmt: skip
        assert len({spec[field] for spec in specs}) >= least
    assert any(spec["feature_order"] for spec in specs)
    assert any("longest_straight_m" in spec for spec in specs)
    assert any("min_radius_m" in spec for spec in specs)
    assert {spec["direction"] for spec in specs} == {"cw", "ccw"}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_track_is_what_its_file_says(folder: Path) -> None:
    about = tomllib.loads((folder / "track.toml").read_text("utf-8"))
    assert about["licence"] == "CC0-1.0"
    assert {"name", "author", "source", "version", "seed", "request"} <= set(about)
    assert about["sha256"] == hashlib.sha256((folder / "map.png").read_bytes()).hexdigest()
    spec = TrackSpec.model_validate(about["spec"])
    track = read_map(folder / "map.yaml")
    assert track.warnings == ()
    assert [item.sentence for item in validate(track, spec).failures] == []
    line = read_centerline_csv(folder / "centerline.csv", track.origin)
    assert line.length == pytest.approx(spec.lap_length_m, rel=0.005)
    assert (line.heading[-1] < line.heading[0]) == (spec.direction == "cw")
    parsed = GrammarParser().parse(about["request"])
    assert isinstance(parsed, Parsed)
    assert list(parsed.stated) == about["stated"]
    for field in parsed.stated:
        assert getattr(parsed.spec, field) == getattr(spec, field)
