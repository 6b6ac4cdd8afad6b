"""What the documents say is true of the repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

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
