"""The equations of an implicit step for one open rod, and their derivatives.

Of positions x, tensions λ of the edges and angles θ of the material frames, with the time s that a step sees,

    M (x − y)/s² + ∂E/∂x + Gᵀ λ = f,     |e| − l r(λ) = 0,     ∂E/∂θ (+ I θ/s²) = 0,

with G = ∂|e|/∂x. An edge of infinite stiffness keeps its length, r = 1; one that stretches has λ = EA ∂W/∂r (see
rods/stretching): one law for both, through the compliance l/(EA ∂²W/∂r²) on λ, 0 of the first. The frames are carried
by parallel transport while their edges turn, and θ counts from there (Bergou 2010, *Discrete Viscous Threads*), so what
a hinge adds is its gradient and Hessian. They have no inertia I, unless that is asked for.

The unknowns of vertex i follow one another: x_i, the tension of the edge before it, the angle of the frame behind it.
A tension comes after both vertices of its edge, for its pivot would vanish before; in its place vertex 0 has the angle
of the frame before it. So no hinge couples unknowns that are more than 12 apart.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..model import Model, State
from ..rods.chain import chain_edges, hinges_of
from ..rods.hinge import hinge_hessian, strain_gradient
from ..rods.stretching import stress
from .band_ldl import band_solver
from .frames import angle_row
from .loads import add_inertia, turning
from .scratch import BLOCK, WIDTH, YIELD, ImplicitScratch

solve = band_solver(WIDTH)
SPIN = 1e-9  # of a hinge's stiffness, in the matrix alone: a straight rod may spin, and nothing holds it


@kernel
def assemble(model: Model, state: State, work: ImplicitScratch, r: int, s: float, convex: bool) -> None:
    """Write the band matrix and minus the residual of rod r at the iterate: state.x, work.pull, m1 and turn.

    s [s]; convex: what may spoil the matrix's inertia, thrust and the hinges' moments, is left out of it.
    """
    rods = model.rods
    a, y, n = work.matrix, work.unknown, rods[r].last - rods[r].first + 1
    for j in range(BLOCK * n + WIDTH):
        y[j] = 0.0
        for k in range(WIDTH + 1):
            a[j, k] = 0.0
    add_inertia(state.x, work, rods[r].first, n, BLOCK, s)
    add_lengths(model, state, work, r, convex, a, y)
    add_hinges(model, state, work, r, s, convex)
    add_spin(model, work, r)
    bind(work.bound[: BLOCK * n], a, y)


@kernel
def add_lengths(
    model: Model, state: State, work: ImplicitScratch, r: int, convex: bool, a: np.ndarray, y: np.ndarray
) -> None:
    """The edges' tensions."""
    rods, edges, x = model.rods, model.edges, state.x
    for j in range(rods[r].first, rods[r].last):
        i, length, pull = BLOCK * (j - rods[r].first), edges[j].length, work.pull[j]
        dx, dy, dz = x[j + 1, 0] - x[j, 0], x[j + 1, 1] - x[j, 1], x[j + 1, 2] - x[j, 2]
        size = sqrt(dx * dx + dy * dy + dz * dz)
        t = (dx / size, dy / size, dz / size)
        off, compliance = size - length, 0.0
        if rods[r].stretchable:
            force, stiffness = stress(size / length)
            compliance = length / (edges[j].stretch * stiffness)
            off = compliance * (edges[j].stretch * force - pull)
        row = i + BLOCK + 3
        a[row, 0], y[row] = -compliance - YIELD / work.inertia[j], -off
        geometric = (max(pull, 0.0) if convex else pull) / size
        for c in range(3):
            a[i + c, row - i - c], a[i + BLOCK + c, row - i - BLOCK - c] = -t[c], t[c]
            y[i + c] += pull * t[c]
            y[i + BLOCK + c] -= pull * t[c]
            for k in range(3):
                value = geometric * ((1.0 if c == k else 0.0) - t[c] * t[k])
                if k >= c:
                    a[i + c, k - c] += value
                    a[i + BLOCK + c, k - c] += value
                a[i + c, BLOCK + k - c] -= value


@kernel
def add_spin(model: Model, work: ImplicitScratch, r: int) -> None:
    """Inertia of the frames' turning about their edges, where it counts."""
    frame = model.rods[r].frame
    for f in range(frame, frame + model.rods[r].last - model.rods[r].first + 2):
        row = angle_row(f - frame)
        work.matrix[row, 0] += work.spin[f]
        work.unknown[row] -= work.spin[f] * work.spun[f]


