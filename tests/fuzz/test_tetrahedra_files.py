"""Files of tetrahedra, changed at random: a mesh that is sound, or a few words, within seconds and little memory."""

import random
import time
import tracemalloc

import meshio
import numpy as np
import pytest
from tendril.meshing.formats.read import read_tetrahedra
from tendril.meshing.formats.unreadable import Unreadable

CASES = 1500
PATIENCE, MOST_MEMORY = 10.0, 300e6  # s, bytes
X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
CUBE = np.array([[0, 4, 6, 7], [0, 6, 2, 7], [0, 2, 3, 7], [0, 3, 1, 7], [0, 1, 5, 7], [0, 5, 4, 7]])
TEXT = {"binary": False}
WRITTEN = [
    (".msh", "gmsh22", TEXT), (".msh", "gmsh22", {}), (".msh", "gmsh", TEXT), (".msh", "gmsh", {}),
    (".vtk", "vtk42", TEXT), (".vtk", "vtk42", {}), (".vtk", "vtk", TEXT), (".vtk", "vtk", {}),
    (".vtu", "vtu", TEXT), (".vtu", "vtu", {"compression": None}), (".vtu", "vtu", {}),
    (".vtu", "vtu", {"compression": "lzma"}),
]  # fmt: skip
WORDS = [
    b"-1", b"0", b"1", b"7", b"8", b"9", b"4294967296", b"1000000000000", b"99999999999999999999", b"nan", b"inf",
    b"1e308", b"", b"x", b"\n", b"\0", b'"', b"<", b">", b"&a;", b"$", b"$EndNodes", b"POINTS", b"CELLS 1 5", b"double",
    b"\xff" * 8,
]  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, found = tmp_path_factory.mktemp("cubes"), []
    for kind, form, options in WRITTEN:
        path = folder / f"{form}{len(found)}{kind}"
        faces = [("triangle", CUBE[:, :3])] * (form != "gmsh")  # of which that writes but one block
        meshio.write(path, meshio.Mesh(X, [*faces, ("tetra", CUBE)]), file_format=form, **options)
        found.append((kind, path.read_bytes()))
    return found


def changed(data, chance):
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        at, way = chance.randrange(len(data) + 1), chance.randrange(6)
        if way == 0:
            data = data[:at] + chance.choice(WORDS) + data[at:]
        elif way == 1:
            data = data[:at] + chance.randbytes(chance.choice([1, 4, 8])) + data[at + chance.choice([0, 1, 4, 8]) :]
        elif way == 2:
            data = data[:at] + data[at + chance.choice([1, 3, 30]) :]
        elif way == 3:
            end = min(len(data), at + chance.randrange(200))
            data = data[:end] + data[at:end] * chance.choice([1, 1, 50]) + data[end:]
        elif way == 4 and chance.random() < 0.2:
            data = data[:at]
        else:  # a word in place of another
            words = data.split(b" ")
            words[chance.randrange(len(words))] = chance.choice(WORDS)
            data = b" ".join(words)
    return data


def test_whatever_is_in_a_file_of_tetrahedra_it_is_a_mesh_or_a_few_words(random_case, files):
    chance = random.Random(random_case)
    kind, data = chance.choice(files)
    data, start, said = changed(data, chance), time.monotonic(), None
    tracemalloc.start()
    try:
        x, tetrahedra = read_tetrahedra(data, kind)
    except Unreadable as error:
        said = str(error)
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < MOST_MEMORY
    assert time.monotonic() - start < PATIENCE
    if said is not None:
        assert 0 < len(said) < 200
        assert "\n" not in said
    else:
        assert (x.dtype, tetrahedra.dtype) == (np.float64, np.int64)
        assert np.isfinite(x).all()
        assert (x.shape[1:], tetrahedra.shape[1:]) == ((3,), (4,))
        assert np.array_equal(np.unique(tetrahedra), np.arange(len(x)))


def test_as_they_are_they_are_the_cube(files):
    """Else the cases prove little."""
    for kind, data in files:
        x, tetrahedra = read_tetrahedra(data, kind)
        assert np.array_equal(tetrahedra, CUBE)
        assert x == pytest.approx(X, abs=1e-15)
