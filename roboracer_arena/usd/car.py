"""The car as a USD asset: one look, three kinds of physics.

::

    /Car               Xform, default prim; its frame is base_link: middle of the rear axle, on the
                       floor, x ahead, z up. Variant set ``physics``
      base_link        Xform: the chassis
        visuals        Mesh each
        laser          Xform: the scan plane's frame, where there is a lidar
        collision      Cube, guide                                    articulation, proxy
      fl_knuckle, fr_knuckle         Xform with collision             articulation
      fl_wheel_link, fr_.., rl_.., rr_..  Xform
        visuals        Mesh each
        collision      Cylinder, guide                                articulation
      Joints           fl_steer, fr_steer, fl_wheel, fr_wheel, rl_wheel, rr_wheel: articulation
      Looks, PhysicsMaterials

``articulation`` (the default) makes every link a rigid body; ``proxy`` makes ``/Car`` one rigid
body with one box, as the embedded engines have it; ``visual`` has no physics at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pxr import Gf, Kind, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade, Vt

from roboracer_arena.files import atomic_path, check_target
from roboracer_arena.mesh.car_solids import corner_normals
from roboracer_arena.usd.car_checks import car_findings
from roboracer_arena.usd.car_joints import author_joints, largest_wheel_angle
from roboracer_arena.usd.car_masses import (
    CORNERS,
    MassShare,
    box_of,
    share_masses,
    tyre_width,
    wheel_center,
)
from roboracer_arena.usd.car_parts import LOOKS, CarPart, chassis_parts, wheel_parts
from roboracer_arena.usd.checks import refuse_faulty
from roboracer_arena.usd.geometry import author_mesh
from roboracer_arena.usd.materials import author_look, bind_look
from roboracer_arena.usd.physics import author_physics_material
from roboracer_arena.usd.settings import ContactSettings
from roboracer_arena.usd.stage import author_stage, check_suffix, reload_open, save_stage
from roboracer_arena.vehicle.lidar import LidarParameters
from roboracer_arena.vehicle.parameters import Chassis, VehicleParameters

__all__ = ["BODY_CONTACT", "CAR_FORMAT_VERSION", "CAR_ROOT", "author_car", "write_car"]

CAR_ROOT = "/Car"
"""Path of the root prim of every car asset."""
CAR_FORMAT_VERSION = 1
"""Version of the layout under the root prim; raised when a reader must change."""
BODY_CONTACT = ContactSettings(static_friction=0.3, dynamic_friction=0.3, restitution=0.1)
"""The body shell against walls and other cars, as in the embedded engines."""


def write_car(
    path: Path,
    vehicle: VehicleParameters,
    lidar: LidarParameters | None = None,
    *,
    force: bool = False,
) -> None:
    """Write a car as a USD asset.

    Args:
        path: File to write: ``.usdc``, ``.usd`` (both binary) or ``.usda`` (text).
        vehicle: The car.
        lidar: The lidar that it carries, or None for a car without.
        force: Whether an existing file may be replaced.

    Raises:
        OutputExistsError: The file exists and ``force`` is false.
        OutputError: The file cannot be written, or it has another suffix.
        SettingsError: No articulation can be made of the parameters.
        ValidationError: The asset fails its own checks; nothing was written.
    """
    check_suffix(path)
    check_target(path, force=force)
    stage = author_car(vehicle, lidar)
    refuse_faulty(car_findings(stage), where=str(path))
    with atomic_path(path, force=force) as temporary:
        save_stage(stage, temporary)
    reload_open(path)


def author_car(vehicle: VehicleParameters, lidar: LidarParameters | None = None) -> Usd.Stage:
    """Author a car into a stage in memory; arguments and errors as of :func:`write_car`."""
    largest_wheel_angle(vehicle)
    shares = share_masses(vehicle.chassis)
    stage = author_stage()
    root = _author_root(stage, vehicle, lidar)
    looks = _author_looks(stage)
    _author_chassis(stage, vehicle, lidar, looks)
    for corner in CORNERS:
        link = f"{CAR_ROOT}/{corner}_wheel_link"
        _author_link(stage, link, vehicle.chassis, corner)
        _author_parts(stage, link, wheel_parts(vehicle.chassis, corner), looks)
    variants = root.GetVariantSets().AddVariantSet("physics")
    for name in ("articulation", "proxy", "visual"):
        variants.AddVariant(name)
    variants.SetVariantSelection("articulation")
    with variants.GetVariantEditContext():
        _author_articulation(stage, vehicle, shares)
    variants.SetVariantSelection("proxy")
    with variants.GetVariantEditContext():
        _author_proxy(stage, vehicle.chassis)
    variants.SetVariantSelection("articulation")
    return stage


def _author_root(
    stage: Usd.Stage, vehicle: VehicleParameters, lidar: LidarParameters | None
) -> Usd.Prim:
    """Define the root prim, which carries the parameters that it was made from."""
    prim = UsdGeom.Xform.Define(stage, CAR_ROOT).GetPrim()
    stage.SetDefaultPrim(prim)
    Usd.ModelAPI(prim).SetKind(Kind.Tokens.component)
    prim.SetCustomDataByKey("arena:version", CAR_FORMAT_VERSION)
    prim.SetCustomDataByKey("arena:vehicle", vehicle.model_dump_json())
    if lidar is not None:
        prim.SetCustomDataByKey("arena:lidar", lidar.model_dump_json())
    return prim


def _author_looks(stage: Usd.Stage) -> dict[str, UsdShade.Material]:
    """Define the surfaces."""
    UsdGeom.Scope.Define(stage, f"{CAR_ROOT}/Looks")
    return {
        name: author_look(stage, f"{CAR_ROOT}/Looks/{name}", settings, None)
        for name, settings in LOOKS.items()
    }


def _author_chassis(
    stage: Usd.Stage,
    vehicle: VehicleParameters,
    lidar: LidarParameters | None,
    looks: dict[str, UsdShade.Material],
) -> None:
    """Define the chassis as it is seen, and the frame of the lidar."""
    path = f"{CAR_ROOT}/base_link"
    UsdGeom.Xform.Define(stage, path)
    hardware = lidar.hardware if lidar is not None else None
    _author_parts(stage, path, chassis_parts(vehicle.chassis, hardware), looks)
    if hardware is not None:
        laser = UsdGeom.Xform.Define(stage, f"{path}/laser")
        laser.AddTranslateOp().Set(Gf.Vec3d(hardware.mount_ahead, 0.0, hardware.mount_height))


def _author_link(stage: Usd.Stage, path: str, chassis: Chassis, corner: str) -> UsdGeom.Xform:
    """Define a link with its frame in the middle of a wheel."""
    link = UsdGeom.Xform.Define(stage, path)
    link.AddTranslateOp().Set(Gf.Vec3d(*wheel_center(chassis, corner).tolist()))
    link.AddOrientOp().Set(Gf.Quatf(1.0))
    return link


def _author_parts(
    stage: Usd.Stage, link: str, parts: Iterable[CarPart], looks: dict[str, UsdShade.Material]
) -> None:
    """Define what is seen of a link."""
    UsdGeom.Scope.Define(stage, f"{link}/visuals")
    for part in parts:
        mesh = author_mesh(stage, f"{link}/visuals/{part.name}", part.mesh)
        mesh.GetNormalsAttr().Set(Vt.Vec3fArray.FromNumpy(corner_normals(part.mesh)))
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)
        bind_look(mesh, looks[part.look])


def _author_articulation(
    stage: Usd.Stage, vehicle: VehicleParameters, shares: dict[str, MassShare]
) -> None:
    """Make every link a rigid body, hinge them together, and give them colliders."""
    chassis, friction = vehicle.chassis, vehicle.deployment.tyre.friction
    UsdPhysics.ArticulationRootAPI.Apply(stage.GetPrimAtPath(CAR_ROOT))
    body = _body_material(stage)
    rubber = author_physics_material(
        stage,
        f"{CAR_ROOT}/PhysicsMaterials/Tyre",
        ContactSettings(static_friction=friction, dynamic_friction=friction),
    )
    for corner in CORNERS[:2]:
        path = f"{CAR_ROOT}/{corner}_knuckle"
        _author_link(stage, path, chassis, corner)
        _author_cube(stage, path, Gf.Vec3d(0.0), Gf.Vec3f(0.5 * chassis.wheel_radius), body)
    _author_body_box(stage, chassis, body)
    for corner in CORNERS:
        _author_wheel_collider(stage, f"{CAR_ROOT}/{corner}_wheel_link", chassis, rubber)
    for name, share in shares.items():
        prim = stage.GetPrimAtPath(f"{CAR_ROOT}/{name}")
        UsdPhysics.RigidBodyAPI.Apply(prim).CreateRigidBodyEnabledAttr(True)
        _author_mass(prim, share)
    # The box reaches over the wheels: links of one car must not push each other away.
    pairs = UsdPhysics.FilteredPairsAPI.Apply(stage.GetPrimAtPath(f"{CAR_ROOT}/base_link"))
    pairs.CreateFilteredPairsRel().SetTargets(
        [Sdf.Path(f"{CAR_ROOT}/{name}") for name in shares if name != "base_link"]
    )
    author_joints(stage, CAR_ROOT, vehicle)


def _author_proxy(stage: Usd.Stage, chassis: Chassis) -> None:
    """Make the whole car one rigid body with one box."""
    prim = stage.GetPrimAtPath(CAR_ROOT)
    UsdPhysics.RigidBodyAPI.Apply(prim).CreateRigidBodyEnabledAttr(True)
    api = UsdPhysics.MassAPI.Apply(prim)
    api.CreateMassAttr(chassis.mass)
    api.CreateCenterOfMassAttr(Gf.Vec3f(chassis.com_to_rear, 0.0, chassis.com_height))
    api.CreateDiagonalInertiaAttr(
        Gf.Vec3f(chassis.roll_inertia, chassis.pitch_inertia, chassis.yaw_inertia)
    )
    api.CreatePrincipalAxesAttr(Gf.Quatf(1.0))
    _author_body_box(stage, chassis, _body_material(stage))


def _body_material(stage: Usd.Stage) -> UsdShade.Material:
    """Define the physics material of the body shell."""
    UsdGeom.Scope.Define(stage, f"{CAR_ROOT}/PhysicsMaterials")
    return author_physics_material(stage, f"{CAR_ROOT}/PhysicsMaterials/Body", BODY_CONTACT)


def _author_mass(prim: Usd.Prim, share: MassShare) -> None:
    """Write the mass properties of a link."""
    api = UsdPhysics.MassAPI.Apply(prim)
    api.CreateMassAttr(share.mass)
    api.CreateCenterOfMassAttr(Gf.Vec3f(*share.center.tolist()))
    api.CreateDiagonalInertiaAttr(Gf.Vec3f(*share.moments.tolist()))
    turn = Gf.Matrix3d(*share.axes.T.ravel().tolist()).ExtractRotation().GetQuat()
    api.CreatePrincipalAxesAttr(Gf.Quatf(turn))


def _author_body_box(stage: Usd.Stage, chassis: Chassis, material: UsdShade.Material) -> None:
    """Define the box that collides."""
    center, size = box_of(chassis)
    _author_cube(
        stage,
        f"{CAR_ROOT}/base_link",
        Gf.Vec3d(*center.tolist()),
        Gf.Vec3f(*size.tolist()),
        material,
    )


def _author_cube(
    stage: Usd.Stage, link: str, center: Gf.Vec3d, size: Gf.Vec3f, material: UsdShade.Material
) -> None:
    """Define the box collider of a link."""
    cube = UsdGeom.Cube.Define(stage, f"{link}/collision")
    cube.CreateSizeAttr(1.0)
    cube.CreateExtentAttr(Vt.Vec3fArray([Gf.Vec3f(-0.5), Gf.Vec3f(0.5)]))
    cube.AddTranslateOp().Set(center)
    cube.AddScaleOp().Set(size)
    _make_collider(cube, material)


def _author_wheel_collider(
    stage: Usd.Stage, link: str, chassis: Chassis, material: UsdShade.Material
) -> None:
    """Define the cylinder that rolls."""
    radius, width = chassis.wheel_radius, tyre_width(chassis)
    cylinder = UsdGeom.Cylinder.Define(stage, f"{link}/collision")
    cylinder.CreateAxisAttr("Y")
    cylinder.CreateRadiusAttr(radius)
    cylinder.CreateHeightAttr(width)
    corner = Gf.Vec3f(radius, 0.5 * width, radius)
    cylinder.CreateExtentAttr(Vt.Vec3fArray([-corner, corner]))
    _make_collider(cylinder, material)


def _make_collider(shape: UsdGeom.Gprim, material: UsdShade.Material) -> None:
    """Let a shape collide without being seen."""
    shape.CreatePurposeAttr(UsdGeom.Tokens.guide)
    shape.CreateVisibilityAttr(UsdGeom.Tokens.invisible)
    prim = shape.GetPrim()
    UsdPhysics.CollisionAPI.Apply(prim).CreateCollisionEnabledAttr(True)
    UsdShade.MaterialBindingAPI.Apply(prim).Bind(
        material, UsdShade.Tokens.fallbackStrength, "physics"
    )