@kernel
def add_hinges(model: Model, state: State, work: ImplicitScratch, r: int, s: float, convex: bool) -> None:
    """Bending, twisting and damping at all hinges of rod r."""
    rods, hinges, a, y = model.rods, model.hinges, work.matrix, work.unknown
    first, frame, last = rods[r].first, rods[r].frame, rods[r].last
    chain_edges(rods, r, state.ghosts, state.x, work.e)
    begin, end = hinges_of(rods, r, state.ghosts)
    for h in range(begin, end):
        f = frame + h - first  # the frame before it; behind it is f + 1
        bend(hinges[h], work, f, work.turn[h], convex)
        i = BLOCK * (h - first)
        before, behind = h > first, h < last
        if rods[r].damped:
            damp(hinges[h].viscosity / s, turning(model, state, work, r, h, s) * s, work, h)
        for c in range(6):
            if not (before if c < 3 else behind):  # a ghost edge, which does not go with the vertex
                work.gradient[c] = 0.0
                for k in range(8):
                    work.hessian[c, k] = work.hessian[k, c] = 0.0
        place_angles(work, angle_row(h - first), i, before, behind, a, y)
        place_edges(work, i, before, behind, a, y)


@kernel
def bend(hinge: np.record, work: ImplicitScratch, f: int, turn: float, convex: bool) -> None:
    """Gradient and Hessian of a hinge between the frames f and f + 1 into the scratch."""
    edges, m1, moment, stiffness = work.e[f : f + 2], work.m1[f : f + 2], work.moment[0], work.moment[1]
    strain_gradient(edges, m1, turn, work.strain, work.jacobian)
    for k in range(4):
        stiffness[k] = hinge.bending[k]
        moment[k] = stiffness[k] * (work.strain[k] - hinge.rest_curvature[k])
    stiffness[4] = hinge.twist_rate
    moment[4] = stiffness[4] * (turn - hinge.rest_twist)
    for c in range(8):
        total = 0.0
        for k in range(5):
            total += moment[k] * work.jacobian[k, c]
        work.gradient[c] = total
    if convex:
        for k in range(5):
            moment[k] = 0.0
    hinge_hessian(edges, m1, moment, stiffness, work.jacobian, work.hessian)


@kernel
def damp(k: float, angle: float, work: ImplicitScratch, h: int) -> None:
    """Kelvin–Voigt damping, k [N m] against the angle [rad] that hinge h has turned by, into its gradient and Hessian:
    see rods/internal_damping.
    """
    a, b = work.before[h], work.behind[h]
    for c in range(3):
        work.gradient[c] += k * angle * a[c]
        work.gradient[3 + c] += k * angle * b[c]
        for d in range(3):
            work.hessian[c, d] += k * a[c] * a[d]
            work.hessian[c, 3 + d] += k * a[c] * b[d]
            work.hessian[3 + c, d] += k * b[c] * a[d]
            work.hessian[3 + c, 3 + d] += k * b[c] * b[d]


@kernel
def place_edges(work: ImplicitScratch, i: int, before: bool, behind: bool, a: np.ndarray, y: np.ndarray) -> None:
    """What the edges of a hinge at the vertex whose unknowns begin at i add to it and to its neighbours."""
    g, h = work.gradient, work.hessian
    for c in range(3):
        y[i + c] -= g[c] - g[3 + c]
        if before:
            y[i - BLOCK + c] += g[c]
        if behind:
            y[i + BLOCK + c] -= g[3 + c]
        for k in range(c, 3):
            a[i + c, k - c] += h[c, k] - h[c, 3 + k] - h[3 + c, k] + h[3 + c, 3 + k]
            if before:
                a[i - BLOCK + c, k - c] += h[c, k]
            if behind:
                a[i + BLOCK + c, k - c] += h[3 + c, 3 + k]
        for k in range(3):
            if before:
                a[i - BLOCK + c, BLOCK + k - c] += h[c, 3 + k] - h[c, k]
            if behind:
                a[i + c, BLOCK + k - c] += h[c, 3 + k] - h[3 + c, 3 + k]
            if before and behind:
                a[i - BLOCK + c, 2 * BLOCK + k - c] -= h[c, 3 + k]


@kernel
def place_angles(
    work: ImplicitScratch, one: int, i: int, before: bool, behind: bool, a: np.ndarray, y: np.ndarray
) -> None:
    """What the frames of such a hinge add: the angle before it in row `one`, behind it in row i + 4."""
    g, h, other = work.gradient, work.hessian, i + 4
    y[one] -= g[6]
    y[other] -= g[7]
    a[one, 0] += h[6, 6] - SPIN * h[6, 7]
    a[other, 0] += h[7, 7] - SPIN * h[6, 7]
    a[one, other - one] += h[6, 7]
    for angle in range(2):
        row, q = (one, 6) if angle == 0 else (other, 7)
        for c in range(3):
            put(a, i + c, row, h[q, c] - h[q, 3 + c])
            if before:
                put(a, i - BLOCK + c, row, -h[q, c])
            if behind:
                put(a, i + BLOCK + c, row, h[q, 3 + c])


@kernel
def put(a: np.ndarray, i: int, j: int, value: float) -> None:
    """A[i, j] += value."""
    a[min(i, j), abs(i - j)] += value


@kernel
def bind(bound: np.ndarray, a: np.ndarray, y: np.ndarray) -> None:
    """Leave unknowns that are given as they are."""
    for j in range(len(bound)):
        if bound[j]:
            for k in range(1, WIDTH + 1):
                a[j, k] = 0.0
                if j - k >= 0:
                    a[j - k, k] = 0.0
            a[j, 0], y[j] = 1.0, 0.0
