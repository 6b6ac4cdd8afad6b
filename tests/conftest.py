"""Fixtures that several test folders share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Folder of real maps and trouble inputs that stands beside some checkouts."""
    override = os.environ.get("ARENA_SHARED")
    folder = Path(override) if override else Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the shared example data is not beside this checkout")
    return folder
