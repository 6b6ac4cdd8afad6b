"""``arena generate`` and its stages as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import arena

HALL = "three hairpins and one chicane in a 20 x 15 m hall"


def test_a_sentence_becomes_a_folder_that_keeps_it(tmp_path: Path) -> None:
    made = tmp_path / "made"
    ran = arena("generate", HALL, "-o", made, "--parser", "grammar", "--json")
    assert ran.code == 0, ran.err
    assert ran.document["outcome"] == "accepted"
    assert ran.document["spec"]["hairpins"] == 3
    assert set(ran.document["stated"]) == {"hairpins", "chicanes", "hall_x_m", "hall_y_m"}
    names = {entry.name for entry in made.iterdir()}
    assert names == {
        "map.yaml", "map.png", "centerline.csv", "spec.json", "report.json", "preview.png",
    }  # fmt: skip
    again = arena("validate", made / "map.yaml", made / "spec.json", "--json")
    assert again.code == 0, again.out
    assert all(item["ok"] for item in again.document["measurements"])
    built = arena("build", made / "map.yaml", "-o", tmp_path / "t.usdc", "--json")
    assert built.code == 0, built.err
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({"hairpins": 1}))
    assert arena("validate", made / "map.yaml", wrong).code == 6
    assert arena("generate", HALL, "-o", made, "--parser", "grammar").code == 2


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    contents = []
    for name in ("a", "b"):
        folder = tmp_path / name
        ran = arena("generate", "a 40 m lap", "-o", folder, "--seed", "7", "--parser", "grammar")
        assert ran.code == 0, ran.err
        contents.append({entry.name: entry.read_bytes() for entry in folder.iterdir()})
    assert contents[0] == contents[1]


def test_several_tracks_go_into_numbered_folders(tmp_path: Path) -> None:
    made = tmp_path / "many"
    ran = arena("generate", "a 40 m lap", "-o", made, "--count", "2", "--parser", "grammar")
    assert ran.code == 0, ran.err
    assert (made / "0000" / "map.png").read_bytes() != (made / "0001" / "map.png").read_bytes()


def test_what_cannot_fit_is_rejected_with_its_arithmetic(tmp_path: Path) -> None:
    target = tmp_path / "none"
    ran = arena(
        "generate",
        "A 200 m lap in a 20 x 15 m hall.",
        "-o",
        target,
        "--parser",
        "grammar",
        "--json",
    )
    assert ran.code == 4
    assert ran.document["outcome"] == "rejected"
    assert any("123.7" in reason for reason in ran.document["reasons"])
    assert list(tmp_path.iterdir()) == []
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps({"lap_length_m": 200, "hall_x_m": 20, "hall_y_m": 15}))
    screened = arena("screen", spec, "--json")
    assert screened.code == 4
    assert not screened.document["passed"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("lap -50 m, width 0 m, minus two hairpins", "hairpin"),
        ("clockwise and anticlockwise, 40 m", "clockwise"),
        ("write me a poem about the sea", "track"),
    ],
)
def test_refused_requests_end_with_the_reason(tmp_path: Path, text: str, word: str) -> None:
    for command in (["parse", text], ["generate", text, "-o", str(tmp_path / "x")]):
        ran = arena(*command, "--parser", "grammar", "--json")
        assert ran.code == 3, ran
        assert word in ran.document["error"]["message"].lower()
    assert list(tmp_path.iterdir()) == []


def test_parse_states_what_the_text_states_and_nothing_else() -> None:
    ran = arena("parse", "Lap of 180 feet, 5 feet wide.", "--parser", "grammar", "--json")
    assert ran.code == 0
    assert ran.document["spec"]["lap_length_m"] == pytest.approx(54.864)
    assert sorted(ran.document["stated"]) == ["corridor_width_m", "lap_length_m"]
    assert ran.document["spec"]["hairpins"] is None
    assert arena("parse").code == 2


def test_the_audit_prints_a_table() -> None:
    ran = arena("parse", "--audit", "--parser", "grammar")
    assert ran.code == 0, ran.err
    assert "grammar" in ran.out
