"""Response of what touches: how far unit forces at each contact move all contacts, D = N A⁻¹ Nᵀ (Delassus).

A is the factorised matrix of the step, N has a contact's signed shares of its vertices, for each axis. Contacts move
each other where they are at the same group of chains: for each group there is a square of three rows for each of its
meetings, which is a contact's side in it (both sides, where both are).
"""

import numpy as np

from .._jit import kernel
from ..contact.carriers.points import carriers
from ..contact.scratch import FRAMES
from ..model import PANEL, Model
from . import border, rod_equations, spinning_rod
from .scratch import AT_ONCE, COLUMNS, MET, SEVEN, ContactResponse, ImplicitScratch
from .ties import resolve_tied, substitute_tied


@kernel
def clear_side(model: Model, work: ImplicitScratch, g: int) -> None:
    """No right-hand side for the chains of group g."""
    system = model.chain_system
    for c in range(system.groups[g].first, system.groups[g].end):
        chain = system.chains[c]
        for j in range(chain.row, chain.row + chain.size * chain.blocks):
            work.unknown[j] = 0.0


@kernel
def clear_border(work: ImplicitScratch) -> None:
    """No right-hand side for the border."""
    for k in range(len(work.border)):
        work.border[k] = 0.0


@kernel
def is_tied(model: Model, g: int) -> bool:
    """Whether group g has part in the border."""
    group = model.chain_system.groups[g]
    return group.first == group.end or model.chain_system.chains[group.first].panels > 0


@kernel
def reduce_group(model: Model, work: ImplicitScratch, g: int) -> None:
    """Solve for work.unknown of group g as if the border stood still, from what its elimination left; the border is
    asked for what that leaves.
    """
    for c in range(model.chain_system.groups[g].first, model.chain_system.groups[g].end):
        resolve_tied(model, work, c)


@kernel
def spread_border(model: Model, work: ImplicitScratch, g: int) -> None:
    """What the border's solution is for the unknowns of group g."""
    for c in range(model.chain_system.groups[g].first, model.chain_system.groups[g].end):
        substitute_tied(model, work, c)


@kernel
def group_of(model: Model, row: np.record, side: int) -> int:
    """The group of chains and bodies that a side of a CONTACT is in, or −1: it is a wall's."""
    if row.body[side] >= 0:
        return model.chain_system.of_body[row.body[side]]
    if row.rod[side] < 0:
        return -1
    return model.chain_system.chains[model.chain_system.chain[row.node[2 * side]]].group


@kernel
def meet(model: Model, contacts: np.ndarray, own: ContactResponse) -> int:
    """Number the meetings of all contacts, group by group; returns how many entries their squares have, all in all."""
    begin, square, groups = own.begin, own.square, len(model.chain_system.groups)
    for g in range(groups + 1):
        begin[g] = 0
    for q in range(len(contacts)):
        one, other = group_of(model, contacts[q], 0), group_of(model, contacts[q], 1)
        begin[one + 1] += 1
        if other != one and other >= 0:
            begin[other + 1] += 1
    square[0] = 0
    for g in range(groups):
        square[g + 1] = square[g] + 9 * begin[g + 1] ** 2
        begin[g + 1] += begin[g]
    for q in range(len(contacts)):
        one, other = group_of(model, contacts[q], 0), group_of(model, contacts[q], 1)
        own.meeting[q, 0], own.meeting[q, 1] = begin[one], -1
        own.contact[begin[one]], own.group[begin[one]] = q, one
        begin[one] += 1
        if other != one and other >= 0:
            own.meeting[q, 1] = begin[other]
            own.contact[begin[other]], own.group[begin[other]] = q, other
            begin[other] += 1
    for g in range(groups, 0, -1):
        begin[g] = begin[g - 1]
    begin[0], begin[groups + 1] = 0, begin[groups]
    return square[groups]


@kernel
def count_known(own: ContactResponse, g: int, known: int) -> int:
    """How many meetings of group g, its first, are of the first `known` contacts."""
    e = own.begin[g]
    while e < own.begin[g + 1] and own.contact[e] < known:
        e += 1
    return e - own.begin[g]


