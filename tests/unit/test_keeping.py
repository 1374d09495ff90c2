"""numba's cache as this package has it: programs that may be moved, and are saved by several processes at once."""

import os
import subprocess
import sys
import time

import numba
import numpy as np
import pytest
from tendril.physics._jit import CACHE_FOLDER, ENTRY, KEEPING, PROGRAMS
from tendril.physics.compiling import told
from tendril.physics.compiling.inside import KNOWN
from tendril.physics.compiling.target import target
from tendril.physics.contact import segment_distance

pytestmark = pytest.mark.skipif(KEEPING is None or PROGRAMS is None, reason="this numba has another cache")
KINDS = [np.int8, np.int16, np.int32, np.int64, np.float32, np.float64]


def twice(x):
    return 2.0 * x[0]


def kept(folder):
    return KEEPING.keep(numba.njit(**ENTRY)(twice), KEEPING.Kept(twice, folder))


@pytest.fixture
def compiled():
    """The names of programs that are compiled from now on."""
    names = []
    told.listeners.append(names.append)
    yield names
    told.listeners.remove(names.append)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each would need a Python that starts anew")
def test_processes_that_save_at_once_keep_what_each_compiled(tmp_path, compiled):
    """Without a lock one's index is lost, or its number is given to the other's machine code."""
    begin = time.monotonic() + 1.0
    children = []
    for kind in KINDS:
        if child := os.fork():
            children.append(child)
            continue
        mine = kept(tmp_path)
        time.sleep(max(0.0, begin - time.monotonic()))
        os._exit(int(mine(np.full(1, 3, kind)) != 6.0))
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(KINDS)
    for kind in KINDS:
        assert kept(tmp_path)(np.full(1, 3, kind)) == 6.0
    assert not compiled


def test_what_another_process_saved_first_stays_as_it_was_sealed(tmp_path):
    first, second = kept(tmp_path), kept(tmp_path)
    signature = (numba.float64[::1],)
    first.compile(signature)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.nb[ic]")}
    assert len(before) == 2
    uncached = numba.njit(**ENTRY)(twice)
    uncached.compile(signature)
    second._cache.save_overload(signature, uncached.overloads[signature])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.nb[ic]")} == before


def test_a_program_is_saved_without_what_llvm_reads(tmp_path, compiled):
    """Which is twice as long as the machine code; what Python and what kernels call is found by name all the same."""
    signature = numba.float64(numba.float64[::1])
    kept(tmp_path).compile(signature.args)
    KEEPING.callback(twice, signature, KEEPING.Kept(twice, tmp_path), ENTRY)
    assert len(compiled) == 2
    again = kept(tmp_path)
    assert again(np.full(1, 3.0)) == 6.0
    assert KEEPING.callback(twice, signature, KEEPING.Kept(twice, tmp_path), ENTRY).address
    assert len(compiled) == 2
    (loaded,) = again.overloads.values()
    assert len(loaded.library._shared_module.as_bitcode()) < 4096
    assert all(len(list(one.blocks)) == 1 for one in loaded.library._shared_module.functions)


def test_places_are_named_by_the_package_or_by_their_path(tmp_path):
    theirs = KEEPING.Kept(twice, tmp_path).cache_path
    assert os.path.basename(theirs).startswith("unit_")
    function = segment_distance.closest_parameters.py_func
    assert KEEPING.Kept(function, tmp_path).cache_path == str(tmp_path / "physics-contact")


AIMED = """
import sys
import numba
if "before" in sys.argv:
    numba.njit(lambda: 1)()
from tendril.physics._jit import KIND, CACHE_FOLDER
from numba.core.registry import cpu_target
_, name, features = cpu_target.target_context.codegen().magic_tuple()
import llvmlite.binding as llvm
print(name, KIND.split()[0], llvm.get_host_cpu_name(), CACHE_FOLDER.name)
"""


def aimed(*arguments, **environment):
    """(the processor that numba makes code for, that of what is told of it, that which is here, the kernel folder)."""
    call, found = [sys.executable, "-c", AIMED, *arguments], os.environ | environment
    return subprocess.run(call, check=True, env=found, capture_output=True, text=True).stdout.split()


def test_code_is_made_for_one_processor_unless_somebody_has_begun_or_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("TENDRIL_KERNELS", str(tmp_path))
    name, told_name, here, folder = aimed()
    assert name == told_name == (target() or here)
    assert (numba.__version__ != KNOWN) or folder == CACHE_FOLDER.name
    name, told_name, here, other = aimed("before")
    assert name == told_name == here
    assert (other == folder) == (here == target() or not target())
    name, told_name, _, chosen = aimed(NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="")
    assert name == told_name == "x86-64"
    assert chosen not in {folder, other}
