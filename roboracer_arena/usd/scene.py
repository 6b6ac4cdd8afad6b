"""A track with cars on it, for pictures: a small stage that refers to both."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from pxr import Gf, Kind, Sdf, Tf, UsdGeom

from roboracer_arena.errors import OutputError, StageError, UsageError
from roboracer_arena.files import atomic_path, check_target
from roboracer_arena.usd.car import CAR_ROOT, write_car
from roboracer_arena.usd.stage import check_suffix, open_fresh, reload_open
from roboracer_arena.usd.track import ROOT
from roboracer_arena.usd.values import TrackFrame
from roboracer_arena.vehicle.ackermann import wheel_angles
from roboracer_arena.vehicle.lidar import LidarParameters
from roboracer_arena.vehicle.parameters import VehicleParameters

__all__ = ["place_cars"]


def place_cars(
    path: Path,
    track: Path,
    car: Path | VehicleParameters,
    poses: ArrayLike,
    *,
    steering: ArrayLike | None = None,
    lidar: LidarParameters | None = None,
    force: bool = False,
) -> None:
    """Write a stage that shows cars on a track.

    It refers to the track and to the car by relative paths: move them together. The cars have no
    physics (variant ``visual``). Cameras and readers find the track where they do in its own stage.

    Args:
        path: Stage to write.
        track: Stage of the track.
        car: Asset of the car, or parameters, of which one is written beside the stage as
            ``<stem>_car.usdc``.
        poses: Shape [n, 3], x and y [m] and heading [rad] of base_link in the map frame.
        steering: Shape [n], angle of the virtual middle front wheel of each car [rad]; None for
            straight ahead.
        lidar: The lidar of a car that is given by parameters.
        force: Whether existing files may be replaced.

    Raises:
        OutputExistsError: The file exists and ``force`` is false.
        OutputError: The file cannot be written.
        StageError: The track or the car is no such stage.
        UsageError: The poses have another shape or are not finite.
    """
    check_suffix(path)
    check_target(path, force=force)
    places = _numbers(poses, 3, "poses")
    turns = np.zeros(len(places))
    if steering is not None:
        turns = _numbers(np.asarray(steering, dtype=np.float64).reshape(-1, 1), 1, "steering")[:, 0]
        if len(turns) != len(places):
            raise UsageError(f"{len(turns)} angles for {len(places)} cars", where="steering")
    anchor = _anchor(track)
    if isinstance(car, VehicleParameters):
        vehicle, asset = car, path.with_name(f"{path.stem}_car.usdc")
        write_car(asset, vehicle, lidar, force=force)
    else:
        vehicle, asset = _vehicle_of(car), car
    layer = _layer(path, track)
    for index, (x, y, heading) in enumerate(places.tolist()):
        place = (x - anchor[0], y - anchor[1], heading)
        prim = _refer(layer, f"{ROOT}/Cars/car_{index}", _relative(asset, path))
        prim.variantSelections["physics"] = "visual"
        prim.kind = Kind.Tokens.subcomponent  # the track around it is the component
        _pose(prim, place)
        _steer(layer, prim, vehicle, float(turns[index]))
    _save(layer, path, force=force)


def _numbers(values: ArrayLike, columns: int, where: str) -> np.ndarray:
    """Return values as an array of rows."""
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != columns or not np.isfinite(rows).all():
        raise UsageError(
            f"have shape {rows.shape} or are not finite; needed are [n, {columns}] finite numbers",
            where=where,
        )
    return rows


def _anchor(track: Path) -> tuple[float, float]:
    """Return what lies between the root of a track and the map frame."""
    stage = open_fresh(track)  # a prim lives as long as its stage
    root = stage.GetPrimAtPath(ROOT)
    if not root:
        raise StageError(f"has no {ROOT} prim; build it with arena build", where=str(track))
    return TrackFrame(root).anchor


def _vehicle_of(car: Path) -> VehicleParameters:
    """Return the parameters that a car asset was made from."""
    stage = open_fresh(car)
    root = stage.GetPrimAtPath(CAR_ROOT)
    text = root.GetCustomDataByKey("arena:vehicle") if root else None
    if not text:
        raise StageError(
            "is no car of this program; write one with arena vehicle export", where=str(car)
        )
    try:
        return VehicleParameters.model_validate_json(text)
    except ValueError as error:
        raise StageError(
            "was written by another version; write it again with arena vehicle export",
            where=str(car),
        ) from error


def _layer(path: Path, track: Path) -> Sdf.Layer:
    """Return a layer with the track in it."""
    layer = Sdf.Layer.CreateAnonymous(".usda")
    root = _refer(layer, ROOT, _relative(track, path))
    layer.defaultPrim = root.name
    layer.pseudoRoot.SetInfo(UsdGeom.Tokens.metersPerUnit, 1.0)
    layer.pseudoRoot.SetInfo(UsdGeom.Tokens.upAxis, UsdGeom.Tokens.z)
    layer.pseudoRoot.SetInfo("kilogramsPerUnit", 1.0)
    cars = Sdf.CreatePrimInLayer(layer, f"{ROOT}/Cars")
    cars.specifier, cars.typeName = Sdf.SpecifierDef, "Scope"
    return layer


def _refer(layer: Sdf.Layer, prim_path: str, asset: str) -> Sdf.PrimSpec:
    """Define a prim that is the default prim of another stage."""
    prim = Sdf.CreatePrimInLayer(layer, prim_path)
    prim.specifier, prim.typeName = Sdf.SpecifierDef, "Xform"
    prim.referenceList.Prepend(Sdf.Reference(asset))
    return prim


def _relative(target: Path, path: Path) -> str:
    """Return the path of a file as the stage at ``path`` refers to it."""
    text = Path(os.path.relpath(target.resolve(), path.parent.resolve())).as_posix()
    return text if text.startswith("../") else f"./{text}"


def _pose(prim: Sdf.PrimSpec, place: tuple[float, float, float]) -> None:
    """Place a car on the floor."""
    kinds = Sdf.ValueTypeNames
    moved = Sdf.AttributeSpec(prim, "xformOp:translate", kinds.Double3)
    moved.default = Gf.Vec3d(place[0], place[1], 0.0)
    turned = Sdf.AttributeSpec(prim, "xformOp:rotateZ", kinds.Double)
    turned.default = float(np.degrees(place[2]))
    order = Sdf.AttributeSpec(prim, "xformOpOrder", kinds.TokenArray, Sdf.VariabilityUniform)
    order.default = ["xformOp:translate", "xformOp:rotateZ"]


def _steer(layer: Sdf.Layer, car: Sdf.PrimSpec, vehicle: VehicleParameters, angle: float) -> None:
    """Turn the front wheels of a car."""
    if angle == 0.0:
        return
    chassis = vehicle.chassis
    angles = wheel_angles(angle, chassis.wheelbase, chassis.track_width)
    for corner, turn in zip(("fl", "fr"), angles, strict=True):
        wheel = Sdf.CreatePrimInLayer(layer, car.path.AppendChild(f"{corner}_wheel_link"))
        orient = Sdf.AttributeSpec(wheel, "xformOp:orient", Sdf.ValueTypeNames.Quatf)
        half = 0.5 * float(turn)
        orient.default = Gf.Quatf(float(np.cos(half)), 0.0, 0.0, float(np.sin(half)))


def _save(layer: Sdf.Layer, path: Path, *, force: bool) -> None:
    """Write the layer in the format of the suffix.

    As a layer, not as a stage: what it refers to cannot be found from a stage in memory.
    """
    kind = "usda" if path.suffix.lower() == ".usda" else "usdc"
    with atomic_path(path, force=force) as temporary:
        try:
            written = layer.Export(str(temporary), args={"format": kind})
        except Tf.ErrorException as error:
            raise OutputError(f"USD cannot write the stage: {error}", where=str(path)) from error
        if not written:
            raise OutputError("USD cannot write the stage", where=str(path))
    reload_open(path)
