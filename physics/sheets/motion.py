"""Sheets in motion: their nodes are soft bodies', and take the steps of these. What they have besides: forces of
plates, turns of directors, damping.

A director goes along with its edge without turning about it, and besides turns about it at the rate ω, I dω/dt = τ, by
the same scheme as nodes: ω is kicked with their velocities, and the director turned where they have gone.

Damping −C(x) v, C v = τ times Hooke's law of rates (elements/plate), would limit a step to 2/(ω²τ). So it is split off
and taken implicitly, once before all steps of a stretch of H [s],

    (M + H C) v' = M v ,

by conjugate gradients that M preconditions. Residuals are sums of forces inside the sheet, so momentum is kept after
any number of iterations. The error is of first order in H; what swings faster than that is stopped every H, whatever
its damping. Damping acts on velocities alone, so no rest depends on it.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import cross, dot, plus, scaled, vector
from ..compiling.on_stack import on_stack
from ..elements.plate import damping_forces, measure, plate_forces
from ..model import Model, Solids, State
from .plate import MEASURED, stand, stored, turned

# Of what all iterations have gained of ½ (v − v')ᵀ(M + H C)(v − v'): one that gains less is the last. By a tenth of the
# residual, which is the fastest waves', a strip that curls was hardly damped; by 1e-5 it still swings by a twentieth.
CLOSE = 1e-7
ROUNDS = 2000  # at most


@entry
def bend(solids: Solids, x: np.ndarray, directors: np.ndarray, f: np.ndarray) -> None:
    """Add forces of plates at x (n, 3) to f (n, 3) [N]; those on PLATE_DIRECTOR (e,) become their torques."""
    out = on_stack(MEASURED).rows
    for e in range(len(directors)):
        directors[e].torque = 0.0
    for k in range(len(solids.plates)):
        measure(x, directors, solids.plates[k], out)
        plate_forces(x, solids.plates[k], out, f, directors)


@kernel
def kick(solids: Solids, state: State, h: float) -> None:
    """Rates of turning += h τ/I. An edge that goes on turning about itself while its direction t changes has an angular
    momentum I ω t that changes: its ends are pushed by I ω t × dt/dt over its length, which does no work.
    """
    directors, edges, v, w = state.directors, solids.plate_edges, state.v, state.w
    for e in range(len(directors)):
        a, b, t = edges[e].node[0], edges[e].node[1], vector(directors[e].t)
        along = plus(vector(state.x[b]), -1.0, vector(state.x[a]))
        push = scaled(
            h * directors[e].rate / edges[e].w / dot(along, along), cross(t, plus(vector(v[b]), -1.0, vector(v[a])))
        )
        for c in range(3):
            v[a, c] -= w[a] * push[c]
            v[b, c] += w[b] * push[c]
        directors[e].rate += h * edges[e].w * directors[e].torque


@entry
def turn(solids: Solids, x: np.ndarray, directors: np.ndarray, h: float) -> None:
    """Directors go along to where edges are at x (n, 3), and turn for h [s]."""
    for e in range(len(directors)):
        u, d = turned(x, solids.plate_edges[e], directors[e], h * directors[e].rate)
        stand(directors[e], u, d)


@kernel
def try_mode(solids: Solids, x: np.ndarray, now: np.ndarray, size: float, out: np.ndarray) -> None:
    """PLATE_DIRECTOR (e,), out: those of now, gone along to x (n, 3) and turned by `size` of their modes."""
    for e in range(len(now)):
        u, d = turned(x, solids.plate_edges[e], now[e], size * now[e].mode)
        stand(out[e], u, d)


@entry
def plates_hold(solids: Solids, x: np.ndarray, directors: np.ndarray) -> float:
    """Elastic energy [J] of all sheets at x (n, 3)."""
    return stored(x, directors, solids.plates)


@entry
def oppose(solids: Solids, x: np.ndarray, v: np.ndarray, turns: np.ndarray, f: np.ndarray, out: np.ndarray) -> None:
    """f (n, 3) [N], and torques of PLATE_DIRECTOR (e,), out: −C of velocities v (n, 3) and turns (e,) [rad/s]."""
    for i in range(len(f)):
        f[i, 0] = f[i, 1] = f[i, 2] = 0.0
    for e in range(len(out)):
        out[e].torque = 0.0
    for k in range(len(solids.plates)):
        if solids.plates[k].relaxation > 0.0:
            damping_forces(x, v, turns, solids.plates[k], f, out)


@kernel
def damp(
    model: Model, state: State, scratch: tuple[np.ndarray, np.ndarray, np.ndarray], turns: np.ndarray, out: np.ndarray,
    duration: float,
) -> None:  # fmt: skip
    """What H = duration [s] of damping does to velocities of nodes and directors; scratch (n, 3), turns (2, e) and
    PLATE_DIRECTOR (e,), out, are filled.
    """
    solids, x, v, w, now = model.solids, state.x, state.v, state.w, state.directors
    (r, p, q), s, t = scratch, turns[0], turns[1]
    if len(now) == 0:
        return
    for e in range(len(now)):
        t[e] = now[e].rate
    oppose(solids, x, v, t, r, out)
    square = 0.0
    for i in range(len(v)):
        for c in range(3):
            r[i, c] *= duration
            p[i, c] = w[i] * r[i, c]
            square += r[i, c] * p[i, c]
    for e in range(len(now)):
        s[e] = duration * out[e].torque
        t[e] = solids.plate_edges[e].w * s[e]
        square += s[e] * t[e]
    gained = 0.0
    for _ in range(ROUNDS):
        if not square > 0.0:
            return
        oppose(solids, x, p, t, q, out)
        curve = 0.0
        for i in range(len(v)):
            for c in range(3):
                q[i, c] = (p[i, c] / w[i] - duration * q[i, c]) if w[i] > 0.0 else 0.0
                curve += p[i, c] * q[i, c]
        for e in range(len(now)):
            out[e].torque = t[e] / solids.plate_edges[e].w - duration * out[e].torque
            curve += t[e] * out[e].torque
        along, gain, before, square = square / curve, square * square / curve, square, 0.0
        gained += gain
        for i in range(len(v)):
            for c in range(3):
                v[i, c] += along * p[i, c]
                r[i, c] -= along * q[i, c]
                square += w[i] * r[i, c] * r[i, c]
        for e in range(len(now)):
            now[e].rate += along * t[e]
            s[e] -= along * out[e].torque
            square += solids.plate_edges[e].w * s[e] * s[e]
        for i in range(len(v)):
            for c in range(3):
                p[i, c] = w[i] * r[i, c] + square / before * p[i, c]
        for e in range(len(now)):
            t[e] = solids.plate_edges[e].w * s[e] + square / before * t[e]
        if gain < CLOSE * gained:
            return
