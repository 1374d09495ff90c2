"""What rods do to the bodies they are welded to: a force f on a slave at the arm p is the force f and the torque p × f
on its body; a welded material frame hands on the torque −(∂E/∂θ) t about its edge (Bergou 2008, §8.2).
"""

from math import cos, sin

from .._jit import njit
from ..rods.chain import chain
from ..rods.curvature import material_curvature
from ..rods.hinge import angle_derivatives
from ..rods.uniform_twist import uniform_torque


@njit
def add_impulse(bodies, b, p, fx, fy, fz, v, l):
    """An impulse (fx, fy, fz) [N s] on body b at the arm p (3,): v, l (B, 3) in place."""
    k = bodies.w[b]
    v[b, 0] += k * fx
    v[b, 1] += k * fy
    v[b, 2] += k * fz
    l[b, 0] += p[1] * fz - p[2] * fy
    l[b, 1] += p[2] * fx - p[0] * fz
    l[b, 2] += p[0] * fy - p[1] * fx


@njit
def accelerate_bodies(bodies, rods, state, work, gravity, h):
    """body_v and body_l by h times gravity, fields, forces work.f on slaves and the torques of welded frames (§8.2);
    work.arm as it is now.
    """
    n = len(rods.mass)
    v, l = state.body_v, state.body_l
    for b in range(len(bodies.mass)):
        for c in range(3):
            v[b, c] += h * (bodies.gravity[b] * gravity[c] + state.push[n + b, c])
    for s in range(len(bodies.slave_node)):
        f = work.f[bodies.slave_node[s]]
        add_impulse(bodies, bodies.slave_body[s], work.arm[s], h * f[0], h * f[1], h * f[2], v, l)
    for k in range(len(bodies.weld_body)):
        e, b = rods.clamp_edge[bodies.weld_clamp[k]], bodies.weld_body[k]
        torque = h * frame_torque(rods, bodies.weld_rod[k], e, state, work)
        for c in range(3):
            l[b, c] += torque * state.t[e, c]


@njit
def frame_torque(rods, r, e, state, work):
    """−∂E/∂θ [N m] of edge e of rod r at the frames of the last elastic forces: what the rod's twist and bending do to
    whatever holds the edge's material frame.
    """
    a, b = chain(rods, state.loose, r)
    if not rods.general[r]:
        if rods.closed[r]:
            return 0.0
        torque = uniform_torque(rods, state, r)
        return torque if e == a else -torque
    gradient = edge_gradient(rods, e, e > a, e < b - 2, state.theta, work.k)
    if rods.closed[r] and e == a:  # the same edge met again
        gradient += edge_gradient(rods, b - 2, True, False, state.theta, work.k)
    return -gradient


@njit
def edge_gradient(rods, e, behind, ahead, theta, k):
    """∂E/∂θ [N m] of edge e, which has an inner vertex behind it, ahead of it, or both (Bergou 2008, eq. 7)."""
    gradient = 0.0
    c, s = cos(theta[e]), sin(theta[e])
    for side in range(2):
        i = e + side
        if (side == 0 and not behind) or (side == 1 and not ahead):
            continue
        w1, w2 = material_curvature(k[i, 0], k[i, 1], c, s)
        k1, k2 = rods.inverse_cell[i] * rods.stiffness[e, 0], rods.inverse_cell[i] * rods.stiffness[e, 1]
        rest = rods.rest_curvature[i]
        gradient += angle_derivatives(w1, w2, k1, k2, rest[2 - 2 * side], rest[3 - 2 * side])[0]
        torque = rods.twist_rate[i] * (theta[i] - theta[i - 1] - rods.rest_twist[i])
        gradient += torque if side == 0 else -torque
    return gradient
