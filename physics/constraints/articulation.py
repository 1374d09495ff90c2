"""Fast projection of rods and the rigid bodies they are welded to, in their common metric (Bergou 2008, §8.1).

A weld is exact by construction: the nodes it holds are placed by the body. What remains are the edges' lengths
C_j = (e^j·e^j − l_j²)/2, whose directions at the old pose are −o at the tail, +o at the head, and for a slave at the
arm p the same on its body's centre with the turn p × o. With the multipliers λ and the bodies' displacements Δ

    T λ + Gᵀ Δ = −C,    G λ − M Δ = 0,    T = ∇C W ∇Cᵀ over free vertices, M the bodies' masses and inertias,

which is quasi-definite, factorised once a step, and solved a few times, for the directions stay those of the old pose:
each impulse acts along one line, so momentum and angular momentum are kept to round-off. Angular momentum, not the
quaternion, takes the impulses; the pose follows from it (`free_motion`). What does not converge so (a very large step)
is tried again along the edges as they have become, the scheme as printed.
"""

from .._jit import njit
from ..rigid_bodies.slaves import pose, put_arms
from ..rigid_bodies.stand_in import push_body
from .fast_projection import TOLERANCE
from .sparse_ldl import factorise, solve

ROUNDS = 40


@njit
def set_up(articulation, bodies, state, work):
    """Fill and factorise the system at the directions work.o (N, 3), the arms work.arm and the poses state.body_q."""
    a, o, w = articulation, work.o, state.w
    diagonal, entries = work.diagonal, work.entries
    for k in range(len(diagonal)):
        diagonal[k] = 0.0
    for p in range(len(entries)):
        entries[p] = 0.0
    for j in range(len(a.tail)):
        e, row = a.tail[j], a.row[j]
        square = o[e, 0] * o[e, 0] + o[e, 1] * o[e, 1] + o[e, 2] * o[e, 2]
        if a.tail_slave[j] < 0:
            diagonal[row] += w[a.tail[j]] * square
        else:
            couple(o[e], work.arm[a.tail_slave[j]], -1.0, a.arm_slot[j, 0], entries)
        if a.head_slave[j] < 0:
            diagonal[row] += w[a.head[j]] * square
        else:
            couple(o[e], work.arm[a.head_slave[j]], 1.0, a.arm_slot[j, 1], entries)
    for q in range(len(a.pair)):
        d, e = a.tail[a.pair[q, 0]], a.tail[a.pair[q, 1]]
        dot = o[d, 0] * o[e, 0] + o[d, 1] * o[e, 1] + o[d, 2] * o[e, 2]
        entries[a.pair_slot[q]] -= w[a.pair_node[q]] * dot
    for b in range(len(bodies.mass)):
        weigh(bodies.mass[b], bodies.inertia[b], state.body_q[b], a.body_row[b], a.body_slot[b], diagonal, entries)
    factorise(a.column, a.below, a.update, diagonal, entries)


@njit
def couple(o, p, sign, slot, entries):
    """The six entries of an edge o (3,) that pulls a body at the arm p (3,)."""
    entries[slot[0]] += sign * o[0]
    entries[slot[1]] += sign * o[1]
    entries[slot[2]] += sign * o[2]
    entries[slot[3]] += sign * (p[1] * o[2] - p[2] * o[1])
    entries[slot[4]] += sign * (p[2] * o[0] - p[0] * o[2])
    entries[slot[5]] += sign * (p[0] * o[1] - p[1] * o[0])


