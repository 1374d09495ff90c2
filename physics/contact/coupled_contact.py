"""Rows of contacts between rods or rigid bodies and soft bodies. Those of bodies are found as all of surfaces are
(`feature_contact`); those of rods as with colliders (see `coupled_pairs`), but that what is touched is moved: both
sides are pushed at the foot of a contact, which goes with its nodes, so that both momenta are kept.

Nodes of soft bodies are counted on from those of rods.
"""

from math import inf

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import plus, vector
from ..constraints.chain_mobility import mobility as chain_mobility
from ..model import Model, OldState, State
from .carriers import body, body_surface, chain, frame
from .carriers.body import Held
from .carriers.soft_surface import carry_foot
from .detect import LONGEST_PUSH, slide
from .feature_contact import features_meet
from .friction_moments import arm_of, turn_one
from .renewed_list import clear_force
from .surface_contact import collider_of, place_of, surface_meets
from .surface_pairs import closed


@kernel
def coupled_contacts(
    model: Model, state: State, old: OldState, near: np.ndarray, contacts: np.ndarray, count: int
) -> int:
    """Fill the rows behind the first `count` with what touches; returns how many there are in all.

    near (N,): see ContactScratch.
    """
    count = of_bodies(model, state, old, contacts, count)
    return of_rods(model, state, old.x, near, contacts, count)


@kernel
def of_bodies(model: Model, state: State, old: OldState, contacts: np.ndarray, count: int) -> int:
    """The rows of rigid bodies."""
    before, behind, pairs = (old.x, old.bodies, (0.0, 0.0)), (state.x, state.bodies, (1.0, 1.0)), state.shape_pairs
    for p in range(state.shape_listing[0].count):
        if pairs[p].gap > state.shape_listing[0].near and pairs[p].force[0] == 0.0:
            continue
        row = contacts[count]
        if not features_meet(model, pairs[p], before, behind, row):
            continue
        row.pair = p
        finish(row, len(model.nodes), 0)
        count += 1
    return count


@kernel
def of_rods(model: Model, state: State, x0: np.ndarray, near: np.ndarray, contacts: np.ndarray, count: int) -> int:
    """The rows of rods."""
    time, pairs, last, gone, sliding = state.clock[0].time, state.surface_pairs, -1, 0.0, (-1, -1)
    for p in range(max(state.surface_listing[0].count, 0)):
        pair = pairs[p]
        if pair.i != last:
            last, gone = pair.i, closed(model, state, x0, time, pair.i)
        if max(pair.gap, pair.wakes_near) > near[pair.i] and pair.force[0] == 0.0:
            continue
        row = contacts[count]
        meets = surface_meets(model, pair, (x0, state.x), (0.0, 1.0), (-gone, near[pair.i] - gone), False, row)
        if meets:
            s, d, _ = place_of(model, pair, x0, (0.0, 1.0))
            a, b = row.node[0], row.node[1]
            foot = plus(plus(vector(x0[a]), s, plus(vector(x0[b]), -1.0, vector(x0[a]))), -1.0, d)
            carry_foot(model, row, pair.j, foot, -1.0)
            soft_one = model.surfaces.colliders[collider_of(model.surfaces, pair.j)]
            row.pair, row.radius = p, min(row.radius, soft_one.thickness)
            finish(row, len(model.nodes), 2 if s > 0.0 else 1)
            count += 1
        sliding = slide(pairs, p, meets, sliding)
    return count


@kernel
def finish(row: np.record, nodes: int, own: int) -> None:
    """A CONTACT is no wall's, and its nodes but the first `own` are of soft bodies, counted on from so many nodes; any
    that there is where they have no share.
    """
    row.wall, row.surface, row.rod[1] = False, False, -1
    for c in range(3):
        row.drift[c] = 0.0
    for k in range(4):
        row.slave[k] = -1
        if k >= own:
            row.node[k] = row.node[k] + nodes if row.share[k] != 0.0 else 0


