"""The parser that asks a local language model through Ollama."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from roboracer_arena.errors import InputError, MissingExtraError
from roboracer_arena.generate.spec import TrackSpec, parse_spec
from roboracer_arena.llm.grammar.parser import MODEL_TALK_NOTE, GrammarParser, prepare, refuse_size
from roboracer_arena.llm.grounding import find_ungrounded
from roboracer_arena.llm.prompt import answer_schema, prompt_sha256, system_prompt, user_message
from roboracer_arena.llm.protocol import Parsed, ParseOutcome, ParserRecord, Refused

__all__ = ["DEFAULT_MODEL", "DEFAULT_TIMEOUT_S", "OllamaParser", "installed_models"]

DEFAULT_MODEL = "gemma4:31b"
"""The model that the paper selects in its Table III."""
DEFAULT_TIMEOUT_S = 180.0
"""Longest wait for one answer [s]; the first one includes loading some 20 GB of weights."""
_PROBE_TIMEOUT_S = 3.0
_MAX_REPLY = 16_384
"""Longest answer that is read [characters]; the twelve fields take some 300."""
_OPTIONS = {"temperature": 0, "seed": 0, "num_ctx": 8192, "num_predict": 1024}
# What the grammar is certain about whatever a model says; it may fail to understand a language or
# a phrase that a model understands.
_CERTAIN = ("unsupported", "contradiction", "impossible")


class OllamaParser:
    """Asks one model, checks every value against the text, and refuses what is invented."""

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        host: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> None:
        """Connect to a server and look the model up.

        Args:
            model: Name of a model that the server has, such as ``gemma4:31b``.
            host: Address of the server; None takes ``OLLAMA_HOST`` or ``127.0.0.1:11434``.
            timeout_s: Longest wait for one answer [s].

        Raises:
            MissingExtraError: The package ``ollama`` is absent or the server does not answer.
            InputError: The server does not have the model.
        """
        self._host, self._timeout = host, timeout_s
        models = installed_models(host)
        name = next((name for name in (model, f"{model}:latest") if name in models), None)
        if name is None:
            have = ", ".join(sorted(models)) or "none"
            raise InputError(
                f"the server has no model '{model}' (it has: {have}); fetch it with "
                f"'ollama pull {model}', or use --parser grammar",
                where="--model",
            )
        self._record = ParserRecord(
            name="ollama", model=name, digest=models[name], prompt_sha256=prompt_sha256()
        )
        self._grammar = GrammarParser()

    @property
    def record(self) -> ParserRecord:
        """Which parser this is."""
        return self._record

    def parse(self, text: str) -> ParseOutcome:
        """Read one request; see :class:`roboracer_arena.llm.protocol.SpecParser`.

        Raises:
            MissingExtraError: The server went away or took longer than the time-out.
            InputError: The server answered with an error.
        """
        refused = refuse_size(text, self._record) or self._certain_refusal(text)
        if refused is not None:
            return refused
        prepared = prepare(text)
        messages = [
            {"role": "system", "content": system_prompt()},
            {"role": "user", "content": user_message(prepared.clean.strip())},
        ]
        reply = self._ask(messages)
        spec, fault = _read(reply, prepared.clean)
        if spec is None:
            messages += [
                {"role": "assistant", "content": reply[:_MAX_REPLY]},
                {"role": "user", "content": f"That answer is wrong: {fault}. Answer again."},
            ]
            spec, fault = _read(self._ask(messages), prepared.clean)
        if spec is None:
            return Refused(
                reason=f"the model '{self._record.model}' gave no usable answer in two attempts: "
                f"{fault}; word the request differently, or use --parser grammar",
                kind="model_reply",
                parser=self._record,
            )
        return self._outcome(spec, text, prepared.cut)

    def _certain_refusal(self, text: str) -> Refused | None:
        """Return what the grammar refuses with certainty, or None."""
        outcome = self._grammar.parse(text)
        silent = not any(character.isalnum() for character in prepare(text).clean)
        if isinstance(outcome, Refused) and (silent or outcome.kind in _CERTAIN):
            return outcome.model_copy(update={"parser": self._record})
        return None

    def _outcome(self, spec: TrackSpec, text: str, cut: bool) -> ParseOutcome:
        reading = self._grammar.parse(text)
        stated = spec.stated()
        off_topic = isinstance(reading, Refused) and reading.kind == "off_topic"
        if isinstance(reading, Refused) and off_topic and not stated:
            return reading.model_copy(update={"parser": self._record})
        notes = [MODEL_TALK_NOTE] if cut else []
        if isinstance(reading, Parsed):
            # The choices are a matter of the text, whoever reads it.
            notes = [*reading.notes]
            differing = [
                name
                for name in type(spec).model_fields
                if not _alike(getattr(spec, name), getattr(reading.spec, name))
            ]
            if differing:
                notes.append(f"the grammar reads differently: {', '.join(differing)}")
        return Parsed(spec=spec, stated=stated, notes=tuple(notes), parser=self._record)

    def _ask(self, messages: list[dict[str, str]]) -> str:
        """Return the text of one answer, cut off soon after :data:`_MAX_REPLY` characters."""
        ollama = _package()
        deadline = time.monotonic() + self._timeout
        parts: list[str] = []
        with _plain_errors(self._host, self._record.model, self._timeout):
            client = ollama.Client(host=self._host, timeout=self._timeout)
            stream = client.chat(
                model=self._record.model,
                messages=messages,
                format=answer_schema(),
                options=_OPTIONS,
                stream=True,
            )
            for part in stream:
                parts.append(part.message.content or "")
                if time.monotonic() > deadline:
                    raise TimeoutError
                if sum(map(len, parts)) > _MAX_REPLY:
                    break
        return "".join(parts)


def installed_models(host: str | None = None) -> dict[str, str | None]:
    """Return the models of a server and their digests.

    Raises:
        MissingExtraError: The package ``ollama`` is absent or no server answers.
        InputError: What answers is no Ollama server.
    """
    ollama = _package()
    with _plain_errors(host, None, _PROBE_TIMEOUT_S):
        listed = ollama.Client(host=host, timeout=_PROBE_TIMEOUT_S).list()
        return {item.model: item.digest for item in listed.models if item.model}


def _package() -> Any:
    try:
        import ollama
    except ImportError as error:
        raise MissingExtraError(
            "the package 'ollama' is not installed; install it with "
            "\"pip install 'roboracer-arena[llm]'\", or use --parser grammar",
            where="--parser ollama",
        ) from error
    return ollama


@contextlib.contextmanager
def _plain_errors(host: str | None, model: str | None, timeout: float) -> Iterator[None]:
    """Turn what the client raises into errors that say what to do."""
    import httpx
    import ollama
    import pydantic

    place = host or "the default address"
    try:
        yield
    except (ConnectionError, httpx.ConnectError, httpx.RemoteProtocolError) as error:
        raise MissingExtraError(
            f"no Ollama server answers at {place}; start one with 'ollama serve' (see "
            "https://ollama.com), or use --parser grammar",
            where="--parser ollama",
        ) from error
    except (TimeoutError, httpx.TimeoutException) as error:
        asked = f"the model '{model}'" if model else "the Ollama server"
        raise MissingExtraError(
            f"{asked} did not answer within {timeout:g} s; use a smaller model with --model, or "
            "--parser grammar",
            where="--parser ollama",
        ) from error
    except ollama.ResponseError as error:
        raise InputError(_server_said(error, model), where="--parser ollama") from error
    except (httpx.HTTPError, ValueError, pydantic.ValidationError) as error:
        raise InputError(
            f"what answers at {place} does not speak Ollama's protocol; check OLLAMA_HOST, or use "
            "--parser grammar",
            where="--parser ollama",
        ) from error


def _server_said(error: Any, model: str | None) -> str:
    if error.status_code == 404 and model:
        return f"the server has no model '{model}'; fetch it with 'ollama pull {model}'"
    return f"the Ollama server reports: {str(error.error)[:200]}"


def _read(reply: str, text: str) -> tuple[TrackSpec | None, str]:
    """Return the specification of an answer, or None and what is wrong with it."""
    if len(reply) > _MAX_REPLY:
        return None, f"it is longer than {_MAX_REPLY} characters"
    try:
        spec = parse_spec(reply, where="answer")
    except InputError as error:
        return None, error.message[:500]
    invented = find_ungrounded(spec, text)
    if invented:
        return None, "; ".join(item.sentence() for item in invented)
    return spec, ""


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 0.01 * max(abs(one), abs(other))
    return bool(one == other)
