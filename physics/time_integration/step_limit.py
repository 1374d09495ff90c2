"""The largest step, from the state: stability (linear limit l²/2·√(ρA/B) of a straight rod, stiffened by what it does
now) and motion.

    ω² = ω₀² (sec⁴ + 2 tan² sec²)(φ/2) (1 + τl/B) + (4T/l + N/r)/m,      Δt < 2/ω,

with ω₀² the row-sum bound on the straight rod's stiffness over mass, φ the largest turning angle, τ the torque of
twist, T the largest tension, N/r the largest contact force over the smaller radius of the two that touch, STEEP times
as much where springs press. Nothing may move by more than half the smaller radius against what it may touch in a step,
and no edge may turn by more than a quarter of a radian.
"""

from math import inf, log, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import cross, dot, plus, vector
from ..constraints.reeling import reel_step
from ..contact.along_rod import nearest
from ..contact.carriers.led_surface import fastest, moment, vertex_at, way_of_vertex
from ..contact.carriers.wall import approach, height
from ..contact.contact_springs import STEEP
from ..contact.passage import FAR
from ..contact.sliding import slides_truly
from ..contact.surface_pairs import closed
from ..model import CAPSULES, SURFACES, Model, State
from ..rigid_bodies.free_motion import angular_speed
from ..rods.winch import out_of

TURN = 0.25  # rad
PART = 0.25  # of a gap known to be free
SPIN = 0.25  # rad, of a rigid body
FREE = 1.0 / 144.0  # [s], of bodies that nothing pulls at: so long steps follow falls and contacts well
ROUNDED = 1.0 + 1e-9


@kernel
def largest(values: np.ndarray, count: int) -> float:
    """The largest magnitude among the first `count` values, or 0."""
    best = 0.0
    for k in range(count):
        size = abs(values[k])
        if size > best:
            best = size
    return best


@kernel
def most_pressed(x: np.ndarray, closed: bool, length: np.ndarray) -> float:
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


@kernel
def stable_step(model: Model, state: State) -> float:
    """Largest stable step [s] at this state."""
    rods, edges = model.rods, model.edges
    square = 0.0
    for r in range(len(rods)):
        if rods[r].implicit:
            square = max(square, state.rods[r].pressed / rods[r].lightest)
            continue
        a, b = rods[r].first, rods[r].last + 1
        shortest = rods[r].shortest
        first, last = out_of(rods[r])
        pull = largest(state.tension[first : last + 1], last - first + 1) * rods[r].longest
        c = state.rods[r].cos_largest_turn
        sec2, tan2 = 2.0 / (1.0 + c), (1.0 - c) / (1.0 + c)
        pressed = state.rods[r].pressed * (STEEP if model.world[0].springs else 1.0)
        geometric = (4.0 * pull / shortest + pressed) / rods[r].lightest
        twist = 1.0 + state.rods[r].torque * shortest / rods[r].bend_max
        bent = rods[r].limit * (sec2 * sec2 + 2.0 * tan2 * sec2) * twist
        if rods[r].stretchable:  # bending goes with 1/|e|², pressing with (1 − ln λ)/λ²
            shortened = most_pressed(state.x[a:b], rods[r].closed, edges["length"][a:b])
            bent *= (1.0 - log(shortened)) / (shortened * shortened)
        square = max(square, bent + geometric)
    for b in range(len(model.bodies)):
        square = max(square, swinging(model, state, b), 4.0 / FREE**2)
    return 2.0 / sqrt(square)


@kernel
def swinging(model: Model, state: State, b: int) -> float:
    """Largest ω² [1/s²] of a body that turns under the pull of its rods: (T p/I)(1 + p/l), p the arm across it."""
    links, bodies, slaves = model.length_system.links, model.bodies, model.slaves
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
def fastest_turn(v: np.ndarray, length: np.ndarray) -> float:
    """Largest rate [rad/s] at which an edge of one rod turns (or stretches, before projection)."""
    square = 0.0
    for i in range(1, len(v)):
        a, b, c = v[i, 0] - v[i - 1, 0], v[i, 1] - v[i - 1, 1], v[i, 2] - v[i - 1, 2]
        rate = (a * a + b * b + c * c) / (length[i - 1] * length[i - 1])
        if rate > square:
            square = rate
    return sqrt(square)


@kernel
def fastest_approach(v: np.ndarray, nodes: np.ndarray) -> float:
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
def fastest_fall(model: Model, state: State) -> float:
    """Largest rate [1/s] at which vertices use up what they may move towards a wall: half a radius, or part of the way
    to it.
    """
    rate = 0.0
    for p in range(len(state.plane_pairs)):
        i, wall = state.plane_pairs[p].i, model.planes[state.plane_pairs[p].j]
        radius = model.nodes[i].radius
        clear = max(FAR * radius, PART * (height(wall, state.x[i]) - radius))
        rate = max(rate, approach(wall, state.v[i]) / clear)
    return rate


