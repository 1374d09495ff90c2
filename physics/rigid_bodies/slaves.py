"""Nodes welded to rigid bodies go where their body goes: a slave at the arm p from the centre of mass is at r + p."""

from .._jit import njit
from ..constraints.trajectory import rotate
from .free_motion import free_turn


@njit
def put_arms(bodies, q, arm):
    """arm (S, 3) [m] of all slaves in world axes, bodies at q (B, 4)."""
    for s in range(len(bodies.slave_node)):
        rotate(q[bodies.slave_body[s]], bodies.arm[s], arm[s])


@njit
def place_slaves(bodies, b, body_x, body_q, x):
    """Put the slaves of body b where it holds them, x (N, 3) in place."""
    for s in range(bodies.slave_start[b], bodies.slave_start[b + 1]):
        i = bodies.slave_node[s]
        rotate(body_q[b], bodies.arm[s], x[i])
        for c in range(3):
            x[i, c] += body_x[b, c]


@njit
def pose(bodies, state, work, h):
    """Turn all bodies from work.body_q0 by what their angular momentum does in h, and place their slaves."""
    for b in range(len(bodies.mass)):
        free_turn(work.body_q0[b], state.body_l[b], bodies.inertia[b], h, work.target, state.body_q[b])
        place_slaves(bodies, b, state.body_x, state.body_q, state.x)


@njit
def turn_clamps(bodies, state):
    """First material axes that welds prescribe, state.clamp_frame in place."""
    for k in range(len(bodies.weld_body)):
        rotate(state.body_q[bodies.weld_body[k]], bodies.weld_m1[k], state.clamp_frame[bodies.weld_clamp[k]])
