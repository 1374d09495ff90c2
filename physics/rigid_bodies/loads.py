"""What rods do to the bodies they are welded to: a force f on a slave at the arm p is the force f and the torque p × f
on its body; f = −∂E/∂e on a ghost edge e that it carries, the torque e × f; a welded material frame hands on the
torque −(∂E/∂θ) t about its edge (Bergou 2008, §8.2), and what friction turns it with.
"""

from math import cos, sin, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import dot
from ..elements.curved_hinge import curved_angle_derivatives, rest_of, size_of, stiffness_of, weights
from ..elements.hinge import angle_derivatives, material_curvature
from ..model import Model, State
from ..rods.chain import hinges_of
from ..rods.director_forces import segment_of
from ..rods.isotropic_twist import end_torques
from ..rods.scratch import ElasticScratch
from .scratch import WeldedScratch


@kernel
def add_impulse(w: float, now: np.record, p: np.ndarray, fx: float, fy: float, fz: float) -> None:
    """An impulse (fx, fy, fz) [N s] on a body of inverse mass w at the arm p (3,): its row of State.bodies in place."""
    now.v[0] += w * fx
    now.v[1] += w * fy
    now.v[2] += w * fz
    add_couple(now, p, fx, fy, fz)


@kernel
def displace_body(w: float, now: np.record, p: np.ndarray, fx: float, fy: float, fz: float, h: float) -> None:
    """A displacement's impulse (fx, fy, fz) [kg m] on a body of inverse mass w at the arm p (3,): its row of
    State.bodies in place.
    """
    now.x[0] += w * fx
    now.x[1] += w * fy
    now.x[2] += w * fz
    k = 1.0 / h
    add_impulse(w, now, p, k * fx, k * fy, k * fz)


@kernel
def add_couple(now: np.record, e: np.ndarray, fx: float, fy: float, fz: float) -> None:
    """What an impulse (fx, fy, fz) [N s] at an arm e (3,), or on a ghost edge e, turns a body by: its row of
    State.bodies in place.
    """
    now.l[0] += e[1] * fz - e[2] * fy
    now.l[1] += e[2] * fx - e[0] * fz
    now.l[2] += e[0] * fy - e[1] * fx


@entry
def accelerate_bodies(model: Model, state: State, elastic: ElasticScratch, work: WeldedScratch, h: float) -> None:
    """Velocities and angular momenta of bodies by h times gravity, fields, loads, elastic forces on slaves and the
    torques of ghost edges and welded frames (§8.2); arms as they are now.
    """
    bodies, slaves, welds, gravity = model.bodies, model.slaves, model.welds, model.world[0].gravity
    n = len(model.nodes)
    for b in range(len(bodies)):
        for c in range(3):
            state.bodies[b].v[c] += h * (bodies[b].gravity * gravity[c] + state.fields[n + b].acceleration[c])
            state.bodies[b].l[c] += h * state.fields[n + b].torque[c]
    for s in range(len(slaves)):
        f, b = elastic.f[slaves[s].node], slaves[s].body
        add_impulse(bodies[b].w, state.bodies[b], work.slaves[s].arm, h * f[0], h * f[1], h * f[2])
    for k in range(len(welds)):
        e, now = welds[k].frame, state.bodies[welds[k].body]
        if welds[k].ghost >= 0:
            add_couple(now, elastic.e[e], -h * elastic.g[e, 0], -h * elastic.g[e, 1], -h * elastic.g[e, 2])
        if welds[k].clamp >= 0:
            torque = h * frame_torque(model, welds[k].rod, e, state, elastic) / sqrt(dot(elastic.e[e], elastic.e[e]))
            for c in range(3):
                now.l[c] += torque * elastic.e[e, c]


@kernel
def frame_torque(model: Model, r: int, e: int, state: State, work: ElasticScratch) -> float:
    """−∂E/∂θ and its load [N m] of frame e of rod r at the frames of the last elastic forces: what the rod's twist and
    bending, and friction, do to whatever holds it.
    """
    rods = model.rods
    a, b = rods[r].frame, rods[r].last + r + 1
    if rods[r].cosserat:
        s = segment_of(rods[r], e)
        return work.torque[s, 2] + work.wall[s, 2]
    if not rods[r].general:
        first, last, _ = end_torques(model, state, r)
        if rods[r].closed:
            return first - last + state.torque[b]
        return first if e == a else -last
    i, j = hinges_of(rods, r, state.ghosts)
    gradient = 0.0
    if e - r < j:
        gradient += angle_gradient(model.hinges[e - r], 0, state.theta[e : e + 2], work.k[e - r])
    if rods[r].closed and e == a:  # the same edge met again
        e = b
    if e - r > i:
        gradient += angle_gradient(model.hinges[e - r - 1], 1, state.theta[e - 1 : e + 1], work.k[e - r - 1])
    return state.torque[e] - gradient


@kernel
def angle_gradient(hinge: np.record, side: int, theta: np.ndarray, k: np.ndarray) -> float:
    """∂E/∂θ [N m] of a hinge by the frame before it (side 0) or behind it (1), theta (2,); curvature k (2,) (Bergou
    2008, eq. 7).
    """
    stiffness, rest, c = hinge.bending, hinge.rest_curvature, 2 * side
    if hinge.bent > 0.0:
        w1, w2 = material_curvature(k[0], k[1], cos(theta[0]), sin(theta[0]))
        w3, w4 = material_curvature(k[0], k[1], cos(theta[1]), sin(theta[1]))
        w, twist = (w1, w2, w3, w4), theta[1] - theta[0] - hinge.rest_twist
        part, r = weights(size_of(w), hinge.bent)[0], rest_of(hinge, twist)
        both = curved_angle_derivatives(stiffness_of(hinge), w, r, part, hinge.bent, twist)
        return both[1] if side == 1 else both[0]
    w1, w2 = material_curvature(k[0], k[1], cos(theta[side]), sin(theta[side]))
    gradient = angle_derivatives(w1, w2, stiffness[c], stiffness[c + 1], rest[c], rest[c + 1])[0]
    torque = hinge.twist_rate * (theta[1] - theta[0] - hinge.rest_twist)
    return gradient + torque if side == 1 else gradient - torque