@entry
def fastest_strike(model: Model, state: State, rate: float) -> float:
    """The same [1/s] of vertices that move towards faces: by WORLD's reach, or part of the way. What is slower than
    `rate` need not be known.
    """
    surfaces, far = model.surfaces, model.world[0].reach
    time, span, last, gone, most = state.clock[0].time, surfaces.span[1] - surfaces.span[0], -1, 0.0, 0.0
    part, ahead, fast = moment(surfaces, time), fastest(surfaces), False
    for i in range(len(state.v)):
        fast = fast or not sqrt(dot(state.v[i], state.v[i])) + ahead <= rate * far * model.nodes[i].radius
    if not fast:
        return rate
    for p in range(max(state.listings[SURFACES].count, 0)):
        i, f = state.surface_pairs[p].i, state.surface_pairs[p].j
        if f >= len(surfaces.faces) or state.w[i] == 0.0:
            continue
        if i != last:
            last, gone = i, closed(model, state, state.x, time, i)
            most = sqrt(dot(state.v[i], state.v[i])) + ahead
        if most <= rate * max(far * model.nodes[i].radius, PART * (state.surface_pairs[p].gap - gone)):
            continue
        corner, samples, v = surfaces.faces[f].corner, surfaces.samples, vector(state.v[i])
        a = vertex_at(samples, corner[0], part)
        n = cross(
            plus(vertex_at(samples, corner[1], part), -1.0, a), plus(vertex_at(samples, corner[2], part), -1.0, a)
        )
        size, d = sqrt(dot(n, n)), plus(vector(state.x[i]), -1.0, a)
        if size == 0.0:
            continue
        height, radius, towards = abs(dot(n, d)) / size, model.nodes[i].radius, -1.0 if dot(n, d) > 0.0 else 1.0
        clear = max(far * radius, PART * (height - radius - surfaces.colliders[surfaces.faces[f].collider].thickness))
        for k in range(3):
            speed = plus(v, -1.0 / span, way_of_vertex(samples, corner[k], 1.0)) if span > 0.0 else v
            rate = max(rate, towards * dot(n, speed) / (size * clear))
    return rate


@kernel
def clearance(radius: float, pair_count: int, skin: float) -> float:
    """How far [m] things may approach each other in a step: half a radius, or part of a gap known to be free, the skin
    [m] of a list without pairs.
    """
    return max(FAR * radius, PART * skin if pair_count == 0 else 0.0)


@kernel
def fastest_pair(model: Model, state: State, speed: float, rate: float, slides: bool) -> float:
    """Largest rate [1/s] at which pairs of capsules, those thinner than most, use up what they may move against each
    other: WORLD's reach, or part of their gap; slides: or further, as long as normals stay true. Nothing moves faster
    than `speed` [m/s] against anything; what is slower than `rate` need not be known.
    """
    capsules, x, v = model.capsules, state.x, state.v
    for p in range(max(state.listings[CAPSULES].count, 0)):
        one, two = capsules[state.pairs[p].i], capsules[state.pairs[p].j]
        clear = model.world[0].reach * min(one.radius, two.radius)
        if speed <= ROUNDED * rate * clear:
            continue
        square = 0.0
        for i in (one.tail, one.head):
            for j in (two.tail, two.head):
                a, b, c = v[i, 0] - v[j, 0], v[i, 1] - v[j, 1], v[i, 2] - v[j, 2]
                square = max(square, a * a + b * b + c * c)
        if square > (rate * clear) ** 2:
            apart = nearest(capsules, model.rods, state.pairs[p].i, state.pairs[p].j, x, 0.0)[0]
            gap = sqrt(dot(apart, apart)) - one.radius - two.radius
            most = sqrt(square) / max(clear, PART * gap)
            while rate < most and not (slides and slides_truly(x, v, one, two, 1.0 / rate)):
                rate = min(2.0 * rate, most) if slides else most
    return rate


@kernel
def motion_step(model: Model, state: State, longest: float = inf) -> float:
    """Largest step [s], up to the longest, that the present velocities allow: half a radius, or part of the way to what
    is nearest.
    """
    rods, nodes, edges, world, v = model.rods, model.nodes, model.edges, model.world[0], state.v
    longest = reel_step(model, state.clock[0].time, longest)
    least = rate = max(1.0 / longest, 1e-300)
    for r in range(len(rods)):
        a, b = out_of(rods[r])
        rate = max(rate, fastest_turn(v[a : b + 1], edges["length"][a : b + 1]) / TURN)
    for b in range(len(model.bodies)):
        rate = max(rate, angular_speed(state.bodies[b].q, state.bodies[b].l, model.bodies[b].inertia) / SPIN)
    rate = max(rate, fastest_fall(model, state))
    if state.listings[SURFACES].count > 0:
        rate = fastest_strike(model, state, rate)
    if world.skin > 0.0:
        clear = clearance(world.radius, state.listings[CAPSULES].count, state.listings[CAPSULES].skin)
        speed = fastest_approach(v, nodes)
        rate = fastest_pair(model, state, speed, max(rate, speed / clear), False)
    return 1.0 / rate if rate > least else min(longest, 1.0 / least)
