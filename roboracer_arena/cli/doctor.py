"""``arena doctor``: what this machine has, and how to get the rest."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from roboracer_arena.cli.output import print_json, print_table

__all__ = ["doctor"]


def doctor(*, json: Annotated[bool, Parameter(negative=())] = False) -> int:
    """Say which engines and programs are present, and how to get those that are not.

    Parameters
    ----------
    json
        Print the findings as one JSON document.
    """
    from roboracer_arena.doctor import examine

    report = examine()
    if json:
        print_json(report)
        return 0
    rows = [
        (item.name, f"{item.found}" if item.present else f"absent. {item.remedy}")
        for item in report.items
    ]
    print_table(rows)
    for problem in report.problems:
        print(f"\nproblem: {problem}")  # noqa: T201
    return 0
