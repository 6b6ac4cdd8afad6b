from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from roboracer_arena.errors import MapError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, Pose2D, find_map_yaml, read_map

PLAIN = (
    "resolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
)


def failure(path: Path, **options: int) -> MapError:
    with pytest.raises(MapError) as caught:
        read_map(path, **options)
    return caught.value


def test_a_plain_map_is_read(make_map):
    yaml = make_map(origin="[1.5, -2.0, 0.25]")
    occupancy = read_map(yaml)
    assert occupancy.cells.tolist() == [[FREE, OCCUPIED], [FREE, FREE], [OCCUPIED, UNKNOWN]]
    assert occupancy.cells.dtype == np.uint8
    assert occupancy.cells.flags.c_contiguous
    assert occupancy.resolution == 0.05
    assert occupancy.origin == Pose2D(1.5, -2.0, 0.25)
    assert occupancy.name == "hall"
    assert occupancy.probability is None
    assert occupancy.warnings == ()
    assert read_map(str(yaml)).name == "hall"


def test_warnings_of_yaml_and_image_are_both_kept(make_map):
    occupancy = read_map(make_map(origin="[0, 0, -nan]", free_thresh="0.25"))
    assert len(occupancy.warnings) == 2
    assert "yaw" in occupancy.warnings[0]
    assert "free_thresh" in occupancy.warnings[1]


def test_the_image_is_looked_for_beside_the_yaml_not_in_the_working_folder(
    make_map, tmp_path, monkeypatch
):
    yaml = make_map()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    cv2.imwrite(str(elsewhere / "map.png"), np.zeros((9, 9), np.uint8))
    monkeypatch.chdir(elsewhere)
    assert read_map(Path("..") / yaml.name).cells.shape == (3, 2)


def test_the_image_may_lie_in_a_folder_below(make_map, tmp_path):
    (tmp_path / "images").mkdir()
    assert read_map(make_map(image="images/map.png")).cells.shape == (3, 2)


def test_spaces_and_accents_need_no_quotes(make_map):
    yaml = make_map(image="my träck map.png", name="map.yaml", folder="Mexico City übung")
    occupancy = read_map(yaml)
    assert occupancy.cells.shape == (3, 2)
    assert occupancy.name == "Mexico City übung"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("levine.yaml", "levine"),
        ("basement.map.yaml", "basement"),
        ("Austin.YML", "Austin"),
        ("übung 2.yaml", "übung 2"),
        ("u\u0308bung.yaml", "\u00fcbung"),
        ("map.yaml", "hall 5"),
        ("my_map.yaml", "hall 5"),
        (".yaml.yaml", ".yaml"),
    ],
)
def test_the_name_is_the_file_or_else_the_folder(make_map, file, name):
    assert read_map(make_map(name=file, folder="hall 5")).name == name


def test_the_folder_names_the_map_when_the_path_is_relative(make_map, tmp_path, monkeypatch):
    make_map(name="map.yaml")
    monkeypatch.chdir(tmp_path)
    assert read_map(Path("map.yaml")).name == tmp_path.name


def test_an_absolute_image_path_is_refused(make_map, tmp_path):
    text = f"image: {tmp_path}/map.png\n" + PLAIN
    error = failure(make_map(text=text))
    assert "absolute path" in error.message
    assert "beside the YAML" in error.message
    assert "absolute path" in failure(make_map(text="image: C:\\maps\\map.png\n" + PLAIN)).message


@pytest.mark.parametrize("image", ["../map.png", "sub/../../map.png", "../sibling/map.png"])
def test_an_image_path_out_of_the_folder_is_refused(make_map, tmp_path, image):
    (tmp_path / "home" / "sub").mkdir(parents=True)
    error = failure(make_map(name="home/map.yaml", text=f"image: {image}\n" + PLAIN))
    assert "leads out of the map's folder" in error.message
    assert error.where.endswith("map.yaml: image")


def test_a_path_that_returns_into_the_folder_is_read(make_map, tmp_path):
    yaml = make_map(text=f"image: ../{tmp_path.name}/map.png\n" + PLAIN)
    assert read_map(yaml).cells.shape == (3, 2)


