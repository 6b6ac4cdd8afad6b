from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roboracer_arena.build import BuildReport, StepSeconds, build_map, build_track
from roboracer_arena.errors import (
    ArenaError,
    OutputError,
    OutputExistsError,
    SettingsError,
)
from roboracer_arena.maps import write_map
from roboracer_arena.settings import BuildSettings
from roboracer_arena.usd import read_track
from tests.drawn import stadium_map
from tests.usd.validity import assert_valid_stage

ROOT = Path(__file__).resolve().parents[1]


def _changed(**tables: dict[str, object]) -> BuildSettings:
    """Settings with values of dotted tables changed, such as ``mesh__wall={"height": 1.0}``."""
    values = BuildSettings().model_dump()
    for name, changes in tables.items():
        table = values
        for part in name.split("__"):
            table = table[part]
        table.update(changes)
    return BuildSettings.model_validate(values)


def _entries(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_build_of_a_map_file_reports_what_it_made(tmp_path: Path) -> None:
    map_yaml = tmp_path / "stadium.yaml"
    write_map(stadium_map(obstacle=True), map_yaml)
    output = tmp_path / "track.usdc"
    report = build_track(map_yaml, output)
    assert_valid_stage(output)
    track = read_track(output)
    assert report.map == str(map_yaml)
    assert report.output == str(output)
    assert report.name == track.name == "stadium"
    assert report.megapixels == pytest.approx(180 * 120 / 1e6)
    assert report.closed
    assert report.lap_length_m == pytest.approx(6.0 + 2 * np.pi * 1.5, rel=0.01)
    assert report.lap_length_m == track.metadata.lap_length
    assert report.width_mean_m == pytest.approx(1.2, abs=0.05)
    assert report.width_min_m == pytest.approx(1.2, abs=0.05)
    assert report.radius_min_m == pytest.approx(1.5, rel=0.1)
    assert report.area_m2 == pytest.approx(1.2 * report.lap_length_m, rel=0.03)
    assert (report.infields, report.obstacles) == (1, 1)
    assert report.wall_triangles == sum(len(piece.mesh.triangles) for piece in track.walls)
    assert report.ducts >= 2
    assert report.rings > 50
    assert report.usd_bytes == output.stat().st_size
    images = sum(file.stat().st_size for file in (tmp_path / "track_usdc_textures").iterdir())
    assert report.texture_bytes == images
    assert report.peak_bytes > 10_000_000
    for seconds in (report.cpu_seconds, report.wall_seconds):
        steps = seconds.model_dump()
        total = steps.pop("total")
        assert total == pytest.approx(sum(steps.values()))
        assert steps["read"] > 0.0


def test_report_is_plain_json(tmp_path: Path) -> None:
    report = build_map(stadium_map(), tmp_path / "track.usdc")
    document = json.loads(report.model_dump_json())
    assert set(document) == set(BuildReport.model_fields)
    assert set(document["cpu_seconds"]) == set(StepSeconds.model_fields)
    assert BuildReport.model_validate_json(report.model_dump_json()) == report


def test_map_in_memory_gives_the_same_stage_as_its_file(tmp_path: Path) -> None:
    source = stadium_map("stadium", origin=(1.0, -2.0, 0.25))
    map_yaml = tmp_path / "stadium.yaml"
    write_map(source, map_yaml)
    for folder in ("file", "memory"):
        (tmp_path / folder).mkdir()
    build_track(map_yaml, tmp_path / "file" / "track.usdc")
    build_map(source, tmp_path / "memory" / "track.usdc")
    assert _entries(tmp_path / "file") == _entries(tmp_path / "memory")


def test_two_processes_give_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from roboracer_arena.build import build_map; "
        "from tests.drawn import stadium_map; "
        "build_map(stadium_map(obstacle=True), Path(sys.argv[1]))"
    )
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        command = [sys.executable, "-c", code, str(tmp_path / seed / "track.usdc")]
        subprocess.run(command, check=True, cwd=ROOT, env={"PYTHONHASHSEED": seed})
    assert _entries(tmp_path / "1") == _entries(tmp_path / "2")


def test_target_is_refused_before_the_map_is_read(tmp_path: Path) -> None:
    taken = tmp_path / "track.usdc"
    taken.write_bytes(b"mine")
    missing = tmp_path / "missing.yaml"
    with pytest.raises(OutputExistsError):
        build_track(missing, taken)
    with pytest.raises(OutputError, match=r"\.usdc"):
        build_track(missing, tmp_path / "track.obj")
    with pytest.raises(OutputError):
        build_track(missing, tmp_path / "nowhere" / "track.usdc")
    assert taken.read_bytes() == b"mine"


def test_failed_build_leaves_the_old_stage(tmp_path: Path) -> None:
    output = tmp_path / "track.usdc"
    build_map(stadium_map(), output)
    before = _entries(tmp_path)
    hallway = stadium_map(stripe=True)
    with pytest.raises(ArenaError):
        build_map(hallway, output, force=True)
    with pytest.raises(SettingsError):
        build_map(
            stadium_map(),
            output,
            force=True,
            settings=_changed(stage__floor_look={"texture": tmp_path / "none.png"}),
        )
    assert _entries(tmp_path) == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_cancelling_at_any_step_leaves_the_old_stage(
    tmp_path: Path, error: type[BaseException]
) -> None:
    output = tmp_path / "track.usdc"
    steps: list[str] = []
    build_map(stadium_map(), output, progress=steps.append)
    assert steps == [name for name in StepSeconds.model_fields if name not in ("read", "total")]
    before = _entries(tmp_path)

    for stop in steps:

        def cancel(step: str, stop: str = stop) -> None:
            if step == stop:
                raise error

        with pytest.raises(error):
            build_map(stadium_map(obstacle=True), output, force=True, progress=cancel)
        assert _entries(tmp_path) == before


