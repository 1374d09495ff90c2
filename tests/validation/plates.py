"""What validations of sheets share."""

import numpy as np
from scipy.spatial import Delaunay
from sheet_system import SheetSystem
from tendril.physics.schemes.static import Equilibrium
from tendril.physics.sheets.plate import plate_of

MESHES = ("regular", "rotated", "crossed", "random")


def net(nx, ny, a, b, mesh="regular"):
    """nx × ny squares of a × b [m]: vertices (n, 3) and triangles (t, 3). Halved, the other way, in four, or random."""
    x, y = np.meshgrid(np.linspace(0.0, a, nx + 1), np.linspace(0.0, b, ny + 1), indexing="ij")
    place = np.stack([x, y], axis=2)
    if mesh == "random":
        rng, side = np.random.default_rng(0), np.array([a / nx, b / ny])
        place[1:-1, :, 0] += rng.uniform(-0.3, 0.3, (nx - 1, ny + 1)) * side[0]
        place[:, 1:-1, 1] += rng.uniform(-0.3, 0.3, (nx + 1, ny - 1)) * side[1]
        found = place.reshape(-1, 2)
        triangles = Delaunay(found).simplices
        d = found[triangles[:, 1:]] - found[triangles[:, :1]]
        twice = d[:, 0, 0] * d[:, 1, 1] - d[:, 0, 1] * d[:, 1, 0]
        triangles[twice < 0.0] = triangles[twice < 0.0][:, ::-1]
        return np.pad(found, [(0, 0), (0, 1)]), triangles[np.abs(twice) > 1e-6 * side.prod()]
    i, found = np.arange(place[..., 0].size).reshape(nx + 1, ny + 1), place.reshape(-1, 2)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]], axis=2).reshape(-1, 4)
    if mesh == "crossed":
        middle = len(found) + np.arange(len(quads))
        fans = [np.stack([quads[:, k], quads[:, k - 3], middle], axis=1) for k in range(4)]
        return np.pad(np.concatenate([found, found[quads].mean(axis=1)]), [(0, 0), (0, 1)]), np.concatenate(fans)
    corners = ([0, 1, 2], [0, 2, 3]) if mesh == "regular" else ([0, 1, 3], [1, 2, 3])
    return np.pad(found, [(0, 0), (0, 1)]), np.concatenate([quads[:, c] for c in corners])


def tube(around, along):
    """Angle and height (n,), both from 0, of an open tube's vertices, and triangles (t, 3) with normals outwards."""
    i, j = (k.ravel() for k in np.meshgrid(np.arange(along), np.arange(around), indexing="ij"))
    k = (j + 1) % around
    quads = np.stack([i * around + j, i * around + k, (i + 1) * around + k, (i + 1) * around + j], axis=1)
    height, angle = np.meshgrid(np.arange(along + 1) / along, 2.0 * np.pi * np.arange(around) / around, indexing="ij")
    return angle.ravel(), height.ravel(), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def system_of(plate, x, held=None, clamped=None):
    """held (n,) or (n, 3) bool, of nodes; clamped(middle (e, 3)) → bool (e,), directors of edges."""
    held = np.zeros(len(x), bool) if held is None else held
    held = held if held.ndim == 2 else np.repeat(held[:, None], 3, axis=1)
    middle = x[plate.edges["node"]].mean(axis=1)
    still = np.zeros(len(plate.edges), bool) if clamped is None else clamped(middle)
    return SheetSystem(plate, x, held, still)


def places(system):
    """x (n, 3) [m]."""
    return system.z[: 3 * len(system.plate.mass)].reshape(-1, 3)


def settle(system, membranes=(1.0,)):
    """Brings it to rest, with a membrane so many times as stiff one after the other; what it took."""
    for factor in membranes:
        system.soften(factor)
        solver, y = Equilibrium(system), system.unknowns
        assert solver.settle(y, 1e-9)
        system.z = system.whole(y)
    return solver.effort


def loaded(system, load):
    """With a dead load (3,) [N/m²]."""
    plate, share = system.plate, np.zeros(len(system.plate.mass))
    np.add.at(share, plate.triangles["node"], plate.triangles["area"][:, None] / 3.0)
    system.load[: 3 * len(share)] = (share[:, None] * load).ravel()
    return system


def plate_on(x, triangles, **changed):
    """Of E = 10 MPa, ν = .3, 1 cm."""
    given = {"young": 1e7, "poisson": 0.3, "thickness": 0.01} | changed
    return plate_of(x, triangles, **given)
