"""What touches: inequality constraints inside the projection, with Coulomb friction in the same sweep.

For two points closest to each other at the old positions, their normal n from the second to the first and the gap g₀
between the surfaces, all frozen for the step, the displacement d of the first relative to the second has to satisfy
g₀ + n·d ≥ min(0, RECOVERY g₀) (slower from deep overlaps). Its multiplier λ ≥ 0 only pushes. The tangential multiplier
opposes d − n (n·d), clipped at μλ: sticking inside the cone, sliding on it. Multipliers accumulate over the rounds of a
step; they start from the last step's force, so that what rests keeps resting after few rounds.

Where surfaces that are led leave a body no room, no λ does. It would grow with each sweep without end, and what is left
of it throw the body when they part. So such a surface gives, by GIVE of what λ alone would move the body by, or the
heaviest that leans on that (`detect.bear_loads`): what opposite ones lack is shared, and λ at most 1/GIVE times what
closes the gap of that, found in some √(1/GIVE) sweeps that each begin further on (`conjugate_sweeps`). What rests on
one sinks in by GIVE of the way it would fall in a step, times what overlaps leave to the next one.

A sweep alternates with the carriers' answers. A chain gives back much of a push along a rod: a rope dropped on its end
resists with all its mass. So the push takes the mobility of the chain, its gain over that of what carries the points
alone, and less when contacts that share a chain have pushed too much together.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from .carriers import body, body_surface, chain
from .carriers.points import carriers, moved, push
from .friction_cone import clipped
from .kept_forces import pressing
from .scratch import BODY, FRAMES, HELD, LED, VERTICES

RECOVERY = 0.8  # what a step may leave of an overlap
GIVE = 1.0 / 16384.0  # an eighth of that, and 1000 sweeps no longer find what holds (touch.STACK_ROUNDS); three times
# that, and a gripped block slips by more than 1 % of .4 m where μ is .15
RECOVERY_SPEED = 20.0  # radii a second: what overlaps at the start drifts apart, it does not explode


@kernel
def gains(
    contacts: np.ndarray, rods: np.ndarray, w: np.ndarray, o: np.ndarray, band: np.ndarray, held: body.Held
) -> None:
    """Each contact's gain: the mobility of what carries its points alone over that of their chains.

    held: see `carriers.body`; inverse masses w are in place what bodies make of them. Behind those of rods, the edges o
    (N, 3), are soft bodies'.
    """
    for q in range(len(contacts)):
        row = contacts[q]
        if row.rod[0] < 0:
            continue
        if carriers(row) & HELD:
            if (row.slave[0] >= 0 and row.slave[1] >= 0) or (row.slave[2] >= 0 and row.slave[3] >= 0):
                continue  # an edge that a body holds has no chain
            body.put_effective_masses_along(row, held, w)
        whole = 0.0
        for side in range(2):
            if row.rod[side] >= 0:
                whole += chain.give(row, side, rods, w, o, band)
        for k in range(4):
            if row.node[k] >= len(o):
                whole += w[row.node[k]] * row.share[k] * row.share[k]
        if carriers(row) & BODY:
            whole += body_surface.mobility(row, held)[0]
        row.gain = row.weight / whole


@kernel
def warm_start(contacts: np.ndarray, x: np.ndarray, w: np.ndarray, held: body.Held, frames: np.ndarray) -> None:
    """Apply the impulses of the last step; frames: see `carriers.frame`."""
    for q in range(len(contacts)):
        row = contacts[q]
        if row.normal > 0.0:
            push(row, x, w, held, frames, pressing(row))


@kernel
def temper(gain: float, before: float, now: float) -> float:
    """The gain of the next push: half when the last one turned what was missing into too much, or too much into
    missing.
    """
    return max(1.0, 0.5 * gain) if before * now < 0.0 else gain


@kernel
def on_held_rod(row: np.record, w: np.ndarray) -> bool:
    """Whether one of the two rods of a CONTACT is held where it touches: it stands like a wall."""
    if row.rod[0] < 0 or not row.carrier[1] & VERTICES or carriers(row) & HELD:
        return False
    return w[row.node[0]] + w[row.node[1]] == 0.0 or w[row.node[2]] + w[row.node[3]] == 0.0


@kernel
def allowed_gap(gap: float, recovery: float) -> float:
    """What a gap [m] may be after the step: an overlap has to shrink by a part of it, at most by `recovery` [m]."""
    return min(0.0, RECOVERY * gap, gap + recovery)


@kernel
def missing_gap(row: np.record, up: float, h: float) -> float:
    """What a CONTACT whose points have moved apart by `up` [m] lacks of the gap that it may have after h [s] [m]."""
    return allowed_gap(row.gap, RECOVERY_SPEED * row.radius * h) - row.gap - up


@kernel
def sweep(
    contacts: np.ndarray, x: np.ndarray, x0: np.ndarray, w: np.ndarray, held: body.Held, frames: np.ndarray, h: float
) -> float:
    """One Gauss–Seidel sweep over the contacts of a step of h [s] from x0: x, and what pushes bodies and frames, in
    place.

    Returns the largest gap that was missing, over the smaller radius of its two.
    """
    largest = 0.0
    for q in range(len(contacts)):
        row = contacts[q]
        lam, n, old = row.normal, row.n, row.along
        rx, ry, rz = moved(row, x, x0, held, frames)
        nx, ny, nz = n[0], n[1], n[2]
        normal = nx * rx + ny * ry + nz * rz
        missing = missing_gap(row, normal, h) - row.give * row.weight * lam
        row.gain = temper(row.gain, row.left, missing)
        row.left = missing
        new = max(0.0, lam + min(row.gain * missing, row.longest) / row.weight)
        change = new - lam
        if new == 0.0 and change == 0.0:
            continue
        undone = -change * row.weight / row.gain  # by what is let go, for which nothing is missing
        largest = max(largest, (abs(missing) if new > 0.0 else undone) / row.radius)
        row.normal = new
        rx, ry, rz = rx - normal * nx, ry - normal * ny, rz - normal * nz
        along = old[0] - rx / row.slide, old[1] - ry / row.slide, old[2] - rz / row.slide
        (tx, ty, tz), _ = clipped(along, row.friction * new)
        if row.rod[0] < 0 or carriers(row) & (BODY | FRAMES | LED) or on_held_rod(row, w):
            slip = (tx - old[0]) ** 2 + (ty - old[1]) ** 2 + (tz - old[2]) ** 2
            largest = max(largest, row.slide * sqrt(slip) / row.radius)
        f = change * nx + tx - old[0], change * ny + ty - old[1], change * nz + tz - old[2]
        old[0], old[1], old[2] = tx, ty, tz
        push(row, x, w, held, frames, f)
    return largest