def test_a_link_out_of_the_folder_is_refused(make_map, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    yaml = make_map(name="home/map.yaml")
    (home / "map.png").symlink_to(tmp_path / "map.png")
    assert "leads out" in failure(yaml).message


def test_a_folder_of_links_to_a_map_is_read(make_map, tmp_path):
    yaml = make_map()
    installed = tmp_path / "install"
    installed.mkdir()
    for file in (yaml, tmp_path / "map.png"):
        (installed / file.name).symlink_to(file)
    assert read_map(installed / yaml.name).cells.shape == (3, 2)


def test_a_missing_image_is_named_with_a_guess(make_map):
    yaml = make_map(text="image: hall.pgm\n" + PLAIN)
    error = failure(yaml)
    assert "'hall.pgm', but there is no such file" in error.message
    assert "meant?" not in error.message
    assert "is 'map.png' meant?" in failure(make_map(text="image: Map.PNG\n" + PLAIN)).message
    assert "is 'map.png' meant?" in failure(make_map(text="image: map.pgm\n" + PLAIN)).message
    assert "write '/'" in failure(make_map(text="image: maps\\map.png\n" + PLAIN)).message
    assert "folder is missing" in failure(make_map(text="image: maps/map.png\n" + PLAIN)).message


def test_an_image_that_is_no_file_is_an_error(make_map, tmp_path):
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "loop.png").symlink_to("loop.png")
    assert "pipe" in failure(make_map(text="image: pipe.png\n" + PLAIN)).message
    assert "symbolic links" in failure(make_map(text="image: loop.png\n" + PLAIN)).message
    assert "folder" in failure(make_map(text="image: .\n" + PLAIN)).message
    assert "null" in failure(make_map(text='image: "a\\0b.png"\n' + PLAIN)).message


def test_the_pixel_limit_is_passed_on(make_map):
    assert "the limit is 5" in failure(make_map(), max_pixels=5).message


def test_a_missing_yaml_is_an_error(tmp_path):
    assert failure(tmp_path / "no.yaml").message == "does not exist"


def test_a_folder_with_one_map_is_that_map(make_map, tmp_path):
    yaml = make_map()
    assert find_map_yaml(tmp_path) == yaml
    (tmp_path / "params.yaml").write_text("slam_toolbox: {mode: mapping}\n")
    assert find_map_yaml(tmp_path) == yaml
    assert read_map(tmp_path).name == "hall"


def test_a_folder_with_one_broken_yaml_says_what_is_broken(make_map, tmp_path):
    make_map(resolution="0")
    assert "resolution" in failure(tmp_path).where


def test_a_folder_without_a_map_is_an_error(tmp_path):
    assert "no YAML map description" in failure(tmp_path).message


def test_a_folder_with_several_maps_asks_for_one(make_map, tmp_path):
    make_map()
    make_map(name="other.yaml")
    assert "name one of: hall.yaml, other.yaml" in failure(tmp_path).message


def test_a_folder_with_very_many_yamls_asks_for_one(tmp_path):
    for number in range(101):
        (tmp_path / f"{number}.yaml").touch()
    assert "has 101 YAML files" in failure(tmp_path).message


def test_an_image_leads_to_the_yaml_that_names_it(make_map, tmp_path):
    yaml = make_map()
    (tmp_path / "other.yaml").write_text("image: other.png\n" + PLAIN)
    assert find_map_yaml(tmp_path / "map.png") == yaml
    assert read_map(tmp_path / "map.png").name == "hall"


def test_an_image_without_a_yaml_asks_for_it(tmp_path):
    cv2.imwrite(str(tmp_path / "map.png"), np.zeros((3, 3), np.uint8))
    assert "hand over the YAML file" in failure(tmp_path / "map.png").message


def test_an_image_that_several_yamls_name_asks_for_one(make_map, tmp_path):
    make_map()
    make_map(name="other.yaml")
    assert "several maps fit this image" in failure(tmp_path / "map.png").message


def test_scale_mode_carries_the_occupancy(make_map):
    image = np.array([[0, 140, 254]], np.uint8)
    occupancy = read_map(make_map(image, mode="scale"))
    assert occupancy.probability is not None
    assert occupancy.probability.tolist() == [[100, 56, 0]]
    assert occupancy.probability.dtype == np.int8
    assert occupancy.cells.tolist() == [[OCCUPIED, UNKNOWN, FREE]]
    assert "1 cells are neither surely free nor occupied" in occupancy.warnings[0]
