"""Rows of contacts between rods or rigid bodies and soft bodies, found as those with colliders (see `coupled_pairs`),
but that what is touched is moved: the foot of a contact on a face, an edge or a vertex goes with its nodes, by its
barycentric coordinates. Both sides are pushed at that foot, so that both momenta are kept.

Nodes of soft bodies are counted on from those of rods.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import plus, vector
from ..model import Model, OldState, State
from .carriers.soft_surface import carry, carry_foot
from .contact_features import LED, first_of, first_thing, second_of, second_thing
from .detect import slide
from .feature_contact import features_meet
from .scratch import SHAPES, SURFACES, VERTICES
from .surface_contact import collider_of, place_of, surface_meets
from .surface_pairs import closed


@kernel
def coupled_contacts(
    model: Model, soft: Model, state: State, old: OldState, near: np.ndarray, contacts: np.ndarray, count: int
) -> int:
    """Fill the rows behind the first `count` with what touches; returns how many there are in all.

    model: with soft bodies' surfaces; soft: theirs; near (N,): see ContactScratch.
    """
    count = of_bodies(model, soft, state, old, contacts, count)
    return of_rods(model, soft, state, old.x, near, contacts, count)


@kernel
def of_bodies(model: Model, soft: Model, state: State, old: OldState, contacts: np.ndarray, count: int) -> int:
    """The rows of rigid bodies."""
    before, behind, pairs = (old.x, old.bodies, (0.0, 0.0)), (state.x, state.bodies, (1.0, 1.0)), state.shape_pairs
    for p in range(state.shape_listing[0].count):
        if pairs[p].gap > state.shape_listing[0].near and pairs[p].force[0] == 0.0:
            continue
        row = contacts[min(count, len(contacts) - 1)]
        if not features_meet(model, pairs[p], before, behind, row):
            continue
        (of, k, _), b = first_of(model, pairs[p].i), row.body[0]
        point = plus(vector(row.arm[0]), 1.0, vector(old.bodies[b].x))
        if of == LED:
            thickness = model.surfaces.colliders[first_thing(model, pairs[p].i)[1]].thickness
            carry(soft, row, 3, k, -1.0)
            point = vector(model.surfaces.samples[0, k])
        else:
            thickness = model.surfaces.colliders[second_thing(model, pairs[p].j)[1]].thickness
            point = plus(point, -row.gap - thickness, vector(row.n))
            carry_foot(soft, row, second_of(model, pairs[p].j)[1], point, -1.0)
        row.listing, row.pair, row.radius = SHAPES, p, min(row.radius, thickness)
        for c in range(3):
            row.arm[0, c] = point[c] - old.bodies[b].x[c]
        finish(row, len(model.nodes), 0)
        count += 1
    return count


@kernel
def of_rods(
    model: Model, soft: Model, state: State, x0: np.ndarray, near: np.ndarray, contacts: np.ndarray, count: int
) -> int:
    """The rows of rods."""
    time, pairs, last, gone, sliding = state.clock[0].time, state.surface_pairs, -1, 0.0, (-1, -1)
    for p in range(max(state.surface_listing[0].count, 0)):
        pair = pairs[p]
        if pair.i != last:
            last, gone = pair.i, closed(model, state, x0, time, pair.i)
        if max(pair.gap, pair.wakes_near) > near[pair.i] and pair.force[0] == 0.0:
            continue
        row = contacts[min(count, len(contacts) - 1)]
        meets = surface_meets(model, pair, (x0, state.x), (0.0, 1.0), (-gone, near[pair.i] - gone), False, row)
        if meets:
            s, d, _ = place_of(model, pair, x0, (0.0, 1.0))
            a, b = row.node[0], row.node[1]
            foot = plus(plus(vector(x0[a]), s, plus(vector(x0[b]), -1.0, vector(x0[a]))), -1.0, d)
            carry_foot(soft, row, pair.j, foot, -1.0)
            soft_one = model.surfaces.colliders[collider_of(model.surfaces, pair.j)]
            row.listing, row.pair, row.around = SURFACES, p, soft_one.thickness
            row.radius = min(row.radius, soft_one.thickness)
            finish(row, len(model.nodes), 2 if s > 0.0 else 1)
            count += 1
        sliding = slide(pairs, p, meets, sliding)
    return count


@kernel
def finish(row: np.record, nodes: int, own: int) -> None:
    """The second of a CONTACT is a soft body, whose nodes, all but the first `own`, are counted on from so many nodes;
    any that there is where they have no share.
    """
    row.carrier[1] = VERTICES
    for c in range(3):
        row.drift[c] = 0.0
    for k in range(own, 4):
        row.node[k] = row.node[k] + nodes if row.share[k] != 0.0 else 0
