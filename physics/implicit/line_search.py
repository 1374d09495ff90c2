"""Where along Newton's step to go: to where the slope of what it minimises vanishes (see wall_contact)."""

import numpy as np

from .._jit import kernel
from ..model import Model
from .scratch import ImplicitScratch
from .wall_contact import surplus

HALVINGS = 12
FLAT = 1e-6  # of the slope at the start, which counts as none


@kernel
def go_to_rest(
    model: Model,
    x: np.ndarray,
    x0: np.ndarray,
    work: ImplicitScratch,
    contacts: np.ndarray,
    h: float,
    most: float,
    only: int,
) -> float:
    """The part, at most `most`, of the solution of a chain, or of all of work.together (−1), at which the slope along
    it vanishes: see wall_contact.
    """
    steep = 0.0
    for c in range(len(work.together)):
        if c == only or (only < 0 and work.together[c]):
            steep += steepness(model, work, c)
    if only < 0:
        for k in range(len(work.border)):
            steep += work.border[k] * work.border_side[k]
    low, high = 0.0, most
    for k in range(HALVINGS):
        part = most if k == 0 else 0.5 * (low + high)
        slope = (part - 1.0) * steep
        for c in range(len(work.together)):
            if c == only or (only < 0 and work.together[c]):
                slope += surplus(x, x0, work, contacts, c, h, part)
        if slope <= FLAT * steep:
            low = part
            if k == 0:
                return most
        else:
            high = part
    return high


@kernel
def steepness(model: Model, work: ImplicitScratch, c: int) -> float:
    """dx·A dx of chain c's solution."""
    chain, total = model.chain_system.chains[c], 0.0
    for j in range(chain.row, chain.row + chain.size * chain.blocks):
        total += work.side[j] * work.unknown[j]
    for i in range(chain.edge[0], chain.edge[1]):
        j = chain.row + chain.size * i + 3
        total -= 2.0 * work.side[j] * work.unknown[j]
    return total
