"""The vertices of a rod: points that move by themselves, and, through the edges that keep their lengths, together.

A point on an edge is where the edge's two vertices are, by their shares.
"""

import numpy as np

from ..._jit import kernel
from ...arithmetic.vectors import Vector
from ...constraints.chain_mobility import inverse_band, respond
from ...constraints.chain_mobility import mobility as chain_mobility
from ...constraints.fast_projection import newton
from ...constraints.scratch import ConstraintScratch
from ...model import Model, State


@kernel(forceinline=True)
def moved(row: np.record, x: np.ndarray, x0: np.ndarray) -> Vector:
    """How far [m] vertices have moved the first point of a CONTACT against the second since x0 (N, 3)."""
    a, b, c, d = row.node[0], row.node[1], row.node[2], row.node[3]
    p, q, r, s = row.share[0], row.share[1], row.share[2], row.share[3]
    dx = p * (x[a, 0] - x0[a, 0]) + q * (x[b, 0] - x0[b, 0]) + r * (x[c, 0] - x0[c, 0]) + s * (x[d, 0] - x0[d, 0])
    dy = p * (x[a, 1] - x0[a, 1]) + q * (x[b, 1] - x0[b, 1]) + r * (x[c, 1] - x0[c, 1]) + s * (x[d, 1] - x0[d, 1])
    dz = p * (x[a, 2] - x0[a, 2]) + q * (x[b, 2] - x0[b, 2]) + r * (x[c, 2] - x0[c, 2]) + s * (x[d, 2] - x0[d, 2])
    return dx, dy, dz


@kernel
def mobility(row: np.record, w: np.ndarray) -> float:
    """How easily [1/kg] vertices let the points of a CONTACT move against each other, without the chains."""
    free = 0.0
    for k in range(4):
        free += w[row.node[k]] * row.share[k] * row.share[k]
    return free


@kernel(forceinline=True)
def push(row: np.record, x: np.ndarray, w: np.ndarray, f: Vector) -> None:
    """Move the vertices of a CONTACT by the impulse f [kg m] on its first point and its reaction."""
    for k in range(4):
        i = row.node[k]
        part = w[i] * row.share[k]
        x[i, 0] += part * f[0]
        x[i, 1] += part * f[1]
        x[i, 2] += part * f[2]


@kernel
def prepare(rods: np.ndarray, w: np.ndarray, o: np.ndarray, band: np.ndarray) -> None:
    """The BAND (N,) of all chains' A⁻¹ from their old edges o (N, 3)."""
    for r in range(len(rods)):
        c, d = rods[r].first, rods[r].last
        if rods[r].stretchable:
            for j in range(c, d):
                band[j].inverse = 0.0
        else:
            inverse_band(o[c:d], w[c : d + 1], band[c:d])


@kernel
def give(row: np.record, side: int, rods: np.ndarray, w: np.ndarray, o: np.ndarray, band: np.ndarray) -> float:
    """How easily [1/kg] the chain of one side of a CONTACT lets it move along n. Nodes behind those of o (N, 3) are of
    soft bodies.
    """
    a, b, n = row.node[2 * side], row.node[2 * side + 1], row.n
    s = abs(row.share[2 * side + 1]) if b < len(o) else 0.0
    return chain_mobility(rods[row.rod[side]], a, b if s > 0.0 else a + 1, s, (n[0], n[1], n[2]), w, o, band)


@kernel
def answer(model: Model, state: State, work: ConstraintScratch, answered: np.ndarray, k: int) -> None:
    """Each chain's answer to what has been pushed since it `answered` (N, 3) [m]; a Newton step in round k = 0, and
    for closed chains. What is welded, or implicit, is not among them.
    """
    rods, edges, x, w = model.rods, model.edges, state.x, state.w
    for r in range(len(rods)):
        if rods[r].stretchable or rods[r].welded or rods[r].implicit:
            continue
        c, d = rods[r].first, rods[r].last + 1
        e = d if rods[r].closed else d - 1
        o, multiplier, scratch = work.o[c:e], work.multiplier[c:e], work.elimination[c:e]
        if k == 0 or rods[r].closed:
            newton(x[c:d], o, w[c:d], edges["length"][c:e], rods[r].closed, multiplier, scratch)
        else:
            respond(x[c:d], answered[c:d], o, w[c:d], work.band[c:e], multiplier, scratch)
