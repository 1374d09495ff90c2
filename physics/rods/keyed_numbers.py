"""Numbers of a rod that go with time: those at a step's end are laid into the Model's tables before it is tried, from
the rod's own numbers and the time alone, so a step that is taken back, or resumed, finds the same.

With f, b, s, m what length, bending, stretching and shape are times the rod's own, and φ what its twist is more,

    l = f l⁰,   B, β = b B⁰, b β⁰,   EA = s EA⁰,   ω̄ = m ω̄⁰,   m̄_i = m m̄_i⁰ + φ (l_i/2β_i)/Σ l/2β;

of a hinge B/l_i and 2β/l_i are b/f of its own, and the largest ω² is at most max(b/f³, s/f) of its own; b f as well of
a Cosserat rod, whose κ goes with b, for both come from Young's modulus, and whose directors keep their inertia.

Between samples numbers are on cubics with given slopes: see assemble/keyed.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.intervals import sample_before
from ..model import Model
from .winch import lay_winch

LENGTH, BENDING, STRETCHING, SHAPE, TWIST, DAMPING, FRICTION, PAID_OUT = range(8)  # columns of KEY


@kernel
def number(keys: np.ndarray, row: np.record, k: int, time: float) -> float:
    """Number k of a KEYED at `time` [s]; held beyond its keys."""
    first, last = row.first_key, row.end_key - 1
    if time <= keys[first].time or first == last:
        return keys[first].value[k]
    if time >= keys[last].time:
        return keys[last].value[k]
    low = sample_before(keys["time"], first, last + 1, time)
    one, two = keys[low], keys[low + 1]
    span = two.time - one.time
    s = (time - one.time) / span
    r = 1.0 - s
    change = s * s * (1.0 + 2.0 * r) * (two.value[k] - one.value[k])  # exactly none where there is none
    return one.value[k] + change + span * s * r * (r * one.slope[k] - s * two.slope[k])


@kernel
def time_of(keys: np.ndarray, row: np.record, k: int, time: float, most: float, longest: float) -> float:
    """How long [s] from `time` number k of a KEYED surely takes to change by `most`, up to the longest. Between two
    keys it goes one way (Fritsch & Butland 1984), no faster than the cubic is at its steepest.
    """
    first, last, now = row.first_key, row.end_key - 1, max(time, keys[row.first_key].time)
    if first == last:
        return longest
    low, value = sample_before(keys["time"], first, last + 1, now), number(keys, row, k, now)
    while low < last and now < time + longest:
        way = abs(keys[low + 1].value[k] - value)
        if way > most:
            return min(now - time + most / steepest(keys[low], keys[low + 1], k, now), longest)
        most, now, value, low = most - way, keys[low + 1].time, keys[low + 1].value[k], low + 1
    return longest


@kernel
def steepest(one: np.record, two: np.record, k: int, time: float) -> float:
    """The largest |slope| [1/s] of number k from `time` on to a key, the one before it being `one`: that of its cubic,

    a s² + b s + c,   c = y′₁,   b = 6 Δ − 4 y′₁ − 2 y′₂,   a = 3 (y′₁ + y′₂ − 2 Δ),   Δ = (y₂ − y₁)/(t₂ − t₁).
    """
    span = two.time - one.time
    c, end, mean = one.slope[k], two.slope[k], (two.value[k] - one.value[k]) / span
    a, b, s = 3.0 * (c + end - 2.0 * mean), 6.0 * mean - 4.0 * c - 2.0 * end, max((time - one.time) / span, 0.0)
    top = -0.5 * b / a if a != 0.0 else 1.0
    most = max(abs((a * s + b) * s + c), abs(end))
    return max(most, abs((a * top + b) * top + c)) if s < top < 1.0 else most


@kernel
def lay_numbers(model: Model, time: float) -> None:
    """Into the Model's tables the numbers at `time` [s]."""
    for q in range(len(model.keyed.keyed)):
        lay_rod(model, model.keyed.keyed[q], time)


