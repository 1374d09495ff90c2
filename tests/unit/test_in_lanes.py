"""Hinges in lanes go side by side: what a loop over them calls is inlined, for a call would take them one by one."""

import re

import numba
import numpy as np
import pytest
from tendril.physics import _jit
from tendril.physics.elements import hinge_lanes, hinge_rows

BUILT = _jit.PROGRAMS is not None and not _jit.CHECKED


def every(lanes, rows, share):
    here, row = lanes[0], rows[0]
    hinge_lanes.gradients(here)
    hinge_lanes.hessians(here, share)
    hinge_lanes.curved_gradients(here)
    hinge_lanes.curved_hessians(here, share)
    hinge_lanes.energies(here)
    hinge_rows.weigh(row)
    hinge_rows.by_angles(row)
    hinge_rows.by_edges(row)


@pytest.mark.skipif(not BUILT, reason="kernels are not compiled as they are for users")
def test_nothing_is_called_in_lanes():
    kinds = [numba.typeof(np.zeros(1, table)) for table in (hinge_lanes.LANES, hinge_rows.ROW)]
    compiled = numba.njit(numba.void(*kinds, numba.float64), **_jit.ENTRY)(every)
    (written,) = compiled.inspect_llvm().values()
    called = set(re.findall(r"call [^@\n]*@\"?(_ZN\w*tendril[^\"(]*)", written))
    assert not {name for name in called if "every" not in name}
    assert "x double>" in written
