"""Contact springs, as the papers have them (Liesenfeld & Stolfi 1997, §7; Spillmann & Teschner 2007): what overlaps is
pushed apart by a spring along n, what sticks is held by one across it that gives way at μ N, and neither ever pulls: a
spring ends where the overlap does. The one along n is a law of its own, of the overlap y alone and of no step,

    N = k a (exp(y/a) − 1),   a = r/400,   k = 10 B/r³,

r the smaller radius: what bends a rod around another, ½ B/r², sinks in by .8 % of the radius, 10⁴ times as much by
3.1 %. It stiffens as it is pressed, dN/dy = (N + k a)/a, for which `step_limit` keeps steps short enough. Each of two
rods gives half the way, 1/k = ½ (1/k₁ + 1/k₂), and walls and bodies none of it.

A step begins with the forces of the last one, and each contact in turn then takes that of its own overlap y at the end
of the step, by its mobility w with the chains (backward Euler, so an impact cannot throw), and of a damper for a part D
of the way from the overlap y₀ at the start:

    y = y* − w λ,   λ = h² N(y) + D (y − y₀)/w,   y* what it would be without the contact.

What is deep, as drawn or driven, leaves no faster than RECOVERY_SPEED. Friction, too, answers to where a step leads
with the last one's force: without that, it would go against what it holds itself, and creep.

The second treatment beside `inequality_constraints`, and a check of them that shares with them where things touch, and
what carries them.
"""

from math import exp, log1p

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import dot, plus, scaled, vector
from ..model import Model
from .carriers.body import Held
from .carriers.points import moved, push
from .friction_cone import friction_along
from .inequality_constraints import RECOVERY_SPEED
from .scratch import VERTICES

STEEP = 400.0  # r/a: dN/dy is N/r so many times
FIRM = 10.0  # k over B/r³
STICKING = 0.25  # of what one step could hold across; four times that, of all springs at one vertex, is not stable
DAMPING = 0.25  # D
PRECISION = 1e-12  # of z
ITERATIONS = 50  # at most: begun above the root of a convex function, Newton's come down to it in a few


@entry
def press(
    model: Model, contacts: np.ndarray, x: np.ndarray, x0: np.ndarray, w: np.ndarray, held: Held, frames: np.ndarray,
    h: float,
) -> None:  # fmt: skip
    """Push all that overlaps at the end of a step of h [s] from x0 (N, 3) [m]: x, where the forces of the last step
    lead, in place; impulses stay in the rows of CONTACT.
    """
    for q in range(len(contacts)):
        row = contacts[q]
        n, before, old = vector(row.n), row.normal, vector(row.along)
        way = moved(row, x, x0, held, frames)
        row.normal = pressing(row, firmness(model, row), dot(n, way), h)
        if row.normal == 0.0 and before == 0.0:
            continue
        along, _ = friction_along(row, way, STICKING / row.slide, row.normal)
        row.along[0], row.along[1], row.along[2] = along
        push(row, x, w, held, frames, plus(plus(scaled(row.normal - before, n), 1.0, along), -1.0, old))


@kernel
def firmness(model: Model, row: np.record) -> float:
    """k [N/m] of a CONTACT."""
    nodes, edges, give = model.nodes, model.edges, 0.0
    for side in range(2):
        if row.carrier[side] & VERTICES:
            i = row.node[2 * side]
            give += nodes[i].radius ** 3 / max(edges[i].stiffness[0], edges[i].stiffness[1])
    return 2.0 * FIRM / give


@kernel
def pressing(row: np.record, firm: float, up: float, h: float) -> float:
    """The impulse [kg m] of a CONTACT of k = firm [N/m] in a step of h [s] in which the points would move apart by up
    [m] with the one that it has.
    """
    mobility, a, overlap = row.weight / row.gain, row.radius / STEEP, max(0.0, -row.gap)
    alone = mobility * row.normal - row.gap - up  # y*
    if alone + DAMPING * overlap <= 0.0:
        return 0.0
    y = a * squeeze((1.0 + DAMPING) * a, mobility * h * h * firm * a, alone + DAMPING * overlap)
    most = (alone + row.gap + RECOVERY_SPEED * row.radius * h) / mobility
    return max(0.0, min((alone - y) / mobility, most, row.normal + row.longest / row.weight))


@kernel
def squeeze(p: float, q: float, t: float) -> float:
    """z with p z + q (exp z − 1) = t, all positive."""
    z = min(t / p, log1p(t / q))
    for _ in range(ITERATIONS):
        grown = exp(z)
        change = (p * z + q * (grown - 1.0) - t) / (p + q * grown)
        z -= change
        if not change > PRECISION * z:
            break
    return z
