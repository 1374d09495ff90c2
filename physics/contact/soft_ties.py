"""Ties of soft bodies to rods and rigid bodies: a point among a soft body's nodes, Σ s_i x_i, is where a vertex of a
rod, or a point of a body, is.

What is tied to rigid bodies is solved for at once. A body that an impulse (f, p × f) moves by u = (δ, φ), u = W (f, p ×
f), takes the points that are tied to it along, each of a mass m: its impulse is m (δ + φ × p − d), with d the way to
the point from the body's, and −Σ of these is the body's. So

    (I + W K) u = W Σ m (d, p × d),    K = Σ m Bᵀ B,    B = (I, −[p]),

six equations for each body, which is heavier by what it carries; W = diag(1/m, I⁻¹), or of bodies that rods join what
their common system says (`constraints/length_system`). A node of several ties is shared among them, so that together
they do not push it too far.

Vertices of rods that are explicit are swept with the contacts: an impulse J on the nodes by their shares, and −J on the
vertex, brings them together where (Σ w_i s_i² I + W) J = −d, W the mobility of the vertex with its chain, whose
quadratic form is that of `chain_mobility`. These begin with the last step's forces.

Both sides are pushed where both are, so both momenta are kept.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import rotate
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..compiling.by_reference import by_reference
from ..constraints.chain_mobility import mobility
from ..constraints.scratch import ConstraintScratch
from ..linear.dense import divide, invert
from ..linear.sparse_ldl import solve
from ..model import LengthSystem, Model, table
from .carriers.body import Held
from .carriers.body_surface import way_of

LEAST = 1.0 / 64.0  # of what is missing that a push makes up for
TIE_ROW = table(
    carrier=np.int64,  # of the rows of CARRIER, −1: it is to a rod
    mass=float,  # of its point [kg]
    arm=(float, 3),  # of a body's point, old pose, world axes [m]
    inverse=(float, (3, 3)),  # of the mobility of both sides [kg]
    gain=float,  # part of what is missing that the next push makes up for
    left=(float, 3),  # what was missing before the last one, or is [m]
    impulse=(float, 3),  # on the soft body's nodes, times step [kg m]
)
CARRIER = table(body=np.int64, carried=(float, (6, 6)))  # a rigid body, and K of what is tied to it


@by_reference
class Ties(NamedTuple):
    """Room for Q ties, and B rigid bodies that something is tied to."""

    rows: np.ndarray  # TIE_ROW (Q,)
    carriers: np.ndarray  # CARRIER (B,)
    system: np.ndarray  # (6 B, 6 B) I + W K, eliminated
    response: np.ndarray  # (6 B, 6 B) how easily bodies move, (I + W K)⁻¹ W
    load: np.ndarray  # (6 B,) Σ m (d, p × d)
    way: np.ndarray  # (6 B,) u


def tie_scratch(ties: np.ndarray) -> Ties:
    """Room for SOFT_TIE (Q,)."""
    body, carrier = np.unique(ties["body"][ties["body"] >= 0], return_inverse=True)
    rows, carriers, n = np.zeros(len(ties), TIE_ROW), np.zeros(len(body), CARRIER), 6 * len(body)
    rows["carrier"] = -1
    rows["carrier"][ties["body"] >= 0] = carrier
    carriers["body"] = body
    return Ties(rows, carriers, np.zeros((n, n)), np.zeros((n, n)), np.zeros(n), np.zeros(n))


@kernel
def begin_carriers(
    soft: Model, own: Ties, lengths: LengthSystem, work: ConstraintScratch, w: np.ndarray, held: Held,
    bodies: np.ndarray, nodes: int,
) -> None:  # fmt: skip
    """What carries ties, at the old poses, BODY_STATE (B,), where lengths are factorised in `work` as well.

    w: of all nodes, soft bodies' counted on from so many `nodes`.
    """
    ties, members, rows, carriers = soft.solids.ties, soft.solids.members, own.rows, own.carriers
    for b in range(len(carriers)):
        carriers[b].carried[:] = 0.0
    for t in range(len(rows)):
        tie, row, free = ties[t], rows[t], 0.0
        if row.carrier < 0:
            continue
        rotate(bodies[tie.body].q, tie.arm, row.arm)
        for m in range(tie.member[0], tie.member[1]):
            free += members[m].among * w[nodes + members[m].node] * members[m].share ** 2
        row.mass = 1.0 / free if free > 0.0 else 0.0
        carry(row.mass, vector(row.arm), carriers[row.carrier].carried)
    for j in range(len(own.way)):
        find_mobility(own, lengths, work, held, j)
    for i in range(len(own.way)):
        for j in range(len(own.way)):
            total = 1.0 if i == j else 0.0
            for k in range(6):
                total += own.response[i, j - j % 6 + k] * carriers[j // 6].carried[k, j % 6]
            own.system[i, j] = total
    divide(own.system, own.response)


@kernel
def carry(m: float, p: Vector, carried: np.ndarray) -> None:
    """Add a point of mass m [kg] at the arm p to K (6, 6)."""
    square = dot(p, p)
    for c in range(3):
        carried[c, c] += m
        carried[3 + c, 3 + c] += m * square
        for d in range(3):
            carried[3 + c, 3 + d] -= m * p[c] * p[d]
    for c in range(3):  # m δ + m φ × p, and the moment of both
        d, e = (c + 1) % 3, (c + 2) % 3
        carried[c, 3 + d] += m * p[e]
        carried[c, 3 + e] -= m * p[d]
        carried[3 + d, c] += m * p[e]
        carried[3 + e, c] -= m * p[d]


@kernel
def find_mobility(own: Ties, lengths: LengthSystem, work: ConstraintScratch, held: Held, j: int) -> None:
    """Column j of W: where a unit impulse takes all carriers."""
    bodies, carriers, b, k = held[0], own.carriers, own.carriers[j // 6].body, j % 6
    if len(lengths.links) > 0:
        for i in range(len(work.unknown)):
            work.unknown[i] = 0.0
        work.unknown[bodies[b].row[k]] = -1.0
        solve(lengths.column, lengths.below, work.diagonal, work.entries, work.unknown)
        for i in range(len(own.way)):
            own.response[i, j] = work.unknown[bodies[carriers[i // 6].body].row[i % 6]]
        return
    for i in range(len(own.way)):
        own.response[i, j] = 0.0
    if k < 3:
        own.response[j, j] = bodies[b].w
    else:
        for c in range(3):
            own.response[j - k + 3 + c, j] = held[3][b].inverse[c, k - 3]


@kernel
def carry_along(
    soft: Model, own: Ties, x: np.ndarray, w: np.ndarray, held: Held, bodies: np.ndarray, nodes: int
) -> float:
    """Bring all that is tied to rigid bodies together with them; returns the furthest [m] that two were apart."""
    ties, rows, furthest = soft.solids.ties, own.rows, 0.0
    for i in range(len(own.load)):
        own.load[i] = 0.0
    for t in range(len(rows)):
        row = rows[t]
        if row.carrier < 0:
            continue
        p, load = vector(row.arm), own.load[6 * row.carrier : 6 * row.carrier + 6]
        d = plus(vector(bodies[ties[t].body].x), 1.0, p)
        d = tied_place(soft, ties[t], x, nodes, scaled(-1.0, plus(d, 1.0, way_of(held[3][ties[t].body], p))))
        moment = cross(p, d)
        furthest = max(furthest, sqrt(dot(d, d)))
        for c in range(3):
            row.left[c] = d[c]
            load[c] += row.mass * d[c]
            load[3 + c] += row.mass * moment[c]
    for i in range(len(own.way)):
        own.way[i] = 0.0
        for k in range(len(own.way)):
            own.way[i] += own.response[i, k] * own.load[k]
    for t in range(len(rows)):
        row = rows[t]
        if row.carrier < 0:
            continue
        u = own.way[6 * row.carrier : 6 * row.carrier + 6]
        d = plus(vector(u[:3]), 1.0, cross(vector(u[3:]), vector(row.arm)))
        push_tie(soft, t, row, x, w, held, scaled(row.mass, plus(d, -1.0, vector(row.left))), nodes)
    return furthest


@kernel
def tied_place(soft: Model, tie: np.record, x: np.ndarray, nodes: int, place: Vector) -> Vector:
    """A place [m] and the point of a SOFT_TIE among its nodes, added up."""
    members = soft.solids.members
    for m in range(tie.member[0], tie.member[1]):
        place = plus(place, members[m].share, vector(x[nodes + members[m].node]))
    return place


@kernel
def begin_swept(
    soft: Model, model: Model, rows: np.ndarray, w: np.ndarray, chains: tuple[np.ndarray, np.ndarray], nodes: int
) -> None:
    """Mobilities of the soft Model's ties to rods that are explicit: rows, TIE_ROW (T,). Of others: implicit/tied_rods.

    w: of all nodes, soft bodies' counted on from so many `nodes`; chains: o (N, 3), BAND (N,) of the rods' Model.
    """
    ties, members = soft.solids.ties, soft.solids.members
    for t in range(len(ties)):
        tie, row, free = ties[t], rows[t], 0.0
        if not is_swept(model, tie):
            continue
        for m in range(tie.member[0], tie.member[1]):
            free += w[nodes + members[m].node] * members[m].share ** 2
        for j in range(3):
            for k in range(j + 1):
                own = both_ways(model, tie.vertex, w, chains, axis(j), axis(k))
                row.inverse[j, k] = row.inverse[k, j] = own + (free if j == k else 0.0)
        invert(row.inverse)
        row.gain = 1.0
        for c in range(3):
            row.left[c] = 0.0


@kernel
def is_swept(model: Model, tie: np.record) -> bool:
    """Whether a SOFT_TIE is to a rod that is explicit."""
    return tie.body < 0 and not model.rods[model.nodes[tie.vertex].rod].implicit


@kernel
def axis(k: int) -> Vector:
    """x, y or z."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@kernel
