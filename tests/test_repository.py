"""What the documents say is true of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from roboracer_arena.errors import ArenaError

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def names(requirements: list[str]) -> set[str]:
    """Return the package names of requirement strings, without Arena's own."""
    found = {re.split(r"[\s\[<>=!;~]", text)[0] for text in requirements}
    return found - {"roboracer-arena"}


def test_every_dependency_has_a_stated_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = names(project["dependencies"])
    for requirements in project["optional-dependencies"].values():
        wanted |= names(requirements)
    rows = re.findall(r"^\| (.+) \|$", (ROOT / "docs" / "dependencies.md").read_text(), re.M)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    stated = {cell for row in cells for cell in row[:2]}
    assert wanted <= stated, f"no reason for {sorted(wanted - stated)}"
    listed = {row[1] for row in cells if row[0] in project["optional-dependencies"]}
    assert listed <= wanted, f"listed, but not required: {sorted(listed - wanted)}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} points to {target}"


def test_pictures_of_the_documents_stay_small() -> None:
    for picture in (ROOT / "docs" / "images").glob("*"):
        assert picture.stat().st_size < 400_000, f"{picture.name} is large"


def test_the_command_line_page_names_every_command_and_option_and_no_other() -> None:
    from roboracer_arena.cli.app import make_app

    app = make_app()
    page = (ROOT / "docs" / "cli.md").read_text()
    sections = dict(re.findall(r"^## arena (\w+)[^\n]*\n(.*?)(?=^## )", page, re.M | re.S))
    commands = {name for name in app if not name.startswith("-")}
    assert set(sections) == commands
    for command in commands:
        group = [app[command][name] for name in app[command] if not name.startswith("-")]
        names = {
            name
            for each in group or [app[command]]
            for argument in each.assemble_argument_collection()
            for name in argument.names
            if name[0] == "-"
        }
        rows = re.findall(r"^\| (`-.*?) \|", sections[command], re.M)
        assert {name for row in rows for name in re.findall(r"`(-[^`]+)`", row)} == names


def test_the_command_line_page_names_every_exit_code() -> None:
    page = (ROOT / "docs" / "cli.md").read_text()
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.M)}
    raised = {error.exit_code for error in subclasses(ArenaError)}
    assert codes == raised | {0, 1, 4, 5, 130}


def subclasses(error: type[ArenaError]) -> set[type[ArenaError]]:
    """Return a class of the tree and everything under it."""
    below = {each for child in error.__subclasses__() for each in subclasses(child)}
    return {error} | below


def test_the_readme_names_commands_that_exist() -> None:
    from roboracer_arena.cli.app import make_app

    commands = set(make_app())
    for document in DOCUMENTS:
        for command in re.findall(r"^arena (\w+)|`arena (\w+)", document.read_text(), re.M):
            name = command[0] or command[1]
            assert name in commands or name == "COMMAND", f"{document.name}: arena {name}"


def test_the_readme_names_make_targets_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for document in DOCUMENTS:
        for line in re.findall(r"^make (.+?)(?:\s+#.*)?$", document.read_text(), re.M):
            for target in line.split():
                assert re.search(rf"^{target}:", makefile, re.M), f"{document.name}: make {target}"


def test_the_settings_document_is_the_one_that_is_generated() -> None:
    from roboracer_arena.settings import default_settings_toml

    text = (ROOT / "docs" / "settings.md").read_text()
    assert default_settings_toml().strip() in text, "run make docs"


def blocks(language: str) -> list[str]:
    """Return the code blocks of the README in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)


@pytest.fixture
def own_map(tmp_path: Path) -> Path:
    """A folder in which the bundled map lies under the name that the README uses."""
    source = ROOT / "tracks" / "demo" / "arena_hall"
    shutil.copy(source / "map.png", tmp_path)
    shutil.copy(source / "map.yaml", tmp_path / "my_map.yaml")
    return tmp_path


def test_the_commands_of_the_readme_run_as_they_stand(own_map: Path) -> None:
    pytest.importorskip("mitsuba", reason="the render extra is not installed")
    lines = [line for block in blocks("bash") for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("arena ")]
    assert len(commands) >= 3
    program = "import sys; from roboracer_arena.cli import main; sys.exit(main())"
    function = f"arena() {{ '{sys.executable}' -c '{program}' \"$@\"; }}"
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", f"{function}; {command}"],
            cwd=own_map,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        for target in re.findall(r"(?:-o|--preview|--view) (\S+)", command):
            assert (own_map / target).exists(), f"{command} wrote no {target}"


def test_the_python_of_the_readme_runs_as_it_stands(own_map: Path) -> None:
    assert blocks("python")
    for block in blocks("python"):
        done = subprocess.run(
            [sys.executable, "-c", block],
            cwd=own_map,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()


def test_the_readme_installs_extras_that_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for document in DOCUMENTS:
        for extras in re.findall(r"pip install [^\n]*\[([\w,]+)\]", document.read_text()):
            assert set(extras.split(",")) <= set(project["optional-dependencies"])
