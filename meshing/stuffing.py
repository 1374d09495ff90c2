"""Isosurface stuffing: tetrahedra of good shape that fill where a function on the lattice is positive.

Labelle & Shewchuk 2007, *Isosurface stuffing: fast tetrahedral meshes with good dihedral angles*, with tetrahedra of
one size. Lattice points too near to the surface are moved onto it; what is left of the tetrahedra that the surface
still cuts is a tetrahedron, a pyramid or a prism, and divided so that neighbours agree: across each of its
quadrilaterals runs the diagonal from the point that comes first in one order of all points.
"""

import numpy as np

from .lattice import Lattice

LONG, SHORT = 0.24999, 0.41189  # of an edge: nearer to its end than that the surface draws that end onto it (table 1)
EDGES = np.array([[0, 1], [2, 3], [0, 2], [0, 3], [1, 2], [1, 3]])  # of a lattice's tetrahedron: long ones first
# Of a prism, two triangles of three corners, those that come first when any one of the six is to be foremost.
FOREMOST = np.array([
    [0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], [2, 0, 1, 5, 3, 4], [3, 4, 5, 0, 1, 2], [4, 5, 3, 1, 2, 0],
    [5, 3, 4, 2, 0, 1],
])  # fmt: skip


class _Cuts:
    """Numbers of the cut points of edges (e, 2), in the order of `_edges`, after `count` points of the lattice."""

    def __init__(self, edges: np.ndarray, count: int):
        self.keys, self.count = edges[:, 0] * np.int64(count) + edges[:, 1], count

    def on(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Of the edges from points a (k,) to b (k,)."""
        return self.count + np.searchsorted(self.keys, np.minimum(a, b) * np.int64(self.count) + np.maximum(a, b))


def stuff(lattice: Lattice, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(x (k, 3) [m], tetrahedra (t, 4)) of where `value` (n,), at the lattice's points and linear along its edges, is
    above 0. Nothing of it may reach the lattice's rim. Empty where nothing is above 0.
    """
    tetrahedra = lattice.tetrahedra[(value[lattice.tetrahedra] > 0.0).any(axis=1)]
    edges, is_long = _edges(tetrahedra)
    x, value = _warp(lattice.points, value, edges, is_long)
    cut = value[edges[:, 0]] * value[edges[:, 1]] < 0.0
    edges, is_long = edges[cut], is_long[cut]
    share = value[edges[:, 0]] / (value[edges[:, 0]] - value[edges[:, 1]])
    cuts = x[edges[:, 0]] + share[:, None] * (x[edges[:, 1]] - x[edges[:, 0]])
    places = np.concatenate([x, cuts])
    # Cuts of long edges come first, cuts of short ones last; in between, the points of the lattice by parity.
    order = np.concatenate([1 + lattice.parity, np.where(is_long, 0, 3)]) * len(places) + np.arange(len(places))
    found = _divide(tetrahedra, np.sign(value).astype(int), _Cuts(edges, len(x)), order)
    used, found = np.unique(found, return_inverse=True)
    return places[used], _outwards(places[used], found.reshape(-1, 4))


def _edges(tetrahedra: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(edges (e, 2) of tetrahedra, each once, lower number first; whether it is a long one (e,))."""
    both = np.sort(tetrahedra[:, EDGES], axis=2)
    count = np.int64(both.max(initial=0) + 1)
    key, first = np.unique((both[..., 0] * count + both[..., 1]).ravel(), return_index=True)
    return np.stack([key // count, key % count], axis=1), first % len(EDGES) < 2


def _warp(x: np.ndarray, value: np.ndarray, edges: np.ndarray, is_long: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x and value with the points that the surface passes too near to moved onto it, along the edge that is nearest."""
    a, b = edges.T
    crossed = value[a] * value[b] < 0.0
    share = np.where(crossed, value[a] / np.where(crossed, value[a] - value[b], 1.0), 0.5)
    limit = np.where(is_long, LONG, SHORT)
    near_a, near_b = crossed & (share < limit), crossed & (1.0 - share < limit)
    point = np.concatenate([a[near_a], b[near_b]])
    away = np.concatenate([share[near_a], 1.0 - share[near_b]])[:, None]
    move = away * np.concatenate([x[b[near_a]] - x[a[near_a]], x[a[near_b]] - x[b[near_b]]])
    order = np.lexsort((np.linalg.norm(move, axis=1), point))
    point, first = np.unique(point[order], return_index=True)
    x, value = x.copy(), value.copy()
    x[point] += move[order][first]
    value[point] = 0.0
    return x, value


def _divide(tetrahedra: np.ndarray, sign: np.ndarray, cuts: _Cuts, order: np.ndarray) -> np.ndarray:
    """Tetrahedra (t, 4), of any handedness, of what of those of the lattice is not outside (fig. 3)."""
    down = np.argsort(-sign[tetrahedra], axis=1, kind="stable")
    corner = np.take_along_axis(tetrahedra, down, axis=1)  # inside first, then on the surface, outside last
    inside, outside = (sign[corner] > 0).sum(axis=1), (sign[corner] < 0).sum(axis=1)
    found = [corner[(inside > 0) & (outside == 0)]]
    for many in (1, 2, 3):
        a, *rest = corner[(inside == 1) & (outside == many)].T
        found.append(np.stack([a, *rest[: 3 - many], *(cuts.on(a, b) for b in rest[3 - many :])], axis=1))
    a, b, on, c = corner[(inside == 2) & (outside == 1)].T
    found += _pyramids(on, (a, b, cuts.on(b, c), cuts.on(a, c)), order)
    a, b, c, d = corner[(inside == 2) & (outside == 2)].T
    found += _prisms((a, cuts.on(a, c), cuts.on(a, d), b, cuts.on(b, c), cuts.on(b, d)), order)
    a, b, c, d = corner[(inside == 3) & (outside == 1)].T
    found += _prisms((a, b, c, cuts.on(a, d), cuts.on(b, d), cuts.on(c, d)), order)
    return np.concatenate(found)


def _pyramids(apex: np.ndarray, base: tuple[np.ndarray, ...], order: np.ndarray) -> list[np.ndarray]:
    """Two tetrahedra of each pyramid on a base of four corners, in their order around it."""
    a, b, c, d = base
    first = np.minimum(order[a], order[c]) < np.minimum(order[b], order[d])
    start, beside, across, last = (np.where(first, one, other) for one, other in ((a, b), (b, c), (c, d), (d, a)))
    return [np.stack([apex, start, beside, across], axis=1), np.stack([apex, start, across, last], axis=1)]


def _prisms(corners: tuple[np.ndarray, ...], order: np.ndarray) -> list[np.ndarray]:
    """Three tetrahedra of each prism between the triangles of its first three and its last three corners."""
    prism = np.stack(corners, axis=1)
    prism = np.take_along_axis(prism, FOREMOST[order[prism].argmin(axis=1)], axis=1)
    a, b, c, d, e, f = prism.T
    return [np.stack([a, d, e, f], axis=1), *_pyramids(a, (b, c, f, e), order)]


def _outwards(x: np.ndarray, tetrahedra: np.ndarray) -> np.ndarray:
    """Tetrahedra with their corners in the order that makes their volume positive."""
    a, b, c, d = np.moveaxis(x[tetrahedra], 1, 0)
    inverted = np.einsum("ij,ij->i", b - a, np.cross(c - a, d - a)) < 0.0
    tetrahedra[inverted, 2:] = tetrahedra[inverted, :1:-1]
    return tetrahedra
