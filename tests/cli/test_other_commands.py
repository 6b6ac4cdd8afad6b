"""The other commands as a user calls them, and how light the first look is."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from .conftest import ROOT, arena


def test_inspect_says_what_a_map_holds(ring: Path) -> None:
    preview = ring.with_name("p.png")
    ran = arena("inspect", ring, "--preview", preview, "--json")
    assert ran.code == 0, ran.err
    report = ran.document
    assert (report["width_cells"], report["height_cells"]) == (200, 200)
    assert report["free_cells"] + report["occupied_cells"] + report["unknown_cells"] == 40_000
    found = report["corridor"]
    assert found["closed"]
    assert found["lap_length_m"] == pytest.approx(21.99, rel=0.01)
    assert found["width_min_m"] <= found["width_mean_m"] <= found["width_max_m"]
    assert found["radius_min_m"] == pytest.approx(3.5, rel=0.25)
    assert preview.is_file()
    readable = arena("inspect", ring)
    assert readable.code == 0
    assert "infield" in readable.out


def test_inspect_explains_a_map_without_a_lap(tmp_path: Path) -> None:
    image = np.full((100, 100), 205, np.uint8)
    image[40:60, 10:90] = 0
    image[42:58, 12:88] = 254
    Image.fromarray(image).save(tmp_path / "hall.png")
    yaml = tmp_path / "hall.yaml"
    yaml.write_text(
        "image: hall.png\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n"
        "occupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )
    ran = arena("inspect", yaml, "--preview", tmp_path / "p.png", "--json")
    assert ran.code == 0
    assert any("loop" in p or "clos" in p or "lap" in p for p in ran.document["problems"])
    assert (tmp_path / "p.png").is_file()


def test_settings_prints_toml_that_build_takes(ring: Path) -> None:
    ran = arena("settings")
    assert ran.code == 0
    assert tomllib.loads(ran.out)
    settings = ring.with_name("settings.toml")
    settings.write_text(ran.out)
    built = arena("build", ring, "-o", ring.with_name("t.usdc"), "--settings", settings)
    assert built.code == 0, built.err
    settings.write_text("[corridor]\nnonsense = 1\n")
    refused = arena("build", ring, "-o", ring.with_name("u.usdc"), "--settings", settings, "--json")
    assert refused.code == 3
    assert "nonsense" in refused.out


def test_doctor_lists_what_is_there_and_how_to_get_the_rest() -> None:
    ran = arena("doctor", "--json", OLLAMA_HOST="127.0.0.1:9")
    assert ran.code == 0, ran.err
    items = {item["name"]: item for item in ran.document["items"]}
    assert items["python"]["present"]
    assert not items["ollama"]["present"]
    assert all(item["found"] if item["present"] else item["remedy"] for item in items.values())
    assert ran.document["base_works"]
    assert "arena" in arena("doctor").out


@pytest.mark.parametrize(
    "host",
    ["", "localhost:99999999", "http://127.0.0.1:1/", "[::1]:9", "[", "a b", "\u2075:\u2075"],
)
def test_doctor_takes_any_address_of_ollama(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from roboracer_arena.doctor import _answers, _ollama_address

    monkeypatch.setenv("OLLAMA_HOST", host)
    name, port = _ollama_address()
    assert 0 < port < 65536
    _answers(name, port)


def break_module(folder: Path, name: str, message: str) -> None:
    """Write a module that fails to load and that Python finds before the real one."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(f"raise ImportError({message!r})\n")


def test_doctor_notices_what_is_installed_but_does_not_load(tmp_path: Path) -> None:
    pytest.importorskip("mujoco", reason="the sim extra is not installed")
    break_module(tmp_path, "mujoco", "libsomething.so is missing")
    ran = arena("doctor", "--json", PYTHONPATH=f"{tmp_path}:{ROOT}")
    items = {item["name"]: item for item in ran.document["items"]}
    assert not items["mujoco"]["present"]
    assert "libsomething.so" in items["mujoco"]["remedy"]
    assert ran.code == 0


def test_doctor_ends_with_7_only_where_the_base_is_broken(tmp_path: Path) -> None:
    break_module(tmp_path, "cv2", "libGL.so.1: cannot open shared object file")
    ran = arena("doctor", "--json", PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert ran.code == 7
    assert not ran.document["base_works"]
    assert "libgl1" in ran.out


def test_doctor_warns_of_two_flavours_of_opencv(tmp_path: Path) -> None:
    for flavour in ("opencv_python", "opencv_python_headless"):
        folder = tmp_path / f"{flavour}-5.0.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {flavour.replace('_', '-')}\nVersion: 5.0.0\n"
        )
    ran = arena("doctor", "--json", PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert any("overwrite each other" in problem for problem in ran.document["problems"])


def test_version_is_printed() -> None:
    from roboracer_arena import __version__

    assert arena("--version").out.strip() == __version__


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from roboracer_arena.cli import main\n"
        "main(['--help'])\n"
        "heavy = {'scipy','pxr','matplotlib','cv2','numpy','sapien','mujoco','numba','mitsuba'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert "build" in done.stdout
    assert done.stdout.rstrip().endswith("LOADED []")
