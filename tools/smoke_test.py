"""Uses an installed Arena as a stranger would: builds the bundled track and looks at the result.

Usage: python smoke_test.py path/to/arena
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

WHERE = "from roboracer_arena.resources import data_dir; print(data_dir('tracks'))"


def run(*command: str | Path) -> str:
    """Run a command and return what it printed; show what it said if it fails."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def expect(holds: bool, what: str, seen: Any) -> None:
    """Stop unless something holds."""
    if not holds:
        sys.exit(f"smoke test: {what}, but it is {seen!r}")


def main(arena: Path) -> None:
    """Call the commands that need no file of the user's own."""
    expect("build" in run(arena, "--help"), "the help names build", "missing")
    version = run(arena, "--version").strip()
    doctor = json.loads(run(arena, "doctor", "--json"))
    package = next(item for item in doctor["items"] if item["name"] == "arena")
    expect("site-packages" in package["found"], "the package is the installed one", package)
    expect(doctor["base_works"], "the base works", doctor)

    tracks = Path(run(arena.with_name("python"), "-c", WHERE).strip())
    map_yaml = tracks / "demo" / "arena_hall" / "map.yaml"
    with tempfile.TemporaryDirectory() as folder:
        stage, preview, view = (Path(folder) / name for name in ("t.usdc", "p.png", "v.png"))
        told = run(arena, "build", map_yaml, "-o", stage, "--preview", preview, "--json")
        report = json.loads(told)
        expect(report["closed"], "the bundled track closes", report)
        expect(report["lap_length_m"] > 10, "its lap is a lap", report["lap_length_m"])
        expect(stage.stat().st_size == report["usd_bytes"], "the report gives the size", told)
        expect(preview.read_bytes()[:4] == b"\x89PNG", "the preview is a PNG", preview)
        run(arena, "view", stage, "-o", view, "--size", "160", "90", "--samples", "1")
        expect(view.read_bytes()[:4] == b"\x89PNG", "the view is a PNG", view)
    print(f"arena {version}: built {report['name']}, lap {report['lap_length_m']:.2f} m")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
