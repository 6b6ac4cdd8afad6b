"""A stage as sorted text, coarse enough to read and to stay the same on every machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pxr import Usd, UsdGeom, UsdShade


def summarise(path: Path) -> str:
    """Return one paragraph a prim: type, schemas, sizes, bounding box, bindings."""
    stage = Usd.Stage.Open(str(path))
    root = stage.GetDefaultPrim()
    metadata = {key: stage.GetMetadata(key) for key in ("metersPerUnit", "upAxis")}
    paragraphs = [f"stage {metadata} defaultPrim {root.GetPath()}"]
    paragraphs += [_track_data(root)]
    paragraphs += ["\n".join(_prim(prim)) for prim in stage.Traverse()]
    return "\n\n".join(paragraphs) + "\n"


def _track_data(root: Usd.Prim) -> str:
    data = root.GetCustomDataByKey("arena")
    lines = [f"{key} {_rounded(value)}" for key, value in sorted(data.items())]
    return "\n".join(line for line in lines if not line.startswith("settings_digest"))


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 2) + 0.0
    return value


def _prim(prim: Usd.Prim) -> list[str]:
    schemas = prim.GetMetadata("apiSchemas")  # those that this USD does not know included
    names = sorted(schemas.GetAppliedItems()) if schemas else []
    lines = [f"{prim.GetPath()} {prim.GetTypeName()} {names}"]
    if prim.GetDisplayName():
        lines.append(f"  display name {prim.GetDisplayName()}")
    attributes = sorted(prim.GetAuthoredAttributes(), key=lambda a: str(a.GetName()))
    lines += [f"  {attribute.GetName()} {_value(attribute)}" for attribute in attributes]
    for purpose in ("allPurpose", "physics"):
        material, relation = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial(purpose)
        if relation and prim.IsA(UsdGeom.Gprim):
            lines.append(f"  bound for {purpose}: {material.GetPath()}")
    return lines


def _value(attribute: Usd.Attribute) -> str:
    if attribute.HasAuthoredConnections():
        return f"from {[str(path) for path in attribute.GetConnections()]}"
    value = attribute.Get()
    if hasattr(value, "path"):
        return value.path.split("-")[0]  # the hash behind it changes with every brush stroke
    if attribute.GetName() == "extent":
        return str((np.round(np.array(value, dtype=float), 2) + 0.0).tolist())
    if attribute.GetTypeName().isArray:
        return f"[{len(value)}]"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)
