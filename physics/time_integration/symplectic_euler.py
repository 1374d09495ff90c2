"""Symplectic Euler with manifold projection: v += h M⁻¹F(x), x* = x + h v, project x* to x,
v = (x − x₀)/h (Bergou 2008, §7.2, §8); rigid bodies alike, with angular momentum in place of v.

First order in time, symplectic on the constraint manifold (SHAKE directions): no drift of energy, momenta to round-off.
"""

import numpy as np

from .._jit import njit
from ..arrays import scale_into
from ..constraints.articulation import project_articulation, repeat_pull, set_up, worst_edge
from ..constraints.fast_projection import apply_multipliers, edge_vectors, fast_projection
from ..constraints.pins import drive, hold
from ..contact.floor import reaches_floor
from ..contact.inequality_constraints import detect
from ..contact.pair_list import list_pairs, spread
from ..contact.touch import contact_gains, touch
from ..forces.drag import body_drag, drag
from ..rigid_bodies.loads import accelerate_bodies
from ..rigid_bodies.slaves import pose, put_arms, turn_clamps
from ..rigid_bodies.stand_in import hand_on, hold_out, lend, release
from ..rods.chain import chain, rod_at
from ..rods.elastic_forces import elastic_forces
from ..rods.internal_damping import internal_damping

DONE, PAIRS_FULL, OVERSTRETCHED, TWIST_LOST, NOT_FINITE = range(5)


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
def drift(x, v, w, h, x0):
    """x0 = x, then x += h v, in place."""
    for i in range(len(x)):
        x0[i, 0], x0[i, 1], x0[i, 2] = x[i, 0], x[i, 1], x[i, 2]
        if w[i] > 0.0:
            x[i, 0] += h * v[i, 0]
            x[i, 1] += h * v[i, 1]
            x[i, 2] += h * v[i, 2]


@njit
def drift_bodies(bodies, state, work, h):
    """Bodies and their slaves go on freely by h; work.body_x0 and work.body_q0 keep the old poses."""
    for b in range(len(bodies.mass)):
        for c in range(3):
            work.body_x0[b, c] = state.body_x[b, c]
            state.body_x[b, c] += h * state.body_v[b, c]
        for c in range(4):
            work.body_q0[b, c] = state.body_q[b, c]
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
    """The dampings, v += h M⁻¹F, x* = x + h v, pins driven; work.x0 keeps the old positions, work.body_x0 and
    work.body_q0 the old poses.

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
    drift(x, v, w, h, work.x0)
    drift_bodies(bodies, state, work, h)
    drive(model.pins, rods, state, work, h)


@njit
def project(model, state, work, h):
    """Edges to their lengths and bodies apart, together. Returns (status, the rod that failed)."""
    rods, bodies, capsules, x, w = model.rods, model.bodies, model.capsules, state.x, state.w
    count = 0
    hold_out(bodies, w)
    if capsules.skin[0] > 0.0:
        margin = 2.4 * spread(x, work.x0) + 0.1 * capsules.skin[0]
        if not list_pairs(model, state, work, margin):
            return PAIRS_FULL, 0
        count = detect(
            work.x0,
            w,
            capsules.tail,
            capsules.head,
            capsules.radius,
            capsules.successor,
            capsules.friction,
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
    if articulated:
        if not project_articulation(model.articulation, rods, bodies, state, work, h):
            return OVERSTRETCHED, rod_at(rods, worst_edge(model.articulation, rods, x))
        keep_tensions(model.articulation, work.multiplier, h, state.tension)
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
                return OVERSTRETCHED, r
            scale_into(work.multiplier[c:e], 1.0 / (h * h), state.tension[c:e])
    return DONE, 0


@njit
def keep_tensions(articulation, multiplier, h, tension):
    """Remember the multipliers over h² of the welded rods' edges."""
    k = 1.0 / (h * h)
    for j in range(len(articulation.tail)):
        e = articulation.tail[j]
        tension[e] = k * multiplier[e]


@njit
def step(model, state, work, h):
    """One step of h [s] of everything (Bergou 2008, Algorithm 1). Returns (status, the rod it concerns); not DONE:
    state unusable.
    """
    rods = model.rods
    failed = elastic_forces(rods, state, work)
    if failed >= 0:
        return TWIST_LOST, failed
    predict(model, state, work, h)
    status, failed = project(model, state, work, h)
    if status != DONE:
        return status, failed
    x, v, x0 = state.x, state.v, work.x0
    for r in range(len(rods.first)):
        a, b = rods.start[r], rods.start[r + 1]
        c, d = rods.first[r], rods.last[r] + 1
        if not measure_velocity(x[c:d], x0[c:d], h, v[c:d]):
            return NOT_FINITE, r
        if rods.closed[r]:
            close(x[a:b])
    turn_clamps(model.bodies, state)
    state.clock[0] += h
    state.clock[1] = h
    hold(model.pins, state, work, h)
    return DONE, 0
