"""The border of all chains: a sparse symmetric system, eliminated as assemble/chain_system planned."""

import numpy as np

from .._jit import kernel
from ..linear.sparse_ldl import factorise, solve
from ..model import PANEL, Model
from .scratch import ImplicitScratch


@kernel
def clear(work: ImplicitScratch) -> None:
    """No equations."""
    for k in range(len(work.diagonal)):
        work.diagonal[k] = work.border[k] = 0.0
    for k in range(len(work.entries)):
        work.entries[k] = 0.0


@kernel
def add(model: Model, work: ImplicitScratch, border: int, pair: tuple[int, int], panels: int) -> None:
    """Add the equations work.own, own_side of so many panels of unknowns, from `border` on of ChainSystem.border; pair:
    the first one of theirs in ChainSystem.pairs, and behind the last.
    """
    system, own, entries = model.chain_system, work.own, work.entries
    add_side(model, work, border, work.own_side[: PANEL * panels])
    for p in range(panels):
        for q in range(PANEL):
            row = system.border[border + PANEL * p + q]
            if row >= 0:
                work.diagonal[row] += own[PANEL * (panels + 1) * p + q].value[q]
    pairs = system.pairs[pair[0] : pair[1]]
    for k in range(len(pairs)):
        entries[pairs[k].entry] += own[pairs[k].row].value[pairs[k].lane]


@kernel
def add_side(model: Model, work: ImplicitScratch, border: int, side: np.ndarray) -> None:
    """Add to the right-hand sides (k,) of these unknowns."""
    for k in range(len(side)):
        row = model.chain_system.border[border + k]
        if row >= 0:
            work.border[row] += side[k]


@kernel
def read(model: Model, work: ImplicitScratch, border: int, side: np.ndarray) -> None:
    """The solution (k,) of these unknowns; zero of those that are none."""
    for k in range(len(side)):
        row = model.chain_system.border[border + k]
        side[k] = work.border[row] if row >= 0 else 0.0


@kernel
def eliminate(model: Model, work: ImplicitScratch) -> int:
    """Factorise; returns how many pivots are negative."""
    system, negative = model.chain_system, 0
    factorise(system.column, system.below, work.diagonal, work.entries)
    for k in range(len(work.diagonal)):
        if work.diagonal[k] < 0.0:
            negative += 1
    return negative


@kernel
def substitute(model: Model, work: ImplicitScratch) -> None:
    """Solve for work.border, from what `eliminate` left."""
    system = model.chain_system
    solve(system.column, system.below, work.diagonal, work.entries, work.border)
