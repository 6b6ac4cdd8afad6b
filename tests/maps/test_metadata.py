from __future__ import annotations

import os

import pytest
from pydantic import ValidationError

from roboracer_arena.errors import MapError
from roboracer_arena.maps.metadata import (
    MAX_YAML_BYTES,
    MapMetadata,
    parse_metadata,
    read_metadata,
)
from roboracer_arena.maps.occupancy import Pose2D

PLAIN = {
    "image": "map.png",
    "resolution": "0.05",
    "origin": "[-1.5, 2.25, 0.5]",
    "negate": "0",
    "occupied_thresh": "0.65",
    "free_thresh": "0.196",
}


def parse(**fields: str | None) -> MapMetadata:
    merged = {**PLAIN, **fields}
    text = "".join(f"{key}: {value}\n" for key, value in merged.items() if value is not None)
    return parse_metadata(text, where="hall.yaml")


def failure(**fields: str | None) -> MapError:
    with pytest.raises(MapError) as caught:
        parse(**fields)
    return caught.value


def test_a_plain_description_is_read():
    metadata = parse()
    assert metadata == MapMetadata(
        image="map.png",
        resolution=0.05,
        origin=(-1.5, 2.25, 0.5),
        mode="trinary",
        negate=False,
        occupied_thresh=0.65,
        free_thresh=0.196,
    )
    assert metadata.pose == Pose2D(-1.5, 2.25, 0.5)


def test_numbers_are_read_in_every_notation_of_yaml_cpp():
    metadata = parse(resolution="5e-2", origin="[-9.39e-05, -68e-2, '+.5']", free_thresh='"0.2"')
    assert metadata.resolution == 0.05
    assert metadata.origin == (-9.39e-05, -0.68, 0.5)
    assert metadata.free_thresh == 0.2


def test_block_lists_comments_and_windows_line_ends_are_read():
    text = (
        "# saved by hand\r\nimage: my map.png # the picture\r\nresolution: 0.05\r\norigin:\r\n"
        "- -7.349615478515625\r\n- -9.534021759033203\r\n- 0\r\nnegate: 0\r\n"
        "occupied_thresh: 0.45\r\nfree_thresh: 0.196\r\n"
    )
    metadata = parse_metadata(text, where="f")
    assert metadata.image == "my map.png"
    assert metadata.origin == (-7.349615478515625, -9.534021759033203, 0.0)


def test_further_keys_are_ignored_but_named():
    metadata = parse(map_path="/home/x", starting_positions="[[1, 2, 3], [4, 5, 6]]")
    assert metadata.extra_keys == ("map_path", "starting_positions")
    assert metadata.warnings == ()


def test_origin_of_two_values_has_yaw_zero():
    assert parse(origin="[1, 2]").origin == (1.0, 2.0, 0.0)


@pytest.mark.parametrize("yaw", ["-nan", "nan", ".NaN"])
def test_yaw_that_is_not_a_number_becomes_zero_with_a_warning(yaw):
    metadata = parse(origin=f"[-1, -2, {yaw}]")
    assert metadata.origin == (-1.0, -2.0, 0.0)
    assert len(metadata.warnings) == 1
    assert "yaw" in metadata.warnings[0]
    assert yaw in metadata.warnings[0]


def test_yaw_beyond_a_full_turn_is_kept_and_questioned():
    metadata = parse(origin="[0, 0, 90]")
    assert metadata.origin[2] == 90.0
    assert "degrees" in metadata.warnings[0]


@pytest.mark.parametrize("word", ["1", "yes", "true", "True"])
def test_negate_may_be_a_word(word):
    assert parse(negate=word).negate is True


def test_missing_optional_fields_are_filled_in_aloud():
    metadata = parse(negate=None, occupied_thresh=None, free_thresh=None)
    assert (metadata.negate, metadata.occupied_thresh, metadata.free_thresh) == (False, 0.65, 0.196)
    assert [w for w in metadata.warnings if "negate" in w and "0" in w]
    assert [w for w in metadata.warnings if "occupied_thresh" in w and "0.65" in w]
    assert [w for w in metadata.warnings if "free_thresh" in w and "0.196" in w]


@pytest.mark.parametrize("mode", ["trinary", "Scale", "raw"])
def test_mode_is_read_in_any_case(mode):
    assert parse(mode=mode).mode == mode.lower()


