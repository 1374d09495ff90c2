"""Material frames during an implicit step: taken from the State, carried along, and left there.

An edge's frame is its first material axis. While the edge turns it is carried by parallel transport in time, and turns
about it by the change of its angle (Bergou 2010, *Discrete Viscous Threads*).
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import angle_about, turned_about
from ..arithmetic.vectors import dot, vector
from ..model import Model, State
from ..rods.chain import chain_edges, hinges_of
from ..rods.elastic_forces import carry_first_frame
from ..rods.frame_loads import load_frames
from ..rods.frames import adapt, signed_angle, transport, unwrap
from ..rods.isotropic_twist import lay_frames
from .scratch import ImplicitScratch


@kernel
def take_frames(model: Model, state: State, own: ImplicitScratch, r: int, x0: np.ndarray) -> None:
    """The frames of rod r at the start of a step, when vertices are at x0 (N, 3)."""
    rods = model.rods
    begin, end = hinges_of(rods, r, state.ghosts)
    if state.rods[r].loaded:
        chain_edges(rods, r, state.ghosts, x0, own.e)
        load_frames(rods, r, own.e, state)
    if not rods[r].general:
        lay_frames(model, r, x0, state, own.e)
    a, b = begin + r, end + r + 1
    for f in range(a, b):
        t, m1 = own.t[f], own.m1[f]
        t[0], t[1], t[2] = vector(state.t[f])
        m1[0], m1[1], m1[2] = turned_about(vector(t), vector(state.u[f]), state.theta[f])
        own.frames[f].turn = 0.0
    for h in range(begin, end):
        own.turn[h] = state.theta[h + r + 1] - state.theta[h + r]


@kernel
def hold_frames(model: Model, state: State, own: ImplicitScratch, r: int) -> None:
    """Material axes of rod r that something holds are where it holds them now."""
    for k in range(model.rods[r].first_clamp, model.rods[r].end_clamp):
        f = model.clamps[k].frame
        if state.fixed[f]:
            twin = model.rods[r].last + r + 1 if model.rods[r].closed and f == model.rods[r].frame else f
            for c in range(3):
                own.m1[f, c] = own.m1[twin, c] = state.clamp_frame[k, c]


@kernel
def carry(model: Model, state: State, work: ImplicitScratch, r: int, scale: float) -> float:
    """The frames of rod r go with their edges to where these are now, and turn about them by what work.unknown has,
    times scale; directions and inverse lengths of the edges with them.

    Returns the largest such angle [rad].
    """
    rods = model.rods
    begin, end = hinges_of(rods, r, state.ghosts)
    chain_edges(rods, r, state.ghosts, state.x, work.e)
    most = 0.0
    for f in range(begin + r, end + r + 1):
        e, before, m1 = work.e[f], work.t[f], work.m1[f]
        k = 1.0 / sqrt(dot(e, e))
        t = (k * e[0], k * e[1], k * e[2])
        work.inverse[f] = k
        angle = scale * work.unknown[model.chain_system.angle[f]]
        most = max(most, abs(angle))
        work.frames[f].turn += angle
        transport(m1, before, t, m1)
        axis = turned_about(t, vector(m1), angle)
        for c in range(3):
            m1[c], before[c] = axis[c], t[c]
    if rods[r].closed:  # the same edge, met twice
        for c in range(3):
            work.m1[begin + r, c] = work.m1[end + r, c]
    hold_frames(model, state, work, r)
    for h in range(begin, end):
        f = h + r
        work.turn[h] = turn_hinge(work.t[f], work.t[f + 1], work.m1[f], work.m1[f + 1], work.turn[h])
    return most


@kernel
def turn_hinge(t0: np.ndarray, t1: np.ndarray, m0: np.ndarray, m1: np.ndarray, near: float) -> float:
    """Twist [rad] from the axis m0 across t0 to m1 across t1, the one closest to `near`."""
    k = (m0[0] * t1[0] + m0[1] * t1[1] + m0[2] * t1[2]) / (1.0 + t0[0] * t1[0] + t0[1] * t1[1] + t0[2] * t1[2])
    u = (m0[0] - k * (t0[0] + t1[0]), m0[1] - k * (t0[1] + t1[1]), m0[2] - k * (t0[2] + t1[2]))
    return unwrap(angle_about(u, m1, t1), near)


@kernel
def leave_frames(model: Model, state: State, own: ImplicitScratch, r: int) -> None:
    """Bishop frames and angles of rod r from its material frames, at the end of a step."""
    begin, end = hinges_of(model.rods, r, state.ghosts)
    a = begin + r
    transport(state.u[a], state.t[a], own.t[a], state.u[a])
    adapt(state.u[a], own.t[a])
    state.theta[a] = unwrap(signed_angle(state.u[a], own.m1[a], own.t[a]), state.theta[a])
    for h in range(begin, end):
        transport(state.u[h + r], own.t[h + r], own.t[h + r + 1], state.u[h + r + 1])
        state.theta[h + r + 1] = state.theta[h + r] + own.turn[h]
    for f in range(a, end + r + 1):
        for c in range(3):
            state.t[f, c] = own.t[f, c]


@kernel
def turn_first_frame(model: Model, state: State, own: ImplicitScratch, r: int) -> None:
    """Carry the first frame of rod r, an open one, along: the others follow it when they are asked for."""
    i = hinges_of(model.rods, r, state.ghosts)[0]
    e, x = own.e[i + r], state.x
    for c in range(3):
        e[c] = x[i, c] - x[i - 1, c] if i > model.rods[r].first else state.ghosts[2 * r].edge[c]
    carry_first_frame(e, state.t[i + r], state.u[i + r])
