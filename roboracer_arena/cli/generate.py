"""``arena generate``: a sentence becomes a track."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from roboracer_arena.cli.options import Flag, Output
from roboracer_arena.cli.output import print_error, print_json, print_table, show_progress
from roboracer_arena.cli.requests import GenerateReport, read_request
from roboracer_arena.errors import UsageError

if TYPE_CHECKING:
    from roboracer_arena.generate.outcome import Acceptance, Outcome
    from roboracer_arena.generate.spec import TrackSpec

__all__ = ["generate"]

_REJECTED, _FAILED = 4, 5


def generate(
    text: str = "",
    /,
    *,
    output: Output,
    seed: int = 0,
    parser: Literal["auto", "ollama", "grammar"] = "auto",
    model: str = "gemma4:31b",
    spec: Path | None = None,
    usd: Flag = False,
    count: int = 1,
    force: Flag = False,
    json: Flag = False,
) -> int:
    """Generate a track from a sentence: map, centreline, report, preview, stage.

    Parameters
    ----------
    text
        The request, such as "three hairpins and one chicane in a 20 x 15 m hall".
    output
        Folder to make.
    seed
        Another seed gives another track; the same seed the same bytes.
    parser
        A language model through Ollama, the built-in grammar, or the first of the two at hand.
    model
        Model for Ollama.
    spec
        Take the specification from this JSON file instead of a sentence.
    usd
        Also build the stage.
    count
        Make so many tracks, with this seed and the following, in numbered folders.
    force
        Replace tracks that exist.
    json
        Print one JSON document; for several tracks, of the last one.
    """
    wanted, notes = _wanted(text, spec, parser, model, quiet=json)
    if not 1 <= count <= 10_000:
        raise UsageError(f"is {count}; it must lie in 1..10000", where="--count")
    code = 0
    for number in range(count):
        folder = output if count == 1 else output / f"{number:04d}"
        if count > 1:
            output.mkdir(exist_ok=True)
        last = number == count - 1
        worst = _one(wanted, notes, folder, seed + number, usd=usd, force=force, json=json and last)
        code = max(code, worst)
    return code


def _wanted(
    text: str,
    spec: Path | None,
    parser: Literal["auto", "ollama", "grammar"],
    model: str,
    *,
    quiet: bool,
) -> tuple[TrackSpec, tuple[str, ...]]:
    """Return what is asked for, and the choices that reading it took."""
    from roboracer_arena.generate.spec import read_spec

    if (spec is None) == (not text):
        raise UsageError("give either a request or --spec", where="TEXT")
    if spec is not None:
        return read_spec(spec), ()
    found = read_request(text, parser, model, quiet=quiet)
    return found.spec, found.notes


def _one(
    wanted: TrackSpec,
    notes: tuple[str, ...],
    folder: Path,
    seed: int,
    *,
    usd: bool,
    force: bool,
    json: bool,
) -> int:
    """Generate and write one track; return its exit code."""
    from roboracer_arena.generate.defaults import resolve_defaults
    from roboracer_arena.generate.outcome import Acceptance
    from roboracer_arena.generate.pipeline import generate as search
    from roboracer_arena.generate.write import check_track_folder, write_track

    check_track_folder(folder, force=force)
    with show_progress(f"Generating {folder.name}") as progress:
        outcome = search(
            resolve_defaults(wanted),
            seed=seed,
            on_progress=lambda step: progress(f"candidate {step.candidate} of {step.limit}"),
        )
        if isinstance(outcome, Acceptance):
            progress("writing")
            accepted = outcome
            write_track(
                accepted, folder, force=force, extras=lambda made: _extras(accepted, made, usd=usd)
            )
    return _tell(outcome, folder, seed, notes, as_json=json)


def _extras(track: Acceptance, folder: Path, *, usd: bool) -> None:
    """Add the preview, and the stage if it is wanted."""
    from roboracer_arena.corridor import find_centerline, find_corridor
    from roboracer_arena.view.preview import write_preview

    corridor = find_corridor(track.track)
    direction = track.spec.direction
    line = find_centerline(corridor, direction=direction)
    write_preview(folder / "preview.png", track.track, corridor, line)
    if usd:
        from roboracer_arena.build import build_map

        build_map(track.track, folder / "track.usdc", direction=direction)


def _tell(
    outcome: Outcome, folder: Path, seed: int, notes: tuple[str, ...], *, as_json: bool
) -> int:
    """Print how it ended and return the exit code."""
    from roboracer_arena.generate.outcome import Acceptance, Rejection

    accepted = isinstance(outcome, Acceptance)
    reasons: tuple[str, ...] = ()
    if isinstance(outcome, Acceptance):
        code, word = 0, "accepted"
    elif isinstance(outcome, Rejection):
        reasons, code, word = outcome.reasons, _REJECTED, "rejected"
    else:
        reasons, code, word = (outcome.reason,), _FAILED, "failed"
    if as_json:
        print_json(
            GenerateReport(
                outcome=word,
                folder=str(folder) if accepted else None,
                seed=seed,
                candidate=outcome.candidate if isinstance(outcome, Acceptance) else None,
                spec=outcome.spec.values.model_dump(mode="json"),
                stated=outcome.spec.stated,
                defaulted=outcome.spec.defaulted,
                reasons=reasons,
                notes=notes,
                screen=outcome.screen.model_dump(mode="json"),
                validation=outcome.report.model_dump(mode="json")
                if isinstance(outcome, Acceptance)
                else None,
            )
        )
        return code
    if isinstance(outcome, Acceptance):
        print_table([("track", str(folder)), ("candidate", str(outcome.candidate))])
        print_table([(item.name, item.sentence) for item in outcome.report.measurements])
    for reason in reasons:
        print_error(word, f"{word}: {reason}", None, as_json=False)
    return code
