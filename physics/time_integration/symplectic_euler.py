"""Symplectic Euler with manifold projection: v += h M⁻¹F(x), x* = x + h v, project x* to x, v = (x − x₀)/h (Bergou
2008, §7.2, §8).

First order in time, symplectic on the constraint manifold (SHAKE directions): no drift of energy, momenta to round-off.
"""

from math import sqrt

import numpy as np

from .._jit import njit
from ..constraints.chain_mobility import inverse_band, respond
from ..constraints.fast_projection import apply_multipliers, edge_vectors, fast_projection, newton
from ..constraints.pins import clamp, drive
from ..contact.broad_phase import sweep_and_prune
from ..contact.floor import floor_gains, floor_sweep, floor_warm_start, keep_floor_forces, reaches_floor
from ..contact.inequality_constraints import detect, gains, inherit, keep_forces, sweep, warm_start
from ..forces.drag import drag
from ..rods.curvature import bishop_curvature
from ..rods.frames import adapt, signed_angle, unwrap
from ..rods.general_force import general_force
from ..rods.internal_damping import internal_damping, internal_damping_closed
from ..rods.isotropic_force import isotropic_force
from ..rods.quasistatic_frame import quasistatic_frame
from ..rods.stretching import add_stretching

DONE, PAIRS_FULL, OVERSTRETCHED, TWIST_LOST, NOT_FINITE = range(5)
CONTACT_ROUNDS = 24  # at most
LONGEST_PUSH = 0.25  # of the shortest edge: beyond that the chains' linear answer is of no use
CONTACT_PRECISION = 1e-3  # of the smallest radius: a correction that is left to the next step


@njit
def elastic_forces(rods, pins, state, work):
    """Bring the material frames to equilibrium and write the elastic forces to work.f; returns the rod whose frames
    fail, or −1.
    """
    for r in range(len(rods.first)):
        a, b = rods.start[r], rods.start[r + 1]
        x, f = state.x[a:b], work.f[a:b]
        carry_first_frame(x, state.t[a], state.u[a])
        if rods.general[r] or rods.twisted[r]:
            t, u, inverse_length = state.t[a : b - 1], state.u[a : b - 1], work.inverse_length[a : b - 1]
            chi, k, theta = work.chi[a:b], work.k[a:b], state.theta[a : b - 1]
            state.turning[r] = bishop_curvature(x, u, t, inverse_length, chi, k)
            align_ends(rods, pins, r, state)
        if rods.general[r]:
            rate, rest = rods.twist_rate[a:b], rods.rest_twist[a:b]
            cell, stiffness, bent = rods.inverse_cell[a:b], rods.stiffness[a : b - 1], rods.rest_curvature[a:b]
            rows = work.rows[:, a : b - 1]
            if not quasistatic_frame(
                k,
                cell,
                stiffness,
                bent,
                rate,
                rest,
                rods.fixed[a : b - 1],
                rods.closed[r],
                theta,
                rows[0],
                rows[1],
                rows[2],
                rows[3],
                rows[4],
            ):
                return r
            state.torque[r] = general_force(t, u, inverse_length, chi, k, theta, cell, stiffness, bent, rate, rest, f)
        else:
            torque = 0.0
            if rods.twisted[r]:
                torque = (state.theta[b - 2] - state.theta[a] - rods.natural_twist[r]) / rods.twist_compliance[r]
            state.torque[r] = abs(torque)
            state.turning[r] = isotropic_force(x, rods.bend[a:b], torque, f)
        if rods.closed[r]:
            for c in range(3):
                f[0, c] += f[b - a - 2, c]
                f[1, c] += f[b - a - 1, c]
        if rods.stretchable[r]:
            c, d = rods.first[r], rods.last[r] + 1
            add_stretching(state.x[c:d], rods.closed[r], rods.stretch[c:d], rods.length[c:d], work.f[c:d])
    return -1


