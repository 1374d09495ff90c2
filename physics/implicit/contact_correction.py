"""What contact adds to Newton's step: the forces of edges that touch answer to where it would bring them."""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot
from ..contact.carriers.points import carriers
from ..contact.scratch import BODY, FRAMES
from ..model import Model, OldState, State
from . import border
from .contact_stiffness import hold, is_stiff, move_held
from .contact_sweeps import settle
from .pair_contact import measure, push_back, way_gone, way_of, weigh
from .response import clear_border, clear_side, make_room, meet, reduce_group, respond, spread_border
from .scratch import ImplicitScratch

NEAR = 0.1  # radii: what comes nearer may touch
DEEP = 1e-4  # radii deeper than before: what had no say may end


@kernel
def bring_forward(
    model: Model,
    state: State,
    old: OldState,
    work: ImplicitScratch,
    contacts: np.ndarray,
    spare: np.ndarray,
    near: int,
) -> int:
    """Put the contacts that press, or would by the solution, before the others; `near` of them are already there. Of
    bodies and of what rolls, and not in haste, also what is near. Returns how many there are.
    """
    wanted, part = near, 0.0 if near > 0 or model.world[0].preview else NEAR
    for q in range(near, len(contacts)):
        row = contacts[q]
        gap = row.gap + dot(row.n, way_of(model, state, old, work, row))
        if row.normal > 0.0 or gap < (part * row.radius if carriers(row) & (BODY | FRAMES) else 0.0):
            spare[0] = contacts[wanted]
            contacts[wanted] = contacts[q]
            contacts[q] = spare[0]
            wanted += 1
    return wanted


@kernel
def any_left_out(state: State, old: OldState, work: ImplicitScratch, contacts: np.ndarray) -> bool:
    """Whether any of these contacts, which had no say, came too near all the same."""
    for q in range(len(contacts)):
        row = contacts[q]
        if row.gap + dot(row.n, way_gone(state, old, work, row)) < min(row.gap, 0.0) - DEEP * row.radius:
            return True
    return False


@kernel
def find_response(model: Model, work: ImplicitScratch, contacts: np.ndarray, known: int) -> bool:
    """D of these contacts, what the first `known` of them answer to each other being there already; false when there is
    no room for it. The solution stays as it is.
    """
    work.response.asked[0] = meet(model, contacts, work.response)
    if work.response.asked[0] > len(work.response.entries):
        return False
    if known > 0:
        make_room(work.response, len(model.chain_system.groups), known)
    keep_solution(work)
    respond(model, work, contacts, work.response, known)
    for j in range(len(work.free)):
        work.unknown[j] = work.free[j]
    for k in range(len(work.border)):
        work.border[k] = work.free_border[k]
    return True


@kernel
def press_apart(
    model: Model, state: State, old: OldState, work: ImplicitScratch, contacts: np.ndarray, h: float
) -> None:
    """Add to the solution what these contacts answer to it."""
    response, groups = work.response, model.chain_system.groups
    measure(model, state, old, work, contacts, response)
    weigh(contacts, response)
    if is_stiff(response):
        move_held(model, work, contacts)
    settle(contacts, response, h, model.world[0], state.clock[0].step == 0.0)
    keep_solution(work)
    clear_border(work)
    for g in range(len(groups)):
        if response.begin[g + 1] > response.begin[g]:
            clear_side(model, work, g)
    push_back(model, work, contacts, response)
    if is_stiff(response):
        hold(model, work, contacts)
    for k in range(len(work.border)):
        work.border_side[k] += work.border[k]
    for g in range(len(groups)):
        if response.begin[g + 1] > response.begin[g]:
            add_unknown(model, g, work.unknown, work.side)
            reduce_group(model, work, g)
    border.substitute(model, work)
    for g in range(len(groups)):
        if response.begin[g + 1] > response.begin[g]:
            spread_border(model, work, g)
            add_unknown(model, g, work.free, work.unknown)
    for k in range(len(work.border)):
        work.border[k] += work.free_border[k]


@kernel
def add_unknown(model: Model, g: int, more: np.ndarray, to: np.ndarray) -> None:
    """Add to the rows of the chains of group g."""
    for c in range(model.chain_system.groups[g].first, model.chain_system.groups[g].end):
        chain = model.chain_system.chains[c]
        for j in range(chain.row, chain.row + chain.size * chain.blocks):
            to[j] += more[j]


@kernel
def keep_solution(work: ImplicitScratch) -> None:
    """Remember the solution."""
    for j in range(len(work.free)):
        work.free[j] = work.unknown[j]
    for k in range(len(work.border)):
        work.free_border[k] = work.border[k]
