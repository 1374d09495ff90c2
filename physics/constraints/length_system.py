"""Fast projection of rods and the rigid bodies they are welded to, in their common metric (Bergou 2008, §8.1).

What runs through a pulley has another law of its length, whose two ends have directions of their own: see `pulleys`.

A weld is exact by construction: the nodes it holds are placed by the body. What remains are the edges' lengths
C_j = (e^j·e^j − l_j²)/2, whose directions at the old pose are −o at the tail, +o at the head, and for a slave at the
arm p the same on its body's centre with the turn p × o. With the multipliers λ and the bodies' displacements Δ

    T λ + Gᵀ Δ = −C,    G λ − M Δ = 0,    T = ∇C W ∇Cᵀ over free vertices, M the bodies' masses and inertias,

which is quasi-definite, factorised once a step, and solved a few times, for the directions stay those of the old pose:
each impulse acts along one line, so momentum and angular momentum are kept to round-off. Angular momentum, not the
quaternion, takes the impulses; the pose follows from it (`free_motion`). What does not converge so (a very large step)
is tried again along the edges as they have become, the scheme as printed.
"""

from math import inf

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy
from ..arithmetic.vectors import Vector, dot, scaled, vector
from ..linear.sparse_ldl import factorise, solve
from ..model import Model, OldState, State
from ..rigid_bodies.loads import displace_body
from ..rigid_bodies.scratch import WeldedScratch
from ..rigid_bodies.slaves import pose, put_arms
from .fast_projection import TOLERANCE
from .pulleys import (
    aim,
    begin_pulleys,
    coupled_beside,
    follow_bodies,
    head_direction,
    length_through,
    pass_on,
)
from .scratch import ConstraintScratch

ROUNDS = 40


@kernel
def has_lengths(model: Model) -> bool:
    """Whether any length is kept by this system, or any body moves with it."""
    return len(model.length_system.column) > 1


@entry
def set_up(model: Model, state: State, slaves: np.ndarray, work: ConstraintScratch) -> None:
    """Fill and factorise the system at the directions work.o, the arms of slaves and the poses state.bodies."""
    a, bodies, o, w = model.length_system, model.bodies, work.o, state.w
    diagonal, entries = work.diagonal, work.entries
    for k in range(len(diagonal)):
        diagonal[k] = 0.0
    for p in range(len(entries)):
        entries[p] = 0.0
    for j in range(len(a.links)):
        link = a.links[j]
        here, there = vector(o[link.tail]), head_direction(model, work, j)
        if link.tail_slave < 0:
            diagonal[link.row] += w[link.tail] * dot(here, here)
        else:
            couple(here, slaves[link.tail_slave].arm, -1.0, link.arm_slot[0], entries)
        if link.head_slave < 0:
            diagonal[link.row] += w[link.head] * dot(there, there)
        else:
            couple(there, slaves[link.head_slave].arm, 1.0, link.arm_slot[1], entries)
    for q in range(len(a.joints)):
        joint = a.joints[q]
        product = dot(head_direction(model, work, joint.one), vector(o[a.links[joint.other].tail]))
        entries[joint.slot] -= w[joint.node] * product
        if len(work.pulls) > 0:
            entries[joint.slot] += coupled_beside(model, w, work, joint.one, joint.other)
    for q in range(len(work.pulls)):
        if work.pulls[q].run >= 0:
            set_up_pulley(model, w, work, q)
    for b in range(len(bodies)):
        weigh(bodies[b], state.bodies[b].q, diagonal, entries)
    factorise(a.column, a.below, diagonal, entries)


@kernel
def set_up_pulley(model: Model, w: np.ndarray, work: ConstraintScratch, q: int) -> None:
    """What pulley q has to do with the edge in it beside that edge's own ends."""
    own, run, of_body = work.pulls[q], model.length_system.runs[work.pulls[q].run], model.pulleys[q].body >= 0
    link = model.length_system.links[run.link]
    length = model.edges[link.tail].length
    for side in range(2):
        if of_body:
            couple(vector(own.slope[side]), own.arm[side], -length, run.slot, work.entries)
        if own.next[side] >= 0:
            turning = vector(own.turning[side])
            work.diagonal[link.row] += w[own.next[side]] * length * length * dot(turning, turning)
            if of_body:
                couple(turning, own.far_arm[side], -length, run.slot, work.entries)


