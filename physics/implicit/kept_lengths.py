"""Lengths that edges keep, which Newton's method has when it ends, or which are then solved for by themselves."""

from .._jit import kernel
from ..constraints.fast_projection import edge_vectors, newton_open
from ..constraints.scratch import ConstraintScratch
from ..model import Model, OldState, State
from ..rigid_bodies.scratch import WeldedScratch
from . import rod_equations
from .chain import course_of, edge_of, is_free, node_of, unknowns_of
from .frames import carry
from .moves import move, move_together
from .newton_step import solve_again
from .scratch import BLOCK, ImplicitScratch

LENGTHS = 1e-6  # to which an edge keeps its length
FITS = 3  # times at most that lengths are solved for alone


@kernel
def keeps_lengths(model: Model, state: State, c: int) -> bool:
    """Whether the edges of chain c have the lengths they keep: where tensions jump, not after one iteration."""
    rods, chain, x = model.rods, model.chain_system.chains[c], state.x
    if rods[chain.rod].stretchable:
        return True
    course = course_of(rods, chain)
    for i in range(chain.edge[0], chain.edge[1]):
        j, k, square = node_of(course, i - 1), node_of(course, i), 0.0
        for d in range(3):
            square += (x[k, d] - x[j, d]) ** 2
        length = model.edges[edge_of(course, i)].length
        if is_free(model, state, j, k) and not abs(square / length**2 - 1.0) < 2.0 * LENGTHS:
            return False
    return True


@kernel
def fit_lengths(model: Model, state: State, work: ImplicitScratch, spare: ConstraintScratch, c: int, s: float) -> bool:
    """Whether the edges of chain c have the lengths they keep, if need be once they alone are solved for; of a straight
    rod by its inertia alone.
    """
    chain = model.chain_system.chains[c]
    for k in range(FITS + 1):
        if keeps_lengths(model, state, c):
            return True
        if k == FITS:
            break
        if unknowns_of(chain, work) == BLOCK:  # by the matrix that was last eliminated
            a, y, count = work.matrix[chain.row :], work.unknown[chain.row :], BLOCK * chain.blocks
            rod_equations.push_lengths(model, work, c)
            rod_equations.resolve(a, y, count)
            rod_equations.substitute(a, y, count)
            move(model, state, work, c, 1.0)
            carry(model, state, work, chain.rod, 1.0)
        else:
            project(model, state, work, spare, chain.rod, s)
    return False


@kernel
def project(model: Model, state: State, work: ImplicitScratch, spare: ConstraintScratch, r: int, s: float) -> None:
    """Fast projection's step towards the lengths of rod r; tensions [N] are what its impulses are, over s²."""
    first, last = model.rods[r].first, model.rods[r].last
    x, o, multiplier = state.x[first : last + 1], spare.o[first:last], spare.multiplier[first:last]
    edge_vectors(x, False, o)
    for j in range(len(multiplier)):
        multiplier[j] = 0.0
    lengths = model.edges["length"][first:last]
    newton_open(x, o, state.w[first : last + 1], lengths, multiplier, spare.elimination[first:last])
    for j in range(first, last):
        work.pull[j] -= multiplier[j - first] * model.edges[j].length / (s * s)


@kernel
def fit_lengths_together(
    model: Model,
    state: State,
    old: OldState,
    welded: WeldedScratch,
    work: ImplicitScratch,
    spare: ConstraintScratch,
    s: float,
) -> bool:
    """The same of all chains of work.together. In haste those that nothing ties go by inertia alone too: bent by what
    touches them, they would be pressed into it by solutions that do not know it, and miss their lengths.
    """
    chains, alone = model.chain_system.chains, model.world[0].preview and len(model.bodies) == 0
    for c in range(len(chains)):
        alone = alone and not (work.together[c] and chains[c].panels > 0)
    for k in range(FITS + 1):
        kept = True
        for c in range(len(chains)):
            if work.together[c] and not keeps_lengths(model, state, c):
                kept = False
                if alone and k < FITS:
                    project(model, state, work, spare, chains[c].rod, s)
                    carry(model, state, work, chains[c].rod, 0.0)
        if kept:
            return True
        if k < FITS and not alone:
            solve_again(model, state, welded, work, s, True)
            move_together(model, state, old, work, 1.0, s)
    return False
