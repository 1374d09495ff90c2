"""The largest step, from the state: stability (linear limit l²/2·√(ρA/B) of a straight rod, stiffened by what it does
now) and motion.

    ω² = ω₀² (sec⁴ + 2 tan² sec²)(φ/2) (1 + τl/B) + (4T/l + N/r)/m,      Δt < 2/ω,

with ω₀² the row-sum bound on the straight rod's stiffness over mass, φ the largest turning angle, τ the torque of
twist, T the largest tension, N the largest contact force. No relative motion may exceed half a radius in a step where
things can touch, and no edge may turn by more than a quarter of a radian.
"""

from math import inf, log, sqrt

from .._jit import entry, kernel
from ..rigid_bodies.free_motion import angular_speed

TURN = 0.25  # rad
PART = 0.25  # of a gap known to be free
SPIN = 0.25  # rad, of a rigid body


@kernel
def largest(values, count):
    """The largest magnitude among the first `count` values, or 0."""
    best = 0.0
    for k in range(count):
        size = abs(values[k])
        if size > best:
            best = size
    return best


@kernel
def hardest(pairs):
    """The largest normal force [N] of some pairs, or 0."""
    best = 0.0
    for p in range(len(pairs)):
        best = max(best, pairs[p].force[0])
    return best


@kernel
def most_pressed(x, closed, length):
    """The smallest ratio of an edge's length to its rest length, at most 1."""
    square = 1.0
    n = len(x)
    for j in range(n if closed else n - 1):
        i = j + 1 if j + 1 < n else 0
        a, b, c = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        ratio = (a * a + b * b + c * c) / (length[j] * length[j])
        if ratio < square:
            square = ratio
    return sqrt(square)


@entry
def stable_step(model, state):
    """Largest stable step [s] at this state."""
    rods, edges, world = model.rods, model.edges, model.world[0]
    contact = hardest(state.pairs[: max(state.listing[0].count, 0)])
    there_is_floor = world.floor == world.floor
    square = 0.0
    for r in range(len(rods)):
        a, b = rods[r].first, rods[r].last + 1
        shortest = rods[r].shortest
        pull = largest(state.tension[a:b], b - a) * rods[r].longest
        push = max(contact, largest(state.floor_force[a:b, 2], b - a)) if there_is_floor else contact
        c = state.rods[r].turning
        sec2, tan2 = 2.0 / (1.0 + c), (1.0 - c) / (1.0 + c)
        geometric = (4.0 * pull / shortest + push / world.thinnest) / rods[r].lightest
        twist = 1.0 + state.rods[r].torque * shortest / rods[r].bend_max
        bent = rods[r].limit * (sec2 * sec2 + 2.0 * tan2 * sec2) * twist
        if rods[r].stretchable:  # bending goes with 1/|e|², pressing with (1 − ln λ)/λ²
            pressed = most_pressed(state.x[a:b], rods[r].closed, edges["length"][a:b])
            bent *= (1.0 - log(pressed)) / (pressed * pressed)
        square = max(square, bent + geometric)
    for b in range(len(model.bodies)):
        square = max(square, swinging(model, state, b))
    return 2.0 / sqrt(square)


@kernel
def swinging(model, state, b):
    """Largest ω² [1/s²] of a body that turns under the pull of its rods: (T p/I)(1 + p/l), p the arm across it."""
    links, bodies, slaves = model.articulation.links, model.bodies, model.slaves
    fastest = 0.0
    for axis in range(3):
        stiffness = 0.0
        for s in range(bodies[b].first_slave, bodies[b].end_slave):
            p, q = slaves[s].arm[(axis + 1) % 3], slaves[s].arm[(axis + 2) % 3]
            p = sqrt(p * p + q * q)
            for side in range(2):
                j = slaves[s].edge[side]
                if j >= 0:
                    length = model.edges[links[j].tail].length
                    stiffness += abs(state.tension[links[j].tail]) * length * p * (1.0 + p / length)
        fastest = max(fastest, stiffness / bodies[b].inertia[axis])
    return fastest


@kernel
def fastest_turn(v, length):
    """Largest rate [rad/s] at which an edge of one rod turns (or stretches, before projection)."""
    square = 0.0
    for i in range(1, len(v)):
        a, b, c = v[i, 0] - v[i - 1, 0], v[i, 1] - v[i - 1, 1], v[i, 2] - v[i - 1, 2]
        rate = (a * a + b * b + c * c) / (length[i - 1] * length[i - 1])
        if rate > square:
            square = rate
    return sqrt(square)


@kernel
def fastest_approach(v, nodes):
    """Largest speed [m/s] at which two vertices can approach each other; v (n, 3), those without mass left out."""
    count = 0
    a = b = c = 0.0
    for i in range(len(v)):
        if nodes[i].mass > 0.0:
            a, b, c, count = a + v[i, 0], b + v[i, 1], c + v[i, 2], count + 1
    a, b, c = a / count, b / count, c / count
    square = 0.0
    for i in range(len(v)):
        if nodes[i].mass > 0.0:
            speed = (v[i, 0] - a) ** 2 + (v[i, 1] - b) ** 2 + (v[i, 2] - c) ** 2
            if speed > square:
                square = speed
    return 2.0 * sqrt(square)


@kernel
def fall(x, v, nodes, height):
    """(largest speed downwards [m/s], smallest gap to the floor [m]), vertices without mass left out."""
    falling, gap = 0.0, inf
    for i in range(len(v)):
        if nodes[i].mass > 0.0:
            if -v[i, 2] > falling:
                falling = -v[i, 2]
            if x[i, 2] - nodes[i].radius - height < gap:
                gap = x[i, 2] - nodes[i].radius - height
    return falling, gap


@kernel
def clearance(thinnest, pair_count, skin):
    """How far [m] things may approach each other in a step: half a radius, or part of a gap known to be free, the skin
    [m] of a list without pairs.
    """
    return max(0.5 * thinnest, PART * skin if pair_count == 0 else 0.0)


@entry
def motion_step(model, state):
    """Largest step [s] that the present velocities allow: half a radius, or part of the way to what is nearest."""
    rods, nodes, edges, world = model.rods, model.nodes, model.edges, model.world[0]
    rate = 1e-300
    for r in range(len(rods)):
        a, b = rods[r].first, rods[r].last + 1
        rate = max(rate, fastest_turn(state.v[a:b], edges["length"][a:b]) / TURN)
    for b in range(len(model.bodies)):
        rate = max(rate, angular_speed(state.bodies[b].q, state.bodies[b].l, model.bodies[b].inertia) / SPIN)
    half = 0.5 * world.thinnest
    if world.skin > 0.0:
        clear = clearance(world.thinnest, state.listing[0].count, state.listing[0].skin)
        rate = max(rate, fastest_approach(state.v, nodes) / clear)
    if world.floor == world.floor:
        falling, gap = fall(state.x, state.v, nodes, world.floor)
        rate = max(rate, falling / max(half, PART * gap))
    return 1.0 / rate
