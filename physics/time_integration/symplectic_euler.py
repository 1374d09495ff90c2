"""Symplectic Euler with manifold projection: v += h M⁻¹F(x), x* = x + h v, project x* to x,
v = (x − x₀)/h (Bergou 2008, §7.2, §8).

First order in time, symplectic on the constraint manifold (SHAKE directions): no drift of energy, momenta to round-off.
"""

import numpy as np

from .._jit import njit
from ..arrays import scale_into
from ..constraints.fast_projection import apply_multipliers, edge_vectors, fast_projection
from ..constraints.pins import clamp, drive
from ..contact.floor import reaches_floor
from ..contact.inequality_constraints import detect
from ..contact.pair_list import list_pairs, spread
from ..contact.touch import contact_gains, touch
from ..forces.drag import drag
from ..rods.elastic_forces import elastic_forces
from ..rods.internal_damping import internal_damping

DONE, PAIRS_FULL, OVERSTRETCHED, TWIST_LOST, NOT_FINITE = range(5)


@njit
def accelerate(v, f, w, mass, gravity, h):
    """v += h (W f + g), in place; what is pinned has its pin's inverse mass and only its own weight."""
    gx, gy, gz = h * gravity[0], h * gravity[1], h * gravity[2]
    for i in range(len(v)):
        if w[i] > 0.0:
            k, g = h * w[i], w[i] * mass[i]
            v[i, 0] += k * f[i, 0] + g * gx
            v[i, 1] += k * f[i, 1] + g * gy
            v[i, 2] += k * f[i, 2] + g * gz


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
def damp(rods, r, x, v, w, h, work):
    """Internal damping of rod r: the ghosts of its clamps belong to the chain, repeated nodes do not."""
    a, b = rods.start[r], rods.start[r + 1]
    if rods.closed[r]:
        a, b = rods.first[r], rods.last[r] + 1
    internal_damping(
        x[a:b], v[a:b], w[a:b], rods.viscosity[a:b], h, rods.closed[r], work.o[a:b], work.pushed[a:b], work.rows[:, a:b]
    )


@njit
def predict(model, state, work, h):
    """v += h M⁻¹F and the dampings, x* = x + h v, pins driven; work.x0 keeps the old positions."""
    rods, x, v, w = model.rods, state.x, state.v, state.w
    accelerate(v, work.f, w, rods.mass, model.gravity, h)
    for r in range(len(rods.first)):
        if rods.damped[r]:
            damp(rods, r, x, v, w, h, work)
        if model.air_density[0] > 0.0:
            c, d = rods.first[r], rods.last[r] + 1
            drag(x[c:d], v[c:d], w[c:d], rods.drag_area[c:d], rods.closed[r], model.air_density[0], h)
    drift(x, v, w, h, work.x0)
    drive(model.pins, rods, state.clock[0] + h, h, x, v, w, work.before, work.target, state.shortfall)


@njit
def project(model, state, work, h):
    """Edges to their lengths and bodies apart, together. Returns (status, the rod that failed)."""
    rods, capsules, x, w = model.rods, model.capsules, state.x, state.w
    count = 0
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
            scale_into(state.tension[c : c + m], h * h, work.multiplier[c : c + m])
            apply_multipliers(x[c:d], work.o[c : c + m], w[c:d], work.multiplier[c : c + m])
    if count > 0 or on_floor:
        contact_gains(model, state, work, count, on_floor)
        touch(model, state, work, count, on_floor, h)
    for r in range(len(rods.first)):
        if not rods.stretchable[r]:
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
def step(model, state, work, h):
    """One step of h [s] of everything (Bergou 2008, Algorithm 1). Returns (status, the rod it concerns); not DONE:
    state unusable.
    """
    rods = model.rods
    failed = elastic_forces(rods, model.pins, state, work)
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
    state.clock[0] += h
    state.clock[1] = h
    clamp(model.pins, state.clock[0], h, x, v, work.target, state.ghost_frame, state.shortfall)
    return DONE, 0
