"""The gap of two features of things with surfaces: a vertex and a triangle, or two edges.

The distance of two meshes is the least of those of a vertex of one from a triangle of the other, and of two edges. Each
is that of two convex sets, of points X = (X₁ … X₄) with weights W that add up to 1 and −1,

    z = Σ W X,    g = |z| − h,    ∇g = W ⊗ n,    n = z/|z|,

W being where they are nearest, and h the sum of what they are rounded by. With parameters θ along which nearest points
slide, D = ∂W/∂θ, u = Σ D X and A = u·uᵀ,

    ∇²g = (W Wᵀ ⊗ (1 − n nᵀ) − C A⁻¹ Cᵀ)/|z|,    C = D ⊗ z + W ⊗ u,

as ∂½z²/∂θ = 0 there. All that is near is listed: where a vertex is nearest to an edge of two triangles, both say so.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, vector
from ..contact.segment_distance import NO_FACE, closest_parameters

FEATURES = np.dtype(
    [
        ("key", np.int64),  # which vertex and triangle, or which edges
        ("edges", bool),  # two edges: points 0 and 1, 2 and 3; else a vertex 0, and a triangle
        ("point", np.int64, 4),  # X, of all vertices
        ("n", float, 3),  # from the second to the first, where it was listed
        ("place", float, 3),  # where that was, on the first
        ("reach", float),  # h
        ("force", float),
        ("stiffness", float),
    ],
    align=True,
)
SLANTED = 1e-6  # sine of the angle between edges, squared, from which on they are nearest at one place
IN_EACH_OTHER = 1e-300  # z of what has no side


@kernel
def share_along(x: Vector, p: Vector, q: Vector) -> tuple[float, float]:
    """(how far along p–q is nearest to x, the square of how far that is)."""
    along, d = plus(q, -1.0, p), plus(x, -1.0, p)
    t = min(max(dot(d, along) / (dot(along, along) + IN_EACH_OTHER), 0.0), 1.0)
    d = plus(d, -t, along)
    return t, dot(d, d)


@kernel
def over_triangle(x: Vector, p: Vector, q: Vector, r: Vector, shares: np.ndarray) -> None:
    """shares (3, 4), zeros before: W, and D of what slides."""
    shares[0, 0] = 1.0
    e, g, d = plus(q, -1.0, p), plus(r, -1.0, p), plus(x, -1.0, p)
    n = cross(e, g)
    area = dot(n, n)
    u, v = dot(cross(d, g), n), dot(cross(e, d), n)
    if area > NO_FACE * dot(e, e) * dot(g, g) and min(u, v, area - u - v) >= 0.0:
        shares[0, 2], shares[0, 3] = -u / area, -v / area
        shares[0, 1] = -1.0 - shares[0, 2] - shares[0, 3]
        shares[1, 1] = shares[2, 1] = 1.0
        shares[1, 2] = shares[2, 3] = -1.0
        return
    (a, one), (b, two), (c, three) = share_along(x, p, q), share_along(x, q, r), share_along(x, r, p)
    tail, head, t = 1, 2, a
    if two < min(one, three):
        tail, head, t = 2, 3, b
    elif three < one:
        tail, head, t = 3, 1, c
    shares[0, tail] = t - 1.0
    shares[0, head] = -t
    if 0.0 < t < 1.0:
        shares[1, tail], shares[1, head] = 1.0, -1.0


@kernel
def across_edges(a: Vector, b: Vector, c: Vector, d: Vector, shares: np.ndarray) -> None:
    """The same of edges a–b and c–d."""
    u, e = plus(b, -1.0, a), plus(d, -1.0, c)
    s, t = closest_parameters(plus(a, -1.0, c), u, e, 0.0)
    shares[0, 0], shares[0, 1], shares[0, 2], shares[0, 3] = 1.0 - s, s, t - 1.0, -t
    uu, ee, ue = dot(u, u), dot(e, e), dot(u, e)
    along, across = 0.0 < s < 1.0, 0.0 < t < 1.0
    if along and across and uu * ee - ue * ue <= SLANTED * uu * ee:
        across = False
    if along:
        shares[1, 0], shares[1, 1] = -1.0, 1.0
    if across:
        shares[2, 2], shares[2, 3] = 1.0, -1.0


@entry
def feature_gaps(x: np.ndarray, rows: np.ndarray, gaps: np.ndarray, shares: np.ndarray, normals: np.ndarray) -> None:
    """g (c,), W and D (c, 3, 4) and n (c, 3) of rows, FEATURES, of vertices at x (V, 3)."""
    for i in range(len(rows)):
        row, own = rows[i], shares[i]
        own[:] = 0.0
        a, b, c, d = vector(x[row.point[0]]), vector(x[row.point[1]]), vector(x[row.point[2]]), vector(x[row.point[3]])
        if row.edges:
            across_edges(a, b, c, d, own)
        else:
            over_triangle(a, b, c, d, own)
        size = 0.0
        for k in range(3):
            normals[i, k] = own[0, 0] * a[k] + own[0, 1] * b[k] + own[0, 2] * c[k] + own[0, 3] * d[k]
            size += normals[i, k] * normals[i, k]
        size = sqrt(size)
        gaps[i] = size - row.reach
        for k in range(3):
            normals[i, k] = normals[i, k] / size if size > IN_EACH_OTHER else row.n[k]
