"""How exactly parsers read, and whether they invent: the table of the paper's parser selection."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from roboracer_arena.errors import InputError
from roboracer_arena.generate.spec import SPEC_FIELDS, TrackSpec
from roboracer_arena.llm.protocol import Parsed, Refused, SpecParser
from roboracer_arena.resources import data_dir

__all__ = [
    "AuditRequest",
    "AuditRow",
    "AuditTable",
    "Miss",
    "judge",
    "load_requests",
    "run_audit",
]

_TOLERANCE = 0.005
"""Relative difference up to which a length counts as read exactly: models round conversions."""


class AuditRequest(BaseModel):
    """One request and what it states."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    request: str
    expected: TrackSpec
    """What the text states; unstated fields are None."""


class Miss(BaseModel):
    """A request that a parser did not read as expected."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    request: str
    problem: str


class AuditRow(BaseModel):
    """One line of the table."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parser: str
    """``grammar`` or the name of the model."""
    parse_exact: int
    parse_total: int
    audit_pass: int
    audit_total: int
    """Audit requests times repeats; 0 where the parser was not advanced."""
    seconds_per_call: float
    """Mean wall-clock time of a call [s]."""
    misses: tuple[Miss, ...]


class AuditTable(BaseModel):
    """The table, one row per parser."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: tuple[AuditRow, ...]

    def text(self) -> str:
        """Return the table in aligned columns."""
        lines = [f"{'Parser':<24} {'Parse':>7} {'Audit pass':>11} {'s/call':>9}"]
        for row in self.rows:
            audit = f"{row.audit_pass}/{row.audit_total}" if row.audit_total else "-"
            parse = f"{row.parse_exact}/{row.parse_total}"
            lines.append(f"{row.parser:<24} {parse:>7} {audit:>11} {row.seconds_per_call:>9.4f}")
        return "\n".join(lines)


def load_requests(
    kind: Literal["parse", "audit"], folder: Path | None = None
) -> tuple[AuditRequest, ...]:
    """Return the requests of one set.

    Args:
        kind: ``parse`` (everything stated must be found) or ``audit`` (nothing may be invented).
        folder: Folder with ``parse.json`` and ``audit.json``; None takes ``llm/requests``.

    Raises:
        InputError: The file cannot be read or holds something else.
    """
    path = (folder or data_dir("llm") / "requests") / f"{kind}.json"
    try:
        document = _RequestSet.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise InputError(f"is no set of requests: {error}", where=str(path)) from error
    return document.requests


class _RequestSet(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    requests: tuple[AuditRequest, ...]


def run_audit(
    parsers: Sequence[SpecParser], *, folder: Path | None = None, repeats: int = 3
) -> AuditTable:
    """Run both request sets through every parser.

    As in the paper, a parser that does not read all requests of the parse set is not advanced to
    the audit.

    Args:
        parsers: The parsers to compare.
        folder: Folder of the request sets; None takes the project's own.
        repeats: How often each audit request is asked.
    """
    parse, audit = load_requests("parse", folder), load_requests("audit", folder)
    return AuditTable(rows=tuple(_row(parser, parse, audit, repeats) for parser in parsers))


def _row(
    parser: SpecParser,
    parse: Sequence[AuditRequest],
    audit: Sequence[AuditRequest],
    repeats: int,
) -> AuditRow:
    started, calls = time.perf_counter(), len(parse)
    misses = [miss for request in parse if (miss := judge(parser, request, exact=True))]
    exact = len(parse) - len(misses)
    rounds = repeats if not misses else 0
    failed = 0
    for request in [request for request in audit for _ in range(rounds)]:
        miss = judge(parser, request, exact=False)
        calls += 1
        if miss is not None:
            failed += 1
            misses.append(miss)
    total = rounds * len(audit)
    return AuditRow(
        parser=parser.record.model or parser.record.name,
        parse_exact=exact,
        parse_total=len(parse),
        audit_pass=total - failed,
        audit_total=total,
        seconds_per_call=(time.perf_counter() - started) / max(1, calls),
        misses=tuple(dict.fromkeys(misses)),
    )


def judge(parser: SpecParser, request: AuditRequest, *, exact: bool) -> Miss | None:
    """Return how a parser misreads a request, or None.

    Args:
        parser: The parser.
        request: The request and what it states.
        exact: Whether everything stated must be found; otherwise only invented or changed values
            count, as in the paper's audit.
    """
    outcome = parser.parse(request.request)
    if isinstance(outcome, Refused):
        return Miss(id=request.id, request=request.request, problem=f"refused: {outcome.reason}")
    problems = [
        f"{name} is {got!r}, stated is {wanted!r}"
        for name in SPEC_FIELDS
        for got, wanted in [_both(outcome, request, name)]
        if not _same(got, wanted) and (exact or got not in (None, ()))
    ]
    if not problems:
        return None
    return Miss(id=request.id, request=request.request, problem="; ".join(problems))


def _both(outcome: Parsed, request: AuditRequest, name: str) -> tuple[object, object]:
    return getattr(outcome.spec, name), getattr(request.expected, name)


def _same(got: object, wanted: object) -> bool:
    if isinstance(got, float) and isinstance(wanted, float):
        return abs(got - wanted) <= _TOLERANCE * abs(wanted)
    return got == wanted
