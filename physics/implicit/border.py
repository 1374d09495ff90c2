"""The border of all chains: a sparse symmetric system, eliminated as assemble/chain_system planned."""

import numpy as np

from .._jit import kernel
from ..constraints.sparse_ldl import factorise, solve
from ..model import Model
from .scratch import ImplicitScratch


@kernel
def clear(work: ImplicitScratch) -> None:
    """No equations."""
    for k in range(len(work.diagonal)):
        work.diagonal[k] = work.border[k] = 0.0
    for k in range(len(work.entries)):
        work.entries[k] = 0.0


@kernel
def add(model: Model, work: ImplicitScratch, border: int, slot: int, matrix: np.ndarray, side: np.ndarray) -> None:
    """Add the equations matrix (k, k), side (k,) of the unknowns from `border` on of ChainSystem.border."""
    system, count = model.chain_system, matrix.shape[0]
    for k in range(count):
        row = system.border[border + k]
        work.border[row] += side[k]
        work.diagonal[row] += matrix[k, k]
        for q in range(k):
            work.entries[system.slot[slot + count * k + q]] += matrix[k, q]


@kernel
def read(model: Model, work: ImplicitScratch, border: int, side: np.ndarray) -> None:
    """The solution (k,) of these unknowns."""
    for k in range(len(side)):
        side[k] = work.border[model.chain_system.border[border + k]]


@kernel
def eliminate(model: Model, work: ImplicitScratch) -> int:
    """Factorise; returns how many pivots are negative."""
    system, negative = model.chain_system, 0
    factorise(system.column, system.below, system.update, work.diagonal, work.entries)
    for k in range(len(work.diagonal)):
        if work.diagonal[k] < 0.0:
            negative += 1
    return negative


@kernel
def substitute(model: Model, work: ImplicitScratch) -> None:
    """Solve for work.border, from what `eliminate` left."""
    system = model.chain_system
    solve(system.column, system.below, work.diagonal, work.entries, work.border)
