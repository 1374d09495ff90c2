"""Elastic forces of all rods: frames carried along and brought to equilibrium, then the force kernel each rod needs.
What friction and torques from outside turn edges with loads the frames, and of these turns them across as well.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector
from ..elements.hinge_rows import lay_hinges
from ..elements.stretching import add_stretching
from ..model import Model, State
from .chain import chain_edges, hinges_of
from .curvature import bishop_curvature, carry_along, directions
from .director_forces import director_forces
from .edge_torques import add_couples
from .frame_loads import lighten, load_frames, share_borne
from .frames import adapt, signed_angle, unwrap
from .general_force import general_force
from .in_pulleys import bend_over
from .isotropic_force import isotropic_force
from .isotropic_twist import end_torques
from .quasistatic_frame import KEPT, quasistatic_frame
from .scratch import ElasticScratch

HALVED = 10  # times: then loads under which frames have no equilibrium are nothing
WRITTEN = ("t", "u", "theta", "torque", "moment", "rods", "q")  # what of a State they write


@entry
def elastic_forces(model: Model, state: State, work: ElasticScratch) -> int:
    """Bring the material frames to equilibrium and write the elastic forces to work.f, and the energy's gradient by the
    edges on both sides of each hinge to work.g; returns the rod whose frames fail, or −1.
    """
    rods, edges = model.rods, model.edges
    for r in range(len(rods)):
        chain_edges(rods, r, state.ghosts, state.x, work.e)
        if len(model.pulleys) > 0:
            bend_over(model, state, r, work.e)
        if rods[r].cosserat:
            director_forces(model, r, state, work)
            continue
        i, j = hinges_of(rods, r, state.ghosts)
        a, b = i + r, j + r + 1  # its frames
        e, g, load, hinges = work.e[a:b], work.g[a:b], state.torque[a:b], model.hinges[i:j]
        t, u, inverse_length = state.t[a:b], state.u[a:b], work.inverse_length[a:b]
        chi, k, theta = work.chi[i:j], work.k[i:j], state.theta[a:b]
        carry_first_frame(e[0], t[0], u[0])
        if rods[r].general:
            state.rods[r].cos_largest_turn = bishop_curvature(e, u, t, inverse_length, chi, k)
            lay_hinges(hinges, k, work.lanes)
        else:
            directions(e, t, inverse_length, chi)
            if rods[r].twisted:
                carry_along(t, chi, u)
        if rods[r].general or rods[r].twisted:
            align_ends(model, r, state)
        if state.rods[r].loaded:
            load_frames(rods, r, work.e, state)
        if rods[r].general:
            if not rods[r].rolls and not balance_frames(model, r, k, state, work):  # else they are where they have spun
                return r
            rows = work.rows[0, a:b], work.rows[1, a:b]
            state.rods[r].torque = general_force(t, u, inverse_length, chi, theta, work.lanes, rows, g)
        else:
            torque, _, state.rods[r].torque = end_torques(model, state, r)
            state.rods[r].cos_largest_turn = isotropic_force(t, inverse_length, chi, hinges["bend"], torque, load, g)
        c, d = rods[r].first, rods[r].last + 1
        pull_vertices(work.g[c + r : d + r + 1], rods[r].closed, work.f[c:d])
        if state.rods[r].loaded:
            add_couples(rods[r], state.fields, state.x, work.f)
        if rods[r].stretchable:
            add_stretching(state.x[c:d], rods[r].closed, edges["stretch"][c:d], edges["length"][c:d], work.f[c:d])
    return -1


@kernel
def carry_first_frame(e: Vector | np.ndarray, t: np.ndarray, u: np.ndarray) -> None:
    """Parallel transport of the first Bishop vector in time (Bergou 2008, §4.2.2): t, u (3,) of the edge e (3,), in
    place.
    """
    ax, ay, az = e[0], e[1], e[2]
    k = 1.0 / sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = k * ax, k * ay, k * az
    k = (u[0] * ax + u[1] * ay + u[2] * az) / (1.0 + t[0] * ax + t[1] * ay + t[2] * az)
    u[0] -= k * (t[0] + ax)
    u[1] -= k * (t[1] + ay)
    u[2] -= k * (t[2] + az)
    t[0], t[1], t[2] = ax, ay, az
    adapt(u, t)


@kernel
def align_ends(model: Model, r: int, state: State) -> None:
    """Angles θ that boundary conditions prescribe on rod r, kept continuous in time."""
    rods, clamps = model.rods, model.clamps
    a, b = rods[r].frame, rods[r].last + r + 1
    round_trip = state.theta[b] - state.theta[a]
    for k in range(rods[r].first_clamp, rods[r].end_clamp):
        e = clamps[k].frame
        if state.fixed[e]:
            angle = signed_angle(state.u[e], state.clamp_frame[k], state.t[e])
            state.theta[e] = unwrap(angle, state.theta[e])
    if rods[r].closed:
        angle = signed_angle(state.u[b], state.u[a], state.t[a])
        state.theta[b] = state.theta[a] + unwrap(angle, round_trip)


@kernel
def balance_frames(model: Model, r: int, k: np.ndarray, state: State, work: ElasticScratch) -> bool:
    """Bring the frames of rod r, which is `general`, to equilibrium on the centreline of k; loads under which there is
    none are lightened, at last to nothing. Returns whether there is one.
    """
    rods = model.rods
    i, j = hinges_of(rods, r, state.ghosts)
    a, b = i + r, j + r + 1
    start, theta, load, fixed = work.rows[KEPT, a:b], state.theta[a:b], state.torque[a:b], state.fixed[a:b]
    for f in range(len(theta)):
        start[f] = theta[f]
    if state.rods[r].loaded:
        share = share_borne(load, model.hinges["twist_rate"][i:j])
        if share < 1.0:
            lighten(rods, r, share, state)
    w = work.rows  # row by row, which the compiler knows to be dense
    rows = w[0, a:b], w[1, a:b], w[2, a:b], w[3, a:b], w[4, a:b], w[5, a:b]
    for halved in range(HALVED + 1):
        if quasistatic_frame(k, model.hinges[i:j], load, fixed, rods[r].closed, theta, work.lanes, rows):
            return True
        if not state.rods[r].loaded:
            break
        for f in range(len(theta)):
            theta[f] = start[f]
        lighten(rods, r, 0.5 if halved + 1 < HALVED else 0.0, state)
    return False


@kernel
def pull_vertices(g: np.ndarray, closed: bool, f: np.ndarray) -> None:
    """Forces f (n, 3) [N] on a rod's vertices from the gradient g (n + 1, 3) by the edges on both sides of each: what a
    ghost edge pulls at is what holds it; that of a closed rod's last edge, met twice, is the sum.
    """
    n = len(f)
    ax = ay = az = 0.0
    if closed:
        ax, ay, az = g[0, 0] + g[n, 0], g[0, 1] + g[n, 1], g[0, 2] + g[n, 2]
    f[0, 0], f[0, 1], f[0, 2] = -ax, -ay, -az
    f[n - 1, 0], f[n - 1, 1], f[n - 1, 2] = ax, ay, az
    for i in range(1, n - 1):
        for c in range(3):
            f[i, c] = g[i + 1, c] - g[i, c]
    for c in range(3):
        f[0, c] += g[1, c]
        f[n - 1, c] -= g[n - 1, c]
