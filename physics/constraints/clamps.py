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
from ..arithmetic.turns import conjugate, product, quaternion, turned
from ..arithmetic.vectors import vector
from ..model import Model, State
from ..rods.chain import head_of
from ..rods.director_motion import lay_frame
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
    e = x0[k, 0] - x0[i, 0], x0[k, 1] - x0[i, 1], x0[k, 2] - x0[i, 2]
    lay_frame(model, pin.rod, i + pin.rod + 1, state, e)


@kernel
def put_ghost(pin: np.record, hinges: np.ndarray, state: State) -> None:
    """Put the ghost edge at an end, and its frame, where the rod at rest has them: turned against the rod's last
    edge by the rest curvature about (κb)‾ = ω̄₁ m₂ − ω̄₂ m₁, a rotation by the quaternion (1, ½ κb)/|·|, and by m̄.
    """
    i, far = pin.node, pin.frame
    side, near, column = (1, far - 1, 0) if pin.ghost % 2 == 1 else (-1, far + 1, 2)  # near: the rod's own edge
    t, u, theta = state.t[near], state.u[near], state.theta[near]
    c, s, w = cos(theta), sin(theta), 0.5 * side
    a, b = w * hinges[i].rest_curvature[column], w * hinges[i].rest_curvature[column + 1]
    ku, kv = -a * s - b * c, a * c - b * s  # ½ κb along u and v
    vx, vy, vz = t[1] * u[2] - t[2] * u[1], t[2] * u[0] - t[0] * u[2], t[0] * u[1] - t[1] * u[0]
    k = 1.0 / sqrt(1.0 + ku * ku + kv * kv)
    qx, qy, qz = k * (ku * u[0] + kv * vx), k * (ku * u[1] + kv * vy), k * (ku * u[2] + kv * vz)
    tx, ty, tz = turned((k, qx, qy, qz), vector(t))
    ux, uy, uz = turned((k, qx, qy, qz), vector(u))
    state.t[far, 0], state.t[far, 1], state.t[far, 2] = tx, ty, tz
    state.u[far, 0], state.u[far, 1], state.u[far, 2] = ux, uy, uz
    state.theta[far] = theta + side * hinges[i].rest_twist
    o, edge = pin.edge, state.ghosts[pin.ghost].edge
    length = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2])
    edge[0], edge[1], edge[2] = length * tx, length * ty, length * tz


@kernel
def measure_gap(pin: np.record, q: np.ndarray, state: State, gap: np.ndarray) -> None:
    """gap (4,): the turn, in the axes of the target at q (4,), from the direction and the first material axis that
    the clamp of a pin would give its edge to those it has.
    """
    e = pin.frame
    t, u, o, m = state.t[e], state.u[e], pin.edge, pin.m1
    k = 1.0 / sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2])
    dx, dy, dz = k * o[0], k * o[1], k * o[2]
    tx, ty, tz = turned(conjugate(q), vector(t))
    w = 1.0 + dx * tx + dy * ty + dz * tz
    if w > OPPOSITE:  # the shortest turn of d to t
        x, y, z = dy * tz - dz * ty, dz * tx - dx * tz, dx * ty - dy * tx
        k = 1.0 / sqrt(w * w + x * x + y * y + z * z)
        w, x, y, z = k * w, k * x, k * y, k * z
    else:
        w, x, y, z = 0.0, m[0], m[1], m[2]
    gap[0], gap[1], gap[2], gap[3] = w, x, y, z
    if pin.clamp < 0:
        return
    c, s = cos(state.theta[e]), sin(state.theta[e])
    mx = c * u[0] + s * (t[1] * u[2] - t[2] * u[1])
    my = c * u[1] + s * (t[2] * u[0] - t[0] * u[2])
    mz = c * u[2] + s * (t[0] * u[1] - t[1] * u[0])
    mx, my, mz = turned(conjugate(q), (mx, my, mz))
    nx, ny, nz = turned((w, x, y, z), vector(m))
    along = tx * (ny * mz - nz * my) + ty * (nz * mx - nx * mz) + tz * (nx * my - ny * mx)
    half = 0.5 * atan2(along, nx * mx + ny * my + nz * mz)
    c, s = cos(half), sin(half)
    gap[0], gap[1], gap[2], gap[3] = (  # the twist about t after the turn to it
        c * w - s * (tx * x + ty * y + tz * z),
        c * x + s * (w * tx + ty * z - tz * y),
        c * y + s * (w * ty + tz * x - tx * z),
        c * z + s * (w * tz + tx * y - ty * x),
    )
    if gap[0] < 0.0:
        for n in range(4):
            gap[n] = -gap[n]


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
