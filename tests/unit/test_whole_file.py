"""Files of arrays: what numpy reads as well."""

import numpy as np
from tendril.bake.whole_file import read_arrays, write_arrays

ARRAYS = {
    "x": np.linspace(0.0, 1.0, 21).reshape(7, 3),
    "by columns": np.asfortranarray(np.linspace(0.0, 1.0, 20).reshape(4, 5)),
    "one number": np.array(3),
    "none": np.zeros((0, 7)),
    "whether": np.array([True, False]),
    "state.größe": np.arange(100, dtype=np.int8),
}


def test_arrays_come_back(tmp_path):
    path = tmp_path / "arrays.npz"
    write_arrays(path, ARRAYS)
    for found in (read_arrays(path, 2**20), np.load(path)):
        assert list(found.keys()) == list(ARRAYS)
        for name, array in ARRAYS.items():
            assert found[name].dtype == array.dtype
            np.testing.assert_array_equal(found[name], array, strict=True)
