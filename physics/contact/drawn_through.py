"""Rods that are drawn through each other: which of their contacts lead them out.

Two lines that cross are nearest at the crossing, and come apart across both (see `detect.across`). The edges beside the
crossing are nearest at their ends, where the way from one to the other goes along the lines: contacts there would push
the rods sideways past each other, each against the next, as long as they are deep. They are left out while the next
edge is deeper, as it always is towards the crossing.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import dot
from ..model import CAPSULES, Model, State
from .along_rod import adjoin, edge_after, edge_before, nearest

DEEP = 0.05  # of the smaller radius: what is drawn deeper into each other, and what comes near enough to be left to
DEEPER = 0.01  # of the smaller radius


@kernel
def leave_out_beside(model: Model, state: State, x: np.ndarray, contacts: np.ndarray) -> int:
    """Keep of `contacts` of rods drawn into something those that lead out, in place, vertices being at x (N, 3);
    returns how many are left.
    """
    any_drawn = False
    for r in range(len(model.rods)):
        any_drawn = any_drawn or state.rods[r].drawn_in > DEEP
    return keep_deepest(model, state, x, contacts) if any_drawn else len(contacts)


@entry
def keep_deepest(model: Model, state: State, x: np.ndarray, contacts: np.ndarray) -> int:
    """The same, where some rod is drawn into something."""
    count = 0
    for q in range(len(contacts)):
        row = contacts[q]
        if row.listing == CAPSULES and row.gap < 0.0 and is_beside(model, state, x, row):
            continue
        if count < q:
            contacts[count] = contacts[q]
        count += 1
    return count


@kernel
def is_beside(model: Model, state: State, x: np.ndarray, row: np.record) -> bool:
    """Whether a contact of capsules is at an end beyond which the rod goes deeper into the other."""
    if max(state.rods[row.rod[0]].drawn_in, state.rods[row.rod[1]].drawn_in) <= DEEP:
        return False
    pair, deep = state.pairs[row.pair], max(-row.gap + DEEPER * row.radius, DEEP * row.radius)
    i, j, s, t = pair.i, pair.j, row.share[1], -row.share[3]
    return is_deeper(model, x, beyond(model, i, s), j, deep) or is_deeper(model, x, beyond(model, j, t), i, deep)


@kernel
def beyond(model: Model, i: int, s: float) -> int:
    """The capsule that goes on from the end of capsule i at which s (0 to 1) is, or −1."""
    if s == 0.0:
        return edge_before(model.capsules, model.rods, i)
    return edge_after(model.capsules, model.rods, i) if s == 1.0 else -1


@kernel
def is_deeper(model: Model, x: np.ndarray, i: int, j: int, deep: float) -> bool:
    """Whether capsules i, if there is one, and j are deeper in each other than `deep` [m]."""
    if i < 0 or adjoin(model.capsules[i], model.capsules[j]):
        return False
    way, _, edges = nearest(model.capsules, model.rods, i, j, x, 0.0)
    reach = model.capsules[i].radius + model.capsules[j].radius - deep
    return edges >= 0 and reach > 0.0 and dot(way, way) < reach * reach
