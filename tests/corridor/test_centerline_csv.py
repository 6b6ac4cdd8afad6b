"""Centrelines as F1TENTH files."""

from __future__ import annotations

import numpy as np
import pytest

from roboracer_arena.corridor import (
    find_centerline,
    find_corridor,
    read_centerline_csv,
    write_centerline_csv,
)
from roboracer_arena.errors import InputError, OutputExistsError
from roboracer_arena.maps import Pose2D
from tests.corridor.drawings import ring_map

_UTM = Pose2D(471234.5, 6543210.25, 0.7)
_CIRCLE = [
    f"{np.cos(a):.6f}, {np.sin(a):.6f}, 0.5, 0.6"
    for a in np.linspace(0, 2 * np.pi, 60, endpoint=False)
]


def _line(origin=_UTM):
    return find_centerline(find_corridor(ring_map(origin=origin)), direction="cw")


def test_a_file_has_the_f1tenth_header_and_the_map_frame(tmp_path):
    line = _line()
    write_centerline_csv(tmp_path / "c.csv", line, _UTM)
    first, *rows = (tmp_path / "c.csv").read_text().splitlines()
    assert first == "# x_m, y_m, w_tr_right_m, w_tr_left_m"
    numbers = np.array([[float(field) for field in row.split(",")] for row in rows])
    assert numbers[:, :2] == pytest.approx(_UTM.transform(line.points), abs=1e-6)
    assert numbers[:, 2] == pytest.approx(line.width_right, abs=1e-6)
    assert numbers[:, 3] == pytest.approx(line.width_left, abs=1e-6)


def test_what_is_written_is_read_back(tmp_path):
    line = _line()
    write_centerline_csv(tmp_path / "c.csv", line, _UTM)
    back = read_centerline_csv(tmp_path / "c.csv", _UTM)
    assert back.length == pytest.approx(line.length, abs=1e-3)
    assert back.points == pytest.approx(line.points, abs=1e-3)
    assert back.width_left == pytest.approx(line.width_left, abs=1e-3)
    assert back.width_right == pytest.approx(line.width_right, abs=1e-3)
    assert back.curvature == pytest.approx(line.curvature, abs=0.02)
    assert np.angle(np.exp(1j * (back.heading - line.heading))) == pytest.approx(0, abs=0.01)


def test_an_existing_file_is_only_replaced_by_force(tmp_path):
    target = tmp_path / "c.csv"
    target.write_text("mine")
    with pytest.raises(OutputExistsError):
        write_centerline_csv(target, _line(), _UTM)
    assert target.read_text() == "mine"
    write_centerline_csv(target, _line(), _UTM, force=True)
    assert target.read_text().startswith("# x_m")


def test_foreign_files_are_read(tmp_path):
    """Byte-order mark, Windows line ends, blank lines, a repeated end point."""
    rows = ["# x_m,y_m,w_tr_right_m,w_tr_left_m", *_CIRCLE, "", _CIRCLE[0], ""]
    (tmp_path / "c.csv").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(rows).encode())
    line = read_centerline_csv(tmp_path / "c.csv", Pose2D(0, 0))
    assert len(line.points) == 60
    assert line.length == pytest.approx(2 * np.pi, rel=1e-4)
    assert line.curvature == pytest.approx(1.0, abs=0.01)
    assert set(line.width_right) == {0.5}
    assert set(line.width_left) == {0.6}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("1.0, 2.0, 0.5", "3 fields"),
        ("1.0, 2.0, nan, 0.5", "not finite"),
        ("1.0, 2.0, 0.5, -0.5", "negative width"),
        ("1.0, two, 0.5, 0.5", "no row of numbers"),
    ],
)
def test_a_bad_row_is_named_by_its_line(tmp_path, row, words):
    path = tmp_path / "c.csv"
    path.write_text("\n".join(["# head", *_CIRCLE[:3], row, *_CIRCLE[3:]]))
    with pytest.raises(InputError, match=words) as caught:
        read_centerline_csv(path, Pose2D(0, 0))
    assert caught.value.where == f"{path}: line 5"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "0 points"),
        ("\n".join(_CIRCLE[:5]).encode(), "5 points"),
        ("\n".join([*_CIRCLE[:20], _CIRCLE[19], *_CIRCLE[20:]]).encode(), "repeats point 20"),
        (b"\xff\xfe\x00bad", "cannot be read"),
    ],
)
def test_a_file_that_is_no_line_is_refused(tmp_path, content, words):
    path = tmp_path / "c.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_centerline_csv(path, Pose2D(0, 0))


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_centerline_csv(path, Pose2D(0, 0))
