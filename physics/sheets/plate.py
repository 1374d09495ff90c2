"""A plate: any mesh of triangles, its rows at rest, its energy and derivatives by all unknowns.

Unknowns y are places of nodes, then the angles ξ of edges' directors (see elements/plate.py): directors r that go with
their edges without turning about them, where these have the directions t they had at `carry`, are turned by ξ besides.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_matrix

from .._jit import entry, kernel
from ..arithmetic.vectors import cross, plus, scaled, vector
from ..elements.plate import (
    TRIANGLE,
    UNKNOWNS,
    bent,
    measure,
    normal_of,
    place,
    plate_derivatives,
    plate_energy,
    transported,
    unit,
)
from ..model import table

EDGE = table(node=(np.int64, 2), faces=np.int64)  # faces: how many triangles it bounds


class Plate(NamedTuple):
    """triangles (t,) TRIANGLE, edges (e,) EDGE, mass (n,) [kg] of nodes and inertia (e,) [kg m²] of directors."""

    triangles: np.ndarray
    edges: np.ndarray
    mass: np.ndarray
    inertia: np.ndarray

    @property
    def freedoms(self) -> int:
        """How many unknowns."""
        return 3 * len(self.mass) + len(self.edges)

    def unknowns(self) -> np.ndarray:
        """(t, 12) of each triangle."""
        corners = 3 * self.triangles["node"][:, :, None] + np.arange(3)
        directors = 3 * len(self.mass) + self.triangles["edge"]
        return np.concatenate([corners.reshape(-1, 9), directors], axis=1)


def plate_of(
    x: np.ndarray, triangles: np.ndarray, young: float, poisson: float, thickness: float, density: float = 0.0,
    curvature: np.ndarray | None = None,
) -> Plate:  # fmt: skip
    """Of places at rest x (n, 3) [m] and triangles (t, 3) that go round in one sense, E [Pa], ν, thickness [m], density
    [kg/m³]; curvature (t, 3, 3) [1/m]: symmetric tensors that are added to what is drawn, dN = B dx along the triangle.
    """
    rows = np.zeros(len(triangles), TRIANGLE)
    rows["node"] = triangles
    ends = np.stack([np.roll(triangles, -1, axis=1), np.roll(triangles, -2, axis=1)], axis=2)
    pairs, inverse, faces = np.unique(
        np.sort(ends.reshape(-1, 2), axis=1), axis=0, return_inverse=True, return_counts=True
    )
    rows["edge"] = inverse.reshape(-1, 3)
    rows["side"] = np.where(ends[..., 0] < ends[..., 1], 1.0, -1.0)
    edges = np.zeros(len(pairs), EDGE)
    edges["node"], edges["faces"] = pairs, faces
    d = x[ends[..., 1]] - x[ends[..., 0]]
    normal = np.cross(d[:, 1], d[:, 2])
    twice = np.linalg.norm(normal, axis=1, keepdims=True)
    normal /= twice
    length = np.linalg.norm(d, axis=2)
    rows["height"] = twice / length
    u = np.cross(normal[:, None], d / length[..., None])
    rigidity = young * thickness**3 / (12.0 * (1.0 - poisson**2))
    cosine = np.einsum("tic,tjc->tij", u, u)
    inverse_height = 1.0 / rows["height"]
    rows["bend"] = 2.0 * rigidity * twice[..., None] * ((1.0 - poisson) * cosine**2 + poisson)
    rows["bend"] *= inverse_height[:, :, None] * inverse_height[:, None, :]
    frame = directors_of(x, rows, edges)
    angle, out = np.zeros((len(rows), 3)), np.zeros((4, 3))
    arc = np.zeros((len(rows), 3))
    drawn(x, *frame, rows, angle, arc, out)
    rows["arc"] = arc
    rows["bent"] = angle if curvature is None else angle + _angles_of(curvature, d, rows["height"])
    bend(rows["bent"])
    total = arc.sum(axis=1, keepdims=True)
    rows["area"] = 0.25 * np.sqrt(np.sum(arc * (total - 2.0 * arc), axis=1))
    rows["trace"] = (total - 2.0 * arc) / (8.0 * rows["area"][:, None] ** 2)
    volume = rows["area"] * thickness
    rows["shear"] = volume * young / (2.0 * (1.0 + poisson))
    rows["bulk"] = volume * young * poisson / (1.0 - poisson**2)
    mass, inertia = np.zeros(len(x)), np.zeros(len(edges))
    np.add.at(mass, triangles, density * volume[:, None] / 3.0)
    np.add.at(inertia, rows["edge"], density * volume[:, None] * thickness**2 / 36.0)
    return Plate(rows, edges, mass, inertia)


def _angles_of(curvature: np.ndarray, d: np.ndarray, height: np.ndarray) -> np.ndarray:
    """φ (t, 3) that give b(e, e) = e·B e along edges d (t, 3, 3): c_j + c_k = b_i, c = 2 h φ."""
    b = np.einsum("tic,tcd,tid->ti", d, curvature, d)
    return (0.5 * b.sum(axis=1, keepdims=True) - b) / (2.0 * height)


def directors_of(x: np.ndarray, triangles: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges' directions t (e, 3), and as directors r (e, 3) the mean of normals at both sides."""
    t, r = np.zeros((2, len(edges), 3))
    mean_normals(x, triangles, edges, t, r)
    return t, r


