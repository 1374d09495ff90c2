"""Viscosity solved for, (M + k C) a = b with M lumped, by conjugate gradients (Hestenes & Stiefel 1952).

It begins from what solved the step before, preconditioned by the diagonals of both (of C at the relaxed shape, the mean
of its three axes), and takes some √(1 + kτω²) iterations, ω of elements of the usual size, for a digit. At its end what
is left of a body's force and torque accelerates it as if it were rigid, which C does not resist: linear and angular
momentum are conserved however early the iteration ends. Constraints keep N a = 0 of all corrections (Gould, Hribar &
Nocedal 2001); with any it begins from what gravity does, preconditioned by M: corrections then are M⁻¹ of forces
between nodes, which have no sum and no torque.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.arrays import copy_rows
from ..arithmetic.vectors import Matrix, Vector, cross, dot, plus, plus_dyad, scaled, vector
from ..model import Model
from .constraints import direct, keep_rates
from .forces import clear, viscous_forces
from .scratch import SolidScratch

GAMMA = 1.0 - sqrt(0.5)  # of SDIRK2
TOLERANCE = 1e-5  # of the residual, in the norm of M⁻¹, to forces
FAINT = 1e-3  # of weight: forces below that are rounding errors, those of free fall
MOST = 2000  # iterations


@kernel
def push_viscous(model: Model, own: SolidScratch, x: np.ndarray, v: np.ndarray, w: np.ndarray, h: float) -> None:
    """Integrate M v' = own.force + M g − C v over h [s], at x: v (N, 3) at the end."""
    a = own.acceleration
    direct(model, own, x)
    if len(own.rows) > 0:
        copy_rows(own.weight, a)
    for i in range(len(v)):
        own.mobility[i] = w[i] if len(own.rows) > 0 else w[i] / (1.0 + GAMMA * h * own.resistance[i] * w[i])
        if not w[i] > 0.0:
            a[i, 0], a[i, 1], a[i, 2] = 0.0, 0.0, 0.0
    solve(model, own, x, v, w, GAMMA * h)
    for i in range(len(v)):
        for c in range(3):
            v[i, c] += (1.0 - GAMMA) * h * a[i, c]
    solve(model, own, x, v, w, GAMMA * h)
    for i in range(len(v)):
        for c in range(3):
            v[i, c] += GAMMA * h * a[i, c]


@kernel
def solve(model: Model, own: SolidScratch, x: np.ndarray, v: np.ndarray, w: np.ndarray, k: float) -> None:
    """own.acceleration (N, 3), from what it is, becomes a with (M + kC) a = own.force + M g − C v."""
    solids, a, r, p, q = model.solids, own.acceleration, own.residual, own.search, own.answer
    n = len(w)
    for i in range(n):
        for c in range(3):
            p[i, c] = v[i, c] + k * a[i, c]
    clear(r)
    viscous_forces(solids, x, p, r)
    for i in range(n):
        for c in range(3):
            r[i, c] += own.force[i, c] - (a[i, c] - own.weight[i, c]) / w[i] if w[i] > 0.0 else 0.0
    square = precondition(model, own)
    enough = square
    for i in range(n):
        if w[i] > 0.0:
            for c in range(3):
                enough += own.mobility[i] * (own.force[i, c] ** 2 + (FAINT * own.weight[i, c] / w[i]) ** 2)
    enough *= TOLERANCE * TOLERANCE
    copy_rows(own.correction, p)
    for _ in range(MOST):
        if not square > enough:
            break
        clear(q)
        viscous_forces(solids, x, p, q)
        power = 0.0
        for i in range(n):
            if w[i] > 0.0:
                for c in range(3):
                    q[i, c] = p[i, c] / w[i] - k * q[i, c]
                    power += p[i, c] * q[i, c]
        step, before = square / power, square
        for i in range(n):
            if w[i] > 0.0:
                for c in range(3):
                    a[i, c] += step * p[i, c]
                    r[i, c] -= step * q[i, c]
        square = precondition(model, own)
        for i in range(n):
            for c in range(3):
                p[i, c] = own.correction[i, c] + square / before * p[i, c]
    if len(own.rows) == 0:
        for body in range(len(model.solids.bodies)):
            balance(model.solids.bodies[body], own, x, w)


@kernel
def balance(body: np.record, own: SolidScratch, x: np.ndarray, w: np.ndarray) -> None:
    """Accelerate a body that nothing holds by what is left of its force and torque, as if it were rigid."""
    first, last, a, r = body.node[0], body.node[1], own.acceleration, own.residual
    mass, middle, force = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(first, last):
        if not w[i] > 0.0:
            return
        mass += 1.0 / w[i]
        middle, force = plus(middle, 1.0 / w[i], vector(x[i])), plus(force, 1.0, vector(r[i]))
    middle = scaled(1.0 / mass, middle)
    torque, spread = (0.0, 0.0, 0.0), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for i in range(first, last):
        arm = plus(vector(x[i]), -1.0, middle)
        torque, spread = plus(torque, 1.0, cross(arm, vector(r[i]))), plus_dyad(spread, 1.0 / w[i], arm, arm)
    turn = turned_by(torque, spread)
    shift = scaled(1.0 / mass, force)
    for i in range(first, last):
        change = plus(shift, 1.0, cross(turn, plus(vector(x[i]), -1.0, middle)))
        for c in range(3):
            a[i, c] += change[c]


@kernel
def turned_by(torque: Vector, spread: Matrix) -> Vector:
    """I⁻¹ of a torque, I = tr S − S of the masses' S = Σ m d dᵀ."""
    size = spread[0][0] + spread[1][1] + spread[2][2]
    e, f, g = ((size, 0.0, 0.0), (0.0, size, 0.0), (0.0, 0.0, size))
    e, f, g = plus(e, -1.0, spread[0]), plus(f, -1.0, spread[1]), plus(g, -1.0, spread[2])
    p, q, r = cross(f, g), cross(g, e), cross(e, f)
    return scaled(1.0 / dot(e, p), (dot(p, torque), dot(q, torque), dot(r, torque)))


@kernel
def precondition(model: Model, own: SolidScratch) -> float:
    """own.correction (N, 3) of the residual, with N of it 0; its product with the residual."""
    r, z = own.residual, own.correction
    for i in range(len(r)):
        for c in range(3):
            z[i, c] = own.mobility[i] * r[i, c]
    keep_rates(model, own, own.mobility, z)
    square = 0.0
    for i in range(len(r)):
        for c in range(3):
            square += z[i, c] * r[i, c]
    return square
