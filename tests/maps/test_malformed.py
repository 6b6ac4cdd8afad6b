"""Whatever the bytes are, reading a map ends in a map or in an error of the project."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from roboracer_arena.errors import MapError
from roboracer_arena.maps import FREE, OCCUPIED, UNKNOWN, parse_metadata, read_map
from roboracer_arena.maps.yaml_scalars import parse_mapping

P = ParamSpec("P")
T = TypeVar("T")

YAML = (
    b"image: map.png\nmode: scale\nresolution: 5e-2\norigin: [-1.5, 2.25, 0.5]\nnegate: 0\n"
    b"occupied_thresh: 0.65\nfree_thresh: 0.196\nstarting_positions:\n  - [1, 2, 3]\n"
)


def encoded(mode: str, file_format: str) -> bytes:
    levels = np.random.default_rng(5).integers(0, 256, (9, 7, 4), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(levels, "RGBA").convert(mode).save(buffer, file_format)
    return buffer.getvalue()


IMAGES = (
    encoded("L", "PNG"),
    encoded("RGBA", "PNG"),
    encoded("LA", "PNG"),
    encoded("P", "PNG"),
    encoded("L", "PPM"),
    encoded("RGB", "BMP"),
    encoded("L", "JPEG"),
    b"P2\n# text\n3 3\n100\n0 10 20\n30 40 50\n60 100 0\n",
    b"P4\n9 2\n\xaa\x80\x55\x00",
)


@st.composite
def mutated(draw: st.DrawFn, originals: tuple[bytes, ...]) -> bytes:
    """One of the originals with some bytes changed, inserted, removed or cut off."""
    data = bytearray(draw(st.sampled_from(originals)))
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.sampled_from(("change", "insert", "remove", "cut", "repeat"))):
            case "change" if data:
                data[place] = draw(st.integers(0, 255))
            case "insert":
                data[place:place] = draw(st.binary(max_size=8))
            case "remove":
                del data[place : place + draw(st.integers(1, 16))]
            case "cut":
                del data[place:]
            case "repeat":
                data[place:place] = data[place : place + 12] * 3
    return bytes(data)


def read_or_refuse(yaml: bytes, image: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "map.yaml").write_bytes(yaml)
        (folder / "map.png").write_bytes(image)
        result = result_or_error(read_map, folder / "map.yaml", max_pixels=1_000_000)
    if isinstance(result, MapError):
        assert result.message
        assert result.where
        assert "\n" not in result.message
    else:
        assert set(np.unique(result.cells)) <= {FREE, OCCUPIED, UNKNOWN}
        origin = result.origin
        assert np.isfinite([result.resolution, origin.x, origin.y, origin.yaw]).all()


def result_or_error(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | MapError:
    try:
        return function(*args, **kwargs)
    except MapError as error:
        return error


@settings(max_examples=300)
@given(mutated((YAML,)))
def test_mangled_yaml_is_a_map_or_an_error(yaml):
    read_or_refuse(yaml, IMAGES[0])


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutated(IMAGES))
def test_mangled_images_are_a_map_or_an_error(capfd, image):
    read_or_refuse(YAML, image)
    capfd.readouterr()


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes_are_a_map_or_an_error(yaml, image):
    read_or_refuse(yaml, image)
    read_or_refuse(YAML, image)


@given(st.text(max_size=200))
def test_any_text_is_a_mapping_or_an_error(text):
    result = result_or_error(parse_mapping, text, where="f")
    if isinstance(result, MapError):
        assert result.where == "f"
    else:
        assert all(isinstance(key, str) for key, _ in result)


@given(st.dictionaries(st.sampled_from(["resolution", "origin", "mode"]), st.text(max_size=20)))
def test_any_value_of_a_field_is_metadata_or_an_error(values):
    fields = {"image": "map.png", "resolution": "0.05", "origin": "[0, 0, 0]", **values}
    text = "".join(f"{key}: {value}\n" for key, value in fields.items())
    result = result_or_error(parse_metadata, text, where="f")
    if isinstance(result, MapError):
        assert result.message
    else:
        assert result.resolution > 0


def test_the_originals_are_readable():
    for image in IMAGES:
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "map.yaml").write_bytes(YAML)
            (Path(name) / "map.png").write_bytes(image)
            assert read_map(Path(name) / "map.yaml").cells.size > 0


@pytest.mark.parametrize("size", [3, 200])
def test_a_deep_or_wide_yaml_ends_quickly_in_an_error(size):
    text = "image: " + "[" * size + "]" * size + "\nresolution: 1\norigin: [0, 0, 0]\n"
    with pytest.raises(MapError):
        parse_metadata(text, where="f")
