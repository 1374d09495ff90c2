"""Symplectic Euler with manifold projection: v += h M⁻¹F(x), x* = x + h v, project x* to x,
v = (x − x₀)/h (Bergou 2008, §7.2, §8); rigid bodies alike, with angular momentum in place of v.

First order in time, symplectic on the constraint manifold (SHAKE directions): no drift of energy, momenta to round-off.

The scheme is an `attempt`, which changes positions, velocities and frames alone, and either `accept`, which keeps what
the next step begins with, or `take_back`. (A list of pairs made on the way is one of the old positions: it stays.)
"""

import numpy as np

from .._jit import njit
from ..arrays import copy_rows, scale_into
from ..constraints.articulation import project_articulation, repeat_pull, set_up, worst_edge
from ..constraints.fast_projection import apply_multipliers, edge_vectors, fast_projection
from ..constraints.pins import drive, hold
from ..contact.floor import keep_floor_forces, reaches_floor
from ..contact.inequality_constraints import detect, keep_forces
from ..contact.pair_list import contact_margin, list_pairs, spread
from ..contact.touch import contact_gains, touch
from ..forces.drag import body_drag, drag
from ..rigid_bodies.loads import accelerate_bodies
from ..rigid_bodies.slaves import pose, put_arms, turn_clamps
from ..rigid_bodies.stand_in import hand_on, hold_out, lend, release
from ..rods.chain import chain, rod_at
from ..rods.internal_damping import internal_damping

DONE, PAIRS_FULL, OVERSTRETCHED, TWIST_LOST, NOT_FINITE, TOO_FAR, TOO_DEEP = range(7)


@njit(inline="always")
def keep(state, work):
    """Remember what an attempt changes."""
    copy_rows(state.x, work.x0)
    copy_rows(state.v, work.v0)
    scale_into(state.w, 1.0, work.w0)
    copy_rows(state.clamp_frame, work.clamp_frame0)
    for b in range(len(state.body_q)):
        for c in range(3):
            work.body_x0[b, c] = state.body_x[b, c]
            work.body_v0[b, c] = state.body_v[b, c]
            work.body_l0[b, c] = state.body_l[b, c]
        for c in range(4):
            work.body_q0[b, c] = state.body_q[b, c]
    keep_holds(state.hold, state.loose, state.fixed, work.hold0, work.loose0, work.fixed0)


@njit
def take_back(state, work):
    """The state as it was before an attempt."""
    copy_rows(work.x0, state.x)
    copy_rows(work.v0, state.v)
    scale_into(work.w0, 1.0, state.w)
    copy_rows(work.clamp_frame0, state.clamp_frame)
    for b in range(len(state.body_q)):
        for c in range(3):
            state.body_x[b, c] = work.body_x0[b, c]
            state.body_v[b, c] = work.body_v0[b, c]
            state.body_l[b, c] = work.body_l0[b, c]
        for c in range(4):
            state.body_q[b, c] = work.body_q0[b, c]
    keep_holds(work.hold0, work.loose0, work.fixed0, state.hold, state.loose, state.fixed)


@njit
def keep_holds(hold, loose, fixed, hold0, loose0, fixed0):
    """What pins hold, into hold0 (P, HELD), loose0 (R, 2) and fixed0 (N,).

    The frames that a clamp lays when it lets go or takes up come out the same again.
    """
    for p in range(len(hold)):
        for c in range(hold.shape[1]):
            hold0[p, c] = hold[p, c]
    if len(hold) > 0:
        for r in range(len(loose)):
            loose0[r, 0], loose0[r, 1] = loose[r, 0], loose[r, 1]
        for j in range(len(fixed)):
            fixed0[j] = fixed[j]


@njit
def accelerate(v, f, w, mass, share, gravity, push, h):
    """v += h (W f + g + push), in place; what is pinned has its pin's inverse mass and only its own weight.

    share (N,) of gravity that acts; push (N or more, 3) [m/s²] by force fields.
    """
    gx, gy, gz = h * gravity[0], h * gravity[1], h * gravity[2]
    for i in range(len(v)):
        if w[i] > 0.0:
            k, own = h * w[i], w[i] * mass[i]
            g, p = own * share[i], own * h
            v[i, 0] += k * f[i, 0] + g * gx + p * push[i, 0]
            v[i, 1] += k * f[i, 1] + g * gy + p * push[i, 1]
            v[i, 2] += k * f[i, 2] + g * gz + p * push[i, 2]


