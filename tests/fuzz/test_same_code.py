"""What kernels do is a matter of their sources alone: frames from two folders of compiled kernels, filled in two ways,
have the same bytes. One is that of these tests, to which bakes add what it lacks; into the other go, in another process
and with other hashes, kernels that Python calls first, and what another user of numba compiles.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from platform import machine

import numpy as np
import pytest
from frames_of import FRAMES, scenes
from tendril.bake import job
from tendril.bake.cache import Cache
from tendril.bake.process import PACKAGE, Worker

PROGRAM = Path(__file__).with_name("frames_of.py")


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """The folder of a copy of the library, which has compiled nothing."""
    folder = tmp_path_factory.mktemp("elsewhere")
    for room in ("physics", "bake"):
        shutil.copytree(PACKAGE / room, folder / "tendril" / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE / "__init__.py", folder / "tendril")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", scenes())
def test_kernels_that_were_compiled_in_another_order_give_the_same_bytes(name, elsewhere, tmp_path):
    """The fault that this once found is tested by itself in unit/test_compiling: what kernels hand on to those they are
    the first to call.
    """
    kernels = elsewhere / "kernels"
    frames = run(elsewhere, tmp_path / "frames.npz", "yes", name, PYTHONHASHSEED="1", TENDRIL_KERNELS=str(kernels))
    assert list(kernels.glob("kernels-*/**/*.nbc"))
    folder = job.write(tmp_path / name, scenes()[name], {}).folder
    worker = Worker.start(folder)
    while (said := worker.next_message())["kind"] != "exit":
        pass
    assert said["code"] == 0
    for frame in range(FRAMES):
        for what, array in zip(("x", "m1", "bodies"), Cache(folder).read(frame), strict=True):
            assert array.tobytes() == frames[f"{name}, {what} of frame {frame}"].tobytes(), f"frame {frame}: {what}"


@pytest.mark.skipif(machine() not in {"x86_64", "AMD64"}, reason="names of those processors")
def test_frames_do_not_depend_on_what_blas_takes_the_processor_for(tmp_path):
    """Any of today's can be taken for each of these; the kernels are the same ones."""
    one, *others = (
        run(PACKAGE.parent, tmp_path / f"{core}.npz", "no", *scenes(), OPENBLAS_CORETYPE=core)
        for core in ("Prescott", "Nehalem", "Haswell")
    )
    for name, frame in one.items():
        assert all(frame.tobytes() == other[name].tobytes() for other in others), name


def run(folder, out, kernels_first, *names, **environment):
    """The frames of scenes by name, as the program tells them."""
    call = [sys.executable, "-P", str(PROGRAM), str(folder), str(out), kernels_first, *names]
    subprocess.run(call, check=True, env=os.environ | environment)
    with np.load(out) as frames:
        return dict(frames)
