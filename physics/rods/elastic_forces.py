"""Elastic forces of all rods: frames carried along and brought to equilibrium, then the force kernel each rod needs."""

from math import sqrt

from .._jit import njit
from .chain import chain
from .curvature import bishop_curvature
from .frames import adapt, signed_angle, unwrap
from .general_force import general_force
from .isotropic_force import isotropic_force
from .quasistatic_frame import quasistatic_frame
from .stretching import add_stretching
from .uniform_twist import uniform_torque


@njit
def elastic_forces(rods, state, work):
    """Bring the material frames to equilibrium and write the elastic forces to work.f; returns the rod whose frames
    fail, or −1.
    """
    for r in range(len(rods.first)):
        a, b = chain(rods, state.loose, r)
        x, f = state.x[a:b], work.f[a:b]
        carry_first_frame(x, state.t[a], state.u[a])
        if rods.general[r] or rods.twisted[r]:
            t, u, inverse_length = state.t[a : b - 1], state.u[a : b - 1], work.inverse_length[a : b - 1]
            chi, k, theta = work.chi[a:b], work.k[a:b], state.theta[a : b - 1]
            state.turning[r] = bishop_curvature(x, u, t, inverse_length, chi, k)
            align_ends(rods, r, state)
        if rods.general[r]:
            rate, rest = rods.twist_rate[a:b], rods.rest_twist[a:b]
            cell, stiffness, bent = rods.inverse_cell[a:b], rods.stiffness[a : b - 1], rods.rest_curvature[a:b]
            rows = work.rows[:, a : b - 1]
            if not quasistatic_frame(
                k,
                cell,
                stiffness,
                bent,
                rate,
                rest,
                state.fixed[a : b - 1],
                rods.closed[r],
                theta,
                rows[0],
                rows[1],
                rows[2],
                rows[3],
                rows[4],
            ):
                return r
            state.torque[r] = general_force(t, u, inverse_length, chi, theta, cell, stiffness, bent, rate, rest, f)
        else:
            torque = uniform_torque(rods, state, r)
            state.torque[r] = abs(torque)
            state.turning[r] = isotropic_force(x, rods.bend[a:b], torque, f)
        if rods.closed[r]:
            for c in range(3):
                f[0, c] += f[b - a - 2, c]
                f[1, c] += f[b - a - 1, c]
        if rods.stretchable[r]:
            c, d = rods.first[r], rods.last[r] + 1
            add_stretching(state.x[c:d], rods.closed[r], rods.stretch[c:d], rods.length[c:d], work.f[c:d])
    return -1


@njit
def carry_first_frame(x, t, u):
    """Parallel transport of the first Bishop vector in time (Bergou 2008, §4.2.2): t, u (3,) of edge 0, in place."""
    ax, ay, az = x[1, 0] - x[0, 0], x[1, 1] - x[0, 1], x[1, 2] - x[0, 2]
    k = 1.0 / sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = k * ax, k * ay, k * az
    k = (u[0] * ax + u[1] * ay + u[2] * az) / (1.0 + t[0] * ax + t[1] * ay + t[2] * az)
    u[0] -= k * (t[0] + ax)
    u[1] -= k * (t[1] + ay)
    u[2] -= k * (t[2] + az)
    t[0], t[1], t[2] = ax, ay, az
    adapt(u, t)


@njit
def align_ends(rods, r, state):
    """Angles θ that boundary conditions prescribe on rod r, kept continuous in time."""
    a, b = chain(rods, state.loose, r)
    round_trip = state.theta[b - 2] - state.theta[a]
    for k in range(rods.clamp_start[r], rods.clamp_start[r + 1]):
        e = rods.clamp_edge[k]
        if state.fixed[e]:
            angle = signed_angle(state.u[e], state.clamp_frame[k], state.t[e])
            state.theta[e] = unwrap(angle, state.theta[e])
    if rods.closed[r]:
        angle = signed_angle(state.u[b - 2], state.u[a], state.t[a])
        state.theta[b - 2] = state.theta[a] + unwrap(angle, round_trip)
