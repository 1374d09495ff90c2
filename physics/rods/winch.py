"""A winch at an end of a rod: what of a rod has numbers that go with the length L that is paid out, and with nothing
else.

Vertices are counted from the winch, 0 is held by it; edge k leads from vertex k to k + 1 and is l_k long. Of the rod as
far as vertex k so much is out:

    s_n = L,   s_k = s_{k+1} − l_k.

Vertex f is the first with s_f ≥ c l_{f−1}, c = LEAST_PIECE. It and all behind it are out; those before it lie at vertex
0, REELED times as far apart as they are by nature, so that edges there have directions, that in which the rod leaves
(constraints/reeling). The edge before f reaches as far as s_f from the winch, from c of a piece to that more than one,
and pieces come and go at its least length.

Mass: let G be that of the rod from the winch on, less what the vertices behind f have of their own. With τ, which grows
from 0 to 1 as long as f is the first,

    m_f = τ G,   m_{f+1} = m⁰_{f+1} + (1 − τ) G:

so a vertex that comes or goes has no mass (but for LEAST), all masses are continuous, and what is out has as much as
it is long, to round-off. All of it moves along with the rod, also what is nearer to the winch than half a piece; so
kinetic energy, momentum along the rod and weight are continuous as well.

Inertia: a short edge of tension T, at a light vertex, would swing at ω² = T (1/s + 1/l)/m, without a bound. What vertex
f weighs along the rod is borne by the winch alone, for its distance from there is given, and across it goes by s/l of
what the rod does. So it may be as inert as keeps ω² to that inside the rod, 4T/(m l), or less:

    1/w_f = max(m_f, ½ m⁰ (1 + l/s)).

Its weight stays m_f g. The rod turns freely at a winch, so that its curvature begins from nought there; the stiffness
of the hinge at f, B/s² to a push across, goes with (s/l)².
"""

import numpy as np

from .._jit import kernel
from ..model import Model
from ..scene import LEAST_PIECE
from .softening import soften

REELED = 1e-6  # of a thousand pieces an eighth of LEAST_PIECE
LEAST = 1e-3  # of G, that a vertex has at least, for implicit steps divide by it: energy rises by so much of what G has


@kernel
def vertex(rod: np.record, reels: int, k: int) -> int:
    """Node of vertex k from the winch."""
    return rod.first + k if reels > 0 else rod.last - k


@kernel
def edge(rod: np.record, reels: int, k: int) -> int:
    """Node that numbers edge k from the winch."""
    return rod.first + k if reels > 0 else rod.last - k - 1


@kernel
def first_out(rod: np.record, reels: int) -> int:
    """f."""
    return rod.reeled[0 if reels > 0 else 1]


@kernel
def out_of(rod: np.record) -> tuple[int, int]:
    """First and last node of those that no winch holds."""
    return rod.first + rod.reeled[0], rod.last - rod.reeled[1]


@kernel
def own_length(model: Model, row: np.record, k: int) -> float:
    """l_k [m]."""
    return model.keyed.edges[edge(model.rods[row.rod], row.reels, k)].length


@kernel
def outward(model: Model, row: np.record, k: int) -> float:
    """What vertex k has of the mass of edge k [kg]; the rest is of edge k − 1."""
    rod = model.rods[row.rod]
    mass, n = model.keyed.nodes[vertex(rod, row.reels, k)].mass, rod.last - rod.first
    if k == 0 or k == n:
        return mass if k == 0 else 0.0
    before, behind = own_length(model, row, k - 1), own_length(model, row, k)
    return mass * behind / (before + behind)


@kernel
def edge_mass(model: Model, row: np.record, k: int) -> float:
    """Mass of edge k [kg]."""
    node = vertex(model.rods[row.rod], row.reels, k + 1)
    return outward(model, row, k) + model.keyed.nodes[node].mass - outward(model, row, k + 1)


@kernel
def lay_winch(model: Model, row: np.record, out: float) -> None:
    """Into the Model's tables what a KEYED with a winch has with so much paid out [m], in place of the rod's own."""
    rod, reels = model.rods[row.rod], row.reels
    n, f, s = rod.last - rod.first, rod.last - rod.first, out
    while f > 1 and s - own_length(model, row, f - 1) >= LEAST_PIECE * own_length(model, row, f - 2):
        s -= own_length(model, row, f - 1)
        f -= 1
    here = vertex(rod, reels, f)
    rod.reeled[0 if reels > 0 else 1] = f
    reeled = 0.0
    for k in range(n + 1):
        i = vertex(rod, reels, k)
        node, own = model.nodes[i], model.keyed.nodes[i]
        node.mass, node.w, node.drag_area, node.leaf_area = own.mass, own.w, own.drag_area, own.leaf_area
        if k < f - 1:
            model.edges[edge(rod, reels, k)].length = REELED * own_length(model, row, k)
            reeled += model.edges[edge(rod, reels, k)].length
        if k < f:
            soften(model, i, 0.0, 1.0)
    model.edges[edge(rod, reels, f - 1)].length = s - reeled
    last = own_length(model, row, f - 1)
    part = min(s / last, 1.0)
    soften(model, here, part * part, 1.0)
    lay_masses(model, row, f, s)
    node, own = model.nodes[here], model.keyed.nodes[here]
    node.w = own.w * own.mass / max(node.mass, 0.5 * own.mass * (1.0 + last / s))
    node.drag_area, node.leaf_area = part * own.drag_area, part * own.leaf_area


@kernel
def lay_masses(model: Model, row: np.record, f: int, s: float) -> None:
    """m_f and m_{f+1} with s_f = s [m]."""
    rod, last = model.rods[row.rod], own_length(model, row, f - 1)
    before = own_length(model, row, f - 2) if f > 1 else 0.0
    more = outward(model, row, f) + min(s / last, 1.0) * edge_mass(model, row, f - 1)
    if s > last and f > 1:
        more += (s - last) / before * edge_mass(model, row, f - 2)
    tau = min(max((s - LEAST_PIECE * last) / ((1.0 - LEAST_PIECE) * last + LEAST_PIECE * before), 0.0), 1.0)
    share = LEAST + (1.0 - LEAST) * tau
    model.nodes[vertex(rod, row.reels, f)].mass = share * more
    i = vertex(rod, row.reels, f + 1)
    node, own = model.nodes[i], model.keyed.nodes[i]
    node.mass = own.mass + (1.0 - share) * more
    node.w = own.w * own.mass / node.mass
