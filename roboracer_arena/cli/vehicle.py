"""``arena vehicle``: the car as numbers and as a USD asset."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from roboracer_arena.cli.options import Flag, Output
from roboracer_arena.cli.output import print_json, print_text

__all__ = ["export", "show", "vehicle"]

vehicle = App(name="vehicle", help_format="plaintext")
"""The group of commands; ``show`` when none is named."""


@vehicle.command
def show(*, vehicle: Path | None = None, json: Flag = False) -> int:
    """Print every parameter of the car with value, unit and source.

    Parameters
    ----------
    vehicle
        Parameter file with what differs from the standard car.
    json
        Print one JSON document.
    """
    from roboracer_arena.vehicle import load_vehicle, vehicle_quantities
    from roboracer_arena.vehicle.report import QuantityReport

    load_vehicle(vehicle)  # refuses what makes no sense, which single lines do not show
    rows = vehicle_quantities(vehicle)
    if json:
        print_json(QuantityReport(quantities=rows))
        return 0
    names = max(len(row.name) for row in rows)
    values = max(len(f"{row.value:g}") for row in rows)
    units = max(len(row.unit) for row in rows)
    print_text(
        "\n".join(
            f"{row.name:<{names}}  {row.value:>{values}g}  {row.unit:<{units}}  {row.source}"
            for row in rows
        )
    )
    return 0


@vehicle.command
def export(
    *, output: Output, vehicle: Path | None = None, force: Flag = False, json: Flag = False
) -> int:
    """Write the car as a USD asset, with articulation and rigid-body proxy as variants.

    Parameters
    ----------
    output
        USD file to write: .usdc, .usd or .usda.
    vehicle
        Parameter file with what differs from the standard car.
    force
        Replace the file if it exists.
    json
        Print the result as one JSON document.
    """
    from roboracer_arena.cli.targets import check_targets
    from roboracer_arena.usd import write_car
    from roboracer_arena.vehicle import load_lidar, load_vehicle
    from roboracer_arena.vehicle.report import ExportReport

    check_targets([output], inputs=[vehicle] if vehicle else [])
    write_car(output, load_vehicle(vehicle), load_lidar(), force=force)
    if json:
        print_json(ExportReport(car=str(output)))
    else:
        print_text(str(output))
    return 0
