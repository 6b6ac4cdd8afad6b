from __future__ import annotations

import json
from pathlib import Path

import pytest

from roboracer_arena.corridor import read_centerline_csv
from roboracer_arena.errors import OutputError, OutputExistsError
from roboracer_arena.generate.defaults import resolve_defaults
from roboracer_arena.generate.outcome import Acceptance
from roboracer_arena.generate.pipeline import generate
from roboracer_arena.generate.spec import TrackSpec, read_spec
from roboracer_arena.generate.validator import validate
from roboracer_arena.generate.write import write_track
from roboracer_arena.maps import read_map

FILES = {"map.yaml", "map.png", "centerline.csv", "spec.json", "report.json"}


@pytest.fixture(scope="module")
def track() -> Acceptance:
    outcome = generate(resolve_defaults(TrackSpec(hairpins=2, lap_length_m=40.0)), seed=2)
    assert isinstance(outcome, Acceptance)
    return outcome


def test_a_written_track_is_read_back_and_validates(track: Acceptance, tmp_path: Path) -> None:
    folder = tmp_path / "Kurs 1"
    write_track(track, folder)
    assert {path.name for path in folder.iterdir()} == FILES
    again = read_map(folder / "map.yaml")
    assert again.cells.tobytes() == track.track.cells.tobytes()
    assert again.warnings == ()
    assert validate(again, read_spec(folder / "spec.json")).accepted
    line = read_centerline_csv(folder / "centerline.csv", again.origin)
    assert line.length == pytest.approx(track.centerline.length, rel=1e-3)


def test_the_specification_marks_what_was_stated(track: Acceptance, tmp_path: Path) -> None:
    write_track(track, tmp_path / "track")
    document = json.loads((tmp_path / "track" / "spec.json").read_text())
    assert document["stated"] == ["lap_length_m", "hairpins"]
    assert "corridor_width_m" in document["defaulted"]
    assert document["corridor_width_m"] == 1.55


def test_the_report_holds_every_measurement(track: Acceptance, tmp_path: Path) -> None:
    write_track(track, tmp_path / "track")
    document = json.loads((tmp_path / "track" / "report.json").read_text())
    assert document["outcome"] == "accepted"
    assert document["seed"] == 2
    rows = document["validation"]["measurements"]
    assert len(rows) == 15
    for row in rows:
        assert {"wanted", "measured", "tolerance", "ok"} <= set(row)
        assert row["ok"] is True
    assert {bound["name"] for bound in document["screen"]["bounds"]} >= {"lap_capacity"}


def test_the_same_track_gives_the_same_bytes(track: Acceptance, tmp_path: Path) -> None:
    write_track(track, tmp_path / "one")
    write_track(track, tmp_path / "two")
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_an_existing_track_is_replaced_by_force_only(track: Acceptance, tmp_path: Path) -> None:
    folder = tmp_path / "track"
    write_track(track, folder)
    (folder / "report.json").write_text("old")
    with pytest.raises(OutputExistsError, match="--force"):
        write_track(track, folder)
    assert (folder / "report.json").read_text() == "old"
    write_track(track, folder, force=True)
    assert (folder / "report.json").read_text() != "old"
    assert [path.name for path in tmp_path.iterdir()] == ["track"]


def test_an_empty_folder_is_filled(track: Acceptance, tmp_path: Path) -> None:
    (tmp_path / "track").mkdir()
    write_track(track, tmp_path / "track")
    assert {path.name for path in (tmp_path / "track").iterdir()} == FILES


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_of_something_else_is_left_alone(
    track: Acceptance, tmp_path: Path, force: bool
) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "cat.jpg").write_bytes(b"meow")
    with pytest.raises(OutputError, match="something else"):
        write_track(track, folder, force=force)
    assert [path.name for path in folder.iterdir()] == ["cat.jpg"]
    (tmp_path / "file").write_text("text")
    with pytest.raises(OutputError, match="no folder"):
        write_track(track, tmp_path / "file", force=force)


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failure_leaves_nothing_and_an_old_track_whole(
    track: Acceptance, tmp_path: Path, error: type[BaseException]
) -> None:
    def fail(folder: Path) -> None:
        assert {path.name for path in folder.iterdir()} == FILES
        raise error

    with pytest.raises(error):
        write_track(track, tmp_path / "track", extras=fail)
    assert list(tmp_path.iterdir()) == []
    write_track(track, tmp_path / "track")
    before = {path.name: path.read_bytes() for path in (tmp_path / "track").iterdir()}
    with pytest.raises(error):
        write_track(track, tmp_path / "track", force=True, extras=fail)
    assert {path.name: path.read_bytes() for path in (tmp_path / "track").iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["track"]


def test_extras_go_into_the_folder(track: Acceptance, tmp_path: Path) -> None:
    write_track(track, tmp_path / "track", extras=lambda folder: (folder / "preview.png").touch())
    assert (tmp_path / "track" / "preview.png").exists()


def test_a_missing_parent_is_named(track: Acceptance, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="does not exist"):
        write_track(track, tmp_path / "none" / "track")
