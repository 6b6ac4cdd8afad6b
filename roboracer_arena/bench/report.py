"""A benchmark as text: a table for the terminal, a page for the documentation."""

from __future__ import annotations

from roboracer_arena.bench.ladder import FLOOR_FACTOR, MAX_PEAK_MB, MAX_USD_MB, OFFSET_SECONDS
from roboracer_arena.bench.run import Benchmark, Rung

__all__ = ["as_page", "as_text"]

_HEADINGS = (
    *("map", "MP", "lap m", "CPU s", "wall s", "floor s", "limit s", "of limit"),
    *("peak MB", "USD MB", "start s", "verdict"),
)
_HIDDEN_SECONDS = 5e-4
"""A step that rounds to less is not listed."""

_PAGE = """# Benchmarks

Written by `python -m roboracer_arena.bench --write`; `make bench` prints the same for another
machine.

{machine}

{table}

{summary}

CPU time of each step [s]:

{steps}

## What is measured

- Circuits that the project draws itself: smooth closed laps at 0.05 m a cell with corridors of a
  1:10 track, {image_format} images, from a hall to the length of Spa-Francorchamps at 1:10. The
  same seed gives the same cells everywhere.
- *CPU s*, *wall s*: `build_track` with its USD write, in a fresh process with one thread, after a
  small map was built in it. Median of {repetitions}.
- *start s*: CPU time of that process before: interpreter, imports and first uses.
- *floor s*: reading the same image with OpenCV, one 5x5 distance transform and one contour
  extraction over it, in a process of its own in the same run. No build can take less.
- *limit s*: {factor:g} x floor + {offset:g} s.
- *peak MB*: largest resident size of the process (10⁶ bytes), libraries included.
- *USD MB*: the `.usdc` file without its textures.

For comparison, the paper's Table II has 1.18 s for a competition map and 2.48 s for Spa (10.9 MP),
wall clock on an AMD EPYC 9654.
"""


def as_text(benchmark: Benchmark) -> str:
    """Return what a terminal shows."""
    lines = _columns([_HEADINGS, *map(_cells, benchmark.rungs)])
    steps = _columns(_step_table(benchmark))
    parts = (_machine(benchmark), "\n".join(lines), _summary(benchmark), "\n".join(steps))
    return "\n\n".join(parts) + "\n"


def as_page(benchmark: Benchmark) -> str:
    """Return the page ``docs/benchmarks.md``."""
    return _PAGE.format(
        machine=_machine(benchmark),
        table=_markdown([_HEADINGS, *map(_cells, benchmark.rungs)]),
        summary=_summary(benchmark),
        steps=_markdown(_step_table(benchmark)),
        image_format=benchmark.image_format.upper(),
        repetitions=benchmark.repetitions,
        factor=FLOOR_FACTOR,
        offset=OFFSET_SECONDS,
    )


def _cells(rung: Rung) -> tuple[str, ...]:
    """Return one row of the table."""
    verdict = f"over: {', '.join(rung.failures)}" if rung.failures else "within"
    return (
        rung.map,
        f"{rung.megapixels:.2f}",
        f"{rung.lap_length_m:.0f}",
        f"{rung.cpu_seconds:.3f}",
        f"{rung.wall_seconds:.3f}",
        f"{rung.floor_seconds:.4f}",
        f"{rung.limit_seconds:.3f}",
        f"{100 * rung.cpu_seconds / rung.limit_seconds:.0f} %",
        f"{rung.peak_mb:.0f}",
        f"{rung.usd_mb:.2f}",
        f"{rung.start_seconds:.2f}",
        verdict,
    )


def _step_table(benchmark: Benchmark) -> list[tuple[str, ...]]:
    """Return map by map how long each step took."""
    names = [
        name
        for name in benchmark.rungs[0].step_seconds
        if any(rung.step_seconds[name] >= _HIDDEN_SECONDS for rung in benchmark.rungs)
    ]
    rows = [
        (rung.map, *(f"{rung.step_seconds[name]:.3f}" for name in names))
        for rung in benchmark.rungs
    ]
    return [("map", *names), *rows]


def _machine(benchmark: Benchmark) -> str:
    """Return one sentence about the machine."""
    machine = benchmark.machine
    libraries = ", ".join(f"{name} {number}" for name, number in machine.libraries.items())
    return (
        f"{machine.processor}, {machine.cores} core(s), one used; {machine.system}, "
        f"Python {machine.python}, {libraries}."
    )


def _summary(benchmark: Benchmark) -> str:
    """Return the verdict on the whole."""
    over = [rung.map for rung in benchmark.rungs if rung.failures]
    growth = benchmark.growth
    sentences = [
        f"Limits: {FLOOR_FACTOR:g} x floor + {OFFSET_SECONDS:g} s CPU, {MAX_PEAK_MB:g} MB, "
        f"{MAX_USD_MB:g} MB of USD: " + (f"exceeded by {', '.join(over)}." if over else "all kept.")
    ]
    if growth is not None:
        sentences.append(
            f"From 2 MP on, time grows as the raster to the power {growth:.2f}; 1 is linear."
        )
    return " ".join(sentences)


def _columns(rows: list[tuple[str, ...]]) -> list[str]:
    """Align rows: the first and the last column left if it is text, numbers right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _markdown(rows: list[tuple[str, ...]]) -> str:
    """Return rows as a Markdown table."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
