"""Second-order backward differentiation, BDF2 (Curtiss & Hirschfelder 1952), begun again by a backward Euler step where
the past does not count: at the start, after a change of the step, where drag stops things within a step or two (of
v̇ = −k v a step beyond k h = ½ has complex roots, ρ²(3/2 + k h) − 2ρ + ½ = 0: what it stops it would throw back).

    y = (4 x₀ − x₋)/3 + s (4 v₀ − v₋)/3,  s = 2h/3        (backward Euler: y = x₀ + h v₀, s = h)
    M (x − y)/s² = forces at x,           v = (3 x − 4 x₀ + x₋)/2h

Second order, L-stable: stiff motion that a step does not resolve dies away, slow motion loses little energy.
"""

from math import cos, inf, sqrt

import numpy as np

from .._jit import kernel
from ..constraints.pins import drive, measure_shortfalls, turn_clamps
from ..implicit.frames import bind_held, carry, leave_frames, take_frames, turn_first_frame
from ..implicit.loads import lay_damping, lay_drag, lay_spin
from ..implicit.newton import is_straight, newton
from ..model import YIELDING, Model, State
from .symplectic_euler import DONE, NOT_FINITE, OVERSTRETCHED, TOO_FAR
from .workspace import Workspace

FAR = cos(0.7)  # of the angle by which an edge may turn in a step
NEAR = 0.2  # rad
STOPPED = 0.5  # by drag, k h
LENGTHS = 1e-6  # to which an edge keeps its length


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
def pull(model: Model, state: State, work: Workspace, h: float, s: float) -> None:
    """Pins at the end of a step of h [s]: one that yields is a heavy particle, which gets to where the pin wants it; or
    one of its least mass that the pin's whole force draws there (see constraints/pins).
    """
    own, w, x, x0, kick = work.implicit, state.w, state.x, work.old.x, work.implicit.w
    for p in range(len(model.pins)):
        for i in (model.pins[p].node, model.pins[p].second):
            if i >= 0:
                for c in range(3):
                    x[i, c] = x0[i, c] + h * state.v[i, c]
    drive(model, state, x0, work.constraints, work.elastic.rate, h)
    turn_clamps(model, state, work.constraints, h)
    for p in range(len(model.pins)):
        pin, hold = model.pins[p], state.holds[p]
        for i in (pin.node, pin.second):
            if i < 0 or w[i] == 0.0 or hold.state != YIELDING:
                continue
            limit, size = hold.influence * pin.max_force, 0.0
            for c in range(3):
                kick[c] = x[i, c] - x0[i, c] - h * state.v[i, c]
                size += kick[c] * kick[c]
            size = sqrt(size)
            if size < limit * h * h * w[i] * (1.0 - 1e-9):
                own.inertia[i] = 1.0 / (w[i] * h * h)
                for c in range(3):
                    own.drift[i, c] = x[i, c]
            else:
                own.inertia[i] = pin.mass / (s * s)
                for c in range(3):
                    own.drift[i, c] += limit * s * s / pin.mass * kick[c] / size


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
def attempt(model: Model, state: State, work: Workspace, h: float, resist: bool) -> tuple[int, int, int]:
    """One step of h [s] of every rod. resist: frames turn about their edges against their inertia, from rest, so that
    one that has lost its equilibrium does not jump to another one.

    Returns (status, the rod it concerns, iterations).
    """
    rods, own, x0 = model.rods, work.implicit, work.old.x
    clock = state.clock[0]
    smooth = clock.smooth and abs(clock.step - h) <= 1e-9 * h
    s = predict(model, state, work, smooth, h)
    for r in range(len(rods)):
        for j in range(rods[r].first, rods[r].last):
            own.pull[j] = -state.tension[j] * model.edges[j].length
        go_on(model, state, r, h)
    pull(model, state, work, h, s)
    total = 0
    for r in range(len(rods)):
        if rods[r].damped:
            lay_damping(model, state, own, work.elastic, r)
        if not is_straight(rods, r):
            take_frames(model, state, own, r, x0)  # those too that a clamp has just taken up
            lay_spin(model, own, r, s if resist else inf)
            bind_held(model, state, own, r)
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
            if not (rods[r].stretchable or abs(one / model.edges[j].length ** 2 - 1.0) < 2.0 * LENGTHS):
                return OVERSTRETCHED, r, total
            if not dot >= FAR * sqrt(one * other):
                return TOO_FAR, r, total
    finite = 0.0
    for i in range(len(state.x)):
        for c in range(3):
            state.v[i, c] = (state.x[i, c] - own.rest[i, c]) / s
            finite += state.v[i, c]
    if not np.isfinite(finite):
        return NOT_FINITE, 0, total
    for r in range(len(rods)):  # which nothing takes back any more
        if is_straight(rods, r):
            turn_first_frame(model, state, own, r)
        else:
            leave_frames(model, state, own, r)
    measure_shortfalls(model, state, work.constraints, h)
    return DONE, 0, total


@kernel
def accept(model: Model, state: State, work: Workspace, h: float) -> None:
    """Keep what the next step begins with."""
    drag, smooth = work.implicit.drag, True
    for i in range(len(state.x)):
        if h * (drag[i, 0] + max(drag[i, 1], 0.0)) > STOPPED * model.nodes[i].mass:
            smooth = False
        state.tension[i] = -work.implicit.pull[i] / model.edges[i].length if model.edges[i].length > 0.0 else 0.0
        for c in range(3):
            state.before_x[i, c], state.before_v[i, c] = work.old.x[i, c], work.old.v[i, c]
    clock = state.clock[0]
    clock.time += h
    clock.step = h
    clock.smooth = smooth
