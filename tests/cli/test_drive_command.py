"""``arena drive`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from .conftest import arena

pytest.importorskip("sapien", reason="the physx engine is not installed")


def test_a_map_is_driven_with_record_and_picture(ring: Path) -> None:
    run, plot = ring.with_name("run.npz"), ring.with_name("run.png")
    cache = str(ring.parent / "cache")
    ran = arena(
        "drive", ring, "--laps", "1", "--record", run, "--plot", plot, "--json",
        XDG_CACHE_HOME=cache,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    (car,) = ran.document["cars"]
    assert car["finished"]
    assert car["end"] == "finished"
    assert len(car["laps"]) == 1
    assert car["laps"][0]["time_s"] > 3
    assert {"collisions", "max_speed_mps"} <= set(car)
    assert ran.document["real_time_factor"] > 0
    assert run.stat().st_size > 10_000
    with Image.open(plot) as picture:
        assert picture.width > 800
    readable = arena("drive", ring, "--laps", "1", XDG_CACHE_HOME=cache)
    assert "lap 1" in readable.out


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["no_such_track"], 3, "library"),
        (["RING", "--controller", "nobody"], 2, "controller"),
        (["RING", "--cars", "0"], 2, "car"),
        (["RING", "--cars", "400"], 2, "fit"),
        (["RING", "--laps", "-1"], 2, "laps"),
        (["RING", "--engine", "bullet"], 2, "engine"),
        (["RING", "--vehicle", "none.toml"], 3, "none.toml"),
    ],
)
def test_mistakes_are_named(ring: Path, arguments: list[str], code: int, word: str) -> None:
    typed = [str(ring) if one == "RING" else one for one in arguments]
    ran = arena("drive", *typed, "--json", XDG_CACHE_HOME=str(ring.parent / "cache"))
    assert ran.code == code, ran
    error = ran.document["error"]
    assert word in (error["message"] + str(error["where"])).lower()
    assert "Traceback" not in ran.err
