"""Sheets in motion: their nodes are soft bodies', and take the steps of these. What they have besides: forces of
plates, turns of directors, damping.

A director goes along with its edge without turning about it, and besides turns about it at the rate ω, I dω/dt = τ, by
the same scheme as nodes: ω is kicked with their velocities, and the director turned where they have gone.

Damping −C(x) v, C v = τ times Hooke's law of rates (elements/plate), would limit a step to 2/(ω²τ). So it is split off
and goes before all steps of a stretch of H [s], by s stages of a scheme that is stable up to H λ = s (s + 1), λ the
fastest rate of M⁻¹C (RKL1: Meyer, Balsara & Aslam 2014, *Journal of Computational Physics* 257),

    Y_j = (2j − 1)/j (Y_{j−1} − 2H/(s² + s) M⁻¹C Y_{j−1}) − (j − 1)/j Y_{j−2},    Y_0 = v,    v' = Y_s .

v' is P_s(1 − 2H/(s² + s) M⁻¹C) v, P_s Legendre's polynomial, never larger than 1: no velocity grows. Each stage adds
forces inside the sheet, so momentum is kept. The error is of first order in H, half of the implicit Euler method's;
what swings faster than that is slowed down every H, whatever its damping. Damping acts on velocities alone, so no rest
depends on it.
"""

from math import ceil, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy, copy_rows
from ..arithmetic.vectors import cross, dot, scaled
from ..compiling.on_stack import on_stack
from ..elements.plate import damping_rate, find_angles, find_damping, find_forces
from ..elements.plate_lanes import COUNT, LANES, column, gather, gather_rates, gather_shape, put, scatter
from ..model import Model, Solids, State, table
from .plate import stand, stored, turned, turned_to

# Stages, four times as many as a frame of 10⁴ triangles has steps; what asks for more is damped as if for less time.
MOST = 2000
EDGES = table(  # edges side by side: one instruction of the processor does the same to several
    along=(float, (3, COUNT)),  # from end to end [m]
    t=(float, (3, COUNT)),  # columns of PLATE_DIRECTOR; in place of r, by how much the other end is faster,
    r=(float, (3, COUNT)),
    angle=(float, COUNT),  # and in place of an angle [rad], what a moment [N m] adds to that about t
)


@entry
def bend(solids: Solids, x: np.ndarray, directors: np.ndarray, f: np.ndarray) -> None:
    """Add forces of plates at x (n, 3) to f (n, 3) [N]; those on PLATE_DIRECTOR (e,) become their torques."""
    plates, here, torque = solids.plates, on_stack(LANES), directors["torque"]
    for e in range(len(directors)):
        directors[e].torque = 0.0
    for k in range(0, len(plates), COUNT):
        own = plates[k : k + COUNT]
        gather(x, own, here)
        gather_shape(directors, own, here)
        find_angles(here, len(own))
        find_forces(here)
        scatter(own, here, f, torque)


@kernel
def kick(solids: Solids, state: State, h: float) -> None:
    """Rates of turning += h τ/I. An edge that goes on turning about itself while its direction t changes has an angular
    momentum I ω t that changes: its ends are pushed by I ω t × dt/dt over its length, which does no work: of COUNT
    edges, as fast as nodes were before all of these.
    """
    directors, edges, x, v, w, here = state.directors, solids.plate_edges, state.x, state.v, state.w, on_stack(EDGES)
    for first in range(0, len(directors), COUNT):
        own, rows = directors[first : first + COUNT], edges[first : first + COUNT]
        for l in range(len(own)):
            a, b, one = rows[l].node[0], rows[l].node[1], own[l]
            here.angle[l] = h * one.rate / rows[l].w
            for c in range(3):
                here.along[c, l], here.r[c, l], here.t[c, l] = x[b, c] - x[a, c], v[b, c] - v[a, c], one.t[c]
        for l in range(COUNT):
            along, t = column(here.along, l), column(here.t, l)
            put(scaled(here.angle[l] / dot(along, along), cross(t, column(here.r, l))), here.r, l)
        for l in range(len(own)):
            a, b, one = rows[l].node[0], rows[l].node[1], own[l]
            for c in range(3):
                v[a, c] -= w[a] * here.r[c, l]
                v[b, c] += w[b] * here.r[c, l]
            one.rate += h * rows[l].w * one.torque


@entry
def turn(solids: Solids, x: np.ndarray, directors: np.ndarray, h: float) -> None:
    """Directors go along to where edges are at x (n, 3), and turn for h [s]."""
    here, edges = on_stack(EDGES), solids.plate_edges
    for first in range(0, len(directors), COUNT):
        own, rows = directors[first : first + COUNT], edges[first : first + COUNT]
        for l in range(len(own)):
            a, b, one = rows[l].node[0], rows[l].node[1], own[l]
            here.angle[l] = h * one.rate
            for c in range(3):
                here.along[c, l], here.t[c, l], here.r[c, l] = x[b, c] - x[a, c], one.t[c], one.r[c]
        for l in range(COUNT):
            u, d = turned_to(column(here.along, l), column(here.t, l), column(here.r, l), here.angle[l])
            put(u, here.t, l)
            put(d, here.r, l)
        for l in range(len(own)):
            stand(own[l], column(here.t, l), column(here.r, l))


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
    plates, here, torque = solids.plates, on_stack(LANES), out["torque"]
    for i in range(len(f)):
        f[i, 0] = f[i, 1] = f[i, 2] = 0.0
    for e in range(len(out)):
        out[e].torque = 0.0
    for k in range(0, len(plates), COUNT):
        own = plates[k : k + COUNT]
        gather(x, own, here)
        gather_rates(v, turns, own, here)
        find_damping(here)
        scatter(own, here, f, torque)


@kernel
def fastest_damping(solids: Solids, x: np.ndarray) -> float:
    """No less than the fastest rate λ of M⁻¹C at x (n, 3) [1/s]: of triangles with their own shares of mass."""
    fastest = 0.0
    for k in range(len(solids.plates)):
        fastest = max(fastest, damping_rate(x, solids.plates[k]))
    return fastest


@kernel
def damp(
    model: Model, state: State, scratch: tuple[np.ndarray, np.ndarray, np.ndarray], turns: np.ndarray, out: np.ndarray,
    duration: float,
) -> None:  # fmt: skip
    """What H = duration [s] of damping does to velocities of nodes and directors; scratch (n, 3), turns (2, e) and
    PLATE_DIRECTOR (e,), out, are filled.
    """
    solids, x, w, now = model.solids, state.x, state.w, state.directors
    (f, p, q), s, t = scratch, turns[0], turns[1]
    fastest = fastest_damping(solids, x)
    if fastest == 0.0:
        return
    stages = min(ceil(0.5 * (sqrt(1.0 + 4.0 * duration * fastest) - 1.0)), MOST)
    copy_rows(state.v, p)
    copy_rows(state.v, q)
    copy(now["rate"], s)
    copy(now["rate"], t)
    share = 2.0 * min(duration / (stages * (stages + 1.0)), 1.0 / fastest)
    for j in range(1, stages + 1):
        oppose(solids, x, q, t, f, out)
        k = 2.0 - 1.0 / j
        for i in range(len(p)):
            for c in range(3):
                p[i, c] = k * (q[i, c] + share * w[i] * f[i, c]) + (1.0 - k) * p[i, c]
        for e in range(len(now)):
            s[e] = k * (t[e] + share * solids.plate_edges[e].w * out[e].torque) + (1.0 - k) * s[e]
        p, q, s, t = q, p, t, s
    copy_rows(q, state.v)
    copy(t, now["rate"])
