"""Clamps: what a pin holds besides its vertex, the rod's direction there and, in mode TWIST, its material frame.

At an end of the rod a ghost edge has the direction; inside it, the next vertex is led as well (pins). A clamp that has
let go is no constraint: there is no hinge at the end, the frame is free. One that takes hold begins with the turn in
which it finds the rod, so it does no work; the gap between that and the target's turn, a rotation carried along with
the target, closes as the influence s grows,

    gap ← gap (1 − s')/(1 − s),

and no faster than the end of the rod can follow: PACE √(B/m l³) [rad/s].
"""

from math import atan2, cos, sin, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import conjugate, product, quaternion, turned, unit
from ..arithmetic.vectors import cross, dot, plus, scaled, vector
from ..model import Model, State
from ..rods.chain import head_of
from ..rods.director_motion import lay_frame
from ..rods.frames import material_axes
from ..rods.isotropic_twist import lay_frames

PACE = 0.5  # rad, by which the clamp may then lead the rod's end, about
OPPOSITE = 1e-9  # 1 + cos of the angle between directions that count as opposite


@kernel
def let_go(model: Model, p: int, state: State, x0: np.ndarray, e: np.ndarray) -> None:
    """Pin p is no constraint any more; x0 (N, 3): where the frames in `state` belong to. e (M, 3) is scratch."""
    rods, nodes, pin = model.rods, model.nodes, model.pins[p]
    state.w[pin.node] = nodes[pin.node].w
    if pin.frame < 0:
        return
    if not rods[pin.rod].general:
        lay_frames(model, pin.rod, x0, state, e)
    if pin.ghost >= 0:
        state.ghosts[pin.ghost].held = False
    else:
        state.w[pin.second] = nodes[pin.second].w
    if pin.clamp >= 0:
        state.fixed[pin.frame] = False


@kernel
def take_up(model: Model, p: int, place: np.ndarray, state: State, x0: np.ndarray, e: np.ndarray) -> None:
    """Clamp p holds the rod as it is at x0 (N, 3); place (8,) is where its target is then. e (M, 3) is scratch."""
    rods, pin = model.rods, model.pins[p]
    if pin.frame < 0:
        return
    if rods[pin.rod].cosserat:
        lay_frames_beside(model, pin, state, x0)
    elif not rods[pin.rod].general:
        lay_frames(model, pin.rod, x0, state, e)
    if pin.ghost >= 0:
        put_ghost(pin, model.hinges, state)
        state.ghosts[pin.ghost].held = True
    if pin.clamp >= 0:
        state.fixed[pin.frame] = True
    measure_gap(pin, place[3:7], state, state.holds[p].gap)


@kernel
def lay_frames_beside(model: Model, pin: np.record, state: State, x0: np.ndarray) -> None:
    """The material frame of the edge of a Cosserat rod that a PIN's clamp holds, or, at an end, which it is beside."""
    i = pin.node - int(pin.ghost % 2 == 1 and pin.ghost >= 0)
    k = head_of(model, i)
    lay_frame(model, pin.rod, i + pin.rod + 1, state, plus(vector(x0[k]), -1.0, vector(x0[i])))


@kernel
def put_ghost(pin: np.record, hinges: np.ndarray, state: State) -> None:
    """Put the ghost edge at an end, and its frame, where the rod at rest has them: turned against the rod's last
    edge by the rest curvature about (κb)‾ = ω̄₁ m₂ − ω̄₂ m₁, a rotation by the quaternion (1, ½ κb)/|·|, and by m̄.
    """
    i, far = pin.node, pin.frame
    side, near, column = (1, far - 1, 0) if pin.ghost % 2 == 1 else (-1, far + 1, 2)  # near: the rod's own edge
    t, u, theta = vector(state.t[near]), vector(state.u[near]), state.theta[near]
    c, s, w = cos(theta), sin(theta), 0.5 * side
    a, b = w * hinges[i].rest_curvature[column], w * hinges[i].rest_curvature[column + 1]
    ku, kv = -a * s - b * c, a * c - b * s  # ½ κb along u and v
    k = 1.0 / sqrt(1.0 + ku * ku + kv * kv)
    x, y, z = scaled(k, plus(scaled(ku, u), kv, cross(t, u)))
    t, u, edge = turned((k, x, y, z), t), turned((k, x, y, z), u), state.ghosts[pin.ghost].edge
    state.t[far, 0], state.t[far, 1], state.t[far, 2] = t
    state.u[far, 0], state.u[far, 1], state.u[far, 2] = u
    state.theta[far] = theta + side * hinges[i].rest_twist
    edge[0], edge[1], edge[2] = scaled(sqrt(dot(pin.edge, pin.edge)), t)


@kernel
def measure_gap(pin: np.record, q: np.ndarray, state: State, gap: np.ndarray) -> None:
    """gap (4,): the turn, in the axes of the target at q (4,), from the direction and the first material axis that
    the clamp of a pin would give its edge to those it has.
    """
    e = pin.frame
    t, u, m = vector(state.t[e]), vector(state.u[e]), vector(pin.m1)
    axis, _ = material_axes(t, u, state.theta[e])
    d, t, axis = vector(pin.edge), turned(conjugate(q), t), turned(conjugate(q), axis)
    d = scaled(1.0 / sqrt(dot(d, d)), d)
    w = 1.0 + dot(d, t)
    turn = 0.0, m[0], m[1], m[2]
    if w > OPPOSITE:  # the shortest turn of d to t
        x, y, z = cross(d, t)
        turn = unit((w, x, y, z))
    if pin.clamp >= 0:  # and the twist about t after that
        n = turned(turn, m)
        half = 0.5 * atan2(dot(t, cross(n, axis)), dot(n, axis))
        x, y, z = scaled(sin(half), t)
        turn = product((cos(half), x, y, z), turn)
    gap[0], gap[1], gap[2], gap[3] = turn
    if pin.clamp < 0:
        return
    if gap[0] < 0.0:
        for c in range(4):
            gap[c] = -gap[c]


@kernel
def close_gap(pin: np.record, model: Model, before: float, now: float, h: float, gap: np.ndarray) -> None:
    """The gap (4,) of a clamp shrinks as the influence goes from `before` to `now` in h [s]."""
    if gap[0] >= 1.0:
        return
    i = pin.node
    e = i - 1 if i == model.rods[pin.rod].last and pin.ghost >= 0 else i
    length, stiffness = model.edges[e].length, model.edges[e].stiffness
    w = 0.5 * model.nodes[i].w if pin.ghost >= 0 else model.nodes[i].w  # an end has half the mass of what follows it
    quick = sqrt(min(stiffness[0], stiffness[1]) * w / (length * length * length))
    kept = 1.0
    if now >= 1.0:
        kept = 0.0
    elif now > before:
        kept = (1.0 - now) / (1.0 - before)
    size = sqrt(gap[1] * gap[1] + gap[2] * gap[2] + gap[3] * gap[3])
    angle = 2.0 * atan2(size, gap[0])
    angle = max(kept * angle, angle - PACE * quick * h)
    k = sin(0.5 * angle) / size
    gap[0], gap[1], gap[2], gap[3] = cos(0.5 * angle), k * gap[1], k * gap[2], k * gap[3]


@kernel
def turn_short(place: np.ndarray, gap: np.ndarray) -> None:
    """The target place (8,) turned back by what is left of the gap (4,)."""
    if gap[0] < 1.0:
        place[3], place[4], place[5], place[6] = product(quaternion(place[3:7]), quaternion(gap))
