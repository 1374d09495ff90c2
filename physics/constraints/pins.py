"""Pins: vertices led along trajectories, clamped in direction and material frame.

An exact pin (infinite force) puts its vertex where the trajectory says, with inverse mass 0. A yielding pin is a
particle of finite mass M inside the projection, large enough that the rod's weight hardly draws it off. Its force
brings it onto the trajectory within one step when it can, and is clipped at F_max; far from the trajectory it
approaches no faster than half that force could stop it, √(F_max d/M). When the rod has no more length to give, the
projection holds the pin back and it lags: its shortfall.
"""

from math import inf, sqrt

from .._jit import njit
from .trajectory import evaluate, rotate

SLACK = 0.5  # of the braking force that the approach may count on


@njit
def drive(pins, rods, time, h, x, v, w, before, target, shortfall):
    """Move the pinned vertices x to where they should be at `time` [s], before projection; x holds predicted positions.

    w (N,) gets the pins' inverse masses, v (N, 3) is that of the last step.
    """
    for p in range(len(pins.node)):
        i = pins.node[p]
        evaluate(pins.times, pins.samples, pins.track[p], pins.track[p + 1], time, target)
        influence = target[7]
        if influence <= 0.0:
            w[i] = rods.w[i]
            shortfall[p] = 0.0
            continue
        evaluate(pins.times, pins.samples, pins.track[p], pins.track[p + 1], time - h, before)
        lead(pins, p, i, influence, h, x, v, w, before, target)
        g = pins.ghost[p]
        if g >= 0 and not pins.hinged[p]:
            for place in (before, target):
                rotate(place[3:7], pins.offset[p], place[3:6])
                for k in range(3):
                    place[k] += place[3 + k]
            lead(pins, p, g, influence, h, x, v, w, before, target)


@njit
def lead(pins, p, i, influence, h, x, v, w, before, target):
    """Drive vertex i along with its target, from before[:3] to target[:3], and closer to it."""
    limit = influence * pins.max_force[p]
    if limit == inf:
        w[i] = 0.0
        x[i, 0], x[i, 1], x[i, 2] = target[0], target[1], target[2]
        return
    w[i] = 1.0 / max(pins.mass[p], pins.stiffness[p] * h * h)
    ax, ay, az = x[i, 0] - h * v[i, 0], x[i, 1] - h * v[i, 1], x[i, 2] - h * v[i, 2]  # where it is now
    dx, dy, dz = before[0] - ax, before[1] - ay, before[2] - az
    d = sqrt(dx * dx + dy * dy + dz * dz)
    k = 1.0
    fastest = h * sqrt(2.0 * SLACK * limit * d * w[i])
    if d > fastest:
        k = fastest / d
    fx = target[0] - before[0] + ax + k * dx - x[i, 0]  # the force, in h²/M
    fy = target[1] - before[1] + ay + k * dy - x[i, 1]
    fz = target[2] - before[2] + az + k * dz - x[i, 2]
    size, most = sqrt(fx * fx + fy * fy + fz * fz), limit * h * h * w[i]
    k = 1.0 if size <= most else most / size
    x[i, 0] += k * fx
    x[i, 1] += k * fy
    x[i, 2] += k * fz


@njit
def clamp(pins, time, h, x, v, target, frame, shortfall):
    """After projection: place and move the ghosts, turn the prescribed material axes frame (K, 3), measure each pin's
    shortfall [m].
    """
    for p in range(len(pins.node)):
        evaluate(pins.times, pins.samples, pins.track[p], pins.track[p + 1], time, target)
        i, g = pins.node[p], pins.ghost[p]
        if target[7] > 0.0:
            shortfall[p] = sqrt((x[i, 0] - target[0]) ** 2 + (x[i, 1] - target[1]) ** 2 + (x[i, 2] - target[2]) ** 2)
        else:
            shortfall[p] = 0.0
        if g < 0:
            continue
        if pins.clamp[p] >= 0:
            rotate(target[3:7], pins.m1[p], frame[pins.clamp[p]])
        if pins.hinged[p]:
            rotate(target[3:7], pins.offset[p], target[:3])
            for k in range(3):
                v[g, k] = (x[i, k] + target[k] - x[g, k]) / h
                x[g, k] = x[i, k] + target[k]
