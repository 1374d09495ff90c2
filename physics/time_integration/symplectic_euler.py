"""Symplectic Euler with manifold projection: v += h M⁻¹F(x), x* = x + h v, project x* to x,
v = (x − x₀)/h (Bergou 2008, §7.2, §8); rigid bodies alike, with angular momentum in place of v.

First order in time, symplectic on the constraint manifold (SHAKE directions): no drift of energy, momenta to round-off.

The scheme is an `attempt`, which changes positions, velocities and frames alone, and either `accept`, which keeps what
the next step begins with, or `take_back`. (A list of pairs made on the way is one of the old positions: it stays.)
"""

import numpy as np

from .._jit import kernel
from ..arrays import copy, copy_rows, scale_into
from ..constraints.articulation import project_articulation, repeat_pull, set_up, worst_edge
from ..constraints.fast_projection import apply_multipliers, edge_vectors, fast_projection
from ..constraints.pins import drive, hold
from ..contact.detect import detect
from ..contact.inequality_constraints import keep_forces
from ..contact.pair_list import contact_margin, list_pairs, spread
from ..contact.swept_boxes import widen
from ..contact.touch import touch
from ..forces.drag import body_drag, drag
from ..model import Model, State, Workspace
from ..rigid_bodies.loads import accelerate_bodies
from ..rigid_bodies.slaves import pose, put_arms, turn_welds
from ..rigid_bodies.stand_in import hand_on, lend
from ..rods.chain import rod_at
from ..rods.internal_damping import internal_damping

DONE, PAIRS_FULL, OVERSTRETCHED, TWIST_LOST, NOT_FINITE, TOO_FAR, TOO_DEEP = range(7)


@kernel
def keep(state: State, work: Workspace) -> None:
    """Remember what an attempt changes."""
    copy_rows(state.x, work.x0)
    copy_rows(state.v, work.v0)
    copy(state.w, work.w0)
    copy(state.bodies, work.bodies0)
    if len(state.holds) > 0:
        copy(state.holds, work.holds0)
        copy(state.fixed, work.fixed0)
    copy(state.walls, work.walls0)
    copy_rows(state.clamp_frame, work.clamp_frame0)


@kernel
def take_back(state: State, work: Workspace) -> None:
    """The state as it was before an attempt.

    The frames that a clamp lays when it lets go or takes up come out the same again.
    """
    copy_rows(work.x0, state.x)
    copy_rows(work.v0, state.v)
    copy(work.w0, state.w)
    copy(work.bodies0, state.bodies)
    copy(work.walls0, state.walls)
    copy_rows(work.clamp_frame0, state.clamp_frame)
    if len(state.holds) > 0:
        copy(work.holds0, state.holds)
        copy(work.fixed0, state.fixed)


@kernel
def accelerate(
    v: np.ndarray, f: np.ndarray, w: np.ndarray, nodes: np.ndarray, gravity: np.ndarray, fields: np.ndarray, h: float
) -> None:
    """v += h (W f + g + push), in place; what is pinned has its pin's inverse mass and only its own weight.

    gravity (3,) [m/s²]; push: by force fields (N or more,).
    """
    gx, gy, gz = h * gravity[0], h * gravity[1], h * gravity[2]
    for i in range(len(v)):
        if w[i] > 0.0:
            k, own, push = h * w[i], w[i] * nodes[i].mass, fields[i].push
            g, p = own * nodes[i].gravity, own * h
            v[i, 0] += k * f[i, 0] + g * gx + p * push[0]
            v[i, 1] += k * f[i, 1] + g * gy + p * push[1]
            v[i, 2] += k * f[i, 2] + g * gz + p * push[2]


@kernel
def drift(x: np.ndarray, v: np.ndarray, w: np.ndarray, h: float) -> None:
    """x += h v, in place."""
    for i in range(len(x)):
        if w[i] > 0.0:
            x[i, 0] += h * v[i, 0]
            x[i, 1] += h * v[i, 1]
            x[i, 2] += h * v[i, 2]


@kernel
def drift_bodies(bodies: np.ndarray, slaves: np.ndarray, state: State, work: Workspace, h: float) -> None:
    """Bodies and their slaves go on freely by h."""
    for b in range(len(bodies)):
        now = state.bodies[b]
        for c in range(3):
            now.x[c] += h * now.v[c]
    pose(bodies, slaves, state, work, h)


@kernel
def measure_velocity(x: np.ndarray, x0: np.ndarray, h: float, v: np.ndarray) -> bool:
    """v = (x − x0)/h; returns whether all of it is finite."""
    total, k = 0.0, 1.0 / h
    for i in range(len(x)):
        v[i, 0], v[i, 1], v[i, 2] = k * (x[i, 0] - x0[i, 0]), k * (x[i, 1] - x0[i, 1]), k * (x[i, 2] - x0[i, 2])
        total += v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1] + v[i, 2] * v[i, 2]
    return np.isfinite(total)


