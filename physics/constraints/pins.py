"""Pins: vertices led along trajectories, and with them what else they hold of the rod (clamps).

An exact pin (infinite force) puts its vertex where the trajectory says, with inverse mass 0. A yielding pin is a
particle of finite mass M inside the projection, large enough that the rod's weight hardly draws it off. Its force
brings it onto the trajectory within one step when it can, and is clipped at F_max times the influence; far from the
trajectory it approaches no faster than half that force could stop it, √(F_max d/M). When the rod has no more length to
give, the projection holds the pin back and it lags: its shortfall. At influence 0 it lets go of all it holds.
"""

from math import inf, sqrt

from .._jit import njit
from ..model import GAP, INFLUENCE, SHORTFALL, YIELDS
from .clamps import close_gap, follow, let_go, take_up, turn_short
from .trajectory import evaluate, rotate

SLACK = 0.5  # of the braking force that the approach may count on


@njit
def drive(pins, rods, state, work, h):
    """Move the pinned vertices to where they should be in h [s], before projection: state.x holds predicted positions,
    work.x0 present ones, and state.v is that of the last step. Pins let go and take up as their influence says.

    state.w gets the pins' inverse masses.
    """
    x, v, w, before, target = state.x, state.v, state.w, work.before, work.target
    time = state.clock[0] + h
    for p in range(len(pins.node)):
        evaluate(pins.times, pins.samples, pins.track[p], pins.track[p + 1], time, target)
        held, influence = state.hold[p, INFLUENCE], target[7]
        state.hold[p, INFLUENCE] = influence
        if influence <= 0.0:
            if held > 0.0:
                let_go(pins, p, rods, state, work)
            continue
        evaluate(pins.times, pins.samples, pins.track[p], pins.track[p + 1], time - h, before)
        if held <= 0.0:
            take_up(pins, p, rods, before, state, work)
        g, gap = pins.ghost[p], state.hold[p, GAP : GAP + 4]
        turn_short(before, gap)
        close_gap(pins, p, rods, held, influence, h, gap)
        turn_short(target, gap)
        limit = influence * (pins.automatic_force[p] if state.hold[p, YIELDS] > 0.0 else pins.max_force[p])
        lead(pins, p, pins.node[p], limit, h, x, v, w, before, target)
        if g >= 0 and not pins.hinged[p]:
            for place in (before, target):
                rotate(place[3:7], pins.offset[p], place[3:6])
                for k in range(3):
                    place[k] += place[3 + k]
            lead(pins, p, g, limit, h, x, v, w, before, target)


@njit
def lead(pins, p, i, limit, h, x, v, w, before, target):
    """Drive vertex i along with its target, from before[:3] to target[:3], and closer to it, by at most `limit` [N]."""
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
def hold(pins, state, work, h):
    """After projection, at the end of a step of h [s]: place and move the ghosts, turn the prescribed material axes,
    measure each pin's shortfall.
    """
    x, v, target = state.x, state.v, work.target
    time = state.clock[0] + h
    for p in range(len(pins.node)):
        i, g = pins.node[p], pins.ghost[p]
        if state.hold[p, INFLUENCE] <= 0.0:
            state.hold[p, SHORTFALL] = 0.0
            if pins.hinged[p]:
                follow(pins, p, x, v)
            continue
        evaluate(pins.times, pins.samples, pins.track[p], pins.track[p + 1], time, target)
        state.hold[p, SHORTFALL] = sqrt(
            (x[i, 0] - target[0]) ** 2 + (x[i, 1] - target[1]) ** 2 + (x[i, 2] - target[2]) ** 2
        )
        if g < 0:
            continue
        turn_short(target, state.hold[p, GAP : GAP + 4])
        if pins.clamp[p] >= 0:
            rotate(target[3:7], pins.m1[p], state.clamp_frame[pins.clamp[p]])
        if pins.hinged[p]:
            rotate(target[3:7], pins.offset[p], target[:3])
            for k in range(3):
                v[g, k] = (x[i, k] + target[k] - x[g, k]) / h
                x[g, k] = x[i, k] + target[k]
