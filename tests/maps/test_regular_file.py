from __future__ import annotations

import os
from pathlib import Path

import pytest

from roboracer_arena.errors import MapError
from roboracer_arena.maps.regular_file import open_regular_file, read_regular_file


def message(path: Path) -> str:
    with pytest.raises(MapError) as caught:
        read_regular_file(path, limit=100)
    assert caught.value.where == str(path)
    return caught.value.message


def test_a_file_within_the_limit_is_read(tmp_path):
    (tmp_path / "f").write_bytes(b"12345")
    assert read_regular_file(tmp_path / "f", limit=5) == b"12345"
    with open_regular_file(tmp_path / "f") as (handle, size):
        assert (handle.read(2), size) == (b"12", 5)


def test_a_file_above_the_limit_is_refused(tmp_path):
    (tmp_path / "f").write_bytes(b"x" * 101)
    assert message(tmp_path / "f") == "has 101 bytes; the limit is 100"


def test_what_is_no_regular_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    assert message(tmp_path) == "is a folder, not a file"
    assert "pipe or a device" in message(tmp_path / "pipe")
    assert "pipe or a device" in message(Path("/dev/zero"))
    assert "symbolic links" in message(tmp_path / "loop")
    assert message(tmp_path / "dangling") == "is a link to a file that does not exist"
    assert message(tmp_path / "missing") == "does not exist"


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 300])
def test_a_name_that_no_file_can_have_is_an_error(tmp_path, name):
    assert "cannot be read" in message(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_an_error(tmp_path):
    (tmp_path / "f").touch(mode=0)
    assert "Permission denied" in message(tmp_path / "f")


def test_a_link_to_a_file_is_followed(tmp_path):
    (tmp_path / "f").write_bytes(b"1")
    (tmp_path / "link").symlink_to("f")
    assert read_regular_file(tmp_path / "link", limit=9) == b"1"
