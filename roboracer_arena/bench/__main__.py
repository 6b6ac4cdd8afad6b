"""``python -m roboracer_arena.bench``: time the build over a ladder of map sizes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from roboracer_arena.bench.ladder import LADDER
from roboracer_arena.bench.report import as_page, as_text
from roboracer_arena.bench.run import measure_ladder
from roboracer_arena.errors import ArenaError
from roboracer_arena.files import atomic_path

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"


def _arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m roboracer_arena.bench", description=__doc__)
    names = [request.name for request in LADDER]
    parser.add_argument("--only", choices=names, nargs="+", default=names, help="sizes to measure")
    parser.add_argument("--repetitions", type=int, default=3, help="measurements of each; median")
    parser.add_argument("--image", choices=["pgm", "png"], default="pgm", help="format of the maps")
    parser.add_argument("--folder", type=Path, help="keep maps and stages here")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--write", action="store_true", help=f"also write {_PAGE.name}")
    parser.add_argument("--check", action="store_true", help="exit with 6 if a limit is exceeded")
    return parser.parse_args()


def main() -> int:
    """Measure, print and optionally write the page; return the exit code."""
    arguments = _arguments()
    requests = tuple(request for request in LADDER if request.name in arguments.only)
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as scratch:
        folder = arguments.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        benchmark = measure_ladder(
            requests,
            folder,
            repetitions=max(arguments.repetitions, 1),
            image_format=arguments.image,
            progress=lambda step: print(step, file=sys.stderr, flush=True),  # noqa: T201
        )
    json_text = benchmark.model_dump_json(indent=2) + "\n"
    sys.stdout.write(json_text if arguments.json else as_text(benchmark))
    if arguments.write:
        with atomic_path(_PAGE, force=True) as temporary:
            temporary.write_text(as_page(benchmark), encoding="utf-8")
    return 6 if arguments.check and not benchmark.passed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ArenaError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)
