"""Meshes of all kinds: each is found to be tubes, with every vertex on one, or refused in a sentence."""

from contextlib import suppress

import numpy as np
import pytest
from tendril.meshing.tubes.between import between
from tendril.meshing.tubes.find import find
from tendril.physics.validate import SceneError
from tube_meshes import course, hollow, packed, ring, swept, together, voxels


def soup(rng):
    return rng.normal(size=(30, 3)), [list(rng.choice(30, 3, replace=False)) for _ in range(20)]


def rough(rng):
    v, faces = swept(course(), sides=int(rng.integers(3, 12)))
    return v + rng.normal(size=v.shape) * 10.0 ** rng.uniform(-3.0, 0.0), faces


def walk(rng):
    x = np.cumsum(rng.normal(size=(int(rng.integers(2, 40)), 3)) * rng.uniform(0.5, 3.0), axis=0)
    return swept(x, 10.0 ** rng.uniform(-1.0, 0.6), int(rng.integers(3, 10)))


def sheet(rng):
    n, m = rng.integers(2, 15, 2)
    v = np.array([[i, j, 0.3 * rng.normal()] for i in range(n) for j in range(m)])
    corners = [(i * m + j, (i + 1) * m + j) for i in range(n - 1) for j in range(m - 1)]
    return v, [[a, a + 1, b + 1, b] for a, b in corners]


def with_holes(rng):
    v, faces = swept(course())
    return v, [face for face in faces if rng.random() > 0.1 * rng.random()]


def blobs(rng):
    lines = [np.cumsum(4.0 * rng.normal(size=(3, 3)), axis=0) for _ in range(int(rng.integers(1, 4)))]
    return voxels(lines, rng.uniform(0.5, 2.0), 0.6)


def bundle(rng):
    lines = [np.cumsum(rng.normal(size=3) + 0.4 * rng.normal(size=(13, 3)), axis=0) for _ in range(rng.integers(2, 5))]
    return together(*(swept(x + 5.0 * rng.normal(size=3), rng.uniform(0.1, 0.8), 6) for x in lines))


def hose(rng):
    return hollow(course(), inner=rng.uniform(0.05, 0.99), sides=int(rng.integers(4, 16)))


def torn_ring(rng):
    v, faces = ring()
    return v, np.delete(np.array(faces), rng.integers(len(faces)), axis=0).tolist()


KINDS = soup, rough, walk, sheet, with_holes, blobs, bundle, hose, torn_ring


@pytest.mark.parametrize("seed", range(6 * len(KINDS)))
def test_a_mesh_is_tubes_or_refused(seed):
    rng = np.random.default_rng(seed)
    v, faces = KINDS[seed % len(KINDS)](rng)
    if rng.random() < 0.3:
        v = v * rng.uniform(0.1, 3.0, 3)
    try:
        tubes = find("Mesh", *packed((v, faces)), whole_mesh=rng.random() < 0.6)
    except SceneError as error:
        told = str(error)
    else:
        told = ""
        check(tubes, len(v), rng)
    assert told.startswith("'Mesh' ") or not told


def check(tubes, count, rng):
    """All vertices are on branches, which are somewhere, and so is the part between any two of them."""
    assert len(tubes.branch) == count
    assert ((tubes.branch >= 0) & (tubes.branch < len(tubes.lines))).all()
    assert np.isfinite(tubes.s).all()
    for line, radius, inner in zip(tubes.lines, tubes.radius, tubes.inner, strict=True):
        assert np.isfinite(line.x).all()
        assert len(radius) == len(inner) == len(line.x)
        assert (radius > 0.0).all()
        assert (inner >= 0.0).all()
    with suppress(SceneError):  # of two shells, or too near
        assert between("Mesh", tubes, *map(int, rng.choice(count, 2, replace=False))).taken.any()


@pytest.mark.parametrize("inner", [0.05, 0.2, 0.7, 0.95, 0.99])
@pytest.mark.parametrize("sides", [4, 5, 8, 12])
def test_a_hose_of_any_wall_has_its_hollow(inner, sides):
    tubes = find("Hose", *packed(hollow(course(), inner=inner, sides=sides)))
    assert tubes.radius[0] == pytest.approx(1.0, rel=1e-2)
    assert tubes.inner[0] == pytest.approx(inner, rel=1e-2)
