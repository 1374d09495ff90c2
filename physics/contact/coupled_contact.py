"""Rows of contacts between rods or rigid bodies and soft bodies. Those of bodies are found as all of surfaces are
(`feature_contact`); those of rods as with colliders (see `coupled_pairs`), but that what is touched is moved: both
sides are pushed at the foot of a contact, which goes with its nodes, so that both momenta are kept.

Nodes of soft bodies are counted on from those of rods.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import plus, vector
from ..model import SURFACES, Model, OldState, State
from .carriers.soft_surface import carry_foot
from .detect import meeting_features, slide
from .scratch import VERTICES
from .surface_contact import collider_of, place_of, surface_meets
from .surface_pairs import closed


@kernel
def coupled_contacts(
    model: Model, state: State, old: OldState, near: np.ndarray, contacts: np.ndarray, count: int, h: float
) -> int:
    """Fill the rows behind the first `count` with what touches in a step of h [s]; returns how many there are in all.

    near (N,): see ContactScratch.
    """
    total = meeting_features(model, state, old, contacts, count, h)
    for q in range(count, min(total, len(contacts))):
        count_on(contacts[q], len(model.nodes), 0)
    return of_rods(model, state, old.x, near, contacts, total)


@kernel
def of_rods(model: Model, state: State, x0: np.ndarray, near: np.ndarray, contacts: np.ndarray, count: int) -> int:
    """The rows of rods."""
    time, pairs, last, gone, sliding = state.clock[0].time, state.surface_pairs, -1, 0.0, (-1, -1)
    for p in range(max(state.listings[SURFACES].count, 0)):
        pair = pairs[p]
        if pair.i != last:
            last, gone = pair.i, closed(model, state, x0, time, pair.i)
        if max(pair.gap, pair.wakes_near) > near[pair.i] and pair.force[0] == 0.0:
            continue
        row = contacts[min(count, len(contacts) - 1)]
        meets = surface_meets(model, pair, (x0, state.x, state.x), (0.0, 1.0), (-gone, near[pair.i] - gone), False, row)
        if meets:
            s, d, _ = place_of(model, pair, x0, (0.0, 1.0))
            a, b = row.node[0], row.node[1]
            foot = plus(plus(vector(x0[a]), s, plus(vector(x0[b]), -1.0, vector(x0[a]))), -1.0, d)
            carry_foot(model, row, pair.j, foot, -1.0)
            soft_one = model.surfaces.colliders[collider_of(model.surfaces, pair.j)]
            row.listing, row.pair, row.around = SURFACES, p, soft_one.thickness
            row.radius, row.carrier[1] = min(row.radius, soft_one.thickness), VERTICES
            row.drift[0] = row.drift[1] = row.drift[2] = 0.0
            count_on(row, len(model.nodes), 2 if s > 0.0 else 1)
            count += 1
        sliding = slide(pairs, p, meets, sliding)
    return count


@kernel
def count_on(row: np.record, nodes: int, own: int) -> None:
    """The nodes of a CONTACT but the first `own` are of soft bodies, counted on from so many; any that there is where
    they have no share.
    """
    for k in range(own, 4):
        row.node[k] = row.node[k] + nodes if row.share[k] != 0.0 else 0