@njit
def weigh(mass, inertia, q, row, slot, diagonal, entries):
    """−M of one body at the unit quaternion q (4,): mass, and its inertia in world axes."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    ax, ay, az = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)
    bx, by, bz = 2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)
    cx, cy, cz = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
    p, q1, r = inertia[0], inertia[1], inertia[2]
    for c in range(3):
        diagonal[row[c]] -= mass
    diagonal[row[3]] -= p * ax * ax + q1 * bx * bx + r * cx * cx
    diagonal[row[4]] -= p * ay * ay + q1 * by * by + r * cy * cy
    diagonal[row[5]] -= p * az * az + q1 * bz * bz + r * cz * cz
    entries[slot[0]] -= p * ax * ay + q1 * bx * by + r * cx * cy
    entries[slot[1]] -= p * ax * az + q1 * bx * bz + r * cx * cz
    entries[slot[2]] -= p * ay * az + q1 * by * bz + r * cy * cz


@njit
def errors(articulation, rods, x, w, unknown):
    """Right-hand side (U,): −C of each edge, 0 for bodies; returns the largest relative error of a length."""
    a = articulation
    for k in range(len(unknown)):
        unknown[k] = 0.0
    worst = 0.0
    for j in range(len(a.tail)):
        t, i = a.tail[j], a.head[j]
        dx, dy, dz = x[i, 0] - x[t, 0], x[i, 1] - x[t, 1], x[i, 2] - x[t, 2]
        square = rods.length[t] * rods.length[t]
        c = 0.5 * (square - (dx * dx + dy * dy + dz * dz))
        if a.tail_slave[j] < 0 and a.head_slave[j] < 0 and w[t] + w[i] == 0.0:  # as what holds both wants it
            c = 0.0
        unknown[a.row[j]] = c
        if abs(c) > worst * square:
            worst = abs(c) / square
    return worst


@njit
def worst_edge(articulation, rods, x):
    """The edge, by the node it leaves, whose length is farthest off, or no number any more."""
    a, worst, found = articulation, 0.0, articulation.tail[0]
    for j in range(len(a.tail)):
        t, i = a.tail[j], a.head[j]
        dx, dy, dz = x[i, 0] - x[t, 0], x[i, 1] - x[t, 1], x[i, 2] - x[t, 2]
        off = abs((dx * dx + dy * dy + dz * dz) / (rods.length[t] * rods.length[t]) - 1.0)
        if not off <= worst:
            worst, found = off, t
    return found


@njit
def pull(articulation, bodies, state, work, h):
    """Apply the multipliers work.unknown to vertices and bodies, add them to work.multiplier, and pose the bodies."""
    a, x, v, w, o = articulation, state.x, state.body_v, state.w, work.o
    for j in range(len(a.tail)):
        e, i, lam = a.tail[j], a.head[j], work.unknown[a.row[j]]
        work.multiplier[e] += lam
        fx, fy, fz = lam * o[e, 0], lam * o[e, 1], lam * o[e, 2]
        s = a.tail_slave[j]
        if s < 0:
            x[e, 0] -= w[e] * fx
            x[e, 1] -= w[e] * fy
            x[e, 2] -= w[e] * fz
        else:
            push_body(bodies, bodies.slave_body[s], work.arm[s], -fx, -fy, -fz, h, state.body_x, v, state.body_l)
        s = a.head_slave[j]
        if s < 0:
            x[i, 0] += w[i] * fx
            x[i, 1] += w[i] * fy
            x[i, 2] += w[i] * fz
        else:
            push_body(bodies, bodies.slave_body[s], work.arm[s], fx, fy, fz, h, state.body_x, v, state.body_l)
    pose(bodies, state, work, h)


@njit
def repeat_pull(articulation, bodies, state, work, h):
    """Pull as in the last step: a first guess of this one's multipliers."""
    a = articulation
    for j in range(len(a.tail)):
        work.multiplier[a.tail[j]] = 0.0
        work.unknown[a.row[j]] = h * h * state.tension[a.tail[j]]
    pull(articulation, bodies, state, work, h)


@njit
def correct(articulation, rods, bodies, state, work, h):
    """One round; returns the largest relative error of a length before it. Nothing is done when that is small."""
    a = articulation
    worst = errors(a, rods, state.x, state.w, work.unknown)
    if worst > TOLERANCE:
        solve(a.column, a.below, work.diagonal, work.entries, work.unknown)
        pull(a, bodies, state, work, h)
    return worst


@njit
def project_articulation(articulation, rods, bodies, state, work, h):
    """Project all edges to their lengths; false when that does not converge."""
    a = articulation
    for _ in range(ROUNDS):
        if correct(a, rods, bodies, state, work, h) <= TOLERANCE:
            return True
    for _ in range(ROUNDS):  # a large step: the printed directions
        for j in range(len(a.tail)):
            t, i = a.tail[j], a.head[j]
            for c in range(3):
                work.o[t, c] = state.x[i, c] - state.x[t, c]
        put_arms(bodies, state.body_q, work.arm)
        set_up(a, bodies, state, work)
        if correct(a, rods, bodies, state, work, h) <= TOLERANCE:
            return True
    return False