@entry
def mean_normals(x: np.ndarray, triangles: np.ndarray, edges: np.ndarray, t: np.ndarray, r: np.ndarray) -> None:
    """Fills t and r (e, 3)."""
    for row in triangles:
        n, _ = normal_of(x, row.node)
        for i in range(3):
            for c in range(3):
                r[row.edge[i], c] += n[c]
    for e in range(len(edges)):
        u, _ = unit(plus(place(x, edges[e].node[1]), -1.0, place(x, edges[e].node[0])))
        m, _ = unit(vector(r[e]))
        for c in range(3):
            t[e, c], r[e, c] = u[c], m[c]


@entry
def drawn(
    x: np.ndarray, t: np.ndarray, m: np.ndarray, triangles: np.ndarray, angle: np.ndarray, arc: np.ndarray,
    out: np.ndarray,
) -> None:  # fmt: skip
    """angle and arc (t, 3): φ and a of triangles as they are; out (4, 3) is scratch."""
    for k in range(len(triangles)):
        measure(x, t, m, triangles[k], out)
        for i in range(3):
            angle[k, i], arc[k, i] = out[0, i], out[2, i] + triangles[k].arc[i]


class Shape(NamedTuple):
    """What kernels read: triangles (t,) TRIANGLE, edges (e,) EDGE, their directions t and directors r (e, 3); own
    (t, 12): unknowns of each triangle; slot (t, 144): which values of the matrix its entries are added to, −1: none;
    turned (2, e, 3) and small (29, 12) are scratch.
    """

    triangles: np.ndarray
    edges: np.ndarray
    t: np.ndarray
    r: np.ndarray
    own: np.ndarray
    slot: np.ndarray
    turned: np.ndarray
    small: np.ndarray


@entry
def bend(angle: np.ndarray) -> None:
    """g of φ (t, 3), in place."""
    for k in range(len(angle)):
        for i in range(3):
            angle[k, i] = bent(angle[k, i])[0]


@kernel
def turn_directors(y: np.ndarray, shape: Shape, t: np.ndarray, m: np.ndarray, carried: bool) -> None:
    """t and m (e, 3): directions of edges at y, and their directors; carried: without ξ."""
    edges, t0, r = shape.edges, shape.t, shape.r
    first = len(y) - len(edges)
    x = y[:first].reshape(-1, 3)
    for e in range(len(edges)):
        u, _ = unit(plus(place(x, edges[e].node[1]), -1.0, place(x, edges[e].node[0])))
        d = transported(vector(r[e]), vector(t0[e]), u)
        if not carried:
            d = plus(scaled(np.cos(y[first + e]), d), np.sin(y[first + e]), cross(u, d))
        for c in range(3):
            t[e, c], m[e, c] = u[c], d[c]


@entry
def carry(y: np.ndarray, shape: Shape) -> None:
    """Directors go along to where edges are at y."""
    turn_directors(y, shape, shape.t, shape.r, True)


@entry
def energy(y: np.ndarray, shape: Shape) -> float:
    """[J] at y."""
    t, m, out, total = shape.turned[0], shape.turned[1], shape.small[:4, :3], 0.0
    turn_directors(y, shape, t, m, False)
    x = y[: len(y) - len(shape.edges)].reshape(-1, 3)
    for k in range(len(shape.triangles)):
        measure(x, t, m, shape.triangles[k], out)
        total += plate_energy(shape.triangles[k], out)
    return total


@entry
def strains(y: np.ndarray, shape: Shape, found: np.ndarray) -> None:
    """found (t, 2, 3): by how much squared arcs are larger than at rest, and g − ḡ, at y."""
    t, m, out = shape.turned[0], shape.turned[1], shape.small[:4, :3]
    turn_directors(y, shape, t, m, False)
    x = y[: len(y) - len(shape.edges)].reshape(-1, 3)
    for k in range(len(shape.triangles)):
        measure(x, t, m, shape.triangles[k], out)
        for i in range(3):
            found[k, 0, i], found[k, 1, i] = out[2, i], out[3, i]


@entry
def derivatives(y: np.ndarray, shape: Shape, convex: bool, gradient: np.ndarray, values: np.ndarray) -> None:
    """The gradient (N,) and values (Z,) of the Hessian at y, to where directors have gone along; convex: see
    plate_derivatives.
    """
    t, m, small = shape.turned[0], shape.turned[1], shape.small
    out, g, h, room = small[:4, :3], small[4], small[5:17], small[17:29]
    turn_directors(y, shape, t, m, False)
    x = y[: len(y) - len(shape.edges)].reshape(-1, 3)
    gradient[:] = 0.0
    values[:] = 0.0
    for k in range(len(shape.triangles)):
        measure(x, t, m, shape.triangles[k], out)
        plate_derivatives(x, shape.triangles[k], out, convex, g, h, room)
        for i in range(UNKNOWNS):
            gradient[shape.own[k, i]] += g[i]
            for j in range(UNKNOWNS):
                at = shape.slot[k, UNKNOWNS * i + j]
                if at >= 0:
                    values[at] += h[i, j]


def pattern(unknowns: np.ndarray, number: np.ndarray, count: int) -> tuple[csc_matrix, np.ndarray]:
    """A symmetric matrix (count, count) of zeros where elements of `unknowns` (t, k) have entries, and where each of
    these (t, k k) is among its values; number (N,): of an unknown in the matrix, −1: it has none.
    """
    own = number[unknowns]
    row, column = (np.broadcast_to(a, (*own.shape, own.shape[1])) for a in (own[:, :, None], own[:, None, :]))
    key = np.where((row >= 0) & (column >= 0), column * count + row, -1)
    kept = np.unique(key)
    kept = kept[kept >= 0]
    slot = np.where(key >= 0, np.searchsorted(kept, key), -1)
    start = np.searchsorted(kept, count * np.arange(count + 1))
    return csc_matrix((np.zeros(len(kept)), kept % count, start), shape=(count, count)), slot.reshape(len(own), -1)
