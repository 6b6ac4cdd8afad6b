"""The physics scene, static colliders and physics materials.

PhysX settings are written as plain attributes under their schema's name: PhysX reads them, every
other engine ignores them, and no NVIDIA package is needed to write them.
"""

from __future__ import annotations

from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade

from roboracer_arena.usd.settings import ContactSettings, SceneSettings

__all__ = ["author_collider", "author_physics_material", "author_physics_scene"]


def author_physics_scene(stage: Usd.Stage, path: str, settings: SceneSettings) -> UsdPhysics.Scene:
    """Define the one physics scene: gravity, step, solver and GPU settings."""
    scene = UsdPhysics.Scene.Define(stage, path)
    scene.CreateGravityDirectionAttr(Gf.Vec3f(0.0, 0.0, -1.0))
    scene.CreateGravityMagnitudeAttr(settings.gravity)
    prim = scene.GetPrim()
    prim.AddAppliedSchema("PhysxSceneAPI")
    types = Sdf.ValueTypeNames
    _set(prim, "physxScene:solverType", types.Token, "TGS")
    _set(prim, "physxScene:timeStepsPerSecond", types.UInt, settings.steps_per_second)
    _set(prim, "physxScene:minPositionIterationCount", types.UInt, settings.position_iterations)
    _set(prim, "physxScene:minVelocityIterationCount", types.UInt, settings.velocity_iterations)
    _set(prim, "physxScene:enableGPUDynamics", types.Bool, settings.gpu)
    _set(prim, "physxScene:broadphaseType", types.Token, "GPU" if settings.gpu else "MBP")
    # The defaults (1024 aggregate pairs) run out at a few hundred cars on one track.
    _set(prim, "physxScene:gpuFoundLostPairsCapacity", types.UInt, 2**21)
    _set(prim, "physxScene:gpuTotalAggregatePairsCapacity", types.UInt, 2**21)
    # Ray casts of a lidar sensor are scene queries.
    _set(prim, "physxScene:enableSceneQuerySupport", types.Bool, True)
    return scene


def author_physics_material(
    stage: Usd.Stage, path: str, settings: ContactSettings
) -> UsdShade.Material:
    """Define a physics material: friction, restitution, and compliance where asked for."""
    material = UsdShade.Material.Define(stage, path)
    prim = material.GetPrim()
    api = UsdPhysics.MaterialAPI.Apply(prim)
    api.CreateStaticFrictionAttr(settings.static_friction)
    api.CreateDynamicFrictionAttr(settings.dynamic_friction)
    api.CreateRestitutionAttr(settings.restitution)
    prim.AddAppliedSchema("PhysxMaterialAPI")
    number = Sdf.ValueTypeNames.Float
    _set(prim, "physxMaterial:compliantContactStiffness", number, settings.compliant_stiffness)
    _set(prim, "physxMaterial:compliantContactDamping", number, settings.compliant_damping)
    return material


def author_collider(mesh: UsdGeom.Mesh, material: UsdShade.Material) -> None:
    """Make a mesh a static collider, exactly as it is, with a physics material.

    The approximation is ``none``: any other (and the default of several tools) would fill the
    track with the convex hull of its ring-shaped wall.
    """
    prim = mesh.GetPrim()
    UsdPhysics.CollisionAPI.Apply(prim).CreateCollisionEnabledAttr(True)
    UsdPhysics.MeshCollisionAPI.Apply(prim).CreateApproximationAttr(UsdPhysics.Tokens.none)
    UsdShade.MaterialBindingAPI.Apply(prim).Bind(
        material, UsdShade.Tokens.fallbackStrength, "physics"
    )


def _set(prim: Usd.Prim, name: str, kind: Sdf.ValueTypeName, value: object) -> None:
    """Author one schema-less attribute."""
    prim.CreateAttribute(name, kind, custom=False).Set(value)