@kernel
def couple(o: Vector, p: np.ndarray, sign: float, slot: np.ndarray, entries: np.ndarray) -> None:
    """The six entries of an edge's direction o, times `sign`, that pulls a body at the arm p (3,)."""
    entries[slot[0]] += sign * o[0]
    entries[slot[1]] += sign * o[1]
    entries[slot[2]] += sign * o[2]
    entries[slot[3]] += sign * (p[1] * o[2] - p[2] * o[1])
    entries[slot[4]] += sign * (p[2] * o[0] - p[0] * o[2])
    entries[slot[5]] += sign * (p[0] * o[1] - p[1] * o[0])


@kernel
def weigh(body: np.record, q: np.ndarray, diagonal: np.ndarray, entries: np.ndarray) -> None:
    """−M of one body at the unit quaternion q (4,): mass, and its inertia in world axes."""
    mass, inertia, row, slot = body.mass, body.inertia, body.row, body.slot
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


@kernel
def errors(model: Model, x: np.ndarray, w: np.ndarray, work: ConstraintScratch) -> float:
    """Right-hand side work.unknown: −C of each edge, 0 for bodies; returns the largest relative error of a length."""
    links, edges, unknown = model.length_system.links, model.edges, work.unknown
    for k in range(len(unknown)):
        unknown[k] = 0.0
    worst = 0.0
    for j in range(len(links)):
        t, i = links[j].tail, links[j].head
        dx, dy, dz = x[i, 0] - x[t, 0], x[i, 1] - x[t, 1], x[i, 2] - x[t, 2]
        square = edges[t].length * edges[t].length
        c = 0.5 * (square - (dx * dx + dy * dy + dz * dz))
        q = work.beside[j, 0] - 1
        if q >= 0:
            c = edges[t].length * (edges[t].length - length_through(model, x, work.pulls, q))
        if links[j].tail_slave < 0 and links[j].head_slave < 0 and w[t] + w[i] == 0.0:  # as what holds both wants it
            c = 0.0
        unknown[links[j].row] = c
        if not abs(c) <= worst * square:
            worst = abs(c) / square if abs(c) < inf else inf  # no number: more length is asked for than there is
    return worst


@kernel
def worst_edge(model: Model, x: np.ndarray, beside: np.ndarray) -> int:
    """The edge, by the node it leaves, whose length is farthest off, or no number any more."""
    links, edges = model.length_system.links, model.edges
    worst, found = 0.0, links[0].tail
    for j in range(len(links)):
        t, i = links[j].tail, links[j].head
        if beside[j, 0] > 0:
            continue
        dx, dy, dz = x[i, 0] - x[t, 0], x[i, 1] - x[t, 1], x[i, 2] - x[t, 2]
        off = abs((dx * dx + dy * dy + dz * dz) / (edges[t].length * edges[t].length) - 1.0)
        if not off <= worst:
            worst, found = off, t
    return found


@kernel
def pull(model: Model, state: State, old: OldState, welded: WeldedScratch, work: ConstraintScratch, h: float) -> None:
    """Apply the multipliers work.unknown to vertices and bodies, add them to work.multiplier, and pose the bodies."""
    links, bodies, slaves = model.length_system.links, model.bodies, model.slaves
    x, w, o = state.x, state.w, work.o
    for j in range(len(links)):
        e, i, lam = links[j].tail, links[j].head, work.unknown[links[j].row]
        work.multiplier[e] += lam
        fx, fy, fz = lam * o[e, 0], lam * o[e, 1], lam * o[e, 2]
        s = links[j].tail_slave
        if s < 0:
            x[e, 0] -= w[e] * fx
            x[e, 1] -= w[e] * fy
            x[e, 2] -= w[e] * fz
        else:
            b = slaves[s].body
            displace_body(bodies[b].w, state.bodies[b], welded.slaves[s].arm, -fx, -fy, -fz, h)
        fx, fy, fz = scaled(lam, head_direction(model, work, j))
        s = links[j].head_slave
        if s < 0:
            x[i, 0] += w[i] * fx
            x[i, 1] += w[i] * fy
            x[i, 2] += w[i] * fz
        else:
            b = slaves[s].body
            displace_body(bodies[b].w, state.bodies[b], welded.slaves[s].arm, fx, fy, fz, h)
    for q in range(len(work.pulls)):
        if work.pulls[q].run >= 0:
            pull_pulley(model, state, welded, work, q, h)
    pose(model, state, old, welded, h)
    follow_bodies(model, state.bodies, work)