@njit
def carry_first_frame(x, t, u):
    """Parallel transport of the first Bishop vector in time (Bergou 2008, §4.2.2): t, u (3,) of edge 0, in place."""
    ax, ay, az = x[1, 0] - x[0, 0], x[1, 1] - x[0, 1], x[1, 2] - x[0, 2]
    k = 1.0 / sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = k * ax, k * ay, k * az
    k = (u[0] * ax + u[1] * ay + u[2] * az) / (1.0 + t[0] * ax + t[1] * ay + t[2] * az)
    u[0] -= k * (t[0] + ax)
    u[1] -= k * (t[1] + ay)
    u[2] -= k * (t[2] + az)
    t[0], t[1], t[2] = ax, ay, az
    adapt(u, t)


@njit
def align_ends(rods, pins, r, state):
    """Angles θ that boundary conditions prescribe on rod r, kept continuous in time."""
    a, b = rods.start[r], rods.start[r + 1]
    if rods.closed[r]:
        angle = signed_angle(state.u[b - 2], state.u[a], state.t[a])
        state.theta[b - 2] = state.theta[a] + unwrap(angle, state.theta[b - 2] - state.theta[a])
    for p in range(len(pins.node)):
        e = pins.frame_edge[p]
        if e >= 0 and pins.rod[p] == r:
            angle = signed_angle(state.u[e], state.ghost_frame[p], state.t[e])
            state.theta[e] = unwrap(angle, state.theta[e])


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
    """Internal damping of rod r: the ghosts of its clamps belong to the chain."""
    rows = work.rows
    if rods.closed[r]:
        a, b = rods.first[r], rods.last[r] + 1
        internal_damping_closed(
            x[a:b], v[a:b], w[a:b], rods.viscosity[a:b], h, work.o[a:b], work.pushed[a:b],
            rows[0, a:b], rows[1, a:b], rows[2, a:b], rows[3, a:b],
        )  # fmt: skip
    else:
        a, b = rods.start[r], rods.start[r + 1]
        internal_damping(
            x[a:b], v[a:b], w[a:b], rods.viscosity[a:b], h, work.o[a:b], work.pushed[a:b],
            rows[0, a:b], rows[1, a:b], rows[2, a:b], rows[3, a:b],
        )  # fmt: skip


@njit
def predict(model, state, work, h):
    """v += h M⁻¹F and the dampings, x* = x + h v, pins driven; work.x0 keeps the old positions."""
    rods, x, v, w = model.rods, state.x, state.v, state.w
    accelerate(v, work.f, w, rods.mass, model.gravity, h)
    for r in range(len(rods.first)):
        if rods.damped[r]:
            damp(rods, r, x, v, w, h, work)
    if model.air_density[0] > 0.0:
        drag(x, v, w, rods.drag_area, model.air_density[0], h)
    drift(x, v, w, h, work.x0)
    drive(model.pins, rods, state.clock[0] + h, h, x, v, w, work.target, state.shortfall)


@njit
def spread(x, y):
    """Largest distance of x − y (n, 3) from its mean [m]: motion as a whole brings nothing nearer."""
    n = len(x)
    a = b = c = 0.0
    for i in range(n):
        a, b, c = a + x[i, 0] - y[i, 0], b + x[i, 1] - y[i, 1], c + x[i, 2] - y[i, 2]
    a, b, c = a / n, b / n, c / n
    square = 0.0
    for i in range(n):
        d = (x[i, 0] - y[i, 0] - a) ** 2 + (x[i, 1] - y[i, 1] - b) ** 2 + (x[i, 2] - y[i, 2] - c) ** 2
        if d > square:
            square = d
    return sqrt(square)


@njit
def list_pairs(model, state, work, margin):
    """Keep the list of pairs complete for gaps below `margin`; false when it has no room (state.pair_count says for
    how many).
    """
    capsules = model.capsules
    if state.pair_count[0] >= 0 and 2.0 * spread(work.x0, state.listed) + margin <= state.clock[2]:
        return True
    known = max(state.pair_count[0], 0)
    for p in range(known):
        for c in range(2):
            work.old_pairs[p, c] = state.pairs[p, c]
        for c in range(4):
            work.old_force[p, c] = state.pair_force[p, c]
    skin = max(capsules.skin[0], 2.0 * margin)
    count = sweep_and_prune(
        work.x0, capsules.tail, capsules.head, capsules.radius, capsules.rod, capsules.arc, capsules.perimeter, skin,
        state.order, work.low, work.high, state.pairs,
    )  # fmt: skip
    if count > len(state.pairs):
        return False
    copy_rows(work.x0, state.listed)
    state.clock[2], state.pair_count[0] = skin, count
    inherit(work.old_pairs, work.old_force, known, state.pairs, count, work.first, work.following, state.pair_force)
    return True


