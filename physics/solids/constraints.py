"""Equations that nodes of soft bodies keep (Liesenfeld & Stolfi 1997, §3).

An equation is Φ = d·(x_a − x_b − p(t)) − L = 0, with a given direction d and p where it is led (b and p as far as there
are any), or Φ = |x_a − x_b| − L = 0, whose direction d is from b to a. Its force is along ∇Φ: d on a and −d on b. Those
of exact ones are such that, with N the rows ∇Φ,

    N a = ψ,    N M⁻¹Nᵀ λ = N M⁻¹F − ψ,    ψ = d·p'', or −(|v_a − v_b|² − (d·(v_a − v_b))²)/|x_a − x_b|    (eqs. 6–8).

Multipliers are found by conjugate gradients, which a redundant set does not disturb. Integration drifts off Φ = 0, so
each step ends by going back there: Φ and dΦ/dt are met by the least change, in kinetic energy, of x and v, with the
directions where the step began for x (SHAKE) and those at its end for v (RATTLE: Andersen 1983).

A spring's pull is that of k Φ²/2, k its stiffness times the influence s at the time; beyond its reach it grows no more.
One that has taken over from an exact hold is damped as well, by a force −c √s dΦ/dt that is taken implicitly.

A node that is led in all directions is an anchor: it has no acceleration but its own, which is the exact multiplier's.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, dot, scaled, vector
from ..constraints.influence import number_at
from ..elements.deformation_gradient import edge_from
from ..model import Model
from .forces import clear
from .mass import accelerate
from .scratch import SolidScratch
from .trajectory import STILL, led_to

EXACT = 1e-13  # of a body's size, to which equations are met,
ROUNDS = 12  # in at most so many rounds
SMALL = 1e-28  # of the square of their residual, where multipliers are found


@kernel
def apart(row: np.record, x: np.ndarray) -> Vector:
    """x_a − x_b of a CONSTRAINT, or x_a."""
    a, b = row.node[0], row.node[1]
    if b >= 0:
        return edge_from(x, b, a)
    return x[a, 0], x[a, 1], x[a, 2]


@kernel
def led(model: Model, row: np.record, time: float) -> tuple[Vector, Vector, Vector]:
    """p, p' and p'' of a CONSTRAINT or ANCHOR at a time [s]."""
    if row.first_sample < 0:
        return STILL, STILL, STILL
    return led_to(model.times, model.samples, row.first_sample, row.end_sample, time)


@kernel
def direction_of(row: np.record, d: Vector) -> Vector:
    """That of a CONSTRAINT, with d = x_a − x_b."""
    if dot(row.direction, row.direction) > 0.0:
        return row.direction[0], row.direction[1], row.direction[2]
    size = dot(d, d)
    return scaled(1.0 / sqrt(size), d) if size > 0.0 else (1.0, 0.0, 0.0)


@kernel
def error_of(row: np.record, d: Vector, place: Vector) -> float:
    """Φ [m] of a CONSTRAINT with d = x_a − x_b."""
    if dot(row.direction, row.direction) > 0.0:
        return dot(row.direction, d) - dot(row.direction, place) - row.length
    return sqrt(dot(d, d)) - row.length


@kernel
def spring_forces(model: Model, x: np.ndarray, time: float, f: np.ndarray) -> None:
    """Add −k Φ ∇Φ of all springs to f (N, 3) [N]: of the energy k Φ²/2, where §3.1 has K Φ²."""
    springs = model.solids.springs
    for r in range(len(springs)):
        row, d = springs[r], apart(springs[r], x)
        place, _, _ = led(model, row, time)
        off = min(max(error_of(row, d, place), -row.reach), row.reach)
        n, k = direction_of(row, d), row.stiffness * influence(model, row, time) * off
        for c in range(3):
            f[row.node[0], c] -= k * n[c]
            if row.node[1] >= 0:
                f[row.node[1], c] += k * n[c]


