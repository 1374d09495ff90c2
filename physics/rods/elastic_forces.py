"""Elastic forces of all rods: frames carried along and brought to equilibrium, then the force kernel each rod needs."""

from math import sqrt

from .._jit import entry, kernel
from .chain import chain
from .curvature import bishop_curvature
from .frames import adapt, signed_angle, unwrap
from .general_force import general_force
from .isotropic_force import isotropic_force
from .quasistatic_frame import quasistatic_frame
from .stretching import add_stretching
from .uniform_twist import uniform_torque


@entry
def elastic_forces(model, state, work):
    """Bring the material frames to equilibrium and write the elastic forces to work.f; returns the rod whose frames
    fail, or −1.
    """
    rods, edges, hinges = model.rods, model.edges, model.hinges
    for r in range(len(rods)):
        a, b = chain(rods[r], state.rods[r])
        x, f = state.x[a:b], work.f[a:b]
        carry_first_frame(x, state.t[a], state.u[a])
        if rods[r].general or rods[r].twisted:
            t, u, inverse_length = state.t[a : b - 1], state.u[a : b - 1], work.inverse_length[a : b - 1]
            chi, k, theta = work.chi[a:b], work.k[a:b], state.theta[a : b - 1]
            state.rods[r].turning = bishop_curvature(x, u, t, inverse_length, chi, k)
            align_ends(model, r, state)
        if rods[r].general:
            rate, rest, cell = hinges["twist_rate"][a:b], hinges["rest_twist"][a:b], hinges["inverse_cell"][a:b]
            stiffness, bent = edges["stiffness"][a : b - 1], hinges["rest_curvature"][a:b]
            rows = work.rows[:, a : b - 1]
            if not quasistatic_frame(
                k,
                cell,
                stiffness,
                bent,
                rate,
                rest,
                state.fixed[a : b - 1],
                rods[r].closed,
                theta,
                rows[0],
                rows[1],
                rows[2],
                rows[3],
                rows[4],
            ):
                return r
            torque = general_force(t, u, inverse_length, chi, theta, cell, stiffness, bent, rate, rest, f)
            state.rods[r].torque = torque
        else:
            torque = uniform_torque(rods, state, r)
            state.rods[r].torque = abs(torque)
            state.rods[r].turning = isotropic_force(x, hinges["bend"][a:b], torque, f)
        if rods[r].closed:
            for c in range(3):
                f[0, c] += f[b - a - 2, c]
                f[1, c] += f[b - a - 1, c]
        if rods[r].stretchable:
            c, d = rods[r].first, rods[r].last + 1
            add_stretching(state.x[c:d], rods[r].closed, edges["stretch"][c:d], edges["length"][c:d], work.f[c:d])
    return -1


@kernel
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


@kernel
def align_ends(model, r, state):
    """Angles θ that boundary conditions prescribe on rod r, kept continuous in time."""
    rods, clamps = model.rods, model.clamps
    a, b = chain(rods[r], state.rods[r])
    round_trip = state.theta[b - 2] - state.theta[a]
    for k in range(rods[r].first_clamp, rods[r].end_clamp):
        e = clamps[k].edge
        if state.fixed[e]:
            angle = signed_angle(state.u[e], state.clamp_frame[k], state.t[e])
            state.theta[e] = unwrap(angle, state.theta[e])
    if rods[r].closed:
        angle = signed_angle(state.u[b - 2], state.u[a], state.t[a])
        state.theta[b - 2] = state.theta[a] + unwrap(angle, round_trip)
