"""Response of what touches: how far unit forces at each contact move all contacts, D = N A⁻¹ Nᵀ (Delassus).

A is the factorised matrix of the step, N has a contact's signed shares of its vertices, for each axis. Contacts move
each other where they are at the same group of chains: for each group there is a square of blocks (3, 3), of all its
meetings, each a contact's side in it (both sides, where both are).
"""

import numpy as np

from .._jit import kernel
from ..model import Model
from . import border, rod_equations
from .scratch import BLOCK, ContactResponse, ImplicitScratch
from .ties import gather, scatter


@kernel
def clear_side(model: Model, work: ImplicitScratch, g: int) -> None:
    """No right-hand side for the chains of group g."""
    system = model.chain_system
    for c in range(system.groups[g].first, system.groups[g].end):
        chain = system.chains[c]
        for j in range(chain.row, chain.row + BLOCK * chain.blocks):
            work.unknown[j] = 0.0


@kernel
def solve_group(model: Model, work: ImplicitScratch, g: int) -> None:
    """Solve for work.unknown of group g, from what its elimination left."""
    system = model.chain_system
    first, end = system.groups[g].first, system.groups[g].end
    none, tied = work.cells[:0, :0], system.chains[first].columns > 0
    if tied:
        for k in range(len(work.border)):
            work.border[k] = 0.0
    for c in range(first, end):
        chain, k = system.chains[c], system.chains[c].columns
        row, count = chain.row, BLOCK * chain.blocks
        a, y, side = work.matrix[row:], work.unknown[row:], work.own_side[:k]
        if k == 0:
            rod_equations.resolve(a, y, count, none, side)
            rod_equations.substitute(a, y, count, none, side)
            continue
        gather(model, work, c)
        rod_equations.resolve(a, y, count, work.cells[row : row + count, :k], side)
        for q in range(k):
            work.border[system.border[chain.border + q]] += side[q]
    if not tied:
        return
    border.substitute(model, work)
    for c in range(first, end):
        chain, k = system.chains[c], system.chains[c].columns
        row, count = chain.row, BLOCK * chain.blocks
        border.read(model, work, chain.border, work.own_side[:k])
        cells = work.cells[row : row + count, :k]
        rod_equations.substitute(work.matrix[row:], work.unknown[row:], count, cells, work.own_side[:k])
        scatter(model, work, c)


@kernel
def group_of(model: Model, node: int) -> int:
    """The group of chains that a node is in."""
    return model.chain_system.chains[model.chain_system.chain[node]].group


@kernel
def meet(model: Model, contacts: np.ndarray, own: ContactResponse) -> int:
    """Number the meetings of all contacts, group by group; returns how many blocks their squares have, all in all."""
    begin, square, groups = own.begin, own.square, len(model.chain_system.groups)
    for g in range(groups + 1):
        begin[g] = 0
    for q in range(len(contacts)):
        one = group_of(model, contacts[q].node[0])
        other = one if contacts[q].wall else group_of(model, contacts[q].node[2])
        begin[one + 1] += 1
        if other != one:
            begin[other + 1] += 1
    square[0] = 0
    for g in range(groups):
        square[g + 1] = square[g] + begin[g + 1] ** 2
        begin[g + 1] += begin[g]
    for q in range(len(contacts)):
        one = group_of(model, contacts[q].node[0])
        other = one if contacts[q].wall else group_of(model, contacts[q].node[2])
        own.meeting[q, 0], own.meeting[q, 1] = begin[one], -1
        own.contact[begin[one]], own.group[begin[one]] = q, one
        begin[one] += 1
        if other != one:
            own.meeting[q, 1] = begin[other]
            own.contact[begin[other]], own.group[begin[other]] = q, other
            begin[other] += 1
    for g in range(groups, 0, -1):
        begin[g] = begin[g - 1]
    begin[0] = 0
    return square[groups]


@kernel
def respond(model: Model, work: ImplicitScratch, contacts: np.ndarray, own: ContactResponse) -> None:
    """Fill D of all meetings."""
    for g in range(len(model.chain_system.groups)):
        begin, count = own.begin[g], own.begin[g + 1] - own.begin[g]
        for e in range(count):
            own.diagonal[begin + e] = own.square[g] + count * e + e
            for axis in range(3):
                clear_side(model, work, g)
                push(model, work, contacts[own.contact[begin + e]], g, axis, 1.0)
                solve_group(model, work, g)
                for l in range(count):
                    block = own.blocks[own.square[g] + count * e + l]
                    for d in range(3):
                        block[d, axis] = moved(model, work, contacts[own.contact[begin + l]], g, d)


@kernel
def push(model: Model, work: ImplicitScratch, row: np.record, g: int, axis: int, force: float) -> None:
    """Add the force [N] along an axis on a CONTACT to the right-hand side of group g, or of all: −1."""
    for k in range(4):
        if row.share[k] != 0.0 and (g < 0 or group_of(model, row.node[k]) == g):
            work.unknown[model.chain_system.place[row.node[k]] + axis] += row.share[k] * force


@kernel
def moved(model: Model, work: ImplicitScratch, row: np.record, g: int, axis: int) -> float:
    """How far [m] the solution moves the first point of a CONTACT against the second along an axis, by group g alone,
    or by all: −1.
    """
    way = 0.0
    for k in range(4):
        if row.share[k] != 0.0 and (g < 0 or group_of(model, row.node[k]) == g):
            way += row.share[k] * work.unknown[model.chain_system.place[row.node[k]] + axis]
    return way
