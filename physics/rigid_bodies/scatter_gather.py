"""Scatter and gather. Where kernels for rods push nodes directly (damping, air), slaves are particles whose mobility,
their grip, is at least that of their body; the impulses they receive are gathered for the body afterwards. What damps
rods so still takes energy and never adds any, with any step, and momentum is kept. So with bodies' ghost edges.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import turn_back
from ..model import Model, State
from ..rods.director_forces import segment_of
from .free_motion import angular_velocity
from .loads import add_couple, add_impulse
from .scratch import WeldedScratch


@kernel
def scatter(model: Model, state: State, work: WeldedScratch) -> None:
    """Make slaves particles: their grips as inverse masses, their bodies' velocities; and ghost edges move, and
    segments of Cosserat rods that they lead spin, as their bodies do.
    """
    bodies, slaves, welds = model.bodies, model.slaves, model.welds
    for b in range(len(bodies)):
        now, omega = state.bodies[b], work.spins[b].omega
        angular_velocity(now.q, now.l, bodies[b].inertia, omega)
        for s in range(bodies[b].first_slave, bodies[b].end_slave):
            i, v = slaves[s].node, work.slaves[s].v
            carry(omega, work.slaves[s].arm, v)
            for c in range(3):
                v[c] += now.v[c]
                state.v[i, c] = v[c]
            state.w[i] = slaves[s].grip
    for k in range(len(welds)):
        if welds[k].ghost >= 0:
            ghost = state.ghosts[welds[k].ghost]
            carry(work.spins[welds[k].body].omega, ghost.edge, ghost.rate)
        rod = model.rods[welds[k].rod]
        if rod.cosserat and max(welds[k].ghost, welds[k].clamp) >= 0:  # else only its edge is led
            s = segment_of(rod, welds[k].frame)
            turn_back(state.q[s], work.spins[welds[k].body].omega, state.omega[s])


@kernel
def carry(omega: np.ndarray, p: np.ndarray, v: np.ndarray) -> None:
    """v = ω × p, (3,) each."""
    wx, wy, wz = omega[0], omega[1], omega[2]
    v[0], v[1], v[2] = wy * p[2] - wz * p[1], wz * p[0] - wx * p[2], wx * p[1] - wy * p[0]


@kernel
def gather(model: Model, state: State, work: WeldedScratch, impulse: np.ndarray) -> None:
    """Give the bodies what their slaves received since `scatter`, and their ghost edges, the impulse (M, 3) [N s] on
    the edges of damped rods; and take the grips back.
    """
    bodies, slaves, welds = model.bodies, model.slaves, model.welds
    for s in range(len(slaves)):
        i, b, k, v = slaves[s].node, slaves[s].body, 1.0 / slaves[s].grip, work.slaves[s].v
        fx, fy, fz = k * (state.v[i, 0] - v[0]), k * (state.v[i, 1] - v[1]), k * (state.v[i, 2] - v[2])
        add_impulse(bodies[b].w, state.bodies[b], work.slaves[s].arm, fx, fy, fz)
        state.w[i] = 0.0
    for k in range(len(welds)):
        if welds[k].ghost >= 0 and model.rods[welds[k].rod].damped:
            e, ghost = welds[k].frame, state.ghosts[welds[k].ghost]
            add_couple(state.bodies[welds[k].body], ghost.edge, impulse[e, 0], impulse[e, 1], impulse[e, 2])
