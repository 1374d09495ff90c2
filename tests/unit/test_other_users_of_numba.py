"""Whoever uses numba in the same process is served as without the physics, which is imported here."""

import inspect
import operator
import sys
from pathlib import Path
from types import CodeType

import numpy as np
import pytest
import tendril.physics.run.simulate
from numba import njit
from numba.core.imputils import builtin_registry as lowered
from numba.core.typing.templates import builtin_registry as typed

OURS, FOLDER = "tendril", str(Path(tendril.physics.__file__).parent)
ROW = np.dtype([("a", "f8"), ("b", "f8", 3), ("c", "i4", (2, 2))])


def is_ours(thing):
    """Whether that says so, or its code does: what wraps another function gives itself out to be that."""
    code = getattr(thing, "__code__", None)
    within = isinstance(code, CodeType) and code.co_filename.startswith(FOLDER)
    return within or str(getattr(thing, "__module__", "")).partition(".")[0] == OURS


def test_nothing_of_numba_is_replaced():
    """Neither a function of its modules nor one of its classes is of this package."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in ("numba", "llvmlite")]
    assert len(modules) > 100
    replaced = [
        f"{module.__name__}.{name}" for module in modules for name, thing in vars(module).items() if is_ours(thing)
    ]
    for module in modules:
        for kind in filter(inspect.isclass, list(vars(module).values())):
            if str(kind.__module__).startswith("numba"):
                replaced += [f"{kind}.{name}" for name, thing in vars(kind).items() if is_ours(thing)]
    assert not replaced


def test_numba_is_taught_only_of_what_is_of_this_package():
    """Nothing is typed or lowered otherwise that is Python's, numpy's or numba's: getitem, min, int …"""
    taught = [kind for kind in typed.functions if is_ours(kind)] + [
        one for one in typed.globals if is_ours(one[1]) or is_ours(getattr(one[1], "typing_key", None))
    ]
    assert not [one for one in taught if not is_ours(getattr(one, "key", one[0] if isinstance(one, tuple) else one))]
    keys = [key for function, key, _ in lowered.functions if is_ours(function)]
    assert not [key for key in keys if not is_ours(key)]
    assert operator.getitem not in keys


@njit(boundscheck=True)
def get(x, i):
    return x[i]


@njit(boundscheck=True)
def put(x, i):
    x[i] = 1.0


@njit(boundscheck=True)
def get_inner(x, i, k):
    return x[i, k]


@pytest.mark.parametrize("i", [3, 10, -4])
def test_indices_out_of_bounds_raise_where_that_is_looked_at(i):
    x = np.arange(3.0)
    for one in get, put:
        with pytest.raises(IndexError):
            one(x, i)
    with pytest.raises(IndexError):
        get_inner(np.eye(3), 1, i)
    assert x.tolist() == [0.0, 1.0, 2.0]


@njit
def column(rows):
    b = rows[1].b
    return b.copy(), np.sort(b), b.itemsize, b.nbytes, b.view(np.int64), rows[1].c.flatten(), rows[1].c.itemsize


def test_columns_of_rows_that_are_arrays_are_whole():
    rows = np.zeros(2, ROW)
    rows["b"][1], rows["c"][1] = [3.0, 5.0, 4.0], [[1, 2], [3, 4]]
    copy, ordered, item, size, bits, flat, small = column(rows)
    assert copy.tolist() == [3.0, 5.0, 4.0]
    assert ordered.tolist() == [3.0, 4.0, 5.0]
    assert (item, size, small) == (8, 24, 4)
    assert bits.tolist() == np.array([3.0, 5.0, 4.0]).view(np.int64).tolist()
    assert flat.tolist() == [1, 2, 3, 4]


@njit
def whole(a):
    return int(a)


@pytest.mark.parametrize("a", [np.uint64(2**63 + 5), np.uint8(200), np.int32(-7), 3.9, -3.9, np.float32(2.5), True])
def test_whole_numbers_are_pythons(a):
    assert whole(a) == int(a)


@njit
def extremes(a, b):
    return min(a, b), max(a, b)


@pytest.mark.parametrize("pair", [(1, 2), (2.5, 1), (np.uint64(2**63 + 5), np.uint64(3)), (np.uint8(3), np.int8(-3))])
def test_extremes_are_pythons(pair):
    assert extremes(*pair) == (min(pair), max(pair))


@njit
def plain(x):
    x[0:1] = x[1]
    return [x[-1, 0], x[0, 1] + 1j, x[-2:, ::-1][0, 0]], {"sum": x.sum() / 2}, x[5:].size, list(range(7, 0, -3))


def test_lists_slices_and_ranges_are_as_before():
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert plain(x) == ([3.0, 4.0 + 1j, 4.0], {"sum": 7.0}, 0, [7, 4, 1])
