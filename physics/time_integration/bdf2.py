"""Second-order backward differentiation, BDF2 (Curtiss & Hirschfelder 1952), begun again by a backward Euler step where
the past does not count: at the start, after a change of the step.

    y = (4 x₀ − x₋)/3 + s (4 v₀ − v₋)/3,  s = 2h/3        (backward Euler: y = x₀ + h v₀, s = h)
    M (x − y)/s² = forces at x,           v = (3 x − 4 x₀ + x₋)/2h

Second order, L-stable: stiff motion that a step does not resolve dies away, slow motion loses little energy.
"""

from math import cos, pi, sqrt

import numpy as np

from .._jit import kernel
from ..constraints.pins import drive, measure_shortfalls, turn_clamps
from ..forces.drag import SKIN_FRICTION
from ..implicit.newton import carry, is_straight, newton
from ..implicit.rod_equations import angle_row
from ..implicit.scratch import BLOCK, ImplicitScratch
from ..model import YIELDING, Model, State
from ..rods.chain import chain_edges, hinges_of
from ..rods.elastic_forces import carry_first_frame
from ..rods.frames import adapt, material_frame, signed_angle, transport, unwrap
from ..rods.internal_damping import edge_rates, turning_gradient
from ..rods.isotropic_twist import lay_frames
from .symplectic_euler import DONE, NOT_FINITE, OVERSTRETCHED, TOO_FAR
from .workspace import Workspace

FAR = cos(0.7)  # of the angle by which an edge may turn in a step
NEAR = 0.2  # rad


@kernel
def predict(model: Model, state: State, work: Workspace, smooth: bool, h: float) -> float:
    """Where vertices would be without forces, and what acts on them. Returns s."""
    nodes, own, x, v, n = model.nodes, work.implicit, state.x, state.v, len(state.x)
    s = 2.0 * h / 3.0 if smooth else h
    for i in range(n):
        push, share = state.fields[i].acceleration, nodes[i].gravity
        for c in range(3):
            own.rest[i, c], speed = x[i, c], v[i, c]
            if smooth:
                own.rest[i, c] = (4.0 * x[i, c] - state.before_x[i, c]) / 3.0
                speed = (4.0 * v[i, c] - state.before_v[i, c]) / 3.0
            own.drift[i, c] = own.rest[i, c] + s * speed
            own.force[i, c] = nodes[i].mass * (share * model.world[0].gravity[c] + push[c])
        own.inertia[i] = nodes[i].mass / (s * s)
    for r in range(len(model.rods)):
        for i in range(model.rods[r].first, model.rods[r].last + 1):
            lay_drag(model, state, own, r, i)
    return s


@kernel
def lay_drag(model: Model, state: State, own: ImplicitScratch, r: int, i: int) -> None:
    """The air's drag and that of drag fields on vertex i of rod r: see forces/drag. Its factor is that of the velocity
    now.
    """
    x, v, node, here, t = state.x, state.v, model.nodes[i], state.fields[i], own.along[i]
    a, b, size = max(i - 1, model.rods[r].first), min(i + 1, model.rods[r].last), 0.0
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
    leaves, k = half * node.leaf_area * sqrt(total), half * node.drag_area
    across = leaves + k * sqrt(max(total - along * along, 0.0))
    more = leaves + k * pi * SKIN_FRICTION * abs(along) - across
    for c in range(3):
        own.force[i, c] += across * here.air[c] + more * wind * t[c]
    own.drag[i, 0] = across + node.mass * (here.brake[0] + here.brake[1] * sqrt(square))
    own.drag[i, 1] = more


@kernel
def pull(model: Model, state: State, work: Workspace, h: float) -> None:
    """Pins at the end of a step of h [s], from predicted positions: one that yields is a heavy particle, drawn to where
    its force brings it (see constraints/pins).
    """
    own, w, x = work.implicit, state.w, state.x
    drive(model, state, work.old.x, work.constraints, work.elastic.rate, h)
    turn_clamps(model, state, work.constraints, h)
    for p in range(len(model.pins)):
        for i in (model.pins[p].node, model.pins[p].second):
            if i >= 0 and w[i] > 0.0 and state.holds[p].state == YIELDING:
                own.inertia[i] = 1.0 / (w[i] * h * h)
                for c in range(3):
                    own.drift[i, c] = x[i, c]


@kernel
def lay_damping(model: Model, state: State, work: Workspace, r: int) -> None:
    """How the turning angles of rod r's hinges change with its edges, at predicted positions."""
    own, rate, rods = work.implicit, work.elastic.rate, model.rods
    a, b = rods[r].frame, rods[r].last + r + 2
    begin, end = hinges_of(rods, r, state.ghosts)
    chain_edges(rods, r, state.ghosts, state.x, own.e)
    edge_rates(state.v[rods[r].first : rods[r].last + 1], state.ghosts[2 * r : 2 * r + 2], rate[a:b])
    for h in range(begin, end):
        turning_gradient(own.e, rate, h + r, own.before[h], own.behind[h])


