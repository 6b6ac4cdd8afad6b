"""Measuring the build, and saying what came out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from roboracer_arena.bench.ladder import FLOOR_FACTOR, LADDER, OFFSET_SECONDS
from roboracer_arena.bench.machine import describe_machine
from roboracer_arena.bench.report import as_page, as_text
from roboracer_arena.bench.run import Benchmark, Rung, measure_ladder

pytest.importorskip("pxr", reason="usd-core (extra 'usd') is not installed")


def rung(name: str, megapixels: float, cpu: float, **changes: float) -> Rung:
    values = {
        "map": name,
        "megapixels": megapixels,
        "lap_length_m": 100.0,
        "cpu_seconds": cpu,
        "wall_seconds": cpu,
        "floor_seconds": 0.01 * megapixels,
        "limit_seconds": 0.04 * megapixels + 0.15,
        "start_seconds": 0.7,
        "peak_mb": 300.0,
        "usd_mb": 1.0,
        "step_seconds": {"read": 0.1 * cpu, "walls": 0.0, "corridor": 0.9 * cpu},
    }
    return Rung(**(values | changes))


def benchmark(*rungs: Rung) -> Benchmark:
    return Benchmark(machine=describe_machine(), repetitions=3, image_format="pgm", rungs=rungs)


def test_growth_is_the_exponent_of_the_large_sizes():
    squares = [rung(f"m{size}", size, 0.01 * size**2) for size in (2.0, 4.0, 8.0)]
    assert benchmark(rung("tiny", 0.1, 0.1), *squares).growth == pytest.approx(2.0)
    assert benchmark(rung("tiny", 0.1, 0.1)).growth is None


@pytest.mark.parametrize(
    ("changes", "failure"),
    [({"limit_seconds": 0.1}, "time"), ({"peak_mb": 501.0}, "memory"), ({"usd_mb": 3.1}, "size")],
)
def test_each_limit_can_be_exceeded(changes, failure):
    measured = benchmark(rung("m", 3.0, 0.2), rung("n", 3.0, 0.2, **changes))
    assert measured.rungs[1].failures == (failure,)
    assert not measured.passed
    assert f"over: {failure}" in as_text(measured)
    assert "exceeded by n." in as_page(measured)


def test_within_all_limits_it_says_so():
    measured = benchmark(rung("m", 3.0, 0.2))
    assert measured.passed
    assert "all kept" in as_text(measured)


def test_the_table_has_a_row_for_each_map_and_leaves_out_steps_of_no_time():
    text = as_text(benchmark(rung("first", 3.0, 0.2), rung("second", 4.0, 0.3)))
    assert text.count("first") == 2
    assert text.count("second") == 2
    assert "corridor" in text
    assert "walls" not in text


def test_the_page_is_sound_markdown():
    page = as_page(benchmark(rung("first", 3.0, 0.2)))
    tables = [line for line in page.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in tables[:3]} == {13}
    assert page.startswith("# Benchmarks\n")
    assert "{" not in page


@pytest.mark.slow
def test_the_smallest_rung_is_measured_in_processes_of_its_own(tmp_path):
    told: list[str] = []
    measured = measure_ladder(LADDER[:1], tmp_path, repetitions=1, progress=told.append)
    (only,) = measured.rungs
    assert only.lap_length_m == pytest.approx(50.0, rel=0.03)
    assert 0 < only.floor_seconds < only.cpu_seconds
    assert only.limit_seconds == pytest.approx(FLOOR_FACTOR * only.floor_seconds + OFFSET_SECONDS)
    assert sum(only.step_seconds.values()) == pytest.approx(only.cpu_seconds, rel=0.5)
    assert 50 < only.peak_mb < 2000
    assert only.usd_mb > 0.01
    assert told == ["drawing hall", "measuring hall, 0.13 MP"]


@pytest.mark.slow
def test_the_command_prints_one_json_document(tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "roboracer_arena.bench", "--only", "hall"),
            *("--repetitions", "1", "--json", "--folder", str(tmp_path / "kept")),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["rungs"][0]["map"] == "hall"
    assert (tmp_path / "kept" / "hall.usdc").is_file()
