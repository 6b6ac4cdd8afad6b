"""``arena screen``: can such a track exist?"""

from __future__ import annotations

from pathlib import Path

from roboracer_arena.cli.options import Flag
from roboracer_arena.cli.output import print_json, print_text
from roboracer_arena.cli.requests import ScreenReport

__all__ = ["screen"]

_REJECTED = 4


def screen(spec_json: Path, /, *, json: Flag = False) -> int:
    """Check a specification against every necessary condition, in numbers.

    Parameters
    ----------
    spec_json
        The specification; fields that it leaves out take their defaults.
    json
        Print one JSON document.
    """
    from roboracer_arena.generate.defaults import resolve_defaults
    from roboracer_arena.generate.screen import screen as check
    from roboracer_arena.generate.spec import read_spec

    spec = resolve_defaults(read_spec(spec_json))
    result = check(spec)
    if json:
        print_json(
            ScreenReport(
                passed=result.passed,
                spec=spec.values.model_dump(mode="json"),
                stated=spec.stated,
                defaulted=spec.defaulted,
                screen=result.model_dump(mode="json"),
            )
        )
    else:
        lines = [
            f"{'ok  ' if bound.ok else 'FAIL' if bound.kind == 'deciding' else 'note'}  "
            f"{bound.sentence}"
            for bound in result.bounds
        ]
        print_text("\n".join([*lines, "passed" if result.passed else "rejected"]))
    return 0 if result.passed else _REJECTED
