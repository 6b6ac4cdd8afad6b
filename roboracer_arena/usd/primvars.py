"""Values along a surface or a curve, stored once each where they repeat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pxr import Sdf, UsdGeom, Vt

__all__ = ["author_vertex_primvar", "read_primvar"]


def author_vertex_primvar(
    geometry: UsdGeom.Imageable, name: str, values: NDArray[np.floating]
) -> None:
    """Author one value a point: numbers, shape [n], or texture coordinates, shape [n, 2].

    Repeated values are indexed, as NVIDIA's asset validator wants them.
    """
    stored = np.ascontiguousarray(values, dtype=np.float32) + np.float32(0.0)  # no -0
    single = stored.ndim == 1
    kinds = Sdf.ValueTypeNames
    primvar = UsdGeom.PrimvarsAPI(geometry).CreatePrimvar(
        name, kinds.FloatArray if single else kinds.TexCoord2fArray, UsdGeom.Tokens.vertex
    )
    keys = stored.view(np.int32 if single else np.int64).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) < len(stored):
        # Numbered by first appearance, so that the indices mostly count up and pack well.
        order = np.argsort(first)
        stored = stored[first[order]]
        primvar.SetIndices(Vt.IntArray.FromNumpy(np.argsort(order)[inverse].astype(np.int32)))
    array = Vt.FloatArray if single else Vt.Vec2fArray
    primvar.Set(array.FromNumpy(stored))


def read_primvar(geometry: UsdGeom.Imageable, name: str) -> NDArray[np.float64]:
    """Return one value a point, indexed or not; empty if there is none."""
    primvar = UsdGeom.PrimvarsAPI(geometry).GetPrimvar(name)
    values = primvar.ComputeFlattened() if primvar and primvar.HasValue() else None
    return np.array([] if values is None else values, dtype=np.float64)
