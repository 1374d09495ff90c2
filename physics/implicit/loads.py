"""What acts on vertices besides elastic forces, in an implicit step: inertia, and drag and Kelvin–Voigt damping, linear
in the velocity at its end.
"""

from math import pi, sqrt

import numpy as np

from .._jit import kernel
from ..forces.drag import SKIN_FRICTION
from ..model import Model, State
from ..rods.chain import chain_edges, hinges_of
from ..rods.internal_damping import edge_rates, turning_gradient
from ..rods.scratch import ElasticScratch
from .scratch import ImplicitScratch


@kernel
def lay_drag(model: Model, state: State, own: ImplicitScratch, r: int, i: int) -> None:
    """The air's drag and that of drag fields on vertex i of rod r: see forces/drag. Its factor is that of the velocity
    now.
    """
    x, v, node, here, t = state.x, state.v, model.nodes[i], state.fields[i], own.along[i]
    a, b, size = max(i - 1, model.rods[r].first), min(i + 1, model.rods[r].last), 0.0
    for c in range(3):
        t[c] = x[b, c] - x[a, c]
        size += t[c] * t[c]
    size = 1.0 / sqrt(size)
    along = total = square = wind = 0.0
    for c in range(3):
        t[c] *= size
        u = v[i, c] - here.air[c]
        along += t[c] * u
        wind += t[c] * here.air[c]
        total += u * u
        square += v[i, c] * v[i, c]
    half = 0.5 * model.world[0].air_density
    leaves, k = half * node.leaf_area * sqrt(total), half * node.drag_area
    across = leaves + k * sqrt(max(total - along * along, 0.0))
    more = leaves + k * pi * SKIN_FRICTION * abs(along) - across
    for c in range(3):
        own.force[i, c] += across * here.air[c] + more * wind * t[c]
    own.drag[i, 0] = across + node.mass * (here.brake[0] + here.brake[1] * sqrt(square))
    own.drag[i, 1] = more


@kernel
def lay_damping(model: Model, state: State, own: ImplicitScratch, work: ElasticScratch, r: int) -> None:
    """How the turning angles of rod r's hinges change with its edges, at predicted positions."""
    rate, rods = work.rate, model.rods
    a, b = rods[r].frame, rods[r].last + r + 2
    begin, end = hinges_of(rods, r, state.ghosts)
    chain_edges(rods, r, state.ghosts, state.x, own.e)
    edge_rates(state.v[rods[r].first : rods[r].last + 1], state.ghosts[2 * r : 2 * r + 2], rate[a:b])
    for h in range(begin, end):
        turning_gradient(own.e, rate, h + r, own.before[h], own.behind[h])


@kernel
def turning(model: Model, state: State, work: ImplicitScratch, r: int, h: int, s: float) -> float:
    """Rate [rad/s] of the turning angle at hinge h of rod r."""
    x, rest, a, b, rate = state.x, work.rest, work.before[h], work.behind[h], 0.0
    for c in range(3):
        if h > model.rods[r].first:
            rate += a[c] * (x[h, c] - rest[h, c] - x[h - 1, c] + rest[h - 1, c])
        else:
            rate += a[c] * s * state.ghosts[2 * r].rate[c]
        if h < model.rods[r].last:
            rate += b[c] * (x[h + 1, c] - rest[h + 1, c] - x[h, c] + rest[h, c])
        else:
            rate += b[c] * s * state.ghosts[2 * r + 1].rate[c]
    return rate / s


@kernel
def add_inertia(x: np.ndarray, work: ImplicitScratch, first: int, n: int, block: int, s: float) -> None:
    """M (x − y)/s² − f, and drag on what x − rest is in the time s, of n vertices from node `first` on, with
    so many unknowns each.
    """
    a, y = work.matrix, work.unknown
    for i in range(n):
        k, m = first + i, work.inertia[first + i]
        across, more, t = work.drag[k, 0] / s, work.drag[k, 1] / s, work.along[k]
        moved = 0.0
        for c in range(3):
            moved += more * t[c] * (x[k, c] - work.rest[k, c])
        for c in range(3):
            for d in range(c, 3):
                a[block * i + c, d - c] += more * t[c] * t[d]
            a[block * i + c, 0] += m + across
            slowed = across * (x[k, c] - work.rest[k, c]) + moved * t[c]
            y[block * i + c] += work.force[k, c] - m * (x[k, c] - work.drift[k, c]) - slowed


@kernel
def lay_spin(model: Model, own: ImplicitScratch, r: int, s: float) -> None:
    """Inertia m r²/2 of the frames of rod r, of round edges, in the time s."""
    nodes, first, frame, last = model.nodes, model.rods[r].first, model.rods[r].frame, model.rods[r].last
    for f in range(frame, frame + last - first + 2):
        i = first + f - frame  # the vertex behind it
        before, behind = nodes[max(i - 1, first)], nodes[min(i, last)]
        own.spin[f] = 0.25 * (before.mass + behind.mass) * before.radius * behind.radius / (s * s)
