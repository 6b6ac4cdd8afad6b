"""Uses an installed Arena as a stranger would: builds the bundled track and looks at the result.

Usage: python smoke_test.py path/to/arena
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command: str) -> str:
    """Run a command and return its output; show what it said if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def main(arena: str) -> None:
    """Call every command that needs no track of the user's own."""
    assert "build" in run(arena, "--help")
    print(run(arena, "--version").strip())
    doctor = json.loads(run(arena, "doctor", "--json"))
    package = next(item for item in doctor["items"] if item["name"] == "arena")
    print(package["found"])
    where = "from roboracer_arena.resources import data_dir; print(data_dir('tracks'))"
    tracks = Path(run(str(Path(arena).with_name("python")), "-c", where).strip())
    chart = tracks / "demo" / "arena_hall" / "map.yaml"
    with tempfile.TemporaryDirectory() as folder:
        stage, preview = Path(folder) / "track.usdc", Path(folder) / "preview.png"
        told = run(
            arena, "build", str(chart), "-o", str(stage), "--preview", str(preview), "--json"
        )
        report = json.loads(told)
        assert report["closed"]
        assert report["lap_length_m"] > 10
        assert stage.stat().st_size == report["usd_bytes"]
        assert preview.stat().st_size > 10_000
        print(f"built {report['name']}: lap {report['lap_length_m']:.2f} m")


if __name__ == "__main__":
    main(sys.argv[1])
