"""Ties: rows of a chain that go with unknowns of the border, x = T z: vertices and frames that a rigid body carries,
and doubles of those at which a closed rod is cut.

With T their equations are the border's, Tᵀ A T, and what they are coupled with is coupled with the border, A T.
"""

import numpy as np

from .._jit import kernel
from ..constraints.pins import is_held
from ..model import DOUBLE, OF_BODY, Model, State
from ..rigid_bodies.scratch import WeldedScratch
from ..rods.vectors import Vector, vector
from .chain import release
from .scratch import WIDTH, ImplicitScratch


@kernel
def lay_ties(model: Model, state: State, welded: WeldedScratch, work: ImplicitScratch) -> None:
    """T of all ties at the poses of the iterate, whose arms are in `welded`."""
    ties = model.chain_system.ties
    for k in range(len(ties)):
        tie, factor = ties[k], work.factor[k]
        for q in range(6):
            factor[q] = 0.0
        if tie.kind == DOUBLE:
            given = state.fixed[tie.frame] if tie.node < 0 else is_held(model, state, tie.node)
            factor[0] = 0.0 if given else 1.0
        elif tie.kind == OF_BODY:
            arm, a = reach(tie, state, welded), tie.axis
            b, c = (a + 1) % 3, (a + 2) % 3
            factor[a], factor[3 + b], factor[3 + c] = 1.0, arm[c], -arm[b]
        else:
            for q in range(3):
                factor[q] = work.t[tie.frame, q]


@kernel
def reach(tie: np.record, state: State, welded: WeldedScratch) -> Vector:
    """Arm [m] from the centre of mass of a body to the vertex, or the ghost edge's far end, of a tie."""
    x, y, z = vector(welded.slaves[tie.slave].arm)
    if tie.ghost < 0:
        return x, y, z
    sign, e = 2.0 * (tie.ghost % 2) - 1.0, state.ghosts[tie.ghost].edge
    return x + sign * e[0], y + sign * e[1], z + sign * e[2]


@kernel
def stiffen(tie: np.record, arm: Vector, force: float, own: np.ndarray) -> None:
    """A force along an axis at an arm p that turns, −∂(φ × p)·f: (f·p) 1 − (p fᵀ + f pᵀ)/2."""
    first = tie.column + 3
    for q in range(3):
        own[first + q, first + q] += force * arm[tie.axis]
        own[first + q, first + tie.axis] -= 0.5 * force * arm[q]
        own[first + tie.axis, first + q] -= 0.5 * force * arm[q]


@kernel
def condense(
    model: Model, state: State, welded: WeldedScratch, work: ImplicitScratch, c: int, convex: bool, cells: np.ndarray
) -> None:
    """Hand the equations of chain c's tied rows on to its part of the border, work.own and own_side, and their
    couplings to cells (rows, columns).
    """
    system = model.chain_system
    chain, ties = system.chains[c], system.ties
    a, y = work.matrix[chain.row :], work.unknown[chain.row :]
    for k in range(chain.columns):
        work.own_side[k] = 0.0
        for q in range(chain.columns):
            work.own[k, q] = 0.0
    for j in range(len(cells)):
        for k in range(chain.columns):
            cells[j, k] = 0.0
    for k in range(chain.tie[0], chain.tie[1]):
        tie, factor = ties[k], work.factor[k]
        row = tie.row - chain.row
        if tie.kind == OF_BODY and not convex:
            stiffen(tie, reach(tie, state, welded), y[row], work.own)
        for q in range(tie.count):
            work.own_side[tie.column + q] += factor[q] * y[row]
        for j in range(max(row - WIDTH, 0), min(row + WIDTH + 1, len(cells))):
            value = a[min(j, row), abs(row - j)]
            if value != 0.0:
                for q in range(tie.count):
                    cells[j, tie.column + q] += value * factor[q]
    for k in range(chain.tie[0], chain.tie[1]):
        row = ties[k].row - chain.row
        for q in range(ties[k].count):
            own, share = work.own[ties[k].column + q], work.factor[k, q]
            if share != 0.0:
                for p in range(chain.columns):
                    own[p] += share * cells[row, p]
        for p in range(chain.columns):
            cells[row, p] = 0.0
        release(a, y, row, WIDTH)


@kernel
def gather(model: Model, work: ImplicitScratch, c: int) -> None:
    """Hand a right-hand side's tied rows of chain c on to its part of the border."""
    system = model.chain_system
    chain, ties = system.chains[c], system.ties
    for k in range(chain.columns):
        work.own_side[k] = 0.0
    for k in range(chain.tie[0], chain.tie[1]):
        for q in range(ties[k].count):
            work.own_side[ties[k].column + q] += work.factor[k, q] * work.unknown[ties[k].row]
        work.unknown[ties[k].row] = 0.0


@kernel
def scatter(model: Model, work: ImplicitScratch, c: int) -> None:
    """Tied rows of chain c go with its unknowns of the border, own_side."""
    system = model.chain_system
    for k in range(system.chains[c].tie[0], system.chains[c].tie[1]):
        tie, value = system.ties[k], 0.0
        for q in range(tie.count):
            value += work.factor[k, q] * work.own_side[tie.column + q]
        work.unknown[tie.row] = value
