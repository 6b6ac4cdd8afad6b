"""``arena vehicle`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

from roboracer_arena.usd import check_car

from .conftest import arena


def test_show_lists_value_unit_and_source(tmp_path: Path) -> None:
    changed = tmp_path / "my.toml"
    changed.write_text(
        '[deployment.tyre]\nfriction = { value = 0.65, unit = "1", source = "our hall" }\n'
    )
    plain, mine = arena("vehicle", "show"), arena("vehicle", "show", "--vehicle", changed)
    assert plain.code == mine.code == 0, mine.err
    rows = {line.split()[0]: line.split(None, 3) for line in plain.out.splitlines()}
    assert rows["chassis.wheelbase"] == ["chassis.wheelbase", "0.3275", "m", "Table I"]
    theirs = {line.split()[0]: line.split(None, 3) for line in mine.out.splitlines()}
    assert theirs["deployment.tyre.friction"][1:] == ["0.65", "1", "our hall"]


def test_show_gives_one_json_document() -> None:
    rows = arena("vehicle", "show", "--json").document["quantities"]
    friction = next(row for row in rows if row["name"] == "deployment.tyre.friction")
    assert friction["value"] == 0.83
    assert friction["unit"] == "1"
    assert "Table I" in friction["source"]


def test_export_writes_a_car(tmp_path: Path) -> None:
    target = tmp_path / "car.usdc"
    ran = arena("vehicle", "export", "-o", target)
    assert ran.code == 0, ran.err
    assert ran.out.strip() == str(target)
    assert check_car(target) == ()
    before = target.read_bytes()
    assert arena("vehicle", "export", "-o", target).code == 2
    again = arena("vehicle", "export", "-o", target, "--force", "--json")
    assert again.document == {"car": str(target)}
    assert target.read_bytes() == before


def test_nonsense_is_refused_by_name(tmp_path: Path) -> None:
    wrong = tmp_path / "my.toml"
    wrong.write_text("[chassis]\nmass = -1.0\n")
    for command in (("show",), ("export", "-o", tmp_path / "car.usdc")):
        ran = arena("vehicle", *command, "--vehicle", wrong)
        assert ran.code == 3
        assert "chassis.mass is -1" in ran.err
    assert not (tmp_path / "car.usdc").exists()


def test_a_file_is_not_replaced_by_the_car_made_of_it(tmp_path: Path) -> None:
    mine = tmp_path / "my.usda"
    mine.write_text("[chassis]\nmass = 4.0\n")
    ran = arena("vehicle", "export", "-o", mine, "--vehicle", mine, "--force")
    assert ran.code == 2
    assert mine.read_text() == "[chassis]\nmass = 4.0\n"


def test_help_names_the_commands_and_their_options() -> None:
    text = arena("vehicle", "--help").out
    assert "show" in text
    assert "export" in text
    options = arena("vehicle", "export", "--help").out
    assert all(option in options for option in ("--output", "--vehicle", "--force", "--json"))
