"""Where along Newton's step to go: to where the slope of what it minimises vanishes (see wall_contact), which is found
by the Illinois variant of the regula falsi (Dowell & Jarratt 1971): where things begin to slide or to touch may be any
small part of the step away, and beyond it Newton would only come back.
"""

import numpy as np

from .._jit import kernel
from ..model import Model
from .scratch import ImplicitScratch
from .wall_contact import list_pressing, work_along

TRIES = 30  # at most
FLAT = 1e-3  # of the slope at the start, which counts as none


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
    if not steep > 0.0:
        return most
    found = 0, 0.0, 0.0
    for c in range(len(work.together)):
        if c == only or (only < 0 and work.together[c]):
            found = list_pressing(x, x0, work, contacts, c, (most, h), found)
    count, work_now, less = found
    low, high, falls, rises, part, last = 0.0, most, -steep, steep, most, 0.0
    for k in range(TRIES):
        slope = (part - 1.0) * steep + work_now - part * less - work_along(work, contacts, count, h, part)
        if abs(slope) <= FLAT * steep or (k == 0 and slope < 0.0):
            return part
        if slope < 0.0:
            low, falls = part, slope
            rises *= 0.5 if last < 0.0 else 1.0
        else:
            high, rises = part, slope
            falls *= 0.5 if last > 0.0 else 1.0
        part, last = (low * rises - high * falls) / (rises - falls), slope
    return part


@kernel
def steepness(model: Model, work: ImplicitScratch, c: int) -> float:
    """dx·A dx of the solution of chain c, with frames."""
    chain, total = model.chain_system.chains[c], 0.0
    for j in range(chain.row, chain.row + chain.size * chain.blocks):
        total += work.side[j] * work.unknown[j]
    for i in range(chain.edge[0], chain.edge[1]):
        j = chain.row + chain.size * i + 3
        total -= 2.0 * work.side[j] * work.unknown[j]
    return total