@kernel
def pull_pulley(model: Model, state: State, welded: WeldedScratch, work: ConstraintScratch, q: int, h: float) -> None:
    """The same of pulley q: of its body, and of vertices behind those that are close to it."""
    own, b = work.pulls[q], model.pulleys[q].body
    link = model.length_system.links[model.length_system.runs[own.run].link]
    lam = work.unknown[link.row] * model.edges[link.tail].length
    for side in range(2):
        if b >= 0:
            fx, fy, fz = scaled(-lam, vector(own.slope[side]))
            displace_body(model.bodies[b].w, state.bodies[b], own.arm[side], fx, fy, fz, h)
        i = own.next[side]
        if i < 0:
            continue
        fx, fy, fz = scaled(lam, vector(own.turning[side]))
        s = model.nodes[i].slave
        if s < 0:
            state.x[i, 0] += state.w[i] * fx
            state.x[i, 1] += state.w[i] * fy
            state.x[i, 2] += state.w[i] * fz
        else:
            c = model.slaves[s].body
            displace_body(model.bodies[c].w, state.bodies[c], welded.slaves[s].arm, fx, fy, fz, h)
        if b >= 0:
            displace_body(model.bodies[b].w, state.bodies[b], own.far_arm[side], -fx, -fy, -fz, h)


@entry
def begin_links(
    model: Model, state: State, old: OldState, welded: WeldedScratch, work: ConstraintScratch, h: float
) -> None:
    """Set up the system of a step of h [s], and pull as in the last one: a first guess of its multipliers."""
    links = model.length_system.links
    begin_pulleys(model, state, old, work, h)
    set_up(model, state, welded.slaves, work)
    for j in range(len(links)):
        work.multiplier[links[j].tail] = 0.0
        work.unknown[links[j].row] = h * h * state.tension[links[j].tail]
    pull(model, state, old, welded, work, h)


@kernel
def correct(
    model: Model, state: State, old: OldState, welded: WeldedScratch, work: ConstraintScratch, h: float
) -> float:
    """One round; returns the largest relative error of a length before it. Nothing is done when that is small."""
    a = model.length_system
    follow_bodies(model, state.bodies, work)
    worst = errors(model, state.x, state.w, work)
    if worst > TOLERANCE:
        solve(a.column, a.below, work.diagonal, work.entries, work.unknown)
        pull(model, state, old, welded, work, h)
    return worst


@kernel
def along_present_edges(model: Model, state: State, welded: WeldedScratch, work: ConstraintScratch) -> None:
    """Set the system up along the edges, and with the arms, as they have become."""
    links = model.length_system.links
    for j in range(len(links)):
        t, i = links[j].tail, links[j].head
        for c in range(3):
            work.o[t, c] = state.x[i, c] - state.x[t, c]
    put_arms(model.slaves, state.bodies, welded.slaves)
    aim(model, state, state.x, state.bodies, work)
    set_up(model, state, welded.slaves, work)


@entry
def project_lengths(
    model: Model, state: State, old: OldState, welded: WeldedScratch, work: ConstraintScratch, h: float
) -> bool:
    """Project all edges to their lengths; false when that does not converge."""
    for _ in range(ROUNDS):
        if correct(model, state, old, welded, work, h) <= TOLERANCE:
            return True
    for _ in range(ROUNDS):  # a large step: the printed directions
        along_present_edges(model, state, welded, work)
        if correct(model, state, old, welded, work, h) <= TOLERANCE:
            return True
    return False


@entry
def go_through_pulleys(
    model: Model,
    state: State,
    old: OldState,
    welded: WeldedScratch,
    work: ConstraintScratch,
    before: np.ndarray,
    h: float,
) -> None:
    """What has come through a pulley in a step of h [s] that counts goes on behind it, where edges have their lengths:
    what that moves, places alone, has no part in velocities. before: scratch, BODY_STATE (B,).
    """
    if not pass_on(model, state, work, h):
        return
    copy(state.bodies, before)
    for _ in range(ROUNDS):
        along_present_edges(model, state, welded, work)
        if correct(model, state, old, welded, work, h) <= TOLERANCE:
            break
    for b in range(len(state.bodies)):
        for c in range(3):
            state.bodies[b].v[c], state.bodies[b].l[c] = before[b].v[c], before[b].l[c]
