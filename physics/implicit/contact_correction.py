"""What contact adds to Newton's step: the forces of edges that touch answer to where it would bring them."""

import numpy as np

from .._jit import kernel
from ..model import Model
from .contact_sweeps import settle
from .pair_contact import NEAR, measure, push_back, way_of, weigh
from .response import clear_side, meet, respond, solve_group
from .scratch import BLOCK, ImplicitScratch


@kernel
def bring_forward(
    model: Model,
    x: np.ndarray,
    x0: np.ndarray,
    work: ImplicitScratch,
    contacts: np.ndarray,
    spare: np.ndarray,
    near: int,
) -> int:
    """Put the contacts that press, or are near by the solution, before the others; `near` of them are already there.
    Returns how many there are.
    """
    wanted, part = near, 0.0 if near > 0 else NEAR
    for q in range(near, len(contacts)):
        row = contacts[q]
        gap = row.gap
        for d in range(3):
            gap += row.n[d] * way_of(model, x, x0, work, row, d)
        if row.normal > 0.0 or gap < part * row.radius:
            spare[0] = contacts[wanted]
            contacts[wanted] = contacts[q]
            contacts[q] = spare[0]
            wanted += 1
    return wanted


@kernel
def find_response(model: Model, work: ImplicitScratch, contacts: np.ndarray) -> bool:
    """D of these contacts; false when there is no room for it. The solution stays as it is."""
    if meet(model, contacts, work.response) > len(work.response.entries):
        return False
    keep_solution(work)
    respond(model, work, contacts, work.response)
    weigh(contacts, work.response)
    for j in range(len(work.free)):
        work.unknown[j] = work.free[j]
    for k in range(len(work.border)):
        work.border[k] = work.free_border[k]
    return True


@kernel
def press_apart(
    model: Model, x: np.ndarray, x0: np.ndarray, work: ImplicitScratch, contacts: np.ndarray, h: float
) -> None:
    """Add to the solution what these contacts answer to it."""
    response, groups = work.response, model.chain_system.groups
    measure(model, x, x0, work, contacts, response)
    settle(contacts, response, h)
    keep_solution(work)
    for g in range(len(groups)):
        if response.begin[g + 1] > response.begin[g]:
            clear_side(model, work, g)
    push_back(model, work, contacts, response)
    for g in range(len(groups)):
        if response.begin[g + 1] == response.begin[g]:
            continue
        for c in range(groups[g].first, groups[g].end):
            chain = model.chain_system.chains[c]
            for j in range(chain.row, chain.row + BLOCK * chain.blocks):
                work.side[j] += work.unknown[j]
        solve_group(model, work, g)
        for c in range(groups[g].first, groups[g].end):
            chain = model.chain_system.chains[c]
            for j in range(chain.row, chain.row + BLOCK * chain.blocks):
                work.unknown[j] += work.free[j]
        if model.chain_system.chains[groups[g].first].panels > 0:
            for k in range(len(work.border)):
                work.free_border[k] += work.border[k]
    for k in range(len(work.border)):
        work.border[k] = work.free_border[k]


@kernel
def keep_solution(work: ImplicitScratch) -> None:
    """Remember the solution."""
    for j in range(len(work.free)):
        work.free[j] = work.unknown[j]
    for k in range(len(work.border)):
        work.free_border[k] = work.border[k]
