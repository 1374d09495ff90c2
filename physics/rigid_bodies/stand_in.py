"""Where kernels for rods push nodes directly (damping, air), slaves stand in as particles whose mobility,
their grip, is at least that of their body; the impulses they receive then go to the body. What damps rods so still
takes energy and never adds any, with any step, and momentum is kept.
"""

from .._jit import kernel
from .free_motion import angular_velocity
from .loads import add_impulse


@kernel
def lend(bodies, slaves, state, work):
    """Let slaves stand in as particles: their grips as inverse masses, their bodies' velocities."""
    for b in range(len(bodies)):
        now = state.bodies[b]
        angular_velocity(now.q, now.l, bodies[b].inertia, work.target)
        wx, wy, wz = work.target[0], work.target[1], work.target[2]
        for s in range(bodies[b].first_slave, bodies[b].end_slave):
            i, p, v = slaves[s].node, work.slaves[s].arm, work.slaves[s].v
            v[0] = now.v[0] + wy * p[2] - wz * p[1]
            v[1] = now.v[1] + wz * p[0] - wx * p[2]
            v[2] = now.v[2] + wx * p[1] - wy * p[0]
            state.v[i, 0], state.v[i, 1], state.v[i, 2] = v[0], v[1], v[2]
            state.w[i] = slaves[s].grip


@kernel
def hand_on(bodies, slaves, state, work):
    """Give the bodies what their slaves received since `lend`, and take the grips back."""
    for s in range(len(slaves)):
        i, b, k, v = slaves[s].node, slaves[s].body, 1.0 / slaves[s].grip, work.slaves[s].v
        fx, fy, fz = k * (state.v[i, 0] - v[0]), k * (state.v[i, 1] - v[1]), k * (state.v[i, 2] - v[2])
        add_impulse(bodies[b].w, state.bodies[b], work.slaves[s].arm, fx, fy, fz)
        state.w[i] = 0.0


@kernel
def push_body(w, now, p, fx, fy, fz, h):
    """A displacement's impulse (fx, fy, fz) [kg m] on a body of inverse mass w at the arm p (3,): its row of
    State.bodies in place.
    """
    now.x[0] += w * fx
    now.x[1] += w * fy
    now.x[2] += w * fz
    k = 1.0 / h
    add_impulse(w, now, p, k * fx, k * fy, k * fz)
