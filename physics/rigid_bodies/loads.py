"""What rods do to the bodies they are welded to: a force f on a slave at the arm p is the force f and the torque p × f
on its body; a welded material frame hands on the torque −(∂E/∂θ) t about its edge (Bergou 2008, §8.2).
"""

from math import cos, sin

from .._jit import entry, kernel
from ..rods.chain import chain
from ..rods.curvature import material_curvature
from ..rods.hinge import angle_derivatives
from ..rods.uniform_twist import uniform_torque


@kernel
def add_impulse(w, now, p, fx, fy, fz):
    """An impulse (fx, fy, fz) [N s] on a body of inverse mass w at the arm p (3,): its row of State.bodies in place."""
    now.v[0] += w * fx
    now.v[1] += w * fy
    now.v[2] += w * fz
    now.l[0] += p[1] * fz - p[2] * fy
    now.l[1] += p[2] * fx - p[0] * fz
    now.l[2] += p[0] * fy - p[1] * fx


@kernel
def accelerate_bodies(model, state, work, h):
    """Velocities and angular momenta of bodies by h times gravity, fields, forces work.f on slaves and the torques of
    welded frames (§8.2); arms as they are now.
    """
    bodies, slaves, welds, gravity = model.bodies, model.slaves, model.welds, model.world[0].gravity
    n = len(model.nodes)
    for b in range(len(bodies)):
        for c in range(3):
            state.bodies[b].v[c] += h * (bodies[b].gravity * gravity[c] + state.fields[n + b].push[c])
    for s in range(len(slaves)):
        f, b = work.f[slaves[s].node], slaves[s].body
        add_impulse(bodies[b].w, state.bodies[b], work.slaves[s].arm, h * f[0], h * f[1], h * f[2])
    for k in range(len(welds)):
        e = model.clamps[welds[k].clamp].edge
        torque = h * frame_torque(model, welds[k].rod, e, state, work)
        for c in range(3):
            state.bodies[welds[k].body].l[c] += torque * state.t[e, c]


@entry
def frame_torque(model, r, e, state, work):
    """−∂E/∂θ [N m] of edge e of rod r at the frames of the last elastic forces: what the rod's twist and bending do to
    whatever holds the edge's material frame.
    """
    rods = model.rods
    a, b = chain(rods[r], state.rods[r])
    if not rods[r].general:
        if rods[r].closed:
            return 0.0
        torque = uniform_torque(rods, state, r)
        return torque if e == a else -torque
    gradient = edge_gradient(model, e, e > a, e < b - 2, state.theta, work.k)
    if rods[r].closed and e == a:  # the same edge met again
        gradient += edge_gradient(model, b - 2, True, False, state.theta, work.k)
    return -gradient


@kernel
def edge_gradient(model, e, behind, ahead, theta, k):
    """∂E/∂θ [N m] of edge e, which has an inner vertex behind it, ahead of it, or both (Bergou 2008, eq. 7)."""
    edges, hinges = model.edges, model.hinges
    gradient = 0.0
    c, s = cos(theta[e]), sin(theta[e])
    for side in range(2):
        i = e + side
        if (side == 0 and not behind) or (side == 1 and not ahead):
            continue
        w1, w2 = material_curvature(k[i, 0], k[i, 1], c, s)
        hinge, stiffness = hinges[i], edges[e].stiffness
        k1, k2 = hinge.inverse_cell * stiffness[0], hinge.inverse_cell * stiffness[1]
        rest = hinge.rest_curvature
        gradient += angle_derivatives(w1, w2, k1, k2, rest[2 - 2 * side], rest[3 - 2 * side])[0]
        torque = hinge.twist_rate * (theta[i] - theta[i - 1] - hinge.rest_twist)
        gradient += torque if side == 0 else -torque
    return gradient
