"""Files are written whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from roboracer_arena.errors import OutputError, OutputExistsError
from roboracer_arena.files import atomic_path, check_target


def test_a_finished_block_replaces_the_target_and_leaves_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with atomic_path(target, force=True) as temporary:
        assert temporary.suffix == ".txt"
        temporary.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_a_failed_block_keeps_the_old_file(tmp_path: Path, failure: type[BaseException]) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(failure), atomic_path(target, force=True) as temporary:
        temporary.write_text("half")
        raise failure
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_an_existing_target_is_refused_without_force(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(OutputExistsError, match="--force"), atomic_path(target):
        pytest.fail("the block must not run")


def test_targets_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for target, word in [
        (tmp_path, "folder"),
        (tmp_path / "missing" / "a.txt", "does not exist"),
        (loop, "usable|regular|exists"),
        (tmp_path / ("n" * 300), "usable|written"),
        (Path("/dev/null"), "regular"),
    ]:
        with pytest.raises((OutputError, OutputExistsError), match=word) as caught:
            check_target(target, force=False)
            with atomic_path(target):
                pass
        assert caught.value.where == str(target)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="read-only"):
        check_target(tmp_path / "a.txt", force=False)


def test_a_link_keeps_pointing_to_the_file_that_is_replaced(tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    real.write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    with atomic_path(link, force=True) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_what_a_killed_process_left_goes_with_the_next_write(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    code = (
        "import sys, time, pathlib\n"
        "from roboracer_arena.files import atomic_path\n"
        "with atomic_path(pathlib.Path(sys.argv[1])) as t:\n"
        "    t.write_text('half'); print('ready', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(target)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGKILL)
        child.wait()
    deadline = time.monotonic() + 10
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not target.exists()
    assert len(list(tmp_path.iterdir())) == 1
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