@kernel
def predict(model: Model, state: State, work: Workspace, h: float) -> None:
    """The dampings, v += h M⁻¹F, x* = x + h v, pins driven.

    Dampings come first: behind the forces they would damp a fall that the constraints have yet to undo, and equilibria
    would depend on the step.
    """
    rods, nodes, bodies, slaves, world = model.rods, model.nodes, model.bodies, model.slaves, model.world[0]
    x, v, w, fields = state.x, state.v, state.w, state.fields
    put_arms(slaves, state.bodies, work.slaves)
    lend(model, state, work)
    for r in range(len(rods)):
        if rods[r].damped:
            internal_damping(model, r, state, work, h)
        c, d = rods[r].first, rods[r].last + 1
        drag(x[c:d], v[c:d], w[c:d], nodes[c:d], fields[c:d], rods[r].closed, world.air_density, h)
    hand_on(model, state, work)
    body_drag(bodies, state.bodies, fields[len(x) :], world.air_density, h)
    accelerate(v, work.f, w, nodes, world.gravity, fields, h)
    accelerate_bodies(model, state, work, h)
    drift(x, v, w, h)
    drift_bodies(bodies, slaves, state, work, h)
    drive(model, state, work, h)


@kernel
def project(model: Model, state: State, work: Workspace, moved: float, h: float) -> tuple[int, int, int]:
    """Edges to their lengths and bodies apart, together, after things have moved by `moved` [m] against the whole.

    Returns (status, the rod that failed, number of contacts).
    """
    rods, edges, world, x, w = model.rods, model.edges, model.world[0], state.x, state.w
    margin = contact_margin(world, moved)
    if world.skin > 0.0 and not list_pairs(model, state, work, margin):
        return PAIRS_FULL, 0, 0
    count = detect(model, state, work, margin, h)
    for r in range(len(rods)):
        if not rods[r].stretchable:
            c, d = rods[r].first, rods[r].last + 1
            m = d - c if rods[r].closed else d - c - 1
            edge_vectors(work.x0[c:d], rods[r].closed, work.o[c:d])
            if rods[r].articulated:
                continue
            scale_into(state.tension[c : c + m], h * h, work.multiplier[c : c + m])
            apply_multipliers(x[c:d], work.o[c : c + m], w[c:d], work.multiplier[c : c + m])
    articulated = len(model.bodies) > 0
    if articulated:
        set_up(model, state, work)
        repeat_pull(model, state, work, h)
    if count > 0:
        touch(model, state, work, count, h)
    if articulated and not project_articulation(model, state, work, h):
        return OVERSTRETCHED, rod_at(rods, worst_edge(model.articulation.links, edges, x)), count
    for r in range(len(rods)):
        if not rods[r].stretchable and not rods[r].articulated:
            c, d = rods[r].first, rods[r].last + 1
            e = d if rods[r].closed else d - 1
            if not fast_projection(
                x[c:d], work.o[c:e], w[c:d], edges["length"][c:e], rods[r].closed, work.multiplier[c:e],
                work.elimination[c:e],
            ):  # fmt: skip
                return OVERSTRETCHED, r, count
    return DONE, 0, count


@kernel
def keep_tensions(rods: np.ndarray, links: np.ndarray, multiplier: np.ndarray, h: float, tension: np.ndarray) -> None:
    """Remember the multipliers over h² of all edges."""
    k = 1.0 / (h * h)
    for r in range(len(rods)):
        if not rods[r].stretchable and not rods[r].articulated:
            c, e = rods[r].first, rods[r].last + 1 if rods[r].closed else rods[r].last
            scale_into(multiplier[c:e], k, tension[c:e])
    for j in range(len(links)):
        tension[links[j].tail] = k * multiplier[links[j].tail]


@kernel
def attempt(model: Model, state: State, work: Workspace, h: float, furthest: float) -> tuple[int, int, int, float]:
    """One step of h [s] of everything (Bergou 2008, Algorithm 1), from the forces work.f at the positions that `keep`
    remembers; given up when something seems to move further than `furthest` [m] against the whole.

    Returns (status, the rod it concerns, number of contacts, how far things seemed to move [m]).
    """
    rods, x, v, x0 = model.rods, state.x, state.v, work.x0
    predict(model, state, work, h)
    moved = spread(x, x0) if model.world[0].skin > 0.0 else 0.0
    if not moved <= furthest:
        status = TOO_FAR if np.isfinite(moved) else NOT_FINITE
        return status, fastest_rod(rods, x, x0), 0, moved
    status, failed, count = project(model, state, work, moved, h)
    if status != DONE:
        return status, failed, count, moved
    for r in range(len(rods)):
        c, d = rods[r].first, rods[r].last + 1
        if not measure_velocity(x[c:d], x0[c:d], h, v[c:d]):
            return NOT_FINITE, r, count, moved
    turn_welds(model.welds, state)
    hold(model, state, work, h)
    return DONE, 0, count, moved


@kernel
def fastest_rod(rods: np.ndarray, x: np.ndarray, x0: np.ndarray) -> int:
    """The rod of the vertex that has moved furthest from x0 (N, 3), or is nowhere."""
    fastest, square = 0, 0.0
    for r in range(len(rods)):
        for i in range(rods[r].first, rods[r].last + 1):
            d = (x[i, 0] - x0[i, 0]) ** 2 + (x[i, 1] - x0[i, 1]) ** 2 + (x[i, 2] - x0[i, 2]) ** 2
            if not np.isfinite(d):
                return r
            if d > square:
                fastest, square = r, d
    return fastest


@kernel
def accept(model: Model, state: State, work: Workspace, count: int, h: float) -> None:
    """Keep what the next step begins with: what pulls and presses, and the time; and where things have been."""
    keep_tensions(model.rods, model.articulation.links, work.multiplier, h, state.tension)
    keep_forces(state, work.contacts[:count], h)
    widen(state.x, work.low, work.high)
    state.clock[0].time += h
    state.clock[0].step = h