@kernel
def make_room(own: ContactResponse, groups: int, known: int) -> None:
    """Move the squares of so many groups from where the first `known` contacts alone have them."""
    end = 0
    for g in range(groups):
        end += 9 * count_known(own, g, known) ** 2
    for g in range(groups - 1, -1, -1):
        old, size = 3 * count_known(own, g, known), 3 * (own.begin[g + 1] - own.begin[g])
        end -= old * old
        for i in range(old - 1, -1, -1):
            for j in range(old - 1, -1, -1):
                own.entries[own.square[g] + size * i + j] = own.entries[end + old * i + j]


@kernel
def respond(model: Model, work: ImplicitScratch, contacts: np.ndarray, own: ContactResponse, known: int) -> None:
    """Fill D of all groups, but for what the first `known` contacts answer to each other."""
    for g in range(len(model.chain_system.groups)):
        begin, count, old = own.begin[g], own.begin[g + 1] - own.begin[g], count_known(own, g, known)
        d, size = own.entries[own.square[g] : own.square[g + 1]], 3 * count
        if is_tied(model, g):
            for e in range(old, count):
                respond_tied(model, work, contacts, own, g, e, d)
            continue
        if old == count:
            continue
        chain, low, last = model.chain_system.chains[model.chain_system.groups[g].first], len(own.sides), 0
        for e in range(count):
            first, end = rows_met(model, contacts[own.contact[begin + e]], g)
            low, last = min(low, first) if e < old else low, max(last, end)
        a, rows = work.matrix[chain.row :], chain.size * chain.blocks
        if chain.size == SEVEN:
            spinning_rod.find_rest(a, own.sides, last, rows, own.rest)
        else:
            rod_equations.find_rest(a, own.sides, last, rows, own.rest)
        for batch in range((count - old - 1) // AT_ONCE, -1, -1):
            low = respond_alone(model, work, contacts, own, g, (old, old + AT_ONCE * batch), (low, last))
        for i in range(3 * old, size):
            for j in range(3 * old):
                d[size * i + j] = d[size * j + i]
            for j in range(3 * old, i):
                d[size * j + i] = d[size * i + j]


@kernel
def respond_tied(
    model: Model, work: ImplicitScratch, contacts: np.ndarray, own: ContactResponse, g: int, e: int, d: np.ndarray
) -> None:
    """The rows and the columns of D, d, of the e-th meeting of group g."""
    begin, count = own.begin[g], own.begin[g + 1] - own.begin[g]
    for axis in range(3):
        clear_border(work)
        clear_side(model, work, g)
        push(model, work, contacts[own.contact[begin + e]], g, axis, 1.0)
        reduce_group(model, work, g)
        border.substitute(model, work)
        spread_border(model, work, g)
        for l in range(count):
            for k in range(3):
                way = moved(model, work, contacts[own.contact[begin + l]], g, k)
                d[3 * count * (3 * e + axis) + 3 * l + k] = d[3 * count * (3 * l + k) + 3 * e + axis] = way


@kernel
def rows_met(model: Model, row: np.record, g: int) -> tuple[int, int]:
    """(the first row, the last + 1) of the band of group g, one chain, that a CONTACT has to do with: whole blocks."""
    system, c = model.chain_system, model.chain_system.groups[g].first
    size = system.chains[c].size
    first, end = size * system.chains[c].blocks, 0
    for k in range(4):
        if row.share[k] != 0.0 and system.chain[row.node[k]] == c:
            i = system.place[row.node[k]] - system.chains[c].row
            first, end = min(first, i), max(end, i + size)
        if turns(model, row, k, g):
            i = system.angle[row.frame[k]] - system.chains[c].row
            first, end = min(first, i - i % size), max(end, i - i % size + size)
    return first, end


@kernel
def respond_alone(
    model: Model,
    work: ImplicitScratch,
    contacts: np.ndarray,
    own: ContactResponse,
    g: int,
    of: tuple[int, int],
    met: tuple[int, int],
) -> int:
    """The columns of D of AT_ONCE meetings of group g, where the group is one chain: in the rows of all that are known,
    and on and below the diagonal. of: how many those are, and the first of these; met: the first row of the chain that
    a known or a later meeting has to do with, and the last + 1 of all; returns the first of these, too.
    """
    system, begin, count = model.chain_system, own.begin[g], own.begin[g + 1] - own.begin[g]
    (known, e), (low, last), c, y, size = of, met, system.groups[g].first, own.sides, 3 * count
    chain, end, first = system.chains[c], min(e + AT_ONCE, count), len(own.sides)
    for m in range(e, end):
        first = min(first, rows_met(model, contacts[own.contact[begin + m]], g)[0])
    low = min(low, first)
    for j in range(low, last + MET):
        for q in range(COLUMNS):
            y[j].value[q] = 0.0
    for m in range(e, end):
        row = contacts[own.contact[begin + m]]
        for k in range(4):
            if row.share[k] != 0.0 and system.chain[row.node[k]] == c:
                for axis in range(3):
                    y[system.place[row.node[k]] - chain.row + axis].value[3 * (m - e) + axis] += row.share[k]
            if turns(model, row, k, g):
                for axis in range(3):
                    y[system.angle[row.frame[k]] - chain.row].value[3 * (m - e) + axis] += row.lever[k, axis]
    if chain.size == SEVEN:
        spinning_rod.solve_sides(work.matrix[chain.row :], y, first, last, low, own.rest)
    else:
        rod_equations.solve_sides(work.matrix[chain.row :], y, first, last, low, own.rest)
    found = own.rest[MET].value
    for at in range(known + count - e):
        l = at if at < known else at - known + e
        row = contacts[own.contact[begin + l]]
        for axis in range(3):
            for q in range(COLUMNS):
                found[q] = 0.0
            for k in range(4):
                if row.share[k] != 0.0 and system.chain[row.node[k]] == c:
                    share, way = row.share[k], y[system.place[row.node[k]] - chain.row + axis].value
                    for q in range(COLUMNS):
                        found[q] += share * way[q]
                if turns(model, row, k, g):
                    lever, way = row.lever[k, axis], y[system.angle[row.frame[k]] - chain.row].value
                    for q in range(COLUMNS):
                        found[q] += lever * way[q]
            i = own.square[g] + size * (3 * l + axis) + 3 * e
            for q in range(3 * (end - e)):
                own.entries[i + q] = found[q]
    return low


@kernel
def turns(model: Model, row: np.record, k: int, g: int) -> bool:
    """Whether there is a frame number k of a CONTACT, of group g, or of any: −1."""
    return carriers(row) & FRAMES != 0 and row.frame[k] >= 0 and (g < 0 or group_of(model, row, k // 2) == g)


@kernel
def push(model: Model, work: ImplicitScratch, row: np.record, g: int, axis: int, force: float) -> None:
    """Add the force [N] along an axis on a CONTACT to the right-hand side of group g, or of all: −1."""
    system = model.chain_system
    for k in range(4):
        if row.share[k] != 0.0 and (g < 0 or group_of(model, row, k // 2) == g):
            work.unknown[system.place[row.node[k]] + axis] += row.share[k] * force
        if turns(model, row, k, g):
            work.unknown[system.angle[row.frame[k]]] += row.lever[k, axis] * force
    for side in range(2):
        b = row.body[side]
        if b >= 0 and (g < 0 or system.of_body[b] == g):
            own, p = force * (1.0 - 2.0 * side), row.arm_now[side]
            after, last = (axis + 1) % 3, (axis + 2) % 3
            work.border[system.border[PANEL * b + axis]] += own
            work.border[system.border[PANEL * b + 3 + after]] += own * p[last]
            work.border[system.border[PANEL * b + 3 + last]] -= own * p[after]


@kernel
def moved(model: Model, work: ImplicitScratch, row: np.record, g: int, axis: int) -> float:
    """How far [m] the solution moves the first point of a CONTACT against the second along an axis, by group g alone,
    or by all: −1.
    """
    system, way = model.chain_system, 0.0
    for k in range(4):
        if row.share[k] != 0.0 and (g < 0 or group_of(model, row, k // 2) == g):
            way += row.share[k] * work.unknown[system.place[row.node[k]] + axis]
        if turns(model, row, k, g):
            way += row.lever[k, axis] * work.unknown[system.angle[row.frame[k]]]
    for side in range(2):
        b = row.body[side]
        if b >= 0 and (g < 0 or system.of_body[b] == g):
            p, after, last = row.arm_now[side], (axis + 1) % 3, (axis + 2) % 3
            own = work.border[system.border[PANEL * b + axis]]
            own += work.border[system.border[PANEL * b + 3 + after]] * p[last]
            own -= work.border[system.border[PANEL * b + 3 + last]] * p[after]
            way += own * (1.0 - 2.0 * side)
    return way
