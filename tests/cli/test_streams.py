"""What happens when a terminal, a reader or a disk does not play along."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import PROGRAM, ROOT, arena


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line in which ``$ARENA`` calls the command line."""
    command = f"arena() {{ '{sys.executable}' -c '{PROGRAM}' \"$@\"; }}; {line}"
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=False,
        timeout=120,
    )


def test_a_reader_that_leaves_early_is_no_error() -> None:
    done = shell("set -o pipefail; arena settings | head -n 1")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_stdout_is_no_error(ring: Path) -> None:
    done = shell(f"arena inspect '{ring}' >&-")
    assert done.returncode == 0, done.stderr
    assert "defect" not in done.stderr


@pytest.mark.parametrize(("command", "said"), [("settings", "stdout"), ("--help", "space")])
def test_a_full_disk_under_stdout_is_said_and_no_defect(command: str, said: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    done = shell(f"arena {command} >/dev/full")
    assert done.returncode == 3
    assert said in done.stderr
    assert "defect" not in done.stderr


def test_a_closed_stderr_is_no_error(ring: Path) -> None:
    done = shell(f"arena build '{ring}' -o '{ring.with_name('t.usdc')}' --json 2>&-")
    assert done.returncode == 0
    assert json.loads(done.stdout)["closed"]


def test_a_plain_ascii_terminal_gets_names_in_escapes(ring: Path) -> None:
    yaml = ring.rename(ring.with_name("赛道.yaml"))
    plain = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    ran = arena("inspect", yaml, **plain)
    assert ran.code == 0, ran.err
    assert "\\u8d5b" in ran.out


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_is_one_document_too(ring: Path, sent: signal.Signals) -> None:
    waiting = (
        "import sys, time, roboracer_arena.build as b\n"
        "from roboracer_arena.cli import main\n"
        "def slow(*a, **k): print('writing', file=sys.stderr, flush=True); time.sleep(60)\n"
        "b.save_track = slow\n"
        "sys.exit(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", waiting, "build", ring, "-o", ring.with_name("t.usdc"), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    ) as child:
        assert child.stderr is not None
        while child.stderr.readline() != "writing\n":
            pass
        child.send_signal(sent)
        out, _ = child.communicate(timeout=30)
    assert child.returncode == 130
    assert json.loads(out)["error"]["kind"] == "interrupted"


def test_only_the_first_interrupt_counts(ring: Path) -> None:
    impatient = (
        "import os, signal, sys, roboracer_arena.build as b\n"
        "from roboracer_arena.cli import main\n"
        "def save(*a, **k):\n"
        "    try: os.kill(os.getpid(), signal.SIGINT)\n"
        "    finally:\n"
        "        os.kill(os.getpid(), signal.SIGINT); os.kill(os.getpid(), signal.SIGTERM)\n"
        "        print('cleaned up', file=sys.stderr)\n"
        "b.save_track = save\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", impatient, "build", ring, "-o", ring.with_name("t.usdc")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=60,
    )
    assert done.returncode == 130
    assert "cleaned up" in done.stderr
