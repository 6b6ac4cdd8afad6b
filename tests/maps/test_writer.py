from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from roboracer_arena.errors import MapError, OutputError, OutputExistsError, UsageError
from roboracer_arena.maps import OccupancyMap, Pose2D, read_map, write_map
from roboracer_arena.maps import writer as writer_module
from roboracer_arena.maps.classify import cells_of_percents
from roboracer_arena.maps.image import read_image

CELLS = np.array([[254, 254, 0], [0, 205, 254]], np.uint8)
HALL = OccupancyMap(CELLS, 0.05, Pose2D(-1.25, 3.5, 0.1))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def same(left: OccupancyMap, right: OccupancyMap) -> bool:
    return (
        np.array_equal(left.cells, right.cells)
        and left.resolution == right.resolution
        and repr(left.origin) == repr(right.origin)
        and (left.probability is None) == (right.probability is None)
        and (left.probability is None or np.array_equal(left.probability, right.probability))
    )


def test_the_files_are_what_map_saver_writes(tmp_path):
    write_map(HALL, tmp_path / "hall.yaml")
    assert (tmp_path / "hall.yaml").read_text() == (
        "image: hall.png\nmode: trinary\nresolution: 0.05\norigin: [-1.25, 3.5, 0.1]\n"
        "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )
    pixels = read_image(tmp_path / "hall.png")
    np.testing.assert_array_equal(pixels.levels, CELLS[::-1])
    assert pixels.white == 255


def test_pgm_is_the_other_format(tmp_path):
    write_map(HALL, tmp_path / "hall.yaml", image_format="pgm")
    assert (tmp_path / "hall.pgm").read_bytes() == b"P5\n3 2\n255\n" + CELLS[::-1].tobytes()
    assert same(read_map(tmp_path / "hall.yaml"), HALL)


shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=8)
offsets = st.floats(-1e8, 1e8)
origins = st.builds(Pose2D, offsets, offsets, st.floats(allow_nan=False, allow_infinity=False))
resolutions = st.floats(1e-4, 10)
trinary = hnp.arrays(np.uint8, shapes, elements=st.sampled_from([0, 205, 254]))
percents = hnp.arrays(np.int8, shapes, elements=st.integers(-1, 100))
maps = st.one_of(
    st.builds(OccupancyMap, trinary, resolutions, origins),
    st.builds(
        lambda p, r, o: OccupancyMap(cells_of_percents(p), r, o, probability=p),
        percents,
        resolutions,
        origins,
    ),
)
names = st.text(
    st.characters(exclude_characters="/\0", exclude_categories=("Cs",)), min_size=1, max_size=30
)


@given(maps, st.sampled_from(["png", "pgm"]))
def test_write_then_read_is_the_identity(occupancy, image_format):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hall.yaml"
        write_map(occupancy, path, image_format=image_format)
        first = files(Path(folder))
        back = read_map(path)
        assert same(back, occupancy)
        write_map(back, path, image_format=image_format, force=True)
        assert files(Path(folder)) == first


@given(names)
def test_any_file_name_can_be_read_back_or_is_refused(name):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.yaml"
        try:
            write_map(HALL, path)
        except OutputError:
            assert not name.isprintable() or len(name.encode()) > 60
            assert files(Path(folder)) == {}
        else:
            assert same(read_map(path), HALL)


def test_existing_files_are_kept_without_force(tmp_path):
    for existing in ("hall.yaml", "hall.png"):
        folder = tmp_path / existing.replace(".", "_")
        folder.mkdir()
        (folder / existing).write_bytes(b"old")
        with pytest.raises(OutputExistsError):
            write_map(HALL, folder / "hall.yaml")
        assert files(folder) == {existing: b"old"}


def test_force_replaces_both_files(tmp_path):
    path = tmp_path / "hall.yaml"
    write_map(HALL, path)
    other = replace(HALL, cells=CELLS[::-1].copy(), resolution=0.1)
    write_map(other, path, force=True)
    assert same(read_map(path), other)
    assert sorted(files(tmp_path)) == ["hall.png", "hall.yaml"]


def test_no_moment_of_overwriting_shows_a_yaml_with_another_maps_image(tmp_path, monkeypatch):
    path = tmp_path / "hall.yaml"
    write_map(HALL, path)
    other = replace(HALL, cells=CELLS[::-1].copy(), resolution=0.1)
    seen = []
    publish = Path.replace

    def watch(self: Path, target: Path) -> Path:
        for look in (lambda: None, lambda: publish(self, target)):
            look()
            if path.exists():
                back = read_map(path)
                seen.append(same(back, HALL) or same(back, other))
        return target

    monkeypatch.setattr(Path, "replace", watch)
    write_map(other, path, force=True)
    assert seen
    assert all(seen)
    assert same(read_map(path), other)


@pytest.mark.parametrize("failing", ["hall.png", "hall.yaml"])
def test_a_failure_while_overwriting_leaves_a_whole_map(tmp_path, monkeypatch, failing):
    path = tmp_path / "hall.yaml"
    write_map(HALL, path)
    other = replace(HALL, cells=CELLS[::-1].copy(), resolution=0.1)
    publish = Path.replace
    failed = []

    def fail_once(self: Path, target: Path) -> Path:
        if Path(target).name == failing and not failed:
            failed.append(target)
            raise KeyboardInterrupt
        return publish(self, target)

    monkeypatch.setattr(Path, "replace", fail_once)
    with pytest.raises(KeyboardInterrupt):
        write_map(other, path, force=True)
    if failing == "hall.png":
        assert same(read_map(path), HALL)
        assert sorted(files(tmp_path)) == ["hall.png", "hall.yaml"]
    else:
        # The new image is in place; the old YAML must not name it.
        assert sorted(files(tmp_path)) == ["hall.png"]


def test_a_link_is_written_through(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    write_map(HALL, real / "hall.yaml")
    links = tmp_path / "links"
    links.mkdir()
    for name in ("hall.yaml", "hall.png"):
        (links / name).symlink_to(real / name)
    other = replace(HALL, resolution=0.1)
    write_map(other, links / "hall.yaml", force=True)
    assert (links / "hall.yaml").is_symlink()
    assert same(read_map(real / "hall.yaml"), other)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cells": np.array([[7]], np.uint8)}, "values other than 0, 205 and 254"),
        ({"cells": np.zeros((0, 3), np.uint8)}, "shape"),
        ({"cells": np.zeros((2, 3))}, "float64"),
        ({"resolution": 0.0}, "side of a cell"),
        ({"resolution": float("nan")}, "side of a cell"),
        ({"origin": Pose2D(float("nan"), 0)}, "x = nan"),
        ({"probability": np.zeros((2, 3), np.int8)}, "contradict"),
        ({"probability": np.zeros((1, 1), np.int8)}, "contradict"),
    ],
)
def test_a_map_that_contradicts_itself_is_refused_and_nothing_written(tmp_path, change, message):
    with pytest.raises(MapError, match=message):
        write_map(replace(HALL, **change), tmp_path / "hall.yaml")
    assert files(tmp_path) == {}


def test_a_name_that_is_no_yaml_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"end in \.yaml"):
        write_map(HALL, tmp_path / "hall.png")


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(OutputError, match="does not exist"):
        write_map(HALL, tmp_path / "nowhere" / "hall.yaml")


def test_an_image_that_cannot_be_encoded_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(writer_module.cv2, "imencode", lambda *_: (False, None))
    with pytest.raises(OutputError, match="cannot be encoded"):
        write_map(HALL, tmp_path / "hall.yaml")
    assert files(tmp_path) == {}