@kernel
def begin_coupled(
    model: Model,
    state: State,
    x0: np.ndarray,
    contacts: np.ndarray,
    w: np.ndarray,
    held: Held,
    frames: np.ndarray,
    unit: float,
) -> None:
    """Begin these contacts with the last step's forces and the mobility of what carries their points; x0 (N, 3): of
    rods' vertices; w: of all nodes; frames: see `carriers.frame`; unit [1/N]: of impulses.
    """
    for q in range(len(contacts)):
        row = contacts[q]
        force = state.shape_pairs[row.pair].force if row.of_shape else state.surface_pairs[row.pair].force
        row.on_body, row.rolls, row.longest, row.give = False, False, inf, 0.0
        if not row.of_shape:
            row.longest = LONGEST_PUSH * model.rods[row.rod[0]].shortest
            for k in range(2):
                if row.node[k] < len(model.nodes) and row.share[k] > 0.0:
                    row.slave[k] = model.nodes[row.node[k]].slave
                    row.on_body = row.on_body or row.slave[k] >= 0
        row.weight = row.slide = chain.mobility(row, w)
        along = across = 0.0
        if row.of_shape:
            along, across = body_surface.mobility(row, held)
        elif row.on_body:
            along, across = body.mobility(row, held)
        row.weight += along
        row.slide += across
        inside = row.n[0] * force[1] + row.n[1] * force[2] + row.n[2] * force[3]
        row.normal = force[0] * unit
        for c in range(3):
            row.along[c] = (force[1 + c] - inside * row.n[c]) * unit
        row.gain, row.left = 1.0, 0.0
        for k in range(4):
            row.frame[k] = -1
        if not row.of_shape:
            frame.take_one(model, state, x0, row, arm_to_foot(model, state, row))
            frame.ease(row, frames)


@kernel
def coupled_gains(
    contacts: np.ndarray, rods: np.ndarray, w: np.ndarray, o: np.ndarray, band: np.ndarray, held: Held
) -> None:
    """The gains of rows of rods: see `inequality_constraints.gains`; w: of all nodes."""
    for q in range(len(contacts)):
        row = contacts[q]
        if row.of_shape or (row.slave[0] >= 0 and row.slave[1] >= 0):
            continue
        if row.on_body:
            body.put_effective_masses_along(row, held, w)
        rod, a, n, edge = rods[row.rod[0]], row.node[0], vector(row.n), row.node[1] < len(o) and row.share[1] > 0.0
        whole = chain_mobility(rod, a, row.node[1] if edge else a + 1, row.share[1] if edge else 0.0, n, w, o, band)
        for k in range(4):
            if row.node[k] >= len(o):
                whole += w[row.node[k]] * row.share[k] * row.share[k]
        row.gain = row.weight / whole


@kernel
def arm_to_foot(model: Model, state: State, row: np.record) -> float:
    """[m] from a rod's centre line to the foot of a CONTACT on a soft body."""
    j = state.surface_pairs[row.pair].j
    return arm_of(model, row) + model.surfaces.colliders[collider_of(model.surfaces, j)].thickness


@kernel
def keep_coupled_moments(model: Model, state: State, contacts: np.ndarray, unit: float, share: float) -> None:
    """Remember the moments of friction on rods as well: see `friction_moments.keep_moments`, which comes first."""
    for q in range(len(contacts)):
        if not contacts[q].of_shape:
            turn_one(model, state, contacts[q], share * unit * arm_to_foot(model, state, contacts[q]))


@kernel
def keep_coupled_forces(state: State, contacts: np.ndarray, h: float) -> None:
    """Remember each touching pair's force [N], normal and tangential, for the next step."""
    for p in range(max(state.surface_listing[0].count, 0)):
        clear_force(state.surface_pairs[p])
    for p in range(max(state.shape_listing[0].count, 0)):
        clear_force(state.shape_pairs[p])
    for q in range(len(contacts)):
        row = contacts[q]
        force = state.shape_pairs[row.pair].force if row.of_shape else state.surface_pairs[row.pair].force
        force[0] = row.normal / (h * h)
        for c in range(3):
            force[1 + c] = row.along[c] / (h * h)
        if not row.of_shape:
            rod = state.rods[row.rod[0]]
            rod.pressed = max(rod.pressed, force[0] / row.radius)
