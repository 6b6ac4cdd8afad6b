"""Files are looked at before any work is done, and inputs are never replaced."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from .conftest import ROOT, arena


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}


@pytest.mark.parametrize("command", ["build", "inspect"])
@pytest.mark.parametrize("way", ["plain", "link", "detour"])
def test_a_picture_never_replaces_the_image_of_the_map(ring: Path, command: str, way: str) -> None:
    image = ring.with_name("ring.png")
    target = {
        "plain": image,
        "link": ring.with_name("other.png"),
        "detour": ring.parent / ".." / ring.parent.name / "ring.png",
    }[way]
    if way == "link":
        target.symlink_to(image)
    before = contents(ring.parent)
    output = ("-o", ring.with_name("t.usdc")) if command == "build" else ()
    ran = arena(command, ring, *output, "--preview", target, "--force", "--json")
    assert ran.code == 2
    assert "input" in ran.document["error"]["message"]
    assert contents(ring.parent) == before


def test_two_results_cannot_share_a_file(ring: Path) -> None:
    picture, before = ring.with_name("p.png"), contents(ring.parent)
    stage = ring.with_name("t.usdc")
    ran = arena("build", ring, "-o", stage, "--preview", picture, "--view", picture, "--json")
    assert ran.code == 2
    assert contents(ring.parent) == before


@pytest.mark.parametrize(
    ("option", "name"), [("--preview", "p.jpg"), ("--view", "v.gif"), ("--view", "none/v.png")]
)
def test_a_picture_that_cannot_be_made_stops_the_build_before_it_begins(
    ring: Path, option: str, name: str
) -> None:
    before = contents(ring.parent)
    stage = ring.with_name("t.usdc")
    ran = arena("build", ring, "-o", stage, option, ring.parent / name, "--json")
    assert ran.code == 3
    assert ran.document["error"]["kind"] == "output"
    assert contents(ring.parent) == before


@pytest.mark.parametrize(
    ("missing", "options", "extra"),
    [("mitsuba", ["--view", "v.png"], "render"), ("pxr", [], "usd")],
)
def test_a_missing_extra_is_named_before_the_build_begins(
    ring: Path, missing: str, options: list[str], extra: str
) -> None:
    before = contents(ring.parent)
    without = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] == '{missing}':\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "import importlib.util as u\n"
        "real = u.find_spec\n"
        f"u.find_spec = lambda name, *a: None if name == '{missing}' else real(name, *a)\n"
        "from roboracer_arena.cli import main\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", without, "build", ring, "-o", "t.usdc", *options],
        capture_output=True,
        text=True,
        cwd=ring.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 7, done.stderr
    assert f"roboracer-arena[{extra}]" in done.stderr
    assert contents(ring.parent) == before


def test_a_stage_becomes_a_picture(ring: Path) -> None:
    pytest.importorskip("mitsuba", reason="the render extra is not installed")
    stage, picture = ring.with_name("t.usdc"), ring.with_name("v.jpg")
    assert arena("build", ring, "-o", stage).code == 0
    ran = arena("view", stage, "-o", picture, "--size", "96", "64", "--samples", "1")
    assert ran.code == 0, ran.err
    with Image.open(picture) as drawn:
        assert drawn.size == (96, 64)