def both_ways(
    model: Model, i: int, w: np.ndarray, chains: tuple[np.ndarray, np.ndarray], a: Vector, b: Vector
) -> float:
    """How far [m/(kg m)] an impulse along a moves vertex i of a rod along b, unit vectors along axes."""
    rod = model.rods[model.nodes[i].rod]
    alone = mobility(rod, i, i + 1, 0.0, a, w, chains[0], chains[1])
    if dot(a, b) > 0.0:
        return alone
    other = mobility(rod, i, i + 1, 0.0, b, w, chains[0], chains[1])
    between = mobility(rod, i, i + 1, 0.0, scaled(sqrt(0.5), plus(a, 1.0, b)), w, chains[0], chains[1])
    return between - 0.5 * (alone + other)


@kernel
def push_tie(
    soft: Model, t: int, row: np.record, x: np.ndarray, w: np.ndarray, held: Held, f: Vector, nodes: int
) -> None:
    """Push the nodes of tie t by the impulse f [kg m], and what it is to by −f; its row remembers."""
    tie, members = soft.solids.ties[t], soft.solids.members
    for c in range(3):
        row.impulse[c] += f[c]
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
    soft: Model, model: Model, rows: np.ndarray, x: np.ndarray, w: np.ndarray, held: Held, nodes: int
) -> float:
    """One Gauss–Seidel sweep over the ties to rods that are explicit, rows of TIE_ROW (T,); returns the furthest [m]
    that two were apart.
    """
    ties, furthest = soft.solids.ties, 0.0
    for t in range(len(ties)):
        tie, row = ties[t], rows[t]
        if not is_swept(model, tie):
            continue
        d = tied_place(soft, tie, x, nodes, scaled(-1.0, vector(x[tie.vertex])))
        furthest = max(furthest, sqrt(dot(d, d)))
        if dot(d, row.left) < 0.0:  # the last push was too far
            row.gain = max(0.5 * row.gain, LEAST)
        k = -row.gain
        for c in range(3):
            row.left[c] = d[c]
        f = k * dot(row.inverse[0], d), k * dot(row.inverse[1], d), k * dot(row.inverse[2], d)
        push_tie(soft, t, row, x, w, held, f, nodes)
    return furthest