@entry
def spring_energy(model: Model, x: np.ndarray, time: float) -> float:
    """What all springs hold at x (N, 3) and a time [s] [J]: k Φ²/2, as far as they reach, and what they pull beyond."""
    springs, total = model.solids.springs, 0.0
    for r in range(len(springs)):
        row = springs[r]
        place, _, _ = led(model, row, time)
        error = error_of(row, apart(row, x), place)
        off = min(max(error, -row.reach), row.reach)
        total += row.stiffness * influence(model, row, time) * off * (error - 0.5 * off)
    return total


@kernel
def influence(model: Model, row: np.record, time: float) -> float:
    """That of a spring at a time [s], linear between samples, held beyond the ends; 0 before it begins."""
    if time < row.begin:
        return 0.0
    if row.first_sample < 0:
        return 1.0
    return number_at(model.times, model.samples, row.first_sample, row.end_sample, time)


@kernel
def damp_springs(model: Model, v: np.ndarray, w: np.ndarray, time: float, h: float) -> None:
    """Draw v (N, 3) of the nodes that damped springs hold to that with which these are led, for h [s]."""
    springs = model.solids.springs
    for r in range(len(springs)):
        row = springs[r]
        if row.damping == 0.0:
            continue
        i, n = row.node[0], row.direction
        _, rate, _ = led(model, row, time)
        k = 1.0 / (1.0 + h * w[i] * row.damping * sqrt(influence(model, row, time)))
        off = (1.0 - k) * (dot(n, vector(v[i])) - dot(n, rate))
        for c in range(3):
            v[i, c] -= off * n[c]


@kernel
def place_anchors(model: Model, time: float, x: np.ndarray, v: np.ndarray) -> None:
    """Anchored nodes to where they are at a time [s], and their velocities, in x and v (N, 3)."""
    anchors = model.solids.anchors
    for k in range(len(anchors)):
        i = anchors[k].node
        place, rate, _ = led(model, anchors[k], time)
        x[i, 0], x[i, 1], x[i, 2] = place
        v[i, 0], v[i, 1], v[i, 2] = rate


@kernel
def direct(model: Model, own: SolidScratch, x: np.ndarray) -> None:
    """The directions of all rows at x (N, 3)."""
    constraints = model.solids.constraints
    for r in range(len(constraints)):
        own.rows[r].direction[0], own.rows[r].direction[1], own.rows[r].direction[2] = direction_of(
            constraints[r], apart(constraints[r], x)
        )


@kernel
def multiply(model: Model, own: SolidScratch, w: np.ndarray, consistent: bool) -> None:
    """own.change (N, 3) = M⁻¹Nᵀ of the rows' `search`, with the scheme's own mass or with the lumped one."""
    constraints, rows, change = model.solids.constraints, own.rows, own.change
    clear(change)
    for r in range(len(rows)):
        node, d, k = constraints[r].node, rows[r].direction, rows[r].search
        for c in range(3):
            change[node[0], c] += k * d[c]
            if node[1] >= 0:
                change[node[1], c] -= k * d[c]

    if consistent:
        accelerate(model, own, w, change)
        return
    for i in range(len(w)):
        for c in range(3):
            change[i, c] *= w[i]


@kernel
def correct(model: Model, own: SolidScratch, w: np.ndarray, consistent: bool) -> None:
    """own.change (N, 3) = M⁻¹Nᵀ λ, such that N of it is `error` of all rows."""
    constraints, rows = model.solids.constraints, own.rows
    square = 0.0
    for r in range(len(rows)):
        a, b, row = constraints[r].node[0], constraints[r].node[1], rows[r]
        row.diagonal = w[a] + (w[b] if b >= 0 else 0.0)
        row.multiplier, row.residual = 0.0, row.error
        row.search = row.error / row.diagonal if row.diagonal > 0.0 else 0.0
        square += row.residual * row.search
    first = square
    for _ in range(2 * len(rows) + 2):
        if not square > SMALL * first:
            break
        multiply(model, own, w, consistent)
        power = 0.0
        for r in range(len(rows)):
            rows[r].answer = dot(rows[r].direction, apart(constraints[r], own.change))
            power += rows[r].search * rows[r].answer
        if not power > 0.0:
            break
        step, before = square / power, square
        square = 0.0
        for r in range(len(rows)):
            row = rows[r]
            row.multiplier += step * row.search
            row.residual -= step * row.answer
            if row.diagonal > 0.0:
                square += row.residual * row.residual / row.diagonal
        for r in range(len(rows)):
            if rows[r].diagonal > 0.0:
                rows[r].search = rows[r].residual / rows[r].diagonal + square / before * rows[r].search
    for r in range(len(rows)):
        rows[r].search = rows[r].multiplier
    multiply(model, own, w, consistent)


