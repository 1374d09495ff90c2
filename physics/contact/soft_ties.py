"""Ties of soft bodies to rods and rigid bodies: a point among a soft body's nodes, Σ s_i x_i, is where a vertex of a
rod, or a point of a body, is.

With d the way to the one from the other, an impulse J on the nodes by their shares, and −J on the other, brings them
together where (Σ w_i s_i² I + W) J = −d; W is the mobility of the vertex with its chain, whose quadratic form is that
of `chain_mobility`, or of the body, I/m − [p] I⁻¹ [p] at the arm p. Ties are swept with the contacts, and begin with
the last step's forces. Both sides are pushed where both are, so both momenta are kept.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..constraints.chain_mobility import mobility
from ..model import Model, table
from ..rods.vectors import Vector, cross, dot, plus, scaled, vector
from ..rotations import rotate
from .carriers.body import Held
from .carriers.body_surface import way_of

LEAST = 1.0 / 64.0  # of what is missing that a push makes up for
TIE_ROW = table(
    arm=(float, 3),  # of a body's point, old pose, world axes [m]
    inverse=(float, (3, 3)),  # of the mobility of both sides [kg]
    gain=float,  # part of what is missing that the next push makes up for
    left=(float, 3),  # what was missing before the last one [m]
    impulse=(float, 3),  # on the soft body's nodes, times step [kg m]
)


@kernel
def begin_ties(
    soft: Model, model: Model, rows: np.ndarray, w: np.ndarray, chains: tuple[np.ndarray, np.ndarray], held: Held,
    bodies: np.ndarray, nodes: int,
) -> None:  # fmt: skip
    """Mobilities of the soft Model's ties, but those to rods that are implicit (see implicit/tied_rods), at the old
    poses, BODY_STATE (B,): rows, TIE_ROW (T,).

    w: of all nodes, soft bodies' counted on from so many `nodes`; chains: o (N, 3), BAND (N,) of the rods' Model.
    """
    ties, members = soft.solids.ties, soft.solids.members
    for t in range(len(ties)):
        tie, row, free = ties[t], rows[t], 0.0
        if is_implicit(model, tie):
            continue
        for m in range(tie.member[0], tie.member[1]):
            free += w[nodes + members[m].node] * members[m].share ** 2
        if tie.body >= 0:
            rotate(bodies[tie.body].q, tie.arm, row.arm)
        for j in range(3):
            for k in range(j + 1):
                own = both_ways(model, tie, row, w, chains, held, axis(j), axis(k))
                row.inverse[j, k] = row.inverse[k, j] = own + (free if j == k else 0.0)
        invert(row.inverse)
        row.gain = 1.0
        for c in range(3):
            row.left[c] = 0.0


@kernel
def is_implicit(model: Model, tie: np.record) -> bool:
    """Whether a SOFT_TIE is to a rod that is implicit."""
    return tie.body < 0 and model.rods[model.nodes[tie.vertex].rod].implicit


@kernel
def axis(k: int) -> Vector:
    """x, y or z."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@kernel
def both_ways(
    model: Model, tie: np.record, row: np.record, w: np.ndarray, chains: tuple[np.ndarray, np.ndarray], held: Held,
    a: Vector, b: Vector,
) -> float:  # fmt: skip
    """How far [m/(kg m)] an impulse along a moves what a SOFT_TIE is to along b, unit vectors along axes."""
    if tie.body >= 0:
        inverse, p, q = held[3][tie.body].inverse, cross(vector(row.arm), a), cross(vector(row.arm), b)
        turned = dot(inverse[0], q), dot(inverse[1], q), dot(inverse[2], q)
        return held[0][tie.body].w * dot(a, b) + dot(p, turned)
    i, rod = tie.vertex, model.rods[model.nodes[tie.vertex].rod]
    alone = mobility(rod, i, i + 1, 0.0, a, w, chains[0], chains[1])
    if dot(a, b) > 0.0:
        return alone
    other = mobility(rod, i, i + 1, 0.0, b, w, chains[0], chains[1])
    between = mobility(rod, i, i + 1, 0.0, scaled(sqrt(0.5), plus(a, 1.0, b)), w, chains[0], chains[1])
    return between - 0.5 * (alone + other)


@kernel
def invert(a: np.ndarray) -> None:
    """A symmetric matrix (3, 3) becomes its inverse."""
    p, q, r = vector(a[0]), vector(a[1]), vector(a[2])
    u, v, s = cross(q, r), cross(r, p), cross(p, q)
    k = 1.0 / dot(p, u)
    for c in range(3):
        a[0, c], a[1, c], a[2, c] = k * u[c], k * v[c], k * s[c]


@kernel
def push_tie(
    soft: Model, t: int, row: np.record, x: np.ndarray, w: np.ndarray, held: Held, f: Vector, nodes: int
) -> None:
    """Push the nodes of tie t by the impulse f [kg m], and what it is to by −f."""
    tie, members = soft.solids.ties[t], soft.solids.members
    for m in range(tie.member[0], tie.member[1]):
        i = nodes + members[m].node
        for c in range(3):
            x[i, c] += w[i] * members[m].share * f[c]
    if tie.body < 0:
        for c in range(3):
            x[tie.vertex, c] -= w[tie.vertex] * f[c]
        return
    own, moment = held[3][tie.body], cross(vector(row.arm), f)
    for c in range(3):
        own.shift[c] -= held[0][tie.body].w * f[c]
        own.moment[c] -= moment[c]
        own.turn[c] -= dot(own.inverse[c], moment)


@kernel
def sweep_ties(
    soft: Model, model: Model, rows: np.ndarray, x: np.ndarray, w: np.ndarray, held: Held, old_bodies: np.ndarray,
    nodes: int,
) -> float:  # fmt: skip
    """One Gauss–Seidel sweep over these ties, rows of TIE_ROW (T,); returns the furthest [m] that two were apart."""
    ties, members, furthest = soft.solids.ties, soft.solids.members, 0.0
    for t in range(len(ties)):
        tie, row = ties[t], rows[t]
        if is_implicit(model, tie):
            continue
        if tie.body >= 0:
            d = plus(vector(old_bodies[tie.body].x), 1.0, vector(row.arm))
            d = scaled(-1.0, plus(d, 1.0, way_of(held[3][tie.body], vector(row.arm))))
        else:
            d = scaled(-1.0, vector(x[tie.vertex]))
        for m in range(tie.member[0], tie.member[1]):
            d = plus(d, members[m].share, vector(x[nodes + members[m].node]))
        furthest = max(furthest, sqrt(dot(d, d)))
        if dot(d, row.left) < 0.0:  # the last push was too far
            row.gain = max(0.5 * row.gain, LEAST)
        k = -row.gain
        f = k * dot(row.inverse[0], d), k * dot(row.inverse[1], d), k * dot(row.inverse[2], d)
        for c in range(3):
            row.left[c] = d[c]
            row.impulse[c] += f[c]
        push_tie(soft, t, row, x, w, held, f, nodes)
    return furthest
