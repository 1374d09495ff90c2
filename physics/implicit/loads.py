"""What acts on vertices besides elastic forces and damping, in an implicit step: inertia, and drag, linear in the
velocity at its end.
"""

from math import pi, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, vector
from ..forces.drag import SKIN_FRICTION
from ..model import Model, State
from ..rods.chain import chain_edges, is_given
from ..rods.edge_torques import add_couples, is_turned
from ..rods.frame_loads import load_frames
from ..rods.spinning import inertia
from .scratch import ImplicitScratch

Times = tuple[float, float]  # (s, h) [s]: what a step in time sees, and its length
Weights = tuple[float, float, float, float]  # of the past in a step: see time_integration/bdf2


@kernel
def lay_drag(model: Model, state: State, own: ImplicitScratch, r: int, i: int) -> None:
    """The air's drag and that of drag fields on vertex i of rod r: see forces/drag. Its factor is that of the velocity
    now.
    """
    x, v, node, here, t = state.x, state.v, model.nodes[i], state.fields[i], own.along[i]
    a, b, size = max(i - 1, model.rods[r].first), min(i + 1, model.rods[r].last), 0.0
    if model.rods[r].closed:
        a = i - 1 if a < i else model.rods[r].last
        b = i + 1 if b > i else model.rods[r].first
    for c in range(3):
        t[c] = x[b, c] - x[a, c]
        size += t[c] * t[c]
    size = 1.0 / sqrt(size)
    along = total = square = wind = 0.0
    for c in range(3):
        t[c] *= size
        u = v[i, c] - here.air[c]
        along += t[c] * u
        wind += t[c] * here.air[c]
        total += u * u
        square += v[i, c] * v[i, c]
    half = 0.5 * model.world[0].air_density
    leaves, k = half * node.leaf_area, half * node.drag_area
    if leaves > 0.0:
        leaves *= sqrt(total)
    across = leaves + k * sqrt(max(total - along * along, 0.0))
    more = leaves + k * pi * SKIN_FRICTION * abs(along) - across
    for c in range(3):
        own.force[i, c] += across * here.air[c] + more * wind * t[c]
    own.drag[i, 0] = across + node.mass * here.brake[0]
    if here.brake[1] > 0.0:
        own.drag[i, 0] += node.mass * here.brake[1] * sqrt(square)
    own.drag[i, 1] = more


@kernel
def body_drag(body: np.record, v: np.ndarray, here: np.record, air_density: float) -> tuple[float, float]:
    """(factor of a body's velocity against the air, and of its velocity by drag fields) [kg/s] at v (3,)."""
    against = square = 0.0
    for c in range(3):
        against += (v[c] - here.air[c]) ** 2
        square += v[c] * v[c]
    brake = body.mass * (here.brake[0] + here.brake[1] * sqrt(square))
    return 0.5 * air_density * body.drag_area * sqrt(against), brake


@kernel
def turn_edges(model: Model, state: State, own: ImplicitScratch, r: int) -> None:
    """What torques from outside do on rod r, of Kirchhoff's, as it lies at the iterate: see rods/edge_torques."""
    rod = model.rods[r]
    if not (state.rods[r].loaded and is_turned(rod, state.fields)):
        return
    for i in range(rod.first, rod.last + 1):
        for c in range(3):
            own.force[i, c] -= own.couple[i, c]
            own.couple[i, c] = 0.0
    add_couples(rod, state.fields, state.x, own.couple)
    for i in range(rod.first, rod.last + 1):
        for c in range(3):
            own.force[i, c] += own.couple[i, c]
    chain_edges(model.rods, r, state.ghosts, state.x, own.e)
    load_frames(model.rods, r, own.e, state)


@kernel
def push_on(x: np.ndarray, work: ImplicitScratch, k: int, s: float) -> Vector:
    """f − M (x − y)/s², and drag on what x − rest is in the time s, of vertex k."""
    here, t, across = vector(x[k]), vector(work.along[k]), work.drag[k, 0] / s
    way = plus(here, -1.0, vector(work.rest[k]))
    push = plus(vector(work.force[k]), -work.inertia[k], plus(here, -1.0, vector(work.drift[k])))
    push = plus(plus(push, -across, way), -work.drag[k, 1] / s * dot(t, way), t)
    if work.hooks[k].most == 0.0:
        return push
    return plus(push, gripped(work, x, k), plus(vector(work.hooks[k].place), -1.0, here))


@kernel
def resistance(x: np.ndarray, work: ImplicitScratch, k: int, s: float) -> tuple[float, float, Vector]:
    """(by which vertex k resists [N/m], how much more it does along, and along what)."""
    m = work.inertia[k] + gripped(work, x, k) + work.drag[k, 0] / s
    return m, work.drag[k, 1] / s, vector(work.along[k])


@kernel
def gripped(work: ImplicitScratch, x: np.ndarray, k: int) -> float:
    """Stiffness [N/m] by which a pin draws vertex k to its hook, or that of its largest force from here: the secant,
    with which Newton's step, as by a convex majorant, never goes too far (Huber 1981, *Robust Statistics*).
    """
    if work.hooks[k].most == 0.0:
        return 0.0
    square = 0.0
    for d in range(3):
        square += (x[k, d] - work.hooks[k].place[d]) ** 2
    return min(work.hooks[k].stiffness, work.hooks[k].most / sqrt(square)) if square > 0.0 else work.hooks[k].stiffness


@kernel
def lay_spin(model: Model, state: State, own: ImplicitScratch, r: int, of: Weights, resist: bool) -> None:
    """Inertia m r²/2 of the frames of rod r that nothing holds: of one that rolls, which goes on as it spun; of others
    from rest, where they are to resist.
    """
    now, ago, earlier, s = of
    nodes, first, frame, last = model.nodes, model.rods[r].first, model.rods[r].frame, model.rods[r].last
    for f in range(frame, frame + last - first + 2):
        i = first + f - frame  # the vertex behind it
        before, behind = nodes[max(i - 1, first)], nodes[min(i, last)]
        spin = 0.25 * (before.mass + behind.mass) * before.radius * behind.radius / (s * s) if resist else 0.0
        given = is_given(model.rods[r], state.fixed, f)
        own.frames[f].before = 0.0
        if model.rods[r].rolls:
            past, older = state.past_frames[f, 0], state.past_frames[f, 1]
            speed = now * state.spin[f] - ago * past.spin + earlier * older.spin
            spin = inertia(model, r, f) / (s * s)
            own.frames[f].before = (ago - earlier) * past.turn - earlier * older.turn + s * speed
        own.frames[f].inertia = 0.0 if given else spin