@kernel
def meet(model: Model, own: SolidScratch, w: np.ndarray, x: np.ndarray, v: np.ndarray, time: float, h: float) -> None:
    """Move x (N, 3) until Φ = 0 at a time [s], and v (N, 3) with it, by h [s] in the directions that are there."""
    constraints, rows = model.solids.constraints, own.rows
    if len(rows) == 0:
        return
    precise = EXACT * largest_size(model)
    for _ in range(ROUNDS):
        worst = 0.0
        for r in range(len(rows)):
            place, _, _ = led(model, constraints[r], time)
            rows[r].error = error_of(constraints[r], apart(constraints[r], x), place)
            worst = max(worst, abs(rows[r].error))
        if not worst > precise:
            return
        correct(model, own, w, False)
        for i in range(len(x)):
            for c in range(3):
                x[i, c] -= own.change[i, c]
                v[i, c] -= own.change[i, c] / h


@kernel
def meet_rates(model: Model, own: SolidScratch, w: np.ndarray, v: np.ndarray, time: float) -> None:
    """Change v (N, 3) until dΦ/dt = 0 at a time [s], in the directions that are there."""
    constraints, rows = model.solids.constraints, own.rows
    if len(rows) == 0:
        return
    for r in range(len(rows)):
        _, rate, _ = led(model, constraints[r], time)
        rows[r].error = dot(rows[r].direction, apart(constraints[r], v)) - dot(rows[r].direction, rate)
    correct(model, own, w, False)
    for i in range(len(v)):
        for c in range(3):
            v[i, c] -= own.change[i, c]


@kernel
def constrain(
    model: Model, own: SolidScratch, w: np.ndarray, x: np.ndarray, v: np.ndarray, a: np.ndarray, time: float
) -> None:
    """Make a (N, 3), M⁻¹F, the accelerations under which Φ'' = 0."""
    constraints, rows = model.solids.constraints, own.rows
    if len(rows) == 0:
        return
    direct(model, own, x)
    for r in range(len(rows)):
        row, n, between = constraints[r], rows[r].direction, apart(constraints[r], v)
        _, _, bend = led(model, row, time)
        psi = dot(n, bend)
        if not dot(row.direction, row.direction) > 0.0:
            d = apart(row, x)
            across = dot(between, between) - dot(n, between) ** 2
            psi = -across / sqrt(dot(d, d))
        rows[r].error = dot(n, apart(row, a)) - psi
    correct(model, own, w, True)
    for i in range(len(a)):
        for c in range(3):
            a[i, c] -= own.change[i, c]


@kernel
def keep_rates(model: Model, own: SolidScratch, w: np.ndarray, z: np.ndarray) -> None:
    """Make N z = 0 of z (N, 3), by the least change."""
    constraints, rows = model.solids.constraints, own.rows
    if len(rows) == 0:
        return
    for r in range(len(rows)):
        rows[r].error = dot(rows[r].direction, apart(constraints[r], z))
    correct(model, own, w, False)
    for i in range(len(z)):
        for c in range(3):
            z[i, c] -= own.change[i, c]


@kernel
def largest_size(model: Model) -> float:
    """[m] of the soft bodies."""
    size = 0.0
    for s in range(len(model.solids.bodies)):
        size = max(size, model.solids.bodies[s].size)
    return size