@pytest.mark.parametrize(
    ("fields", "field", "parts"),
    [
        ({"resolution": "0.0"}, "resolution", ["is 0", "0.0001", "10 m"]),
        ({"resolution": "-0.05"}, "resolution", ["-0.05"]),
        ({"resolution": ".nan"}, "resolution", ["nan"]),
        ({"resolution": ".inf"}, "resolution", ["inf"]),
        ({"resolution": "50"}, "resolution", ["50", "millimetres"]),
        ({"resolution": "0.05 m"}, "resolution", ["'0.05 m'", "not a number"]),
        ({"resolution": "[0.05]"}, "resolution", ["single value"]),
        ({"resolution": ""}, "resolution", ["no value"]),
        ({"resolution": "~"}, "resolution", ["no value"]),
        ({"resolution": None}, "resolution", ["missing", "resolution: 0.05"]),
        ({"origin": None}, "origin", ["missing", "origin: [0.0, 0.0, 0.0]"]),
        ({"origin": "[1]"}, "origin", ["three numbers"]),
        ({"origin": "[1, 2, 3, 4]"}, "origin", ["three numbers"]),
        ({"origin": "0"}, "origin", ["three numbers"]),
        ({"origin": "[1, [2], 3]"}, "origin", ["three numbers"]),
        ({"origin": "[nan, 0, 0]"}, "origin", ["x = nan"]),
        ({"origin": "[0, -.inf, 0]"}, "origin", ["y = -inf"]),
        ({"origin": "[0, 0, .inf]"}, "origin", ["yaw = inf"]),
        ({"origin": "[0, 0, east]"}, "origin", ["yaw", "'east'"]),
        ({"origin": "[0, north, 0]"}, "origin", ["'north'"]),
        ({"origin": "[1e9, 0, 0]"}, "origin", ["x = 1e+09", "1e+08"]),
        ({"negate": "2"}, "negate", ["'2'", "0 (no) or 1 (yes)"]),
        ({"mode": "binary"}, "mode", ["'binary'", "trinary, scale, raw"]),
        ({"occupied_thresh": "65"}, "occupied_thresh", ["65", "0.65"]),
        ({"free_thresh": "-0.1"}, "free_thresh", ["-0.1", "0 to 1"]),
        ({"free_thresh": "nan"}, "free_thresh", ["nan"]),
        ({"image": ""}, "image", ["empty"]),
        ({"image": "[a.png]"}, "image", ["single value"]),
    ],
)
def test_a_bad_field_is_named_with_its_value_and_limit(fields, field, parts):
    error = failure(**fields)
    assert error.where == f"hall.yaml: {field}"
    for part in parts:
        assert part in error.message


@pytest.mark.parametrize(("free", "occupied"), [("0.65", "0.196"), ("0.5", "0.5")])
def test_thresholds_out_of_order_are_an_error_that_names_both(free, occupied):
    error = failure(free_thresh=free, occupied_thresh=occupied)
    assert "free_thresh" in error.message
    assert "occupied_thresh" in error.message


def test_a_field_given_twice_is_an_error():
    text = "image: a.png\nresolution: 0.05\nresolution: 0.1\norigin: [0, 0, 0]\n"
    with pytest.raises(MapError, match="more than once") as caught:
        parse_metadata(text, where="hall.yaml")
    assert caught.value.where == "hall.yaml: resolution"


def test_a_parameter_file_is_no_map_description():
    text = "slam_toolbox:\n  ros__parameters:\n    mode: mapping\n    resolution: 0.05\n"
    with pytest.raises(MapError, match=r"no 'image' field.*not a map description.*slam_toolbox"):
        parse_metadata(text, where="mapper_params.yaml")


def test_metadata_is_frozen_and_closed():
    metadata = parse()
    with pytest.raises(ValidationError):
        metadata.resolution = 0.1
    with pytest.raises(ValidationError):
        MapMetadata(image="a.png", resolution=0.05, origin=(0, 0, 0), colour="red")


def test_a_file_with_byte_order_mark_is_read(make_map):
    yaml = make_map(text="\ufeffimage: map.png\nresolution: 0.05\norigin: [0, 0, 0]\n")
    assert read_metadata(yaml).image == "map.png"


def test_a_file_that_is_not_utf8_is_an_error(make_map):
    yaml = make_map(text="image: übung.png\n".encode("latin-1"))
    with pytest.raises(MapError, match="not UTF-8"):
        read_metadata(yaml)


def test_a_file_above_the_size_limit_is_not_parsed(make_map):
    yaml = make_map(text=b"#" * (MAX_YAML_BYTES + 1))
    with pytest.raises(MapError, match=f"the limit is {MAX_YAML_BYTES}"):
        read_metadata(yaml)


def test_a_git_lfs_pointer_is_named_as_such(make_map):
    yaml = make_map(text="version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    with pytest.raises(MapError, match="Git LFS pointer"):
        read_metadata(yaml)


def test_a_named_pipe_does_not_hang(tmp_path):
    pipe = tmp_path / "map.yaml"
    os.mkfifo(pipe)
    with pytest.raises(MapError, match="pipe"):
        read_metadata(pipe)
