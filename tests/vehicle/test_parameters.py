"""The car as numbers: values, units, sources, identities, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboracer_arena.errors import OutputExistsError, SettingsError
from roboracer_arena.resources import data_dir
from roboracer_arena.vehicle import (
    lidar_quantities,
    load_lidar,
    load_vehicle,
    vehicle_quantities,
    write_quantities,
)
from roboracer_arena.vehicle.parameters import VehicleParameters
from roboracer_arena.vehicle.quantities import leaves, merge, read_quantities

TABLE_ONE = {
    "chassis.wheelbase": 0.3275,
    "chassis.track_width": 0.265,
    "chassis.mass": 4.885,
    "chassis.yaw_inertia": 0.089,
    "chassis.com_to_front": 0.1753,
    "chassis.com_to_rear": 0.1522,
    "chassis.wheel_radius": 0.0525,
    "chassis.com_height": 0.063,
    "chassis.max_steering": 0.524,
    "deployment.tyre.friction": 0.83,
    "deployment.commands.rate": 20.0,
    "deployment.commands.odometry_rate": 50.0,
    "observed.speed_median": 3.42,
    "observed.speed_p99": 6.39,
    "observed.speed_max": 6.66,
    "observed.yaw_rate_median": 1.20,
    "observed.yaw_rate_p99": 5.46,
    "observed.recorded_driving": 62.4,
}


def test_table_one_is_in_the_file_with_its_source() -> None:
    rows = {row.name: row for row in vehicle_quantities()}
    for name, value in TABLE_ONE.items():
        assert rows[name].value == value
        assert rows[name].source.startswith("Table I")


def test_every_quantity_has_a_unit_and_a_source_on_its_line() -> None:
    for name in ("roboracer.toml", "lidar.toml"):
        lines = (data_dir("vehicle") / name).read_text().splitlines()
        quantities = [line for line in lines if line and line[0] not in "#["]
        assert quantities
        for line in quantities:
            assert " value = " in line
            assert ' unit = "' in line
            assert ' source = "' in line
            assert 'source = ""' not in line


def test_the_bundled_file_is_complete_and_in_the_order_of_the_model() -> None:
    rows = read_quantities(VehicleParameters, data_dir("vehicle") / "roboracer.toml")
    assert [row.name for row in rows] == [name for name, _ in leaves(VehicleParameters)]


def test_centre_of_mass_and_wheelbase_add_up() -> None:
    chassis = load_vehicle().chassis
    assert chassis.com_to_front + chassis.com_to_rear == pytest.approx(chassis.wheelbase, abs=1e-9)


def test_derived_values_follow_from_what_their_sources_say() -> None:
    car = load_vehicle()
    chassis, body, tyre = car.chassis, car.chassis.body, car.deployment.tyre
    twelfth = chassis.mass / 12.0
    plan = chassis.yaw_inertia / (twelfth * (body.length**2 + body.width**2))
    roll = twelfth * (plan * body.width**2 + body.height**2)
    pitch = twelfth * (plan * body.length**2 + body.height**2)
    assert chassis.roll_inertia == pytest.approx(roll, rel=0.005)
    assert chassis.pitch_inertia == pytest.approx(pitch, rel=0.005)
    spring = chassis.suspension.stiffness
    heave = math.sqrt(4.0 * spring / chassis.mass) / (2.0 * math.pi)
    assert heave == pytest.approx(1.44 * math.sqrt(10.0), rel=0.005)
    critical = 2.0 * math.sqrt(spring * chassis.mass / 4.0)
    assert chassis.suspension.damping == pytest.approx(0.5 * critical, rel=0.01)
    drivetrain = chassis.drivetrain
    assert drivetrain.torque_constant == pytest.approx(60.0 / (2.0 * math.pi * 3500.0), rel=0.002)
    assert drivetrain.gear_ratio == pytest.approx(54.0 / 13.0 * 2.846, rel=0.001)
    rotor = 0.5 * 7500.0 * math.pi * 0.0065**2 * 0.030 * 0.0065**2
    assert drivetrain.rotor_inertia == pytest.approx(rotor, rel=0.01)
    assert car.deployment.motor.max_braking == pytest.approx(0.96 * tyre.friction * 9.81, rel=0.005)
    lidar = load_lidar().hardware
    assert lidar.field_of_view == math.radians(270.0)
    assert (lidar.beams, load_lidar().deployment.rate) == (1081, 39.9)


def test_the_box_clears_the_floor_at_full_bump() -> None:
    chassis = load_vehicle().chassis
    assert chassis.body.clearance > chassis.suspension.bump_travel


def test_parameters_are_frozen() -> None:
    with pytest.raises(Exception, match="frozen"):
        load_vehicle().deployment.tyre.friction = 0.5  # type: ignore[misc]


def test_a_users_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    mine = tmp_path / "my.toml"
    mine.write_text(
        "[deployment.tyre]\nfriction = 0.6\n"
        '[chassis]\nmass = { value = 3.9, unit = "kg", source = "kitchen scale" }\n'
    )
    before = {row.name: row for row in vehicle_quantities()}
    after = {row.name: row for row in vehicle_quantities(mine)}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"deployment.tyre.friction", "chassis.mass"}
    assert after["chassis.mass"].source == "kitchen scale"
    assert after["deployment.tyre.friction"].source == "my.toml"
    assert load_vehicle(mine).deployment.tyre.friction == 0.6


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    mine = tmp_path / "my.toml"
    mine.write_bytes(b"\xef\xbb\xbf[deployment.tyre]\r\nfriction = 0.6\r\n")
    assert load_vehicle(mine).deployment.tyre.friction == 0.6


def test_overrides_beat_the_file_and_short_names_mean_the_only_match(tmp_path: Path) -> None:
    mine = tmp_path / "my.toml"
    mine.write_text("friction = 0.6\n")
    assert load_vehicle(mine).deployment.tyre.friction == 0.6
    car = load_vehicle(mine, {"tyre.friction": 0.7, "steering.delay": 0.02})
    assert car.deployment.tyre.friction == 0.7
    assert car.deployment.steering.delay == 0.02


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"friction": -0.5}, ["deployment.tyre.friction", "-0.5", "0.01", "3"]),
        ({"mass": 0.0}, ["chassis.mass", "0", "0.1", "kg"]),
        ({"mass": float("nan")}, ["chassis.mass", "nan"]),
        ({"mass": float("inf")}, ["chassis.mass", "inf"]),
        ({"com_to_front": 0.2}, ["com_to_front 0.2", "com_to_rear", "wheelbase 0.3275"]),
        ({"yaw_inertia": 1.0}, ["yaw_inertia 1", "roll_inertia", "pitch_inertia"]),
        ({"front_c": 2.164}, ["deployment.tyre.front_c", "2.164", "1.95"]),
        ({"frction": 0.5}, ["frction", "did you mean 'friction'"]),
        ({"delay": 0.1}, ["steering.delay", "motor.delay", "say which"]),
        ({"commands.timeout": 5.0}, ["deployment.commands.timeout", "5", "1 s"]),
    ],
)
def test_nonsense_is_refused_with_name_value_and_limit(
    overrides: dict[str, float], words: list[str]
) -> None:
    with pytest.raises(SettingsError) as caught:
        load_vehicle(overrides=overrides)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chassis = 3\n", ["chassis", "table"]),
        ("[chassis]\nmass = 'heavy'\n", ["chassis.mass", "heavy", "number"]),
        ("[chassis]\nmass = true\n", ["chassis.mass", "True", "number"]),
        ("[chassis]\nmass = nan\n", ["chassis.mass", "nan"]),
        ("[chassis]\nmass = { value = 4885, unit = 'g' }\n", ["chassis.mass", "'g'", "'kg'"]),
        ("[chassis]\nmass = { unit = 'kg' }\n", ["chassis.mass", "value"]),
        ("[chassis]\nmass = { value = 4, error = 1 }\n", ["chassis.mass", "error"]),
        ("[chassis]\nweight = 4\n", ["weight", "no parameter"]),
        ("[chassis\nmass = 4\n", ["TOML", "line 1"]),
    ],
)
def test_a_bad_file_is_refused_with_the_file_and_the_place(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    mine = tmp_path / "my.toml"
    mine.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_vehicle(mine)
    for word in ["my.toml", *words]:
        assert word in str(caught.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_vehicle(tmp_path / "absent.toml")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_vehicle(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(SettingsError, match="UTF-8"):
        load_vehicle(binary)


def test_lidar_ranges_must_be_ordered() -> None:
    with pytest.raises(SettingsError, match=r"range_min 2 m is not below hardware.range_max 1 m"):
        load_lidar(overrides={"range_min": 2.0, "range_max": 1.0})
    with pytest.raises(SettingsError, match=r"hardware.beams is 0"):
        load_lidar(overrides={"beams": 0})
    with pytest.raises(SettingsError, match=r"hardware.beams is 10.5"):
        load_lidar(overrides={"beams": 10.5})


def test_written_files_read_back_the_same(tmp_path: Path) -> None:
    target = tmp_path / "fitted.toml"
    overrides = {"friction": 1.0 / 3.0, "steering.delay": 0.0123456789}
    rows = vehicle_quantities(overrides=overrides)
    write_quantities(target, rows, title="A fitted car\nfrom two recordings")
    assert read_quantities(VehicleParameters, target) == rows
    assert load_vehicle(target) == load_vehicle(overrides=overrides)
    with pytest.raises(OutputExistsError):
        write_quantities(target, rows, title="again")
    other = tmp_path / "lidar.toml"
    write_quantities(other, lidar_quantities(), title="lidar")
    assert load_lidar(other) == load_lidar()


@given(st.text(), st.floats(0.02, 2.9))
def test_any_source_text_survives_writing(source: str, value: float) -> None:
    import tempfile

    base = vehicle_quantities()
    row = next(r for r in base if r.name == "deployment.tyre.friction")
    changed = row.model_copy(update={"source": source, "value": value})
    rows = merge(VehicleParameters, base, (changed,))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "car.toml"
        write_quantities(target, rows, title="any")
        back = {r.name: r for r in read_quantities(VehicleParameters, target)}
    assert back["deployment.tyre.friction"].value == value
