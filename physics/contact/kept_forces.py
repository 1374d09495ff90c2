"""Forces of what touches, kept with its pairs from step to step: what rests so keeps resting after few rounds."""

from math import inf

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, plus, scaled, vector
from ..model import CAPSULES, FEATURES, SURFACES, State
from .renewed_list import clear_force
from .scratch import PLANES


@kernel
def pair_of(state: State, row: np.record) -> np.record:
    """The PAIR of a CONTACT."""
    if row.listing == CAPSULES:
        return state.pairs[row.pair]
    if row.listing == PLANES:
        return state.plane_pairs[row.pair]
    if row.listing == SURFACES:
        return state.surface_pairs[row.pair]
    return state.feature_pairs[row.pair]


@kernel
def pressing(row: np.record) -> Vector:
    """What the second of a CONTACT does to the first, along n and across it [unit of its impulses]."""
    return plus(scaled(row.normal, vector(row.n)), 1.0, vector(row.along))


@kernel
def begin(row: np.record, force: np.ndarray, unit: float) -> None:
    """Begin a CONTACT with a kept force (4,) [N]; unit [1/N]: of its impulses."""
    inside = row.n[0] * force[1] + row.n[1] * force[2] + row.n[2] * force[3]
    row.normal = force[0] * unit
    for c in range(3):
        row.along[c] = (force[1 + c] - inside * row.n[c]) * unit
    row.gain, row.left, row.longest, row.give = 1.0, 0.0, inf, 0.0
    for k in range(4):
        row.slave[k] = row.frame[k] = -1


@kernel
def clear_forces(state: State) -> None:
    """No pair touches."""
    for p in range(max(state.listings[CAPSULES].count, 0)):
        clear_force(state.pairs[p])
    for p in range(len(state.plane_pairs)):
        clear_force(state.plane_pairs[p])
    for p in range(max(state.listings[SURFACES].count, 0)):
        if state.surface_pairs[p].force[0] != 0.0:
            clear_force(state.surface_pairs[p])
    for p in range(max(state.listings[FEATURES].count, 0)):
        clear_force(state.feature_pairs[p])


@kernel
def keep_forces(state: State, contacts: np.ndarray, unit: float) -> None:
    """Remember each touching pair's force [N], normal and tangential, for the next step, and how hard rods are pressed,
    of all rods and bodies; unit [N]: of impulses.
    """
    clear_forces(state)
    for r in range(len(state.rods)):
        state.rods[r].pressed = 0.0
    add_forces(state, contacts, unit)


@kernel
def add_forces(state: State, contacts: np.ndarray, unit: float) -> None:
    """Remember those of more pairs."""
    for q in range(len(contacts)):
        row = contacts[q]
        force, along = pair_of(state, row).force, row.along
        force[0] = unit * row.normal
        force[1], force[2], force[3] = unit * along[0], unit * along[1], unit * along[2]
        for side in range(2):
            if row.rod[side] >= 0:
                rod = state.rods[row.rod[side]]
                rod.pressed = max(rod.pressed, force[0] / row.radius)
