"""Pieces of a surface that are so thin that they pass between the points of a lattice: legs, ears, sheets."""

import numpy as np

from ..physics.arithmetic.fixed_order import product
from .embedding import Embedding
from .lattice import Lattice
from .stuffing import stuff

OUTSIDE = 0.8, 0.6, 0.4, 0.2, 0.0  # barycentric: so far outside of all tetrahedra a place is missed by them
SAFE = 0.4  # of a cube: points so deep inside are not drawn onto the surface
DEPTHS = 0.65, 0.701  # of a cube: how deep points around a thin piece are taken to be, and where that tears it, above
# SHORT/(1 − SHORT), from which on no points of a cube outside draw them onto the surface
DENSE = 0.5  # of a cube: how far apart places are looked at


def thin_places(x: np.ndarray, triangles: np.ndarray, lattice: Lattice, value: np.ndarray) -> tuple[np.ndarray, float]:
    """(numbers (k,) of the lattice's points around which a surface of points x (V, 3) and triangles (T, 3) is too thin
    for `value` (n,) at these points, how many cubes deep they have to be): wherever tetrahedra would miss it, the
    nearest corner and middle of a cube. These two are neighbours, and next to those of the next place, so a thin piece
    stays in one; where it does not, places count too that lie less far outside.
    """
    all_over = places(x, triangles, DENSE * lattice.size)
    near = np.stack([_nearest(all_over, lattice, grid) for grid in range(2)], axis=1)
    suspect = (value[near] < SAFE * lattice.size).all(axis=1)
    all_over, near = all_over[suspect], near[suspect]
    nodes, tetrahedra = stuff(lattice, value)
    if len(all_over) and len(tetrahedra):
        outside = -Embedding.of(all_over, nodes, tetrahedra).weights.min(axis=1)
        found = [np.unique(near[outside > least]) for least in OUTSIDE]
    else:
        found = [np.unique(near)]
    best, fewest = (found[0], DEPTHS[0]), np.inf
    for deep in DEPTHS:
        for thin in found:
            count = pieces(stuff(lattice, thickened(value, (thin, deep), lattice))[1]) or np.inf  # none of it is left
            if count < fewest:
                best, fewest = (thin, deep), count
            if count <= 1:
                return best
    return best


def thickened(value: np.ndarray, thin: tuple[np.ndarray, float], lattice: Lattice) -> np.ndarray:
    """`value` (n,) with points (k,) so many cubes deep inside."""
    points, deep = thin
    value = value.copy()
    value[points] = np.maximum(value[points], deep * lattice.size)
    return value


def pieces(tetrahedra: np.ndarray) -> int:
    """How many pieces tetrahedra (t, 4) that share nodes make."""
    label, before = np.arange(tetrahedra.max(initial=-1) + 1), None
    while before is None or not np.array_equal(label, before):
        before = label.copy()
        np.minimum.at(label, tetrahedra, label[tetrahedra].min(axis=1)[:, None])
        label = label[label]
    return len(np.unique(label[tetrahedra]))


def _nearest(places: np.ndarray, lattice: Lattice, grid: int) -> np.ndarray:
    """Numbers (p,) of the points nearest to places (p, 3) among the corners, grid 0, or the middles, 1."""
    first, count = lattice.grids[grid]
    before = grid * int(np.prod(lattice.corner_grid))
    step = np.rint((places - first) / lattice.size).astype(int)
    return before + np.ravel_multi_index(step.T, count)


def places(x: np.ndarray, triangles: np.ndarray, apart: float) -> np.ndarray:
    """Places (p, 3) all over triangles, with no more than about `apart` [m] between them."""
    corners = x[triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    parts = np.ceil(longest / apart).astype(int)
    found = [x[np.unique(triangles)]]
    for number in np.unique(parts[parts > 1]):
        i, j = np.indices((number + 1, number + 1)).reshape(2, -1)
        share = np.stack([i, j, number - i - j], axis=1)[i + j <= number] / number
        found.append(product(share, corners[parts == number]).reshape(-1, 3))
    return np.concatenate(found)
