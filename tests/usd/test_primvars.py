from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pxr import UsdGeom

from roboracer_arena.usd.primvars import author_vertex_primvar, read_primvar
from roboracer_arena.usd.stage import author_stage

NUMBERS = st.sampled_from([0.0, -0.0, 0.25, 1.0, -3.5])


@given(
    st.one_of(
        hnp.arrays(np.float32, st.integers(1, 30), elements=NUMBERS),
        hnp.arrays(np.float32, st.tuples(st.integers(1, 30), st.just(2)), elements=NUMBERS),
    )
)
def test_values_are_read_as_written_and_stored_once(values: np.ndarray) -> None:
    mesh = UsdGeom.Mesh.Define(stage := author_stage(), "/Mesh")
    author_vertex_primvar(mesh, "st", values)
    np.testing.assert_array_equal(read_primvar(mesh, "st"), values)
    stored = np.array(UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st").Get())
    assert len(np.unique(stored, axis=0)) == len(stored)
    assert stage


def test_absent_values_are_empty() -> None:
    stage = author_stage()
    assert len(read_primvar(UsdGeom.Mesh.Define(stage, "/Mesh"), "st")) == 0
