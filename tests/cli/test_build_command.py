"""``arena build`` as a user calls it."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from .conftest import PROGRAM, ROOT, arena, write_ring


def names(folder: Path) -> set[str]:
    """Everything in a folder, hidden files included."""
    return {entry.name for entry in folder.iterdir()}


def test_a_map_becomes_a_stage_with_a_preview_and_a_report(ring: Path) -> None:
    stage, preview = ring.with_name("track.usdc"), ring.with_name("preview.png")
    ran = arena("build", ring, "-o", stage, "--preview", preview, "--json")
    assert ran.code == 0, ran.err
    report = ran.document
    assert report["lap_length_m"] == pytest.approx(2 * math.pi * 3.5, rel=0.01)
    assert report["width_mean_m"] == pytest.approx(1.2, abs=0.06)
    assert report["width_min_m"] <= report["width_mean_m"]
    assert report["area_m2"] == pytest.approx(2 * math.pi * 3.5 * 1.2, rel=0.05)
    assert report["usd_bytes"] == stage.stat().st_size
    assert report["peak_bytes"] > 10_000_000
    assert isinstance(report["warnings"], list)
    for seconds in (report["cpu_seconds"], report["wall_seconds"]):
        steps = sum(value for name, value in seconds.items() if name != "total")
        assert seconds["total"] == pytest.approx(steps)
        assert seconds["total"] > 0
    with Image.open(preview) as picture:
        assert picture.size[0] > 1000


def test_the_lap_is_written_as_the_field_reads_it(ring: Path) -> None:
    lap = ring.with_name("centerline.csv")
    ran = arena("build", ring, "-o", ring.with_name("t.usdc"), "--centerline", lap)
    assert ran.code == 0, ran.err
    lines = lap.read_text().splitlines()
    assert lines[0] == "# x_m, y_m, w_tr_right_m, w_tr_left_m"
    rows = [[float(cell) for cell in line.split(",")] for line in lines[1:]]
    assert all(math.hypot(x, y) == pytest.approx(3.5, abs=0.05) for x, y, _, _ in rows)
    assert all(right + left == pytest.approx(1.2, abs=0.1) for _, _, right, left in rows)


def test_settings_and_textures_are_inputs_that_no_result_replaces(ring: Path) -> None:
    settings, texture = ring.with_name("s.toml"), ring.with_name("mine.png")
    Image.new("RGB", (8, 8), (200, 0, 0)).save(texture)
    settings.write_text('[stage.floor_look]\ntexture = "mine.png"\n')
    before = texture.read_bytes()
    for target in (texture, settings):
        ran = arena(
            "build", ring, "-o", ring.with_name("t.usdc"), "--settings", settings,
            "--centerline", target, "--force", "--json",
        )  # fmt: skip
        assert ran.code == 2, ran
        assert "input" in ran.document["error"]["message"]
    assert texture.read_bytes() == before


def test_the_report_is_readable_without_json(ring: Path) -> None:
    ran = arena("build", ring, "-o", ring.with_name("track.usdc"))
    assert ran.code == 0, ran.err
    assert "lap" in ran.out
    assert "22." in ran.out or "21.9" in ran.out


def test_an_existing_stage_is_kept_unless_forced(ring: Path) -> None:
    stage = ring.with_name("track.usdc")
    stage.write_bytes(b"mine")
    ran = arena("build", ring, "-o", stage, "--json")
    assert ran.code == 2
    assert ran.document["error"]["kind"] == "output_exists"
    assert "--force" in ran.document["error"]["message"]
    assert stage.read_bytes() == b"mine"
    assert arena("build", ring, "-o", stage, "--force").code == 0
    assert stage.read_bytes() != b"mine"


def test_negative_start_coordinates_are_values_not_options(ring: Path) -> None:
    ran = arena("build", ring, "-o", ring.with_name("t.usdc"), "--start", "-3.5", "-0.2", "--json")
    assert ran.code == 0, ran.err


def test_errors_name_kind_message_and_place(ring: Path, tmp_path: Path) -> None:
    before = names(tmp_path)
    for arguments, code, kind in [
        (("build", tmp_path / "none.yaml", "-o", tmp_path / "t.usdc"), 3, "map"),
        (("build", ring, "-o", tmp_path / "t.txt"), 3, None),
        (("build", ring, "-o", tmp_path / "missing" / "t.usdc"), 3, "output"),
        (("build", ring, "-o", tmp_path), 3, "output"),
        (("build", ring, "-o", tmp_path / "t.usdc", "--start", "0", "0"), 3, None),
        (("build", ring, "-o", tmp_path / "t.usdc", "--start", "nan", "0"), None, None),
        (("build", ring, "-o", tmp_path / "t.usdc", "--close-gaps", "-1"), None, None),
        (("build", ring, "-o", tmp_path / "t.usdc", "--nonsense"), 2, "usage"),
        (("build", ring), 2, "usage"),
        (("nonsense",), 2, "usage"),
        (("build", ring, "-o", tmp_path / "t.usdc", "--start", "one", "2"), 2, "usage"),
    ]:
        ran = arena(*arguments, "--json")
        assert ran.code == code or (code is None and ran.code in (2, 3)), (arguments, ran)
        error = ran.document["error"]
        assert set(error) == {"kind", "message", "where"}
        assert kind is None or error["kind"] == kind
        assert len(error["message"]) > 10
        assert "Traceback" not in ran.err
        assert names(tmp_path) == before


def test_two_builds_give_the_same_bytes(ring: Path) -> None:
    stages = [ring.with_name(name) / "track.usdc" for name in ("a", "b")]
    for stage in stages:
        stage.parent.mkdir()
        assert arena("build", ring, "-o", stage).code == 0
    assert stages[0].read_bytes() == stages[1].read_bytes()


def test_names_in_any_script_pass_through_a_plain_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "Mexico City übung 赛道"
    folder.mkdir()
    yaml = write_ring(folder, "mein kurs ö")
    ran = arena(
        "build", yaml, "-o", folder / "t.usdc", LANG="C", LC_ALL="C", PYTHONIOENCODING="ascii"
    )
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_build_leaves_the_old_stage_and_nothing_else(
    ring: Path, sent: signal.Signals
) -> None:
    stage = ring.with_name("track.usdc")
    stage.write_bytes(b"mine")
    before = names(ring.parent)
    waiting = (
        "import sys, time, roboracer_arena.build as b\n"
        "from roboracer_arena.cli import main\n"
        "save = b.save_track\n"
        "def slow(*a, **k):\n"
        "    print('writing', flush=True); time.sleep(60); save(*a, **k)\n"
        "b.save_track = slow\n"
        "sys.exit(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", waiting, "build", str(ring), "-o", str(stage), "--force"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "writing\n"
        child.send_signal(sent)
        _, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "Traceback" not in err
    assert stage.read_bytes() == b"mine"
    assert names(ring.parent) == before


def test_a_reader_that_leaves_early_is_no_error(ring: Path) -> None:
    done = subprocess.run(
        f"'{sys.executable}' -c '{PROGRAM}' settings | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.stderr == ""


def test_a_defect_is_owned_up_to(ring: Path) -> None:
    broken = (
        "import sys, roboracer_arena.build as b\n"
        "from roboracer_arena.cli import main\n"
        "def fail(*a, **k): raise RuntimeError('wires crossed')\n"
        "b.save_track = fail\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", broken, "build", str(ring), "-o", str(ring.with_name("t.usdc"))],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 1
    assert "wires crossed" in done.stderr
    assert "defect" in done.stderr
    assert "Traceback" not in done.stderr
