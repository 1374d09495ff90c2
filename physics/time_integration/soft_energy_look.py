"""The same look (see energy_look) at steps of soft bodies: what constraints and contacts have done, by work."""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot, plus, scaled, vector
from ..model import Model, State
from ..sheets.motion import plates_hold
from ..solids.constraints import spring_energy
from ..solids.energy import elastic_energy
from .energy_look import GAIN, QUIET, is_gain
from .even_division import ROUNDING
from .workspace import Workspace

SECOND = 1.0  # [s] in which what steps together win would not be seen, while they are few


@kernel
def measure_soft_work(model: Model, state: State, work: Workspace, h: float, kicked: float) -> None:
    """Into work.look, at the end of a step of h [s] after which forces alone would have left the velocities solids.free
    (N, 3), besides what they kick in so long a time [s] now: what is won but for what leads in constraints, kinetic
    energy where it began, and what is too little to be seen.
    """
    look, own, w, old = work.look[0], work.solids, state.w, work.old
    won = before = quiet = 0.0
    for i in range(len(w)):
        if w[i] > 0.0:
            was, m = vector(old.v[i]), 1.0 / w[i]
            won += 0.5 * dot(impulse(state, work, i, kicked), plus(vector(state.v[i]), 1.0, was))
            before += 0.5 * m * dot(was, was)
            quiet += 0.5 * m * (QUIET * own.height[i] / h) ** 2
    constraints = model.solids.constraints
    for r in range(len(constraints)):
        if constraints[r].first_sample >= 0:
            i, d = constraints[r].node[0], vector(own.rows[r].direction)
            speed = 0.5 * (dot(d, vector(state.v[i])) + dot(d, vector(old.v[i])))
            won -= max(speed * dot(d, impulse(state, work, i, kicked)), 0.0)
    look.won, look.held, look.quiet = won, before, quiet


@kernel
def impulse(state: State, work: Workspace, i: int, kicked: float) -> tuple[float, float, float]:
    """What constraints and contacts have given node i [kg m/s]."""
    own, w = work.solids, state.w[i]
    free = plus(vector(own.free[i]), kicked * w, vector(own.force[i]))
    free = plus(free, kicked, vector(own.weight[i]))
    m = 1.0 / w if w > 0.0 else 0.0
    return scaled(m, plus(vector(state.v[i]), -1.0, free))


@kernel
def measure_stages(model: Model, state: State, work: Workspace, b: np.ndarray, h: float) -> None:
    """The same of a step of Runge and Kutta's of h [s], and of all before: what kinetic energy rises by besides the
    powers at its stages, which count b (s,), and elastic energy besides those that these put into it. No stage sees
    what begins or ends to lead at once: such a step has won nothing.
    """
    look, own, v, old = work.look[0], work.solids, state.v, work.old
    before, now = 0.5 * paired(model, old.v, old.v), 0.5 * paired(model, v, v)
    look.elastic_now = elastic_energy(model.solids, state.x)
    won, quiet = now - before + look.elastic_now - look.elastic, 0.0
    for i in range(len(v)):
        if model.nodes[i].mass > 0.0:
            quiet += 0.5 * model.nodes[i].mass * (QUIET * own.height[i] / SECOND) ** 2
    for s in range(len(b)):
        if b[s] != 0.0:
            won += h * b[s] * (own.power[s] - paired(model, own.slopes[s, 0], own.slopes[s, 1]))
    time = state.clock[0].time
    if is_jerked(model, model.solids.anchors, time, h) or is_jerked(model, model.solids.constraints, time, h):
        won = 0.0
    look.closed = won
    look.won, look.held, look.quiet = state.clock[0].gained + won, before + look.elastic, quiet


@kernel
def is_jerked(model: Model, rows: np.ndarray, time: float, h: float) -> bool:
    """Whether a curve that leads one of ANCHOR or CONSTRAINT begins or ends in a step of h [s] from a time [s]."""
    before, behind = time - ROUNDING * h, time + (1.0 + ROUNDING) * h
    for k in range(len(rows)):
        if rows[k].first_sample >= 0:
            first, last = model.times[rows[k].first_sample], model.times[rows[k].end_sample - 1]
            if before < first <= behind or before < last <= behind:
                return True
    return False


@kernel
def paired(model: Model, u: np.ndarray, v: np.ndarray) -> float:
    """uᵀM v of velocities or accelerations (N, 3), with the scheme's own mass, lumped or that of eq. (25)."""
    total = 0.0
    if not model.solids.mass.consistent[0]:
        for i in range(len(u)):
            total += model.nodes[i].mass * dot(vector(u[i]), vector(v[i]))
        return total
    for e in range(len(model.solids.tetrahedra)):
        node, a, b, own = model.solids.tetrahedra[e].node, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
        for k in range(4):
            one, other = vector(u[node[k]]), vector(v[node[k]])
            a, b, own = plus(a, 1.0, one), plus(b, 1.0, other), own + dot(one, other)
        total += model.solids.tetrahedra[e].mass / 20.0 * (own + dot(a, b))
    return total


@kernel
def total_power(f: np.ndarray, v: np.ndarray) -> float:
    """Σ f·v [W] of forces and velocities (N, 3)."""
    total = 0.0
    for i in range(len(f)):
        total += dot(vector(f[i]), vector(v[i]))
    return total


@kernel
def soft_wins(model: Model, state: State, work: Workspace) -> bool:
    """Whether a step of soft bodies that is about to be accepted, and was measured, has won energy."""
    look = work.look[0]
    look.closed += look.won
    look.won -= look.given
    look.shown = look.given
    if not is_gain(look, GAIN * state.clock[0].most):
        return False
    look.held += held_by_solids(model, state, work)
    return is_gain(look, GAIN * max(state.clock[0].most, look.held))


@kernel
def held_by_solids(model: Model, state: State, work: Workspace) -> float:
    """Elastic energy [J] where a step began."""
    held = elastic_energy(model.solids, work.old.x) + spring_energy(model, work.old.x, state.clock[0].time)
    return held + plates_hold(model.solids, work.old.x, work.solids.old_directors)
