"""Files of arrays: what numpy reads and writes as well, byte for byte."""

import io
import zipfile

import numpy as np
import pytest
from tendril.bake.whole_file import read_arrays, write_arrays

ARRAYS = {
    "x": np.linspace(0.0, 1.0, 21).reshape(7, 3),
    "by columns": np.asfortranarray(np.linspace(0.0, 1.0, 20).reshape(4, 5)),
    "one number": np.array(3),
    "none": np.zeros((0, 7)),
    "whether": np.array([True, False]),
    "state.größe": np.arange(100, dtype=np.int8),
}


@pytest.fixture
def path(tmp_path):
    write_arrays(tmp_path / "arrays.npz", ARRAYS)
    return tmp_path / "arrays.npz"


def test_arrays_come_back(path):
    for found in (read_arrays(path, 2**20), np.load(path)):
        assert list(found.keys()) == list(ARRAYS)
        for name, array in ARRAYS.items():
            assert found[name].dtype == array.dtype
            np.testing.assert_array_equal(found[name], array, strict=True)


def test_the_members_are_those_that_numpy_writes(path):
    content, arrays = io.BytesIO(), {name: np.asarray(array, order="C") for name, array in ARRAYS.items()}
    np.savez(content, **arrays)
    ours, theirs = zipfile.ZipFile(path), zipfile.ZipFile(content)
    assert ours.testzip() is None
    assert ours.namelist() == theirs.namelist()
    assert all(ours.read(name) == theirs.read(name) for name in ours.namelist())
