"""The largest step, from the state: stability (linear limit l²/2·√(ρA/B) of a straight rod, stiffened by what it does
now) and motion.

    ω² = ω₀² (sec⁴ + 2 tan² sec²)(φ/2) (1 + τl/B) + (4T/l + N/r)/m,      Δt < 2/ω,

with ω₀² the row-sum bound on the straight rod's stiffness over mass, φ the largest turning angle, τ the torque of
twist, T the largest tension, N the largest contact force. No relative motion may exceed half a radius in a step where
things can touch, and no edge may turn by more than a quarter of a radian.
"""

from math import sqrt

from .._jit import njit

TURN = 0.25  # rad


@njit
def largest(values, count):
    """The largest magnitude among the first `count` values, or 0."""
    best = 0.0
    for k in range(count):
        size = abs(values[k])
        if size > best:
            best = size
    return best


@njit
def stable_step(model, state):
    """Largest stable step [s] at this state."""
    rods = model.rods
    contact = largest(state.pair_force[:, 0], max(state.pair_count[0], 0))
    there_is_floor = model.capsules.floor[0] == model.capsules.floor[0]
    square = 0.0
    for r in range(len(rods.first)):
        a, b = rods.first[r], rods.last[r] + 1
        shortest = rods.shortest[r]
        pull = largest(state.tension[a:b], b - a) * rods.longest[r]
        push = max(contact, largest(state.floor_force[a:b, 2], b - a)) if there_is_floor else contact
        c = state.turning[r]
        sec2, tan2 = 2.0 / (1.0 + c), (1.0 - c) / (1.0 + c)
        geometric = (4.0 * pull / shortest + push / model.capsules.thinnest[0]) / rods.lightest[r]
        twist = 1.0 + state.torque[r] * shortest / rods.bend_max[r]
        square = max(square, rods.limit[r] * (sec2 * sec2 + 2.0 * tan2 * sec2) * twist + geometric)
    return 2.0 / sqrt(square)


@njit
def fastest_turn(v, length):
    """Largest rate [rad/s] at which an edge of one rod turns (or stretches, before projection)."""
    square = 0.0
    for i in range(1, len(v)):
        a, b, c = v[i, 0] - v[i - 1, 0], v[i, 1] - v[i - 1, 1], v[i, 2] - v[i - 1, 2]
        rate = (a * a + b * b + c * c) / (length[i - 1] * length[i - 1])
        if rate > square:
            square = rate
    return sqrt(square)


@njit
def fastest_approach(v, w, floor):
    """Largest speed [m/s] at which two vertices can approach each other, or one the floor; v (n, 3), vertices without
    mass left out.
    """
    count = 0
    a = b = c = falling = 0.0
    for i in range(len(v)):
        if w[i] > 0.0:
            a, b, c, count = a + v[i, 0], b + v[i, 1], c + v[i, 2], count + 1
            if -v[i, 2] > falling:
                falling = -v[i, 2]
    a, b, c = a / count, b / count, c / count
    square = 0.0
    for i in range(len(v)):
        if w[i] > 0.0:
            speed = (v[i, 0] - a) ** 2 + (v[i, 1] - b) ** 2 + (v[i, 2] - c) ** 2
            if speed > square:
                square = speed
    return max(2.0 * sqrt(square), falling if floor else 0.0)


@njit
def motion_step(model, state):
    """Largest step [s] that the present velocities allow."""
    rods, capsules = model.rods, model.capsules
    rate = 1e-300
    for r in range(len(rods.first)):
        a, b = rods.first[r], rods.last[r] + 1
        rate = max(rate, fastest_turn(state.v[a:b], rods.length[a:b]) / TURN)
    if capsules.skin[0] > 0.0:
        there_is_floor = capsules.floor[0] == capsules.floor[0]
        speed = fastest_approach(state.v, rods.mass, there_is_floor)
        rate = max(rate, speed / (0.5 * capsules.thinnest[0]))
    return 1.0 / rate
