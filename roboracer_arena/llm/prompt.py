"""What a language model is given: the system prompt, the schema of its answer, the request."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from roboracer_arena.errors import MissingExtraError
from roboracer_arena.generate.spec import TrackSpec
from roboracer_arena.resources import data_dir

__all__ = ["answer_schema", "prompt_sha256", "schema_text", "system_prompt", "user_message"]

_KEPT = ("type", "enum", "const", "anyOf", "items", "description")


def answer_schema() -> dict[str, Any]:
    """Return the JSON schema that constrains an answer, generated from :class:`TrackSpec`.

    Only types, choices and descriptions are kept: grammars for constrained output know few other
    keywords, and limits are checked afterwards with a message that names the field. Every field is
    required, so that a model has to say null instead of leaving one out.
    """
    full = TrackSpec.model_json_schema()
    properties = {name: _reduced(node) for name, node in full["properties"].items()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _reduced(node: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key in _KEPT:
        if key not in node:
            continue
        value = node[key]
        if key == "anyOf":
            value = [_reduced(item) for item in value]
        elif key == "items":
            value = _reduced(value)
        out[key] = value
    return out


def schema_text() -> str:
    """Return the schema as it stands in ``llm/track_spec.schema.json``."""
    return json.dumps(answer_schema(), indent=2) + "\n"


def system_prompt() -> str:
    """Return the text of ``llm/system_prompt.txt``.

    Raises:
        MissingExtraError: The installation lacks the file.
    """
    path = data_dir("llm") / "system_prompt.txt"
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise MissingExtraError(
            f"the system prompt cannot be read ({error}); reinstall roboracer-arena",
            where=str(path),
        ) from error


def user_message(text: str) -> str:
    """Return the request as data, between marks that the system prompt names."""
    return f"BEGIN REQUEST\n{text}\nEND REQUEST"


def prompt_sha256() -> str:
    """Return the SHA-256 of the system prompt followed by the schema text."""
    return hashlib.sha256((system_prompt() + schema_text()).encode()).hexdigest()
