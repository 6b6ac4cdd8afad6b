"""Fixtures that several test folders share, and the count of what was not run."""

from __future__ import annotations

import os
from collections import Counter
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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count skips by reason, so that green cannot mean skipped."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[text.removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.write_sep("-", "not run, by reason")
        for reason, count in sorted(reasons.items()):
            terminalreporter.write_line(f"{count:5d}  {reason}")