def numbers_at(model: Model, time: float) -> None:
    """What `lay_numbers` does; nothing is compiled where there is nothing to do."""
    if len(model.keyed.keyed):
        lay_now(model, time)


@entry
def lay_now(model: Model, time: float) -> None:
    """Called from Python."""
    lay_numbers(model, time)


@kernel
def lay_rod(model: Model, row: np.record, time: float) -> None:
    """Those of a KEYED."""
    base, keys, r = model.keyed, model.keyed.keys, row.rod
    f, b, s = number(keys, row, LENGTH, time), number(keys, row, BENDING, time), number(keys, row, STRETCHING, time)
    m, twist = number(keys, row, SHAPE, time), number(keys, row, TWIST, time)
    slow, rubs = number(keys, row, DAMPING, time), number(keys, row, FRICTION, time)
    rod, own, stiffer = model.rods[r], base.rods[r], max(b / (f * f * f), s / f)
    rod.limit = (max(stiffer, b * f) if rod.cosserat else stiffer) * own.limit
    rod.bend_max, rod.shortest, rod.longest = b * own.bend_max, f * own.shortest, f * own.longest
    rod.twist_compliance, rod.natural_twist = f / b * own.twist_compliance, m * own.natural_twist + twist
    each = twist / own.twist_compliance
    for i in range(rod.first, rod.last + 1):
        lay_vertex(model, i, f, b, s, m)
        hinge = model.hinges[i]
        if hinge.twist_rate > 0.0:
            hinge.rest_twist += each / base.hinges[i].twist_rate
        hinge.viscosity = slow * b / f * base.hinges[i].viscosity
        model.nodes[i].friction = rubs * base.nodes[i].friction
    for c in range(len(model.capsules)):
        if model.capsules[c].rod == r:
            model.capsules[c].friction = rubs * base.capsules[c].friction
    if rod.cosserat:
        for i in range(rod.last - rod.first + 1):
            lay_joint(model, rod.bend + i, f, b, m, slow, each)
        for i in range(rod.last - rod.first + 2):
            one, was = model.segments[rod.segment + i], base.segments[rod.segment + i]
            one.length, one.stretch, one.parallel = f * was.length, s * was.stretch, b * was.parallel
            one.viscosity = slow * s * was.viscosity
    if row.reels != 0:
        lay_winch(model, row, number(keys, row, PAID_OUT, time))


@kernel
def lay_vertex(model: Model, i: int, f: float, b: float, s: float, m: float) -> None:
    """Of the edge that leaves vertex i, and of its hinge."""
    edge, was = model.edges[i], model.keyed.edges[i]
    edge.length, edge.stretch = f * was.length, s * was.stretch
    for c in range(2):
        edge.stiffness[c] = b * was.stiffness[c]
    hinge, own = model.hinges[i], model.keyed.hinges[i]
    if own.bend == 0.0:
        return  # there is none
    hinge.bend, hinge.twist_rate = b / f * own.bend, b / f * own.twist_rate
    hinge.bent, hinge.rest_twist = m * m * own.bent, m * own.rest_twist
    hinge.rest_share = 1.0 / sqrt(1.0 + hinge.bent)
    for c in range(4):
        hinge.bending[c], hinge.rest_curvature[c] = b / f * own.bending[c], m * own.rest_curvature[c]


@kernel
def lay_joint(model: Model, j: int, f: float, b: float, m: float, slow: float, each: float) -> None:
    """Of a BEND; each: what is more of its twist times its rate [N m]."""
    one, own = model.bends[j], model.keyed.bends[j]
    one.length = f * own.length
    for c in range(3):
        one.rest[c], one.stiffness[c] = m / f * own.rest[c], b * own.stiffness[c]
        one.viscosity[c] = slow * b * own.viscosity[c]
    one.rest[2] += each * own.length / own.stiffness[2] / one.length
