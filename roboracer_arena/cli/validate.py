"""``arena validate``: does a map keep what was asked?"""

from __future__ import annotations

from pathlib import Path

from roboracer_arena.cli.options import Flag
from roboracer_arena.cli.output import print_json, print_text

__all__ = ["validate"]

_FAILED = 6


def validate(map_yaml: Path, spec_json: Path, /, *, json: Flag = False) -> int:
    """Measure a map and compare it with a specification.

    Parameters
    ----------
    map_yaml
        The map's YAML file.
    spec_json
        The specification; fields that it leaves out are measured but cannot fail.
    json
        Print one JSON document.
    """
    from roboracer_arena.generate.spec import read_spec
    from roboracer_arena.generate.validator import validate as measure
    from roboracer_arena.maps import read_map

    report = measure(read_map(map_yaml), read_spec(spec_json))
    if json:
        print_json(report)
    else:
        rows = [
            f"{'ok  ' if item.ok else 'FAIL'}  {item.name}: {item.sentence}"
            for item in report.measurements
        ]
        print_text("\n".join([*rows, "accepted" if report.accepted else "not accepted"]))
    return 0 if report.accepted else _FAILED
