"""Ties: rows of a chain that go with unknowns of the border, x = T z: vertices and frames that a rigid body carries,
and doubles of those at which a closed rod is cut.

With T their equations are the border's, Tᵀ A T, and what they are coupled with is coupled with the border, A T.
"""

import numpy as np

from .._jit import kernel
from ..constraints.pins import is_held
from ..model import DOUBLE, OF_BODY, PANEL, Model, State
from ..rigid_bodies.scratch import WeldedScratch
from ..rods.vectors import Vector, vector
from . import border, rod_equations
from .band_border import resolve_border, substitute_border
from .chain import release
from .scratch import BLOCK, WIDTH, ImplicitScratch


@kernel
def lay_ties(model: Model, state: State, welded: WeldedScratch, work: ImplicitScratch) -> None:
    """T of all ties at the poses of the iterate, whose arms are in `welded`."""
    ties = model.chain_system.ties
    for k in range(len(ties)):
        tie, factor = ties[k], work.factor[k]
        if tie.kind == DOUBLE:
            given = state.fixed[tie.frame] if tie.node < 0 else is_held(model, state, tie.node)
            factor[0] = 0.0 if given else 1.0
        elif tie.kind == OF_BODY:
            arm, a = reach(tie, state, welded), tie.axis
            factor[0], factor[1], factor[2] = 1.0, arm[(a + 2) % 3], -arm[(a + 1) % 3]
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
def stiffen(axis: int, arm: Vector, force: float, own: np.ndarray) -> None:
    """A force along an axis at an arm p that turns, −∂(φ × p)·f: (f·p) 1 − (p fᵀ + f pᵀ)/2; own (PANEL,) CELLS."""
    for q in range(3):
        own[3 + q].value[3 + q] += force * arm[axis]
        own[3 + q].value[3 + axis] -= 0.5 * force * arm[q]
        own[3 + axis].value[3 + q] -= 0.5 * force * arm[q]


@kernel
def condense(
    model: Model, state: State, welded: WeldedScratch, work: ImplicitScratch, c: int, convex: bool, cells: np.ndarray
) -> None:
    """Hand the equations of chain c's tied rows on to its part of the border, work.own and own_side, and their
    couplings to cells, CELLS (panels times rows or more,).
    """
    system = model.chain_system
    chain, ties, own, panels = system.chains[c], system.ties, work.own, system.chains[c].panels
    a, y, count = work.matrix[chain.row :], work.unknown[chain.row :], BLOCK * chain.blocks
    clear(own, PANEL * panels * panels)
    clear(cells, panels * count)
    for k in range(chain.tie[0], chain.tie[1]):
        tie, row = ties[k], ties[k].row - chain.row
        if tie.kind == OF_BODY and not convex:
            square = PANEL * tie.panel * (panels + 1)
            stiffen(tie.axis, reach(tie, state, welded), y[row], own[square : square + PANEL])
        couple(a, row, count, lanes_of(tie), vector(work.factor[k]), cells[count * tie.panel :])
    gather(model, work, c)
    for k in range(chain.tie[0], chain.tie[1]):
        tie, (f, g, h), row = ties[k], vector(work.factor[k]), ties[k].row - chain.row
        l, m, n = lanes_of(tie)
        for p in range(panels):
            square, from_row = own[PANEL * (panels * tie.panel + p) :], cells[count * p + row].value
            one, other, third = square[l].value, square[m].value, square[n].value
            for q in range(PANEL):
                value, from_row[q] = from_row[q], 0.0
                one[q] += f * value
                other[q] += g * value
                third[q] += h * value
        release(a, y, row, BLOCK)


@kernel
def lanes_of(tie: np.record) -> tuple[int, int, int]:
    """The unknowns of its panel that a tie goes with."""
    return tie.lane[0], tie.lane[1], tie.lane[2]


@kernel
def clear(cells: np.ndarray, count: int) -> None:
    """The first so many CELLS become zero."""
    for j in range(count):
        for q in range(PANEL):
            cells[j].value[q] = 0.0


@kernel
def couple(a: np.ndarray, row: int, count: int, lanes: tuple[int, int, int], factor: Vector, cells: np.ndarray) -> None:
    """Add what couples rows with a tied one, of a chain of `count`, to the tie's panel of cells."""
    first = row - row % BLOCK
    for block in range(max(first - 2 * BLOCK, 0), first, BLOCK):
        for j in range(block, block + BLOCK):
            add_to(cells[j].value, lanes, factor, a[j].value[row - block])
    for j in range(first, row):
        add_to(cells[j].value, lanes, factor, a[j].value[row - first])
    for j in range(row, min(first + WIDTH + 1, count)):
        add_to(cells[j].value, lanes, factor, a[row].value[j - first])


@kernel
def add_to(cell: np.ndarray, lanes: tuple[int, int, int], factor: Vector, value: float) -> None:
    """Add a coupling with a tied row to a row of cells."""
    cell[lanes[0]] += factor[0] * value
    cell[lanes[1]] += factor[1] * value
    cell[lanes[2]] += factor[2] * value


@kernel
def gather(model: Model, work: ImplicitScratch, c: int) -> None:
    """Hand a right-hand side's tied rows of chain c on to its part of the border."""
    system = model.chain_system
    chain, ties = system.chains[c], system.ties
    for k in range(PANEL * chain.panels):
        work.own_side[k] = 0.0
    for k in range(chain.tie[0], chain.tie[1]):
        for q in range(3):
            work.own_side[PANEL * ties[k].panel + ties[k].lane[q]] += work.factor[k, q] * work.unknown[ties[k].row]
        work.unknown[ties[k].row] = 0.0


@kernel
def scatter(model: Model, work: ImplicitScratch, c: int) -> None:
    """Tied rows of chain c go with its unknowns of the border, own_side."""
    system = model.chain_system
    for k in range(system.chains[c].tie[0], system.chains[c].tie[1]):
        tie, value = system.ties[k], 0.0
        for q in range(3):
            value += work.factor[k, q] * work.own_side[PANEL * tie.panel + tie.lane[q]]
        work.unknown[tie.row] = value


@kernel
def resolve_tied(model: Model, work: ImplicitScratch, c: int) -> None:
    """Reduce another right-hand side of chain c, from what its elimination left; the border is asked for what that
    leaves.
    """
    chain = model.chain_system.chains[c]
    begin, end = work.live[c, 0], work.live[c, 1]
    a, y, count = work.matrix[chain.row + begin :], work.unknown[chain.row + begin :], end - begin
    side = work.own_side[: PANEL * chain.panels]
    gather(model, work, c)
    rod_equations.resolve(a, y, count)
    resolve_border(a, y, count, work.cells[chain.cell + begin :], BLOCK * chain.blocks, side)
    border.add_side(model, work, chain.border, side)


@kernel
def substitute_tied(model: Model, work: ImplicitScratch, c: int) -> None:
    """Solve for the rows of chain c, from what its elimination left and the border's solution."""
    chain = model.chain_system.chains[c]
    begin, end = work.live[c, 0], work.live[c, 1]
    a, y, count = work.matrix[chain.row + begin :], work.unknown[chain.row + begin :], end - begin
    side = work.own_side[: PANEL * chain.panels]
    border.read(model, work, chain.border, side)
    substitute_border(y, count, work.cells[chain.cell + begin :], BLOCK * chain.blocks, side)
    rod_equations.substitute(a, y, count)
    scatter(model, work, c)
