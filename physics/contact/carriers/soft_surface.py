"""Surfaces of soft bodies: their vertices are nodes. The motion of a foot on a face or an edge is that of its nodes, by
its barycentric coordinates, and so much of a push there goes to each of them: both momenta are kept.
"""

import numpy as np

from ..._jit import kernel
from ...arithmetic.vectors import Vector, cross, dot, plus, vector
from ...model import Model
from .led_surface import corners


@kernel
def carry(model: Model, row: np.record, k: int, p: int, share: float) -> None:
    """The k-th node of a CONTACT is vertex p of the surface, with that share."""
    row.node[k], row.share[k] = model.solids.on_node[p], share


@kernel
def carry_foot(model: Model, row: np.record, j: int, foot: Vector, sign: float) -> None:
    """The last nodes of a CONTACT are those of feature j of the surface, with ± the coordinates of a foot [m] on it."""
    own = model.solids.surface
    faces, edges = len(own.faces), len(own.edges)
    if j < faces:
        corner, (p, q, r) = own.faces[j].corner, corners(own, j, 0.0)
        e, g, d = plus(q, -1.0, p), plus(r, -1.0, p), plus(foot, -1.0, p)
        n = cross(e, g)
        u, v = dot(cross(d, g), n) / dot(n, n), dot(cross(e, d), n) / dot(n, n)
        carry(model, row, 1, corner[0], sign * (1.0 - u - v))
        carry(model, row, 2, corner[1], sign * u)
        carry(model, row, 3, corner[2], sign * v)
    elif j < faces + edges:
        end = own.edges[j - faces].end
        p = vector(own.samples[0, end[0]])
        along = plus(vector(own.samples[0, end[1]]), -1.0, p)
        t = dot(plus(foot, -1.0, p), along) / dot(along, along)
        carry(model, row, 2, end[0], sign * (1.0 - t))
        carry(model, row, 3, end[1], sign * t)
    else:
        carry(model, row, 3, j - faces - edges, sign)