@njit
def drift(x, v, w, h):
    """x += h v, in place."""
    for i in range(len(x)):
        if w[i] > 0.0:
            x[i, 0] += h * v[i, 0]
            x[i, 1] += h * v[i, 1]
            x[i, 2] += h * v[i, 2]


@njit
def drift_bodies(bodies, state, work, h):
    """Bodies and their slaves go on freely by h."""
    for b in range(len(bodies.mass)):
        for c in range(3):
            state.body_x[b, c] += h * state.body_v[b, c]
    pose(bodies, state, work, h)


@njit
def measure_velocity(x, x0, h, v):
    """v = (x − x0)/h; returns whether all of it is finite."""
    total, k = 0.0, 1.0 / h
    for i in range(len(x)):
        v[i, 0], v[i, 1], v[i, 2] = k * (x[i, 0] - x0[i, 0]), k * (x[i, 1] - x0[i, 1]), k * (x[i, 2] - x0[i, 2])
        total += v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1] + v[i, 2] * v[i, 2]
    return np.isfinite(total)


@njit
def close(a):
    """Repeat the first two rows of a closed chain's (n, 3) at its end."""
    n = len(a)
    for k in range(2):
        for c in range(3):
            a[n - 2 + k, c] = a[k, c]


@njit
def damp(rods, r, state, h, work):
    """Internal damping of rod r: the ghosts of its clamps belong to the chain, repeated nodes do not."""
    x, v, w = state.x, state.v, state.w
    a, b = chain(rods, state.loose, r)
    if rods.closed[r]:
        a, b = rods.first[r], rods.last[r] + 1
    internal_damping(
        x[a:b], v[a:b], w[a:b], rods.viscosity[a:b], h, rods.closed[r], work.o[a:b], work.pushed[a:b], work.rows[:, a:b]
    )


@njit
def predict(model, state, work, h):
    """The dampings, v += h M⁻¹F, x* = x + h v, pins driven.

    Dampings come first: behind the forces they would damp a fall that the constraints have yet to undo, and equilibria
    would depend on the step.
    """
    rods, bodies, x, v, w = model.rods, model.bodies, state.x, state.v, state.w
    put_arms(bodies, state.body_q, work.arm)
    lend(bodies, state, work)
    for r in range(len(rods.first)):
        if rods.damped[r]:
            damp(rods, r, state, h, work)
        c, d = rods.first[r], rods.last[r] + 1
        area, leaves, air, brake = rods.drag_area[c:d], rods.leaf_area[c:d], state.air[c:d], state.brake[c:d]
        drag(x[c:d], v[c:d], w[c:d], area, leaves, air, brake, rods.closed[r], model.air_density[0], h)
    hand_on(bodies, state, work)
    n = len(x)
    body_drag(state.body_v, bodies.w, bodies.drag_area, state.air[n:], state.brake[n:], model.air_density[0], h)
    accelerate(v, work.f, w, rods.mass, rods.gravity, model.gravity, state.push, h)
    accelerate_bodies(bodies, rods, state, work, model.gravity, h)
    drift(x, v, w, h)
    drift_bodies(bodies, state, work, h)
    drive(model.pins, rods, state, work, h)


