"""Embedded Runge–Kutta pairs of orders 4 and 5 for soft bodies, their steps adapted to a tolerance: Fehlberg's of 1969,
which goes on with the fourth order (Liesenfeld & Stolfi 1997, §8), and that of Dormand & Prince (1980), with the fifth,
whose last stage is the next step's first. The mass is lumped or consistent, viscosity explicit.

Both of Fehlberg's results swell what oscillates: by R(z) = Σ zᵏ/k! + c₅ z⁵ + c₆ z⁶ with k ≤ 4,

    |R(iy)|² = 1 + 2 (c₅ − c₆ − 1/144) y⁶ + O(y⁸),    c₅, c₆ = 1/104, 0 of the fourth order, 1/120, 1/2080 of the fifth,

so fast vibrations, which need only be stable, would grow until they reach the tolerance, and keep steps short. All that
is on the line through both results is of fourth order. What lies 50/33 of the way from the fourth to the fifth has no
such term: it calms all that oscillates with y < 3.88, slow things by a mere y⁸/21 500. Steps may be as long as that.

What the two orders differ by, over a body's size for x and over its speed of sound c for v, may be no more than the
tolerance times (ωh)², ω = πc/size that of the slowest wave in it. So h³ goes with the tolerance. Energy drifts with h⁵
(an error of fourth order is, as motion itself is, the same backwards in time: with it energy only sways), so by
10^(5/3) = 46 less for a decade of the tolerance; with (ωh)¹, errors per unit of time, by 10^(5/4) = 18.

A stage at which an element's volume is not within .7 and 1/.7 of what it was ends the attempt.
"""

from math import inf, pi, sqrt
from typing import NamedTuple

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy, copy_rows
from ..arithmetic.vectors import dot, vector
from ..compiling.by_reference import by_reference
from ..forces.pressure import bursts, pressure_forces
from ..forces.surface_drag import drag_forces
from ..model import Model, State
from ..solids.collapse import volume_ratios
from ..solids.constraints import constrain, direct, led, meet, meet_rates, place_anchors, spring_forces
from ..solids.critical_step import critical_step
from ..solids.energy import elastic_energy
from ..solids.forces import clear, elastic_forces, viscoelastic_forces
from ..solids.mass import accelerate
from .energy_look import TOLD, is_gain, note
from .even_division import ROUNDING, driver
from .halving import halving
from .soft_energy_look import is_jerked, measure_stages, total_power
from .symplectic_euler import DONE, GAINS, TOO_FAR, fastest_thing
from .velocity_verlet import FINEST, begin, keeps_shape
from .workspace import Workspace

SAFE, LEAST, MOST = 0.9, 0.2, 5.0  # of the step that the tolerance allows; by what it may change at once
SLOW = 1.0 / 3.0  # power of an error that grows with h³
QUICK, LASTING = 0.7 * SLOW, 0.4 * SLOW  # of this error and of the last one (Gustafsson 1991): steady
SHORT = 1e-3  # of the time in which sound crosses a body
BEGIN = 0.1  # of the critical step: the very first one


