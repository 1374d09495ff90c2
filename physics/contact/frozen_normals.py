"""What normals that are frozen for a step miss: as things turn, what touches comes nearer than along them, by a part
that goes with the square of the step. Where that is deep, the surfaces count as so much nearer, and the step is solved
on from where it ended.
"""

from math import inf

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot
from ..model import FEATURES, SURFACES, Model, State
from .along_rod import nearest
from .carriers.led_surface import moment
from .detect import HELD
from .feature_contact import depth_of
from .scratch import PLANES
from .surface_contact import overlap_of


@kernel
def come_nearer(model: Model, state: State, contacts: np.ndarray, h: float, pressing: bool) -> bool:
    """Move the second of each CONTACT, or of those that press, nearer by what it is too deep behind a step of h [s];
    whether any is.
    """
    part, any_deep = moment(model.surfaces, state.clock[0].time + h), False
    for q in range(len(contacts)):
        row = contacts[q]
        if pressing and row.normal == 0.0:
            continue
        missed = depth_behind(model, state, row, part) - max(HELD * row.radius, -row.gap)
        if 0.0 < missed < inf:
            any_deep = True
            for c in range(3):
                row.drift[c] += missed * row.n[c]
    return any_deep


@kernel
def depth_behind(model: Model, state: State, row: np.record, part: float) -> float:
    """How deep [m] the two of a CONTACT are in each other, that part of the frame over; −∞: nowhere, or in a plane,
    whose normal stays.
    """
    if row.listing == FEATURES:
        return depth_of(model, state.feature_pairs[row.pair], (state.x, state.bodies, (part, 1.0)))[0]
    if row.listing == SURFACES:
        return overlap_of(model, state.surface_pairs[row.pair], state.x, part) * row.radius
    if row.listing == PLANES:
        return -inf
    pair = state.pairs[row.pair]
    way = nearest(model.capsules, model.rods, pair.i, pair.j, state.x, 0.0)[0]
    return model.capsules[pair.i].radius + model.capsules[pair.j].radius - np.sqrt(dot(way, way))