@njit
def copy_rows(source, target):
    """target = source, (n, 3)."""
    for i in range(len(source)):
        target[i, 0], target[i, 1], target[i, 2] = source[i, 0], source[i, 1], source[i, 2]


@njit
def smallest(values):
    """The smallest of some positive values."""
    best = values[0]
    for value in values:
        best = min(best, value)
    return best


@njit
def scale_into(source, factor, target):
    """target = factor · source."""
    for i in range(len(source)):
        target[i] = factor * source[i]


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
            work.x0, w, capsules.tail, capsules.head, capsules.radius, capsules.successor, capsules.friction, state.pairs,
            state.pair_count[0], state.pair_force, margin, h, work.touching, work.contacts,
        )  # fmt: skip
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
def contact_gains(model, state, work, count, on_floor):
    """How hard each contact may push, from the mobility of its chain."""
    rods, capsules, w = model.rods, model.capsules, state.w
    for r in range(len(rods.first)):
        c, d = rods.first[r], rods.last[r]
        if rods.stretchable[r]:
            for j in range(c, d):
                work.inverse[j] = 0.0
        else:
            inverse_band(work.o[c:d], w[c : d + 1], work.inverse[c:d], work.ratio[c:d], work.pivots[c:d])
        if on_floor:
            floor_gains(w, work.o, work.inverse, work.ratio, c, d, work.impulse)
    gains(
        w, capsules.tail, capsules.head, capsules.rod, state.pairs, work.o, work.inverse, work.ratio, rods.first, rods.last, work.touching,
        work.contacts, count,
    )  # fmt: skip


@njit
def touch(model, state, work, count, on_floor, h):
    """Rounds of contact sweeps and the chains' answers, until what is missing is small."""
    rods, capsules, x, w = model.rods, model.capsules, state.x, state.w
    height, floor_friction = capsules.floor[0], capsules.floor[1]
    copy_rows(x, work.pushed)
    warm_start(x, w, capsules.tail, capsules.head, state.pairs, work.touching, work.contacts, count)
    if on_floor:
        floor_warm_start(x, w, state.floor_force, h, work.impulse)
    precision = CONTACT_PRECISION * capsules.thinnest[0]
    longest = LONGEST_PUSH * smallest(rods.shortest)
    for k in range(CONTACT_ROUNDS):
        answer(rods, state, work, k == 0)
        copy_rows(x, work.pushed)
        missing = sweep(
            x, work.x0, w, capsules.tail, capsules.head, state.pairs, work.touching, work.contacts, count, longest
        )
        if on_floor:
            missing = max(
                missing,
                floor_sweep(x, work.x0, w, rods.radius, rods.friction, height, floor_friction, work.impulse, longest),
            )
        if missing < precision:
            break
    answer(rods, state, work, False)
    keep_forces(work.touching, work.contacts, count, h, state.pair_force)
    if on_floor:
        keep_floor_forces(work.impulse, h, state.floor_force)


@njit
def answer(rods, state, work, first):
    """Each chain's answer to what the contacts have pushed since work.pushed; a Newton step in the first round, and
    for closed chains.
    """
    x, w = state.x, state.w
    for r in range(len(rods.first)):
        if rods.stretchable[r]:
            continue
        c, d = rods.first[r], rods.last[r] + 1
        e = d if rods.closed[r] else d - 1
        o, multiplier, rows = work.o[c:e], work.multiplier[c:e], work.rows
        if first or rods.closed[r]:
            newton(
                x[c:d],
                o,
                w[c:d],
                rods.length[c:e],
                rods.closed[r],
                multiplier,
                rows[0, c:e],
                rows[1, c:e],
                rows[2, c:e],
            )
        else:
            respond(x[c:d], work.pushed[c:d], o, w[c:d], work.ratio[c:e], work.pivots[c:e], multiplier, rows[0, c:e])


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