@kernel
def lay(model: Model, state: State, work: Workspace, r: int) -> None:
    """The frames of rod r at the start of a step."""
    rods, own = model.rods, work.implicit
    begin, end = hinges_of(rods, r, state.ghosts)
    if not rods[r].general:
        lay_frames(model, r, state.x, state, own.e)
    a, b = begin + r, end + r + 1
    material_frame(state.t[a:b], state.u[a:b], state.theta[a:b], own.m1[a:b])
    for f in range(a, b):
        own.spun[f] = 0.0
        for c in range(3):
            own.t[f, c] = state.t[f, c]
    for h in range(begin, end):
        own.turn[h] = state.theta[h + r + 1] - state.theta[h + r]


@kernel
def set_frames(model: Model, state: State, work: Workspace, r: int) -> None:
    """Bishop frames and angles of rod r from its material frames, at the end of a step."""
    rods, own = model.rods, work.implicit
    begin, end = hinges_of(rods, r, state.ghosts)
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
def give(model: Model, state: State, work: Workspace, r: int) -> None:
    """What pins hold of rod r now: vertices, and material axes."""
    rods, own = model.rods, work.implicit
    first, frame, n = rods[r].first, rods[r].frame, rods[r].last - rods[r].first + 1
    begin, end = hinges_of(rods, r, state.ghosts)
    for i in range(n):
        for c in range(3):
            own.bound[BLOCK * i + c] = state.w[first + i] == 0.0
        own.bound[BLOCK * i + 3] = False
    for f in range(n + 1):
        own.bound[angle_row(f)] = state.fixed[frame + f] or not begin + r <= frame + f < end + r + 1
    for k in range(model.rods[r].first_clamp, model.rods[r].end_clamp):
        f = model.clamps[k].frame
        if state.fixed[f]:
            for c in range(3):
                work.implicit.m1[f, c] = state.clamp_frame[k, c]


@kernel
def go_on(model: Model, state: State, r: int, h: float) -> None:
    """Begin where rod r gets to at the velocities it has, unless its edges turn far: Newton then begins where it is."""
    first, last, x, v = model.rods[r].first, model.rods[r].last, state.x, state.v
    for j in range(first, last):
        square = 0.0
        for c in range(3):
            square += (v[j + 1, c] - v[j, c]) ** 2
        if sqrt(square) * h > NEAR * model.edges[j].length:
            return
    for i in range(first, last + 1):
        for c in range(3):
            x[i, c] += h * v[i, c]


@kernel
def turn_first_frame(model: Model, state: State, work: Workspace, r: int) -> None:
    """Carry the first frame of rod r along: the others follow it when they are asked for."""
    begin, own = hinges_of(model.rods, r, state.ghosts)[0], work.implicit
    chain_edges(model.rods, r, state.ghosts, state.x, own.e)
    carry_first_frame(own.e[begin + r], state.t[begin + r], state.u[begin + r])


@kernel
def attempt(model: Model, state: State, work: Workspace, h: float) -> tuple[int, int, int]:
    """One step of h [s] of every rod. Returns (status, the rod it concerns, iterations)."""
    rods, own, x0 = model.rods, work.implicit, work.old.x
    clock = state.clock[0]
    smooth = clock.smooth and abs(clock.step - h) <= 1e-9 * h
    s = predict(model, state, work, smooth, h)
    for r in range(len(rods)):
        if not is_straight(rods, r):
            lay(model, state, work, r)
        for j in range(rods[r].first, rods[r].last):
            own.pull[j] = -state.tension[j] * model.edges[j].length
        go_on(model, state, r, h)
    pull(model, state, work, h)
    total = 0
    for r in range(len(rods)):
        if rods[r].damped:
            lay_damping(model, state, work, r)
        if not is_straight(rods, r):
            give(model, state, work, r)
            for j in range(len(own.unknown)):
                own.unknown[j] = 0.0
            carry(model, state, own, r, own.unknown, 1.0)
        rounds = newton(model, state, own, r, s)
        if rounds < 0:
            return OVERSTRETCHED, r, total
        total += rounds
        for j in range(rods[r].first, rods[r].last):
            dot = one = other = 0.0
            for c in range(3):
                d, d0 = state.x[j + 1, c] - state.x[j, c], x0[j + 1, c] - x0[j, c]
                dot, one, other = dot + d * d0, one + d * d, other + d0 * d0
            if not dot >= FAR * sqrt(one * other):
                return TOO_FAR, r, total
        if is_straight(rods, r):
            turn_first_frame(model, state, work, r)
        else:
            set_frames(model, state, work, r)
    finite = 0.0
    for i in range(len(state.x)):
        for c in range(3):
            state.v[i, c] = (state.x[i, c] - own.rest[i, c]) / s
            finite += state.v[i, c]
    if not np.isfinite(finite):
        return NOT_FINITE, 0, total
    measure_shortfalls(model, state, work.constraints, h)
    return DONE, 0, total


@kernel
def accept(model: Model, state: State, work: Workspace, h: float) -> None:
    """Keep what the next step begins with."""
    for i in range(len(state.x)):
        state.tension[i] = -work.implicit.pull[i] / model.edges[i].length if model.edges[i].length > 0.0 else 0.0
        for c in range(3):
            state.before_x[i, c], state.before_v[i, c] = work.old.x[i, c], work.old.v[i, c]
    clock = state.clock[0]
    clock.time += h
    clock.step = h
    clock.smooth = True
