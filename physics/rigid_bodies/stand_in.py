"""Where kernels for rods push nodes directly (damping, air, contact), slaves stand in as particles whose mobility,
their grip, is at least that of their body; the impulses they receive then go to the body. What damps rods so still
takes energy and never adds any, with any step, and momentum is kept.
"""

from .._jit import njit
from .free_motion import angular_velocity
from .loads import add_impulse


@njit
def lend(bodies, state, work):
    """Let slaves stand in as particles: their grips as inverse masses, their bodies' velocities."""
    for b in range(len(bodies.mass)):
        angular_velocity(state.body_q[b], state.body_l[b], bodies.inertia[b], work.target)
        wx, wy, wz = work.target[0], work.target[1], work.target[2]
        for s in range(bodies.slave_start[b], bodies.slave_start[b + 1]):
            i, p = bodies.slave_node[s], work.arm[s]
            state.v[i, 0] = work.slave_v[s, 0] = state.body_v[b, 0] + wy * p[2] - wz * p[1]
            state.v[i, 1] = work.slave_v[s, 1] = state.body_v[b, 1] + wz * p[0] - wx * p[2]
            state.v[i, 2] = work.slave_v[s, 2] = state.body_v[b, 2] + wx * p[1] - wy * p[0]
            state.w[i] = bodies.grip[s]


@njit
def hand_on(bodies, state, work):
    """Give the bodies what their slaves received since `lend`, and take the grips back."""
    for s in range(len(bodies.slave_node)):
        i, k = bodies.slave_node[s], 1.0 / bodies.grip[s]
        fx = k * (state.v[i, 0] - work.slave_v[s, 0])
        fy = k * (state.v[i, 1] - work.slave_v[s, 1])
        fz = k * (state.v[i, 2] - work.slave_v[s, 2])
        add_impulse(bodies, bodies.slave_body[s], work.arm[s], fx, fy, fz, state.body_v, state.body_l)
        state.w[i] = 0.0


@njit
def hold_out(bodies, w):
    """Let contacts push slaves that are vertices: their grips as inverse masses w (N,)."""
    for s in range(len(bodies.slave_node)):
        w[bodies.slave_node[s]] = bodies.grip[s] if bodies.solid[s] else 0.0


@njit
def take_pushes(bodies, state, work, h):
    """Give the bodies what contacts have pushed their slaves since work.pushed."""
    for s in range(len(bodies.slave_node)):
        if bodies.solid[s]:
            i, b, k = bodies.slave_node[s], bodies.slave_body[s], 1.0 / bodies.grip[s]
            fx = k * (state.x[i, 0] - work.pushed[i, 0])
            fy = k * (state.x[i, 1] - work.pushed[i, 1])
            fz = k * (state.x[i, 2] - work.pushed[i, 2])
            push_body(bodies, b, work.arm[s], fx, fy, fz, h, state.body_x, state.body_v, state.body_l)


@njit
def push_body(bodies, b, p, fx, fy, fz, h, body_x, v, l):
    """A displacement's impulse (fx, fy, fz) [kg m] on body b at the arm p (3,): body_x, v and l (B, 3) in place."""
    k = bodies.w[b]
    body_x[b, 0] += k * fx
    body_x[b, 1] += k * fy
    body_x[b, 2] += k * fz
    k /= h
    v[b, 0] += k * fx
    v[b, 1] += k * fy
    v[b, 2] += k * fz
    k = 1.0 / h
    l[b, 0] += k * (p[1] * fz - p[2] * fy)
    l[b, 1] += k * (p[2] * fx - p[0] * fz)
    l[b, 2] += k * (p[0] * fy - p[1] * fx)


@njit
def release(bodies, w):
    """Slaves are without mass again."""
    for s in range(len(bodies.slave_node)):
        w[bodies.slave_node[s]] = 0.0
