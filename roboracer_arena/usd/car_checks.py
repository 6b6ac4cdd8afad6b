"""The gates that a car asset passes before it is delivered, in every kind of its physics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from pxr import Usd, UsdPhysics

from roboracer_arena.usd.checks import Finding, findings_of
from roboracer_arena.usd.stage import open_fresh

__all__ = ["car_findings", "check_car"]

_BODIES = {"articulation": 7, "proxy": 1, "visual": 0}
"""Rigid bodies of each kind of physics."""
_DOFS = {"fl_steer", "fr_steer", "fl_wheel", "fr_wheel", "rl_wheel", "rr_wheel"}
"""Joints of the articulation, by which controllers find them."""


def check_car(path: Path) -> tuple[Finding, ...]:
    """Check a car asset.

    Returns:
        All broken rules; empty for a sound asset.

    Raises:
        StageError: The file is no USD stage.
    """
    return car_findings(open_fresh(path))


def car_findings(stage: Usd.Stage) -> tuple[Finding, ...]:
    """Check a car on an open stage; the stage keeps its selection of variants."""
    root = stage.GetDefaultPrim()
    if not root or "physics" not in root.GetVariantSets().GetNames():
        return (Finding("variants", "/", "the default prim has no variant set 'physics'"),)
    variants = root.GetVariantSet("physics")
    missing = sorted(set(_BODIES) - set(variants.GetVariantNames()))
    if missing:
        return (Finding("variants", str(root.GetPath()), f"there is no variant {missing}"),)
    found: dict[Finding, None] = {}
    layer = stage.GetSessionLayer()
    with Usd.EditContext(stage, layer):
        for name in _BODIES:
            variants.SetVariantSelection(name)
            found |= dict.fromkeys(_variant_findings(stage, name))
        variants.ClearVariantSelection()
    return tuple(found)


def _variant_findings(stage: Usd.Stage, name: str) -> Iterator[Finding]:
    """Check the stage with one kind of physics chosen."""
    prims = list(stage.Traverse())
    # A car comes to a track that has the one scene.
    for finding in findings_of(stage, folder=None):
        if finding.rule != "physics-scene":
            yield finding
    if any(prim.IsA(UsdPhysics.Scene) for prim in prims):
        yield Finding("physics-scene", "/", "a car holds a physics scene; tracks do")
    bodies = [prim for prim in prims if prim.HasAPI(UsdPhysics.RigidBodyAPI)]
    if len(bodies) != _BODIES[name]:
        yield Finding("bodies", "/", f"'{name}' has {len(bodies)} bodies, not {_BODIES[name]}")
    for body in bodies:
        yield from _check_inertia(body)
    roots = sum(prim.HasAPI(UsdPhysics.ArticulationRootAPI) for prim in prims)
    if roots != (name == "articulation"):
        yield Finding("articulation-root", "/", f"'{name}' has {roots} articulation roots")
    joints = [prim for prim in prims if prim.IsA(UsdPhysics.Joint)]
    names = {joint.GetName() for joint in joints}
    if names != (_DOFS if name == "articulation" else set()):
        yield Finding("joints", "/", f"'{name}' has the joints {sorted(names)}")
    for joint in joints:
        yield from _check_joint(stage, joint)


def _check_inertia(body: Usd.Prim) -> Iterator[Finding]:
    """Check that a body has moments of inertia that some body can have."""
    value = UsdPhysics.MassAPI(body).GetDiagonalInertiaAttr().Get()
    moments = np.array(value if value is not None else (0.0, 0.0, 0.0), dtype=np.float64)
    if not np.isfinite(moments).all() or moments.min() <= 0.0:
        yield Finding("inertia", str(body.GetPath()), f"the moments of inertia are {moments}")
    elif 2.0 * moments.max() > moments.sum() * (1.0 + 1e-6):
        yield Finding(
            "inertia", str(body.GetPath()), f"no body has the moments of inertia {moments}"
        )


def _check_joint(stage: Usd.Stage, prim: Usd.Prim) -> Iterator[Finding]:
    """Check that a joint holds two bodies and is driven."""
    path, joint = str(prim.GetPath()), UsdPhysics.Joint(prim)
    for relation in (joint.GetBody0Rel(), joint.GetBody1Rel()):
        targets = relation.GetTargets()
        body = stage.GetPrimAtPath(targets[0]) if len(targets) == 1 else None
        if not body or not body.IsActive() or not body.HasAPI(UsdPhysics.RigidBodyAPI):
            yield Finding("joint-body", path, f"{relation.GetName()} is no rigid body")
    drive = UsdPhysics.DriveAPI.Get(prim, "angular")
    if not drive or not drive.GetMaxForceAttr().HasAuthoredValue():
        yield Finding("joint-drive", path, "the joint has no drive")