@njit
def project(model, state, work, moved, h):
    """Edges to their lengths and bodies apart, together, after things have moved by `moved` [m] against the whole.

    Returns (status, the rod that failed, number of contacts, whether the floor is touched).
    """
    rods, bodies, capsules, x, w = model.rods, model.bodies, model.capsules, state.x, state.w
    count = 0
    hold_out(bodies, w)
    if capsules.skin[0] > 0.0:
        margin = contact_margin(capsules, moved)
        if not list_pairs(model, state, work, margin):
            return PAIRS_FULL, 0, 0, False
        count = detect(
            work.x0,
            w,
            capsules,
            rods.first,
            rods.last,
            state.pairs,
            state.pair_count[0],
            state.pair_force,
            margin,
            h,
            work.touching,
            work.contacts,
        )
    height = capsules.floor[0]
    on_floor = height == height and reaches_floor(x, w, rods.radius, state.floor_force, height)
    for r in range(len(rods.first)):
        if not rods.stretchable[r]:
            c, d = rods.first[r], rods.last[r] + 1
            m = d - c if rods.closed[r] else d - c - 1
            edge_vectors(work.x0[c:d], rods.closed[r], work.o[c:d])
            if rods.articulated[r]:
                continue
            scale_into(state.tension[c : c + m], h * h, work.multiplier[c : c + m])
            apply_multipliers(x[c:d], work.o[c : c + m], w[c:d], work.multiplier[c : c + m])
    articulated = len(bodies.mass) > 0
    if articulated:
        set_up(model.articulation, bodies, state, work)
        repeat_pull(model.articulation, bodies, state, work, h)
    if count > 0 or on_floor:
        contact_gains(model, state, work, count, on_floor)
        touch(model, state, work, count, on_floor, h)
    release(bodies, w)
    if articulated and not project_articulation(model.articulation, rods, bodies, state, work, h):
        return OVERSTRETCHED, rod_at(rods, worst_edge(model.articulation, rods, x)), count, on_floor
    for r in range(len(rods.first)):
        if not rods.stretchable[r] and not rods.articulated[r]:
            c, d = rods.first[r], rods.last[r] + 1
            e = d if rods.closed[r] else d - 1
            rows = work.rows
            if not fast_projection(
                x[c:d],
                work.o[c:e],
                w[c:d],
                rods.length[c:e],
                rods.closed[r],
                work.multiplier[c:e],
                rows[0, c:e],
                rows[1, c:e],
                rows[2, c:e],
            ):
                return OVERSTRETCHED, r, count, on_floor
    return DONE, 0, count, on_floor


@njit(inline="always")
def keep_tensions(rods, articulation, multiplier, h, tension):
    """Remember the multipliers over h² of all edges."""
    k = 1.0 / (h * h)
    for r in range(len(rods.first)):
        if not rods.stretchable[r] and not rods.articulated[r]:
            c, e = rods.first[r], rods.last[r] + 1 if rods.closed[r] else rods.last[r]
            scale_into(multiplier[c:e], k, tension[c:e])
    for e in articulation.tail:
        tension[e] = k * multiplier[e]


@njit(inline="always")
def attempt(model, state, work, h, furthest):
    """One step of h [s] of everything (Bergou 2008, Algorithm 1), from the forces work.f at the positions that `keep`
    remembers; given up when something seems to move further than `furthest` [m] against the whole.

    Returns (status, the rod it concerns, number of contacts, whether the floor is touched, how far things seemed to
    move [m]).
    """
    rods, x, v, x0 = model.rods, state.x, state.v, work.x0
    predict(model, state, work, h)
    moved = spread(x, x0) if model.capsules.skin[0] > 0.0 else 0.0
    if not moved <= furthest:
        status = TOO_FAR if np.isfinite(moved) else NOT_FINITE
        return status, fastest_rod(rods.first, rods.last, x, x0), 0, False, moved
    status, failed, count, on_floor = project(model, state, work, moved, h)
    if status != DONE:
        return status, failed, count, on_floor, moved
    for r in range(len(rods.first)):
        a, b = rods.start[r], rods.start[r + 1]
        c, d = rods.first[r], rods.last[r] + 1
        if not measure_velocity(x[c:d], x0[c:d], h, v[c:d]):
            return NOT_FINITE, r, count, on_floor, moved
        if rods.closed[r]:
            close(x[a:b])
    turn_clamps(model.bodies, state)
    hold(model.pins, state, work, h)
    return DONE, 0, count, on_floor, moved


@njit
def fastest_rod(first, last, x, x0):
    """The rod of the vertex that has moved furthest from x0 (N, 3), or is nowhere."""
    fastest, square = 0, 0.0
    for r in range(len(first)):
        for i in range(first[r], last[r] + 1):
            d = (x[i, 0] - x0[i, 0]) ** 2 + (x[i, 1] - x0[i, 1]) ** 2 + (x[i, 2] - x0[i, 2]) ** 2
            if not np.isfinite(d):
                return r
            if d > square:
                fastest, square = r, d
    return fastest


@njit(inline="always")
def accept(model, state, work, count, on_floor, h):
    """Keep what the next step begins with: what pulls and presses, and the time."""
    keep_tensions(model.rods, model.articulation, work.multiplier, h, state.tension)
    keep_forces(work.touching, work.contacts, count, h, state.pair_count[0], state.pair_force)
    if on_floor:
        keep_floor_forces(work.impulse, h, state.floor_force)
    state.clock[0] += h
    state.clock[1] = h
