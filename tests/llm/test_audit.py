"""The request sets, the files for the model, and the table over parsers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roboracer_arena.errors import InputError
from roboracer_arena.generate.spec import SPEC_FIELDS, TrackSpec
from roboracer_arena.llm.audit import load_requests, run_audit
from roboracer_arena.llm.grammar import GrammarParser
from roboracer_arena.llm.prompt import schema_text, system_prompt
from roboracer_arena.llm.protocol import Parsed, ParseOutcome, ParserRecord
from roboracer_arena.resources import data_dir


class _Inventor:
    """Reads like the grammar, and adds a radius to everything."""

    record = ParserRecord(name="ollama", model="inventor:1b")

    def __init__(self, *, while_parsing: bool) -> None:
        self._grammar = GrammarParser()
        self._parse_set = {item.request for item in load_requests("parse")}
        self._while_parsing = while_parsing

    def parse(self, text: str) -> ParseOutcome:
        outcome = self._grammar.parse(text)
        assert isinstance(outcome, Parsed)
        if text in self._parse_set and not self._while_parsing:
            return outcome
        spec = outcome.spec.model_copy(update={"min_radius_m": 9.0})
        return outcome.model_copy(update={"spec": spec})


def test_the_sets_are_large_enough_and_all_different() -> None:
    parse, audit = load_requests("parse"), load_requests("audit")
    assert len(parse) >= 12
    assert len(audit) >= 17
    texts = [item.request for item in (*parse, *audit)]
    assert len(set(texts)) == len(texts)


def test_the_parse_set_asks_for_every_field() -> None:
    asked = {name for item in load_requests("parse") for name in item.expected.stated()}
    assert asked == set(SPEC_FIELDS)


@pytest.mark.shared
def test_the_sets_are_the_projects_own(shared_dir: Path) -> None:
    public = json.loads((shared_dir / "requests_public.json").read_text(encoding="utf-8"))
    theirs = {item["request"] for kind in public.values() for item in kind}
    ours = {item.request for kind in ("parse", "audit") for item in load_requests(kind)}
    assert not ours & theirs


def test_the_grammar_reads_all_and_invents_nothing() -> None:
    (row,) = run_audit([GrammarParser()]).rows
    assert row.parse_exact == row.parse_total == len(load_requests("parse"))
    assert row.audit_pass == row.audit_total == 3 * len(load_requests("audit"))
    assert row.misses == ()


def test_an_inventor_fails_the_audit_and_is_named() -> None:
    table = run_audit([_Inventor(while_parsing=False)], repeats=1)
    (row,) = table.rows
    assert row.parse_exact == row.parse_total
    assert row.audit_pass == 0
    assert "min_radius_m is 9.0" in row.misses[0].problem
    assert "inventor:1b" in table.text()


def test_a_parser_that_misreads_is_not_advanced() -> None:
    (row,) = run_audit([_Inventor(while_parsing=True)]).rows
    assert row.parse_exact < row.parse_total
    assert row.audit_total == 0


def test_a_broken_set_is_named(tmp_path: Path) -> None:
    (tmp_path / "parse.json").write_text("[]")
    with pytest.raises(InputError, match=r"parse\.json"):
        load_requests("parse", tmp_path)


def test_the_schema_file_is_the_generated_one() -> None:
    assert (data_dir("llm") / "track_spec.schema.json").read_text(encoding="utf-8") == schema_text()
    schema = json.loads(schema_text())
    assert schema["required"] == list(TrackSpec.model_fields)
    assert schema["additionalProperties"] is False


def test_the_modelfile_carries_the_same_prompt() -> None:
    modelfile = (data_dir("llm") / "Modelfile").read_text(encoding="utf-8")
    assert f'SYSTEM """{system_prompt()}"""' in modelfile
    assert "FROM gemma4:31b" in modelfile
    assert "temperature 0" in modelfile