@by_reference
class Pair(NamedTuple):
    """Coefficients: of s stages at the times c (s,), whose slopes count a (s, s) in later ones, b (s,) in the end, and
    e (s,) in the error.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    e: np.ndarray


def _pair(rows: list[list[float]], fourth: list[float], fifth: list[float], go_on: list[float]) -> Pair:
    a = np.zeros((len(fifth), len(fifth)))
    for s, row in enumerate(rows, start=1):
        a[s, :s] = row
    return Pair(a, np.array(go_on), a.sum(axis=1), np.array(fifth) - np.array(fourth))


CALM = 50 / 33  # of the way from Fehlberg's fourth order to his fifth
_FOURTH = [25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0]
_OF_FIFTH = [16 / 135, 0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55]
FEHLBERG = _pair(
    [
        [1 / 4],
        [3 / 32, 9 / 32],
        [1932 / 2197, -7200 / 2197, 7296 / 2197],
        [439 / 216, -8, 3680 / 513, -845 / 4104],
        [-8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40],
    ],
    _FOURTH,
    _OF_FIFTH,
    [b + CALM * (other - b) for b, other in zip(_FOURTH, _OF_FIFTH, strict=True)],
)
_FIFTH = [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0]
DORMAND_PRINCE = _pair(
    [
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        _FIFTH[:-1],
    ],
    [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40],
    _FIFTH,
    _FIFTH,
)
PAIRS = {"FEHLBERG": FEHLBERG, "DORMAND_PRINCE": DORMAND_PRINCE}

# viscous, the tolerance, max_step and the shortest step [s]
Own = tuple[Model, State, Workspace, Pair, bool, float, float, float]


@kernel
def slope(model: Model, state: State, work: Workspace, viscous: bool, time: float, s: int) -> None:
    """work.solids.slopes[s]: velocities and accelerations at the stage in work.solids.trial and .correction."""
    solids, own, w = model.solids, work.solids, state.w
    x, v, a = own.trial, own.correction, own.slopes[s, 1]
    place_anchors(model, time, x, v)
    if viscous:
        viscoelastic_forces(solids, x, v, a, own.jacobian)
    else:
        elastic_forces(solids, x, a, own.jacobian)
    own.power[s] = total_power(a, v)
    spring_forces(model, x, time, a)
    pressure_forces(model, x, time, a)
    drag_forces(model, x, v, state.fields, own.rate, a)
    for k in range(len(solids.mass.couplings)):
        i, j = solids.mass.couplings[k].node, solids.anchors[solids.mass.couplings[k].anchored].node
        m = solids.mass.couplings[k].mass
        _, _, bend = led(model, solids.anchors[solids.mass.couplings[k].anchored], time)
        for c in range(3):
            a[i, c] -= m * (bend[c] - own.weight[j, c])
    accelerate(model, own, w, a)
    for i in range(len(w)):
        if w[i] > 0.0:
            brake = state.fields[i].brake
            slowing = brake[0] + brake[1] * sqrt(dot(vector(v[i]), vector(v[i])))
            for c in range(3):
                a[i, c] += own.weight[i, c] - slowing * v[i, c]
    for k in range(len(solids.anchors)):
        _, _, bend = led(model, solids.anchors[k], time)
        i = solids.anchors[k].node
        a[i, 0], a[i, 1], a[i, 2] = bend
    constrain(model, own, w, x, v, a, time)
    copy_rows(v, own.slopes[s, 0])


@kernel
def go_to(state: State, work: Workspace, factors: np.ndarray, count: int, h: float) -> None:
    """The stage in work.solids.trial and .correction: where slopes so far lead in h [s]."""
    own = work.solids
    copy_rows(state.x, own.trial)
    copy_rows(state.v, own.correction)
    for s in range(count):
        if factors[s] != 0.0:
            add(h * factors[s], own.slopes[s, 0], own.trial)
            add(h * factors[s], own.slopes[s, 1], own.correction)


@kernel
def add(k: float, u: np.ndarray, x: np.ndarray) -> None:
    """x += k u, (n, 3)."""
    for i in range(len(x)):
        x[i, 0] += k * u[i, 0]
        x[i, 1] += k * u[i, 1]
        x[i, 2] += k * u[i, 2]


@kernel
def largest_error(model: Model, state: State, work: Workspace, pair: Pair, h: float) -> float:
    """What the tolerance limits in a step of h [s]: errors of x over a body's size, of v over its speed of sound, over
    (ωh)², ω of its slowest wave. A step shorter than the shortest time that counts, as where what leads begins or ends,
    counts as that long. Fills search and answer.
    """
    own, worst = work.solids, 0.0
    clear(own.search)
    clear(own.answer)
    for s in range(len(pair.e)):
        add(pair.e[s], own.slopes[s, 0], own.search)
        add(pair.e[s], own.slopes[s, 1], own.answer)
    for b in range(len(model.solids.bodies)):
        body = model.solids.bodies[b]
        crossing = body.size / body.speed
        turned = pi * max(h / crossing, SHORT)
        at_x, at_v = h / (turned * turned * body.size), h / (turned * turned * body.speed)
        for i in range(body.node[0], body.node[1]):
            for c in range(3):
                error = max(at_x * abs(own.search[i, c]), at_v * abs(own.answer[i, c]))
                if state.w[i] > 0.0 and not error <= worst:
                    worst = error
    return worst


@kernel
def stages(model: Model, state: State, work: Workspace, pair: Pair, viscous: bool, h: float) -> tuple[bool, float]:
    """The stages of a step of h [s] after the first: whether all elements kept their shape, and its error; its end is
    in work.solids.trial and .correction.
    """
    own, time, count = work.solids, state.clock[0].time, len(pair.b)
    for s in range(1, count):
        go_to(state, work, pair.a[s], s, h)
        slope(model, state, work, viscous, time + pair.c[s] * h, s)
        if not keeps_shape(own.jacobian, own.old_jacobian):
            return False, 0.0
    go_to(state, work, pair.b, count, h)
    volume_ratios(model.solids.tetrahedra, own.trial, own.jacobian)
    whole = keeps_shape(own.jacobian, own.old_jacobian) and not bursts(model, own.trial)
    return whole, largest_error(model, state, work, pair, h)


@kernel
def begin_step(own: Own) -> tuple[int, int, float]:
    """The first slopes, and what an attempt changes remembered: see `halving`."""
    model, state, work, _, viscous, _, _, _ = own
    copy_rows(state.x, work.old.x)
    copy_rows(state.v, work.old.v)
    if not work.tried[0].known:
        copy_rows(state.x, work.solids.trial)
        copy_rows(state.v, work.solids.correction)
        slope(model, state, work, viscous, state.clock[0].time, 0)
        work.tried[0].known = True
    return DONE, -1, 0.0


@kernel
def attempt(own: Own, h: float, _usual: float, _begun: float, last: bool) -> tuple[int, int, int]:
    """One of h [s], looked at and accepted: see `halving`; GAINS also of one in which what leads begins or ends."""
    model, state, work, pair, viscous, tolerance, _, _ = own
    scratch, clock, solids, tried = work.solids, state.clock[0], model.solids, work.tried[0]
    whole, error = stages(model, state, work, pair, viscous, h)
    tried.error_now = error if whole else 0.0
    if not (whole and error <= tolerance):
        return TOO_FAR, -1, -1
    copy_rows(scratch.trial, state.x)
    copy_rows(scratch.correction, state.v)
    place_anchors(model, clock.time + h, state.x, state.v)
    direct(model, scratch, state.x)
    meet(model, scratch, state.w, state.x, state.v, clock.time + h, np.inf)
    meet_rates(model, scratch, state.w, state.v, clock.time + h)
    measure_stages(model, state, work, pair.b, h)
    won = is_gain(work.look[0], TOLD * max(clock.most, work.look[0].held))
    begun = clock.time + 2.0 * ROUNDING * h  # what begins to lead right there needs no shorter step
    jerked = is_jerked(model, solids.anchors, begun, h) or is_jerked(model, solids.constraints, begun, h)
    if (won or jerked) and not last:
        clock.step = 0.25 * h
        return GAINS, -1, -1
    note(state, work, h, won, fastest_thing(model, state, work.old)[0] if won else 0)
    clock.gained = 0.0 if won else max(work.look[0].won, 0.0)
    clock.time += h
    adapt(own, h)
    copy(scratch.jacobian, scratch.old_jacobian)
    end = len(pair.b) - 1
    tried.known = pair.c[end] == 1.0 and pair.b[end] == 0.0 and len(scratch.rows) == 0
    if tried.known:
        copy_rows(scratch.slopes[end, 0], scratch.slopes[0, 0])
        copy_rows(scratch.slopes[end, 1], scratch.slopes[0, 1])
        scratch.power[0] = scratch.power[end]
    return DONE, -1, -1


@kernel
def adapt(own: Own, h: float) -> None:
    """The next step, by the errors of one of h [s] that counts and of the one before it. One that is far shorter than
    it might be, as a stretch ends, says little of longer ones.
    """
    _, state, work, _, _, tolerance, _, _ = own
    clock, tried, error = state.clock[0], work.tried[0], max(work.tried[0].error_now, 1e-6 * own[5])
    longer = h * min(MOST, SAFE * (tolerance / error) ** QUICK * (tried.error / tolerance) ** LASTING)
    clock.step = max(clock.step, longer) if 2.0 * h < clock.step else longer
    tried.error = error


@kernel
def take_back(own: Own) -> None:
    """To where it began."""
    copy_rows(own[2].old.x, own[1].x)
    copy_rows(own[2].old.v, own[1].v)


@kernel
def shorter(own: Own, status: int, h: float, _usual: float) -> float:
    """What to try next [s], or 0: see `halving`."""
    _, state, work, _, _, tolerance, _, shortest = own
    wanted = 0.25 * h
    if status != GAINS:
        error = work.tried[0].error_now
        wanted = h * (max(LEAST, SAFE * (tolerance / error) ** SLOW) if error > tolerance else 0.5)
        state.clock[0].step = wanted
    return wanted if wanted >= shortest else 0.0


@kernel
def longest(own: Own, _taken: int, _halved: bool, _kept: float) -> tuple[float, float]:
    """The longest step now [s]: see even_division.driver."""
    return min(own[1].clock[0].step, own[6]), 0.0


go_on = driver(longest, halving(begin_step, attempt, take_back, shorter), 0.0, 0.0, 1, inf)


@entry
def runge_kutta_steps(
    model: Model,
    state: State,
    work: Workspace,
    pair: Pair,
    viscous: bool,
    duration: float,
    tolerance: float,
    max_step: float,
) -> tuple[int, int, float]:
    """Go on by `duration` [s]. Returns (status, steps taken, time left undone [s])."""
    begin(model, state, work.solids, 0.0)
    copy(work.solids.jacobian, work.solids.old_jacobian)
    if state.clock[0].step == 0.0:
        state.clock[0].step = BEGIN * critical_step(model, work.solids, state)
    work.look[0].elastic = elastic_energy(model.solids, state.x)
    work.tried[0].known, work.tried[0].error = False, tolerance
    own = model, state, work, pair, viscous, tolerance, max_step, FINEST * duration
    status, _, _, taken, left = go_on(own, duration, 0.0, 0.0)
    return status, taken, left
