"""Without what `compiling/programs.py` takes of numba's inside, a step of each system is the same, but for rounding."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from frames_of import scenes
from tendril.bake.process import PACKAGE

PROGRAM = Path(__file__).with_name("frames_of.py")
NEAR = 1e-9  # m: sums in another order; things that hit each other make more of that from frame to frame
FRAME = {"an explicit rod": 4, "a Cosserat rod": 4, "a tree": 4}  # after these differ by 8e-12, 5e-15, 3e-14; others: 1


@pytest.mark.slow
@pytest.mark.parametrize("name", scenes())
def test_plain_numba_makes_the_same_steps(name, tmp_path):
    frames = []
    for plain in "0", "1":
        out = tmp_path / f"{plain}.npz"
        call = [sys.executable, "-P", str(PROGRAM), str(PACKAGE.parent), str(out), "no", name]
        subprocess.run(call, check=True, env=os.environ | {"TENDRIL_PLAIN_NUMBA": plain})
        with np.load(out) as found:
            frames.append(dict(found))
    for what in "x", "bodies":
        key = f"{name}, {what} of frame {FRAME.get(name, 1)}"
        np.testing.assert_allclose(frames[0][key], frames[1][key], rtol=0.0, atol=NEAR)
