"""The largest stable step, from the state (linear limit l²/2·√(ρA/B) of a straight rod, stiffened by what it does now).

    ω² = ω₀² (sec⁴ + 2 tan² sec²)(φ/2) (1 + τl/B) + (4T/l + N/r)/m,      Δt < 2/ω,

with ω₀² the row-sum bound on the straight rod's stiffness over mass, φ the largest turning angle, τ the torque of twist, T the largest
tension, N the largest contact force. No relative motion may exceed half a radius in a step where things can touch, and no
edge may turn by more than a quarter of a radian.
"""

from math import sqrt

from .._jit import njit

TURN = 0.25  # rad


@njit
def stable_step(model, state):
    """Largest stable step [s] at this state."""
    rods = model.rods
    contact = 0.0
    for p in range(max(state.pair_count[0], 0)):
        contact = max(contact, state.pair_force[p])
    square = 0.0
    for r in range(len(rods.first)):
        c = state.turning[r]
        sec2, tan2 = 2.0 / (1.0 + c), (1.0 - c) / (1.0 + c)
        tension, lightest, shortest = 0.0, rods.mass[rods.first[r]], rods.length[rods.first[r]]
        thinnest, touched = rods.radius[rods.first[r]], contact
        for i in range(rods.first[r], rods.last[r] + 1):
            tension = max(tension, abs(state.tension[i]) * rods.length[i])
            touched = max(touched, state.floor_force[i])
            lightest, shortest = min(lightest, rods.mass[i]), min(shortest, rods.length[i])
            thinnest = min(thinnest, rods.radius[i])
        geometric = (4.0 * tension / shortest + touched / thinnest) / lightest
        twist = 1.0 + state.torque[r] * shortest / rods.bend_max[r]
        square = max(square, rods.limit[r] * (sec2 * sec2 + 2.0 * tan2 * sec2) * twist + geometric)
    return 2.0 / sqrt(square)


@njit
def motion_step(model, state):
    """Largest step [s] that the present velocities allow."""
    rods, v = model.rods, state.v
    fastest = 1e-300
    mean_x = mean_y = mean_z = 0.0
    count = 0
    for r in range(len(rods.first)):
        for i in range(rods.first[r], rods.last[r] + 1):
            mean_x, mean_y, mean_z, count = mean_x + v[i, 0], mean_y + v[i, 1], mean_z + v[i, 2], count + 1
            if i > rods.first[r]:
                turn = (v[i, 0] - v[i - 1, 0]) ** 2 + (v[i, 1] - v[i - 1, 1]) ** 2 + (v[i, 2] - v[i - 1, 2]) ** 2
                fastest = max(fastest, turn / (TURN * rods.length[i - 1]) ** 2)
    step = 1.0 / sqrt(fastest)
    if model.capsules.skin[0] > 0.0:
        mean_x, mean_y, mean_z = mean_x / count, mean_y / count, mean_z / count
        square, falling = 1e-300, 1e-300
        for r in range(len(rods.first)):
            for i in range(rods.first[r], rods.last[r] + 1):
                square = max(square, (v[i, 0] - mean_x) ** 2 + (v[i, 1] - mean_y) ** 2 + (v[i, 2] - mean_z) ** 2)
                falling = max(falling, -v[i, 2])
        half = 0.5 * model.capsules.radius.min()
        step = min(step, 0.5 * half / sqrt(square))
        if model.capsules.floor[0] == model.capsules.floor[0]:  # there is one
            step = min(step, half / falling)
    return step