def test_killed_build_leaves_the_old_stage_and_the_next_one_cleans_up(tmp_path: Path) -> None:
    output = tmp_path / "track.usdc"
    build_map(stadium_map(), output)
    before = output.read_bytes()
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "import roboracer_arena.usd.write as write\n"
        "from roboracer_arena.build import build_map\n"
        "from tests.drawn import stadium_map\n"
        "save = write.save_stage\n"
        "def killed(stage, path):\n"
        "    save(stage, path)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "write.save_stage = killed\n"
        "build_map(stadium_map(obstacle=True), Path(sys.argv[1]), force=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(output)], check=False, cwd=ROOT)
    assert done.returncode == -9
    assert output.read_bytes() == before
    build_map(stadium_map(), output, force=True)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "track.usdc",
        "track_usdc_textures",
    ]


def test_clockwise_lap_runs_the_other_way(tmp_path: Path) -> None:
    areas = {}
    for direction in ("ccw", "cw"):
        path = tmp_path / f"{direction}.usdc"
        build_map(stadium_map(), path, direction=direction)  # type: ignore[arg-type]
        line = read_track(path).centerline
        assert line is not None
        x, y = line.points.T
        areas[direction] = 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    assert areas["ccw"] > 10.0
    assert areas["cw"] < -10.0


def test_lap_starts_where_it_is_asked_to(tmp_path: Path) -> None:
    path = tmp_path / "track.usdc"
    start = (4.5, 4.4)  # on the upper straight
    build_map(stadium_map(), path, start=start)
    line = read_track(path).centerline
    assert line is not None
    distances = np.hypot(*(line.points - np.array(start)).T)
    assert distances[0] == pytest.approx(distances.min(), abs=0.06)


def test_geometry_follows_the_settings(tmp_path: Path) -> None:
    path = tmp_path / "track.usdc"
    changed = _changed(
        mesh__wall={"height": 0.8, "skirt": 0.1},
        mesh__duct={"ring_spacing": 0.5},
        stage__wall_contact={"restitution": 0.25},
    )
    report = build_map(stadium_map(), path, settings=changed)
    plain = build_map(stadium_map(), tmp_path / "plain.usdc")
    track = read_track(path)
    heights = track.walls[0].mesh.points[:, 2]
    assert heights.min() == pytest.approx(-0.1)
    assert heights.max() == pytest.approx(0.8)
    assert report.rings == pytest.approx(plain.rings / 2, abs=2)
    assert track.wall_contact.restitution == 0.25
    assert (
        track.metadata.settings_digest
        != read_track(tmp_path / "plain.usdc").metadata.settings_digest
    )


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(level=st.floats(min_value=-0.1, max_value=0.3).map(lambda value: round(value, 2)))
def test_wall_stands_at_the_level_that_is_asked_for(tmp_path: Path, level: float) -> None:
    path = tmp_path / "track.usdc"
    build_map(stadium_map(), path, force=True, settings=_changed(mesh__wall={"level": level}))
    assert_valid_stage(path)
    track = read_track(path)
    assert [piece.kind for piece in track.walls] == ["outer", "infield"]
    centre = np.array([4.5, 3.0])
    for piece, sign in zip(track.walls, (1.0, -1.0), strict=True):
        x, y = (piece.mesh.points[:, :2].astype(float) - centre).T
        distance = np.hypot(x - np.clip(x, -1.5, 1.5), y) - 1.5
        np.testing.assert_allclose(sign * distance, 0.6 - level, atol=0.05)


def test_level_at_which_the_corridor_closes_is_refused(tmp_path: Path) -> None:
    for level in (0.7, -1.0):
        changed = _changed(mesh__wall={"level": level})
        with pytest.raises(SettingsError, match=r"mesh\.wall\.level"):
            build_map(stadium_map(scale=0.8), tmp_path / "track.usdc", settings=changed)
    assert list(tmp_path.iterdir()) == []


def test_module_loads_no_engine() -> None:
    code = (
        "import sys; import roboracer_arena.build; "
        "print(sorted({'sapien', 'mujoco', 'matplotlib', 'mitsuba', 'warp'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"


def test_without_usd_the_error_says_how_to_get_it() -> None:
    code = (
        "import sys; sys.modules['pxr'] = None\n"
        "from roboracer_arena.errors import MissingExtraError\n"
        "import roboracer_arena.settings\n"
        "try:\n"
        "    from roboracer_arena.build import build_track\n"
        "except MissingExtraError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert "roboracer-arena[usd]" in done.stdout


def test_stated_widths_are_those_between_the_walls(tmp_path: Path) -> None:
    plain = build_map(stadium_map(), tmp_path / "plain.usdc")
    moved = build_map(
        stadium_map(), tmp_path / "moved.usdc", settings=_changed(mesh__wall={"level": 0.15})
    )
    assert plain.width_mean_m is not None
    assert moved.width_mean_m == pytest.approx(plain.width_mean_m - 0.3, abs=1e-6)
    line = read_track(tmp_path / "moved.usdc").centerline
    assert line is not None
    assert (line.width_left + line.width_right).mean() == pytest.approx(0.9, abs=0.05)


def test_stages_that_differ_in_their_suffix_keep_their_own_images(tmp_path: Path) -> None:
    build_map(stadium_map(), tmp_path / "track.usdc")
    before = _entries(tmp_path)
    red = _changed(stage__floor_look={"colour": "#aa2222"})
    build_map(stadium_map(), tmp_path / "track.usda", settings=red)
    after = _entries(tmp_path)
    assert {name: after[name] for name in before} == before
    assert_valid_stage(tmp_path / "track.usdc")
