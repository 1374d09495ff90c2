"""Pins: vertices led along trajectories, and with them what else they hold of the rod (clamps).

An exact pin (infinite force) puts its vertex where the trajectory says, with inverse mass 0. One that is led yields
from where it pushes its rod along itself harder than a yielding one could, as into something that stands: a bow of a
rod that keeps its length would go sideways at a speed without a bound. A yielding pin is a particle of finite mass M
inside the projection, large enough that the rod's weight hardly draws it off. Its force brings it onto the trajectory
within one step when it can, and is clipped at F_max times the influence; far from the trajectory it approaches no
faster than half that force could stop it, √(F_max d/M). When the rod has no more length to give, the projection holds
the pin back and it lags: its shortfall. At influence 0 it lets go of all it holds.

So a hold is HELD, YIELDING or FREE; what else tells it (inverse masses, prescribed frames, ghost edges) follows.
"""

from math import inf, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import rotate
from ..model import FREE, HELD, YIELDING, Model, State
from ..rods.chain import edges_at
from .clamps import close_gap, let_go, take_up, turn_short
from .reeling import stow
from .scratch import ConstraintScratch
from .trajectory import evaluate

SLACK = 0.5  # of the braking force that the approach may count on


@kernel
def drive(
    model: Model, state: State, x0: np.ndarray, work: ConstraintScratch, e: np.ndarray, h: float, clipped: bool
) -> None:
    """Move the pinned vertices to where they should be in h [s], before projection, clipped: no further than their
    pins' forces bring them. state.x holds predicted positions, x0 (N, 3) present ones, and state.v is that of the last
    step. Pins let go and take up as their influence says.

    state.w gets the pins' inverse masses; e (M, 3) is scratch.
    """
    before, target = work.before, work.target
    time = state.clock[0].time + h
    for p in range(len(model.pins)):
        pin, hold = model.pins[p], state.holds[p]
        evaluate(model.times, model.samples, pin.first_sample, pin.end_sample, time, target)
        last, influence = hold.influence, target[7]
        hold.influence = influence
        if influence <= 0.0:
            if hold.state != FREE:
                let_go(model, p, state, x0, e)
                hold.state = FREE
            continue
        evaluate(model.times, model.samples, pin.first_sample, pin.end_sample, time - h, before)
        if hold.state == FREE:
            take_up(model, p, before, state, x0, e)
            hold.state = HELD if pin.exact else YIELDING
        gap = hold.gap
        turn_short(before, gap)
        close_gap(pin, model, last, influence, h, gap)
        turn_short(target, gap)
        limit = inf if hold.state == HELD else influence * pin.max_force
        drive_vertex(pin, pin.node, limit, h, state, before, target, clipped)
        if pin.second >= 0:
            for place in (before, target):
                rotate(place[3:7], pin.edge, place[3:6])
                for k in range(3):
                    place[k] += place[3 + k]
            drive_vertex(pin, pin.second, limit, h, state, before, target, clipped)
    stow(model, state, x0)


@kernel
def drive_vertex(
    pin: np.record, i: int, limit: float, h: float, state: State, before: np.ndarray, target: np.ndarray, clipped: bool
) -> None:
    """Drive vertex i along with its target, from before[:3] to target[:3], and closer to it; clipped: by at most
    `limit` [N].
    """
    x, v, w = state.x, state.v, state.w
    if limit == inf:
        w[i] = 0.0
        x[i, 0], x[i, 1], x[i, 2] = target[0], target[1], target[2]
        return
    w[i] = 1.0 / max(pin.mass, pin.stiffness * h * h)
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
    k = most / size if clipped and size > most else 1.0
    x[i, 0] += k * fx
    x[i, 1] += k * fy
    x[i, 2] += k * fz


@kernel
def is_held(model: Model, state: State, i: int) -> bool:
    """Whether a pin holds node i where it is."""
    return state.w[i] == 0.0 and model.nodes[i].slave < 0


@kernel
def measure_shortfalls(model: Model, state: State, work: ConstraintScratch, h: float) -> None:
    """How far each pin lags at the end of a step of h [s]."""
    x, target = state.x, work.target
    time = state.clock[0].time + h
    for p in range(len(model.pins)):
        pin, held = model.pins[p], state.holds[p]
        if held.state == FREE:
            held.shortfall = 0.0
            continue
        i = pin.node
        evaluate(model.times, model.samples, pin.first_sample, pin.end_sample, time, target)
        held.shortfall = sqrt((x[i, 0] - target[0]) ** 2 + (x[i, 1] - target[1]) ** 2 + (x[i, 2] - target[2]) ** 2)


@kernel
def note_pushes(model: Model, state: State) -> None:
    """How hard exact pins that are led push along their rods, by the tensions at the end of a step."""
    for p in range(len(model.pins)):
        pin, held = model.pins[p], state.holds[p]
        if not pin.exact or held.state != HELD or pin.end_sample - pin.first_sample < 2:
            continue
        before, _ = edges_at(model.rods[pin.rod], pin.node)
        for k in (before, pin.second if pin.second >= 0 else pin.node):
            if k >= 0:  # the last vertex of an open rod has an edge of no length
                held.push = max(held.push, state.tension[k] * model.edges[k].length)


@kernel
def turn_clamps(model: Model, state: State, work: ConstraintScratch, h: float) -> None:
    """Turn the ghost edges and the prescribed material axes to where they are at the end of a step of h [s]."""
    target = work.target
    time = state.clock[0].time + h
    for p in range(len(model.pins)):
        pin, held = model.pins[p], state.holds[p]
        if held.state == FREE or pin.frame < 0:
            continue
        evaluate(model.times, model.samples, pin.first_sample, pin.end_sample, time, target)
        turn_short(target, held.gap)
        if pin.clamp >= 0:
            rotate(target[3:7], pin.m1, state.clamp_frame[pin.clamp])
        if pin.ghost >= 0:
            ghost = state.ghosts[pin.ghost]
            rotate(target[3:7], pin.edge, target[:3])
            for k in range(3):
                ghost.rate[k] = (target[k] - ghost.edge[k]) / h
                ghost.edge[k] = target[k]
