"""Which contacts with walls are equations of the band (see `wall_contact`), and which answer as edges that touch do
(see `contact_correction`).

The band takes any number of them at hardly any cost. But each iteration gets only to where the next of them begins or
ceases to press, or to slide: a dozen of them take a dozen iterations and more, where sweeps over their response take
two. And where edges press on a chain as well, what each of both solves for upsets the other, and what slides to and fro
on a wall keeps all from ending. So a chain that other edges press on, or surfaces, unless it rolls on them, has its
walls among the edges, if there are not many: the squares of their response grow with that.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot, plus, vector
from ..contact.carriers.chain import moved
from ..contact.scratch import MOVED, VERTICES
from ..model import SURFACES, Model
from .scratch import ImplicitScratch

MANY, FEW = 128, 64  # walls that press on a chain which edges press on, and on another one
NEAR = 0.1  # radii: edges that near may press
HASTY = 384  # the former in Preview, where so many iterations as the band takes are too many


@kernel
def divide(
    model: Model, x: np.ndarray, x0: np.ndarray, contacts: np.ndarray, spare: np.ndarray, work: ImplicitScratch
) -> int:
    """Put the contacts that are the band's behind the others; returns how many others there are. x, x0: (N, 3) expected
    and old positions; spare: CONTACT (1,).
    """
    most = HASTY if model.world[0].preview else MANY
    chain, walls = model.chain_system.chain, work.wall  # how many walls press on a chain that edges press on too
    for c in range(len(walls)):
        walls[c] = most + 1  # neither edges nor surfaces do
    for q in range(len(contacts)):
        row = contacts[q]
        if not at_wall(row) and (row.normal > 0.0 or row.gap < NEAR * row.radius):
            for k in range(4):
                if row.share[k] != 0.0 and chain[row.node[k]] >= 0:
                    walls[chain[row.node[k]]] = 0
        elif row.listing == SURFACES and chain[row.node[0]] >= 0:
            walls[chain[row.node[0]]] = min(walls[chain[row.node[0]]], 0 if model.world[0].preview else most - FEW)
    for q in range(len(contacts)):
        row = contacts[q]
        if at_wall(row) and chain[row.node[0]] >= 0:
            way = plus(moved(row, x, x0), -1.0, vector(row.drift))
            walls[chain[row.node[0]]] += int(row.normal > 0.0 or row.gap + dot(row.n, way) < 0.0)
    others = 0
    for q in range(len(contacts)):
        row = contacts[q]
        in_band = at_wall(row)
        if in_band and others < len(work.response.meeting):
            c = chain[row.node[0]]
            one = row.share[1] == 0.0 or chain[row.node[1]] == c
            in_band = not (one and c >= 0 and walls[c] <= most)
        if not in_band:
            if others < q:
                spare[0] = contacts[others]
                contacts[others] = contacts[q]
                contacts[q] = spare[0]
            others += 1
    work.newton[0].pairs = others
    return others


@kernel
def at_wall(row: np.record) -> bool:
    """Whether a CONTACT is of a rod and of what nothing pushes."""
    return row.carrier[0] & VERTICES != 0 and not row.carrier[1] & MOVED
