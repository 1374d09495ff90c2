"""Newton's step: the change of all unknowns, by the matrix of the iterate.

It gets the inertia it should have by `inertia_correction`. Where contact alone holds a rod bent, thrust is left out of
it at once, if nothing but rods is there (see `rod_equations`). The equations stay what they are.
"""

import numpy as np

from .._jit import kernel
from ..model import PANEL, Model, OldState, State
from ..rigid_bodies.scratch import WeldedScratch
from ..rigid_bodies.slaves import put_arms
from . import border, rod_equations, spinning_rod, straight_rod
from .body_equations import add_bodies, compare, push_body
from .chain import course_of, live_edges, node_of, unknowns_of
from .inertia_correction import SHIFT_MAX
from .loads import Times
from .rod_equations import CONVEX, EXACT
from .scratch import BLOCK, SEVEN, SPAN, ImplicitScratch
from .ties import condense, lay_ties, live_rows, resolve_tied, substitute_tied
from .wall_contact import add_walls

FEWER = -1  # negative eigenvalues than there are tensions


@kernel
def solve(
    model: Model,
    state: State,
    work: ImplicitScratch,
    contacts: np.ndarray,
    x0: np.ndarray,
    c: int,
    times: Times,
) -> bool:
    """The change of chain c's unknowns into work.unknown; whether its matrix, as work.newton has it, has the inertia it
    should. A kept one is that of an iterate before, but for walls; a straight rod's never is, and has no thrust if it
    is not EXACT.
    """
    chain, form = model.chain_system.chains[c], form_of(work)
    size = unknowns_of(chain, work)
    a, y, count = work.matrix[chain.row :], work.unknown[chain.row :], size * chain.blocks
    if size == BLOCK:
        if work.newton[0].kept:
            rod_equations.push(model, state, work, c, times[0])
            copy_band(work.bare, a, count)
        else:
            rod_equations.assemble(model, state, work, c, times[0], form)
            add_mass(model, work, c)
            if len(contacts) > 0:
                copy_band(a, work.bare, count)
        add_walls(model, state.x, x0, work, contacts, c, times[1])
        for j in range(count):
            work.side[chain.row + j] = y[j]
        negative = rod_equations.eliminate(a, y, count)
        rod_equations.substitute(a, y, count)
    else:
        straight_rod.assemble(model, state, work, c, times[0], form != EXACT)
        negative = straight_rod.eliminate(a, y, count)
        straight_rod.substitute(a, y, count)
    return negative == chain.edge[1] - chain.edge[0]


@kernel
def copy_band(a: np.ndarray, to: np.ndarray, count: int) -> None:
    """Copy so many rows of a band."""
    for j in range(count):
        for k in range(SPAN):
            to[j].value[k] = a[j].value[k]


