"""A surface, as it was modelled, filled with tetrahedra: what lies inside, and what is too thin for the lattice to see.

The surface is where a distance with a sign is zero. Where it is so thin that a piece of it passes between the points of
the lattice, the points around that piece count as inside: legs and ears stay on, if a little too thick. Then the
level is moved until the tetrahedra have the volume of the surface, of which a lattice cuts edges off;
not so far that it falls to pieces, or that nothing is left. At last outer nodes where it is missed visibly go to where
they fit it, and all of them swell or shrink by what that takes or adds.
"""

import numpy as np

from .distance import distance
from .fitting import fitted
from .lattice import Lattice
from .stuffing import stuff
from .swelling import swollen
from .thin import pieces, thickened, thin_places
from .volume import total_volume
from .winding import INSIDE, winding

MARGIN = 2  # cubes around the surface
CLOSE = 1e-3  # of the volume: how near the tetrahedra come to the surface's
FITTED = 0.018  # of the volume: how near they are to it when they fit the surface, for what is off by 2 % can be seen
FILL_ROUNDS = 12
MOVED = 0.25  # of a cube: the most that the level is moved


def fill(x: np.ndarray, triangles: np.ndarray, resolution: int, volume: float) -> tuple[np.ndarray, np.ndarray]:
    """(nodes (n, 3) [m], tetrahedra (t, 4)) inside a surface of points x (V, 3) [m] and triangles (T, 3), of cubes
    `resolution` of which make its longest side, with that `volume` [m³] unless it is too thin for them.
    """
    lattice = around(x, resolution)
    value = signed_distance(x, triangles, lattice)
    thin = thin_places(x, triangles, lattice, value)
    nodes, tetrahedra = stuff(lattice, thickened(value, thin, lattice))
    low, level, high = -MOVED * lattice.size, 0.0, MOVED * lattice.size
    found, whole, closest = (nodes, tetrahedra), pieces(tetrahedra), np.inf
    for _ in range(FILL_ROUNDS):
        excess = total_volume(*found) / volume - 1.0
        if not 0 < pieces(found[1]) <= whole:
            excess = -1.0
        elif abs(excess) < closest:
            (nodes, tetrahedra), closest = found, abs(excess)
        if closest <= CLOSE:
            break
        low, high = (low, level) if excess > 0.0 else (level, high)
        level = 0.5 * (low + high)
        found = stuff(lattice, thickened(value + level, thin, lattice))
    if len(tetrahedra):
        nodes = fitted(nodes, tetrahedra, x, triangles, lattice.size)
        nodes = swollen(nodes, tetrahedra, volume, FITTED)
    return nodes, tetrahedra


def around(x: np.ndarray, resolution: int) -> Lattice:
    """The Lattice about points (V, 3)."""
    low, high = x.min(axis=0), x.max(axis=0)
    size = float((high - low).max()) / resolution
    cubes = np.ceil((high - low) / size).astype(int) + 2 * MARGIN
    origin = 0.5 * (low + high - size * cubes)
    return Lattice(origin, size, (int(cubes[0]), int(cubes[1]), int(cubes[2])))


def signed_distance(x: np.ndarray, triangles: np.ndarray, lattice: Lattice) -> np.ndarray:
    """(n,) [m] of the lattice's points, positive inside, and at most the size of a cube."""
    inside = np.concatenate([winding(x, triangles, first, lattice.size, count) for first, count in lattice.grids])
    away = np.concatenate([distance(x, triangles, first, lattice.size, count) for first, count in lattice.grids])
    away = np.minimum(away, lattice.size)
    value = np.where(np.abs(inside) > INSIDE, away, -away)
    return np.where(value == 0.0, 1e-9 * lattice.size, value)
