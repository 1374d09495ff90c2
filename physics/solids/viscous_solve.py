"""Viscosity solved for, (M + k C) a = b with M lumped, by conjugate gradients (Hestenes & Stiefel 1952).

Preconditioned by M alone, and begun from what gravity does, every correction is M⁻¹ of forces between nodes, which have
no sum and no torque: what moves as if it were rigid is exact however early the iteration ends, so it conserves linear
and angular momentum. It takes about √(1 + kτω²) iterations. Constraints keep N a = 0 of all corrections (Gould, Hribar
& Nocedal 2001).
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arrays import copy_rows
from ..model import Model
from .constraints import direct, keep_rates
from .forces import clear
from .scratch import SolidScratch
from .viscosity import viscous_forces

GAMMA = 1.0 - sqrt(0.5)  # of SDIRK2
TOLERANCE = 1e-6  # of the residual, in the norm of M⁻¹, to that at the start
MOST = 2000  # iterations


@kernel
def push_viscous(model: Model, own: SolidScratch, x: np.ndarray, v: np.ndarray, w: np.ndarray, h: float) -> None:
    """Integrate M v' = own.force + M g − C v over h [s], at x: v (N, 3) at the end."""
    a = own.trial
    direct(model, own, x)
    for i in range(len(v)):
        for c in range(3):
            a[i, c] = own.weight[i, c] if w[i] > 0.0 else 0.0
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
    """own.trial (N, 3), from where it is, becomes a with (M + kC) a = own.force + M g − C v."""
    tetrahedra, a, r, p, q = model.solids.tetrahedra, own.trial, own.residual, own.search, own.answer
    n = len(w)
    for i in range(n):
        for c in range(3):
            p[i, c] = v[i, c] + k * a[i, c]
    clear(r)
    viscous_forces(tetrahedra, x, p, r)
    for i in range(n):
        for c in range(3):
            r[i, c] += own.force[i, c] - (a[i, c] - own.weight[i, c]) / w[i] if w[i] > 0.0 else 0.0
    square = precondition(model, own, w)
    enough = TOLERANCE * TOLERANCE * square
    copy_rows(own.correction, p)
    for _ in range(MOST):
        if not square > enough:
            return
        clear(q)
        viscous_forces(tetrahedra, x, p, q)
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
        square = precondition(model, own, w)
        for i in range(n):
            for c in range(3):
                p[i, c] = own.correction[i, c] + square / before * p[i, c]


@kernel
def precondition(model: Model, own: SolidScratch, w: np.ndarray) -> float:
    """own.correction (N, 3) = M⁻¹ of the residual, with N of it 0; its product with the residual."""
    r, z = own.residual, own.correction
    for i in range(len(w)):
        for c in range(3):
            z[i, c] = w[i] * r[i, c]
    keep_rates(model, own, w, z)
    square = 0.0
    for i in range(len(w)):
        for c in range(3):
            square += z[i, c] * r[i, c]
    return square
