"""``arena doctor``: what this machine has, and how to get the rest."""

from __future__ import annotations

from roboracer_arena.cli.options import Flag
from roboracer_arena.cli.output import print_json, print_table, print_text, show_progress
from roboracer_arena.errors import MissingExtraError

__all__ = ["doctor"]


def doctor(*, json: Flag = False) -> int:
    """Say which engines and programs are present, and how to get those that are not.

    Ends with 0 whatever is absent, unless it is something that no command can do without.

    Parameters
    ----------
    json
        Print the findings as one JSON document.
    """
    from roboracer_arena.doctor import examine

    with show_progress("Looking around"):
        report = examine()
    if json:
        print_json(report)
    else:
        print_table(
            [
                (item.name, item.found if item.present else f"absent. {item.remedy}")
                for item in report.items
            ]
        )
        for problem in report.problems:
            print_text(f"\nproblem: {problem}")
    return 0 if report.base_works else MissingExtraError.exit_code