@kernel
def solve_together(
    model: Model,
    state: State,
    old: OldState,
    welded: WeldedScratch,
    work: ImplicitScratch,
    contacts: np.ndarray,
    times: Times,
) -> int:
    """The same of all chains of work.together, and of the bodies. Returns how many eigenvalues too many are negative,
    or FEWER.
    """
    chains, surplus, form = model.chain_system.chains, 0, form_of(work)
    border.clear(work)
    put_arms(model.slaves, state.bodies, welded.slaves)
    lay_ties(model, state, welded, work)
    add_bodies(model, state, work, times[0])
    for c in range(len(chains)):
        if not work.together[c]:
            continue
        size, spins = chains[c].size, chains[c].size == SEVEN
        row, count, panels = chains[c].row, size * chains[c].blocks, chains[c].panels
        cells, side = work.cells[chains[c].cell :], work.own_side[: PANEL * panels]
        first = model.chain_system.first[chains[c].border // PANEL :]
        if spins:
            given = work.newton[0].shift, form != EXACT
            spinning_rod.assemble(model, state, work, c, times[0], given, work.matrix[row:])
        else:
            rod_equations.assemble(model, state, work, c, times[0], form)
            add_mass(model, work, c)
        add_walls(model, state.x, old.x, work, contacts, c, times[1])
        condense(model, work, c, form == CONVEX, cells)
        for j in range(row, row + count if len(contacts) > 0 else row):
            work.side[j] = work.unknown[j]
        a, y, (begin, end) = work.matrix[row:], work.unknown[row:], live_rows(work, c)
        tied = model.chain_system.tied[row : row + count]
        if spins:
            more = spinning_rod.eliminate(a, y, count) - (chains[c].edge[1] - chains[c].edge[0])
            spinning_rod.eliminate_border(a, y, (begin, end), cells, tied, first, work.own, side)
        else:
            more = rod_equations.eliminate(a[begin:], y[begin:], end - begin) - live_edges(chains[c], work.live[c])
            rod_equations.eliminate_border(a, y, (begin, end), cells, tied, first, work.own, side)
        if more < 0:
            return FEWER
        surplus += 0 if spins and form == CONVEX else more  # where nothing can be heavier
        for j in work.given[row : row + work.given_count[c]]:
            a[j].value[j % size] = 0.0  # no force moves what is given
        border.add(model, work, chains[c].border, (chains[c].pair[0], chains[c].pair[1]), panels)
    compare(model, work)
    for k in range(len(work.border)):
        work.border_side[k] = work.border[k]
    surplus += border.eliminate(model, work)
    substitute_all(model, work)
    return surplus


@kernel
def substitute_all(model: Model, work: ImplicitScratch) -> None:
    """Solve for the border, and for what it leaves of the chains of work.together."""
    border.substitute(model, work)
    for c in range(len(model.chain_system.chains)):
        if work.together[c]:
            substitute_tied(model, work, c)


@kernel
def solve_again(
    model: Model, state: State, welded: WeldedScratch, work: ImplicitScratch, s: float, lengths: bool
) -> None:
    """The change of all these unknowns at another iterate, by the matrix that was last eliminated, where nothing
    touches; or that which lengths alone ask for.
    """
    chains = model.chain_system.chains
    put_arms(model.slaves, state.bodies, welded.slaves)
    lay_ties(model, state, welded, work)
    for k in range(len(work.border)):
        work.border[k] = 0.0
    for b in range(0 if lengths else len(model.bodies)):
        push_body(model, state, work, b, s)
        border.add_side(model, work, PANEL * b, work.own_side[:PANEL])
    for c in range(len(chains)):
        if work.together[c]:
            if chains[c].size == SEVEN:
                lay_again(model, state, work, c, s, lengths)
            elif lengths:
                rod_equations.push_lengths(model, work, c)
            else:
                rod_equations.push(model, state, work, c, s)
            resolve_tied(model, work, c)
    substitute_all(model, work)


@kernel
def lay_again(model: Model, state: State, work: ImplicitScratch, c: int, s: float, lengths: bool) -> None:
    """The side of chain c, a Cosserat rod, whose edges stretch: of lengths alone none."""
    chain = model.chain_system.chains[c]
    spinning_rod.assemble(model, state, work, c, s, (0.0, False), work.bare)
    for j in range(chain.row, chain.row + SEVEN * chain.blocks if lengths else chain.row):
        work.unknown[j] = 0.0


@kernel
def form_of(work: ImplicitScratch) -> int:
    """Of the matrix: see `inertia_correction`."""
    return CONVEX if work.newton[0].shift == SHIFT_MAX else work.newton[0].form


@kernel
def add_mass(model: Model, work: ImplicitScratch, c: int) -> None:
    """Make chain c, with frames, heavier in its matrix, as if the step were shorter: it stays where it is."""
    chain, shift = model.chain_system.chains[c], work.newton[0].shift
    if shift == 0.0 or shift == SHIFT_MAX:
        return
    course = course_of(model.rods, chain)
    for block in range(chain.own[0], chain.own[1]):
        row, mass = chain.row + BLOCK * block, work.inertia[node_of(course, block)]
        for d in range(3):
            work.matrix[row + d].value[d] += shift * mass
