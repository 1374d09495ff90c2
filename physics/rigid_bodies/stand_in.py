"""Where kernels for rods push nodes directly (damping, air), slaves stand in as particles whose mobility,
their grip, is at least that of their body; the impulses they receive then go to the body. What damps rods so still
takes energy and never adds any, with any step, and momentum is kept. So do walls that bodies carry, with their edges.
"""

import numpy as np

from .._jit import kernel
from ..model import Model, State
from .free_motion import angular_velocity
from .loads import add_couple, add_impulse
from .scratch import WeldedScratch


@kernel
def lend(model: Model, state: State, work: WeldedScratch) -> None:
    """Let slaves stand in as particles: their grips as inverse masses, their bodies' velocities; and walls move."""
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
        if welds[k].wall >= 0:
            wall = state.walls[welds[k].wall]
            carry(work.spins[welds[k].body].omega, wall.edge, wall.rate)


@kernel
def carry(omega: np.ndarray, p: np.ndarray, v: np.ndarray) -> None:
    """v = ω × p, (3,) each."""
    wx, wy, wz = omega[0], omega[1], omega[2]
    v[0], v[1], v[2] = wy * p[2] - wz * p[1], wz * p[0] - wx * p[2], wx * p[1] - wy * p[0]


@kernel
def hand_on(model: Model, state: State, work: WeldedScratch, impulse: np.ndarray) -> None:
    """Give the bodies what their slaves received since `lend`, and their walls, the impulse (M, 3) [N s] on the edges
    of damped rods; and take the grips back.
    """
    bodies, slaves, welds = model.bodies, model.slaves, model.welds
    for s in range(len(slaves)):
        i, b, k, v = slaves[s].node, slaves[s].body, 1.0 / slaves[s].grip, work.slaves[s].v
        fx, fy, fz = k * (state.v[i, 0] - v[0]), k * (state.v[i, 1] - v[1]), k * (state.v[i, 2] - v[2])
        add_impulse(bodies[b].w, state.bodies[b], work.slaves[s].arm, fx, fy, fz)
        state.w[i] = 0.0
    for k in range(len(welds)):
        if welds[k].wall >= 0 and model.rods[welds[k].rod].damped:
            e, wall = welds[k].frame, state.walls[welds[k].wall]
            add_couple(state.bodies[welds[k].body], wall.edge, impulse[e, 0], impulse[e, 1], impulse[e, 2])


@kernel
def push_body(w: float, now: np.record, p: np.ndarray, fx: float, fy: float, fz: float, h: float) -> None:
    """A displacement's impulse (fx, fy, fz) [kg m] on a body of inverse mass w at the arm p (3,): its row of
    State.bodies in place.
    """
    now.x[0] += w * fx
    now.x[1] += w * fy
    now.x[2] += w * fz
    k = 1.0 / h
    add_impulse(w, now, p, k * fx, k * fy, k * fz)
