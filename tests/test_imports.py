"""Importing stays cheap, layers hold, modules and functions stay small."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "roboracer_arena"
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = [
    "pxr",
    "sapien",
    "mujoco",
    "warp",
    "rclpy",
    "cyclonedds",
    "ollama",
    "viser",
    "ray",
    "mitsuba",
    "numba",
    "scipy",
    "matplotlib",
    "numpy",
]


def loaded_by(statement: str) -> set[str]:
    """Return which heavy libraries a statement loads in a fresh interpreter."""
    code = f"import sys\n{statement}\nprint(*(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


def test_the_package_loads_nothing_heavy() -> None:
    assert loaded_by("import roboracer_arena, roboracer_arena.cli") == set()


@pytest.mark.parametrize("part", ["maps", "corridor", "mesh"])
def test_the_parts_without_usd_load_no_engine(part: str) -> None:
    assert loaded_by(f"import roboracer_arena.{part}") <= {"numpy", "scipy"}


def test_imports_read_one_way() -> None:
    done = (
        subprocess.run(
            [Path(sys.executable).with_name("lint-imports")],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        if Path(sys.executable).with_name("lint-imports").exists()
        else None
    )
    if done is None:
        pytest.skip("import-linter is not installed")
    assert done.returncode == 0, done.stdout


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return every function of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def public_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the functions and methods that others may call."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for owner in [tree, *classes]:
        for node in owner.body:
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if named and not node.name.startswith("_"):
                yield node


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the length of a function without its docstring."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (node.end_lineno or 0) - node.lineno + 1 - docstring


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_and_functions_stay_small_and_described(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 400, "a module over 400 lines holds two ideas"
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module says what it is for"
    for function in functions(tree):
        assert body_lines(function) <= 60, f"{function.name} is over 60 lines"
    for function in public_functions(tree):
        assert ast.get_docstring(function), f"{function.name} has no docstring"
