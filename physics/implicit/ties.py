"""Ties: rows of a chain that go with unknowns of the border, x = T z: what a rigid body carries, vertices and frames,
and doubles of those at which a closed rod is cut.

With T their equations are the border's, Tᵀ A T, and what they are coupled with is coupled with the border, A T.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import quaternion, turned
from ..arithmetic.vectors import Vector, cross, dot, vector
from ..constraints.pins import is_held
from ..model import DIRECTOR, DOUBLE, OF_BODY, PANEL, TURN, Model, State
from ..rigid_bodies.scratch import WeldedScratch
from . import border, rod_equations, spinning_rod
from .chain import release, span_of
from .scratch import BLOCK, SEVEN, ImplicitScratch


@kernel
def lay_ties(model: Model, state: State, welded: WeldedScratch, work: ImplicitScratch) -> None:
    """T of all ties at the poses of the iterate, whose arms are in `welded`."""
    ties = model.chain_system.ties
    for k in range(len(ties)):
        tie, factor = ties[k], work.factor[k]
        if tie.kind == DOUBLE:
            given = state.fixed[tie.frame] if tie.node < 0 else is_held(model, state, tie.node)
            factor[0] = 0.0 if given else 1.0
        elif tie.kind == TURN:
            for q in range(3):
                factor[q] = work.t[tie.frame, q]
        elif tie.kind == DIRECTOR:
            one = (1.0, 0.0, 0.0) if tie.axis == 0 else (0.0, 1.0, 0.0) if tie.axis == 1 else (0.0, 0.0, 1.0)
            factor[0], factor[1], factor[2] = turned(quaternion(state.q[tie.node]), one)
        elif tie.axis == 0:
            x, y, z = reach(tie, state, welded)
            first, second, third = work.factor[k], work.factor[k + 1], work.factor[k + 2]
            first[0], first[1], first[2] = 1.0, z, -y
            second[0], second[1], second[2] = 1.0, x, -z
            third[0], third[1], third[2] = 1.0, y, -x


@kernel
def reach(tie: np.record, state: State, welded: WeldedScratch) -> Vector:
    """Arm [m] from the centre of mass of a body to the vertex, or the ghost edge's far end, of a tie."""
    x, y, z = vector(welded.slaves[tie.slave].arm)
    if tie.ghost < 0:
        return x, y, z
    sign, e = 2.0 * (tie.ghost % 2) - 1.0, state.ghosts[tie.ghost].edge
    return x + sign * e[0], y + sign * e[1], z + sign * e[2]


@kernel
def arm_of(factor: np.ndarray) -> Vector:
    """The arm p [m] of a vertex by T of its three ties, (3, 3)."""
    return factor[1, 1], factor[2, 1], factor[0, 1]


@kernel
def stiffen(arm: Vector, f: Vector, own: np.ndarray) -> None:
    """A force at an arm p that turns, −∂(φ × p)·f: (f·p) 1 − (p fᵀ + f pᵀ)/2; own (PANEL,) CELLS."""
    along = dot(f, arm)
    for q in range(3):
        own[3 + q].value[3 + q] += along
        for r in range(3):
            own[3 + q].value[3 + r] -= 0.5 * (arm[q] * f[r] + f[q] * arm[r])


@kernel
def condense(model: Model, work: ImplicitScratch, c: int, convex: bool, cells: np.ndarray) -> None:
    """Hand the equations of chain c's tied rows on to its part of the border, work.own and own_side, and their
    couplings to cells, CELLS (panels times rows or more,).
    """
    system = model.chain_system
    chain, ties, own, panels = system.chains[c], system.ties, work.own, system.chains[c].panels
    a, y, count = work.matrix[chain.row :], work.unknown[chain.row :], chain.size * chain.blocks
    first = system.first[chain.border // PANEL :]
    clear(own, PANEL * panels * panels)
    for p in range(panels):
        clear(cells[count * p + first[p] :], count - first[p])
    k = chain.tie[0]
    while k < chain.tie[1]:
        tie, row = ties[k], ties[k].row - chain.row
        panel = cells[count * tie.panel :]
        if tie.kind == OF_BODY:
            arm, square = arm_of(work.factor[k : k + 3]), PANEL * tie.panel * (panels + 1)
            if not convex:
                stiffen(arm, vector(y[row : row + 3]), own[square : square + PANEL])
            couple_vertex(a, row, (count, chain.size), arm, panel)
            k += 3
        else:
            couple(a, row, (count, chain.size), lanes_of(tie), vector(work.factor[k]), panel)
            k += 1
    gather(model, work, c)
    k = chain.tie[0]
    while k < chain.tie[1]:
        tie, row = ties[k], ties[k].row - chain.row
        for p in range(panels):
            if row < first[p]:
                continue
            square, rows = own[PANEL * (panels * tie.panel + p) :], cells[count * p + row :]
            if tie.kind == OF_BODY:
                hand_on_vertex(rows, arm_of(work.factor[k : k + 3]), square)
            else:
                hand_on(rows[0].value, lanes_of(tie), vector(work.factor[k]), square)
        if tie.kind == OF_BODY:
            release_vertex(a, y, row, chain.size)
            k += 3
        else:
            release(a, y, row, chain.size)
            k += 1


@kernel
def hand_on(cell: np.ndarray, lanes: tuple[int, int, int], factor: Vector, square: np.ndarray) -> None:
    """A tied row of cells to the rows of a square that it goes with."""
    (l, m, n), (f, g, h) = lanes, factor
    one, other, third = square[l].value, square[m].value, square[n].value
    for q in range(PANEL):
        value, cell[q] = cell[q], 0.0
        one[q] += f * value
        other[q] += g * value
        third[q] += h * value


@kernel
def hand_on_vertex(cells: np.ndarray, arm: Vector, square: np.ndarray) -> None:
    """The same of the three rows of a vertex that a body carries."""
    x, y, z = arm
    for q in range(PANEL):
        u, v, w = cells[0].value[q], cells[1].value[q], cells[2].value[q]
        cells[0].value[q] = cells[1].value[q] = cells[2].value[q] = 0.0
        square[0].value[q] += u
        square[1].value[q] += v
        square[2].value[q] += w
        square[3].value[q] += y * w - z * v
        square[4].value[q] += z * u - x * w
        square[5].value[q] += x * v - y * u


@kernel
def release_vertex(a: np.ndarray, y: np.ndarray, row: int, size: int) -> None:
    """Uncouple the three rows of a vertex."""
    span = span_of(size)
    for k in range(3):
        for m in range(span):
            a[row + k].value[m] = 0.0
        a[row + k].value[k], y[row + k] = 1.0, 0.0
    for back in range(size, span - 2, size):
        for i in range(max(row - back, 0), max(row - back + size, 0)):
            for k in range(3):
                a[i].value[back + k] = 0.0


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
def couple(
    a: np.ndarray, row: int, rows: tuple[int, int], lanes: tuple[int, int, int], factor: Vector, cells: np.ndarray
) -> None:
    """Add what couples rows with a tied one, of a chain of so many rows in blocks of so many, to the tie's panel of
    cells.
    """
    count, size = rows
    first, span = row - row % size, span_of(size)
    far = 2 * size if row - first + 2 * size < span else size
    for block in range(max(first - far, 0), first, size):
        for j in range(block, block + size):
            add_to(cells[j].value, lanes, factor, a[j].value[row - block])
    for j in range(first, row):
        add_to(cells[j].value, lanes, factor, a[j].value[row - first])
    for j in range(row, min(first + span, count)):
        add_to(cells[j].value, lanes, factor, a[row].value[j - first])


@kernel
def couple_vertex(a: np.ndarray, row: int, rows: tuple[int, int], arm: Vector, cells: np.ndarray) -> None:
    """The same of the three rows of a vertex that a body carries, which begin a block."""
    (count, size), span = rows, span_of(rows[1])
    for back in range(size, span - 2, size):
        for j in range(max(row - back, 0), max(row - back + size, 0)):
            value = a[j].value
            add_force(cells[j].value, (value[back], value[back + 1], value[back + 2]), arm)
    one, other, third = a[row].value, a[row + 1].value, a[row + 2].value
    add_force(cells[row].value, (one[0], one[1], one[2]), arm)
    add_force(cells[row + 1].value, (one[1], other[1], other[2]), arm)
    add_force(cells[row + 2].value, (one[2], other[2], third[2]), arm)
    for m in range(3, min(span, count - row)):
        add_force(cells[row + m].value, (one[m], other[m], third[m]), arm)


@kernel
def add_force(cell: np.ndarray, f: Vector, arm: Vector) -> None:
    """Add a force at an arm to a row of cells: what acts on a body, and what turns it."""
    torque = cross(arm, f)
    for q in range(3):
        cell[q] += f[q]
        cell[3 + q] += torque[q]


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
    k = chain.tie[0]
    while k < chain.tie[1]:
        side, row = work.own_side[PANEL * ties[k].panel :], ties[k].row
        if ties[k].kind == OF_BODY:
            add_force(side, vector(work.unknown[row : row + 3]), arm_of(work.factor[k : k + 3]))
            work.unknown[row] = work.unknown[row + 1] = work.unknown[row + 2] = 0.0
            k += 3
        else:
            add_to(side, lanes_of(ties[k]), vector(work.factor[k]), work.unknown[row])
            work.unknown[row] = 0.0
            k += 1


@kernel
def scatter(model: Model, work: ImplicitScratch, c: int) -> None:
    """Tied rows of chain c go with its unknowns of the border, own_side."""
    chain, ties, y, k = (
        model.chain_system.chains[c],
        model.chain_system.ties,
        work.unknown,
        model.chain_system.chains[c].tie[0],
    )
    while k < chain.tie[1]:
        side, row = work.own_side[PANEL * ties[k].panel :], ties[k].row
        if ties[k].kind == OF_BODY:
            swung = cross(vector(side[3:]), arm_of(work.factor[k : k + 3]))
            y[row], y[row + 1], y[row + 2] = side[0] + swung[0], side[1] + swung[1], side[2] + swung[2]
            k += 3
        else:
            (l, m, n), (f, g, h) = lanes_of(ties[k]), vector(work.factor[k])
            y[row] = f * side[l] + g * side[m] + h * side[n]
            k += 1


@kernel
def resolve_tied(model: Model, work: ImplicitScratch, c: int) -> None:
    """Reduce another right-hand side of chain c, from what its elimination left; the border is asked for what that
    leaves.
    """
    chain, (begin, end) = model.chain_system.chains[c], live_rows(work, c)
    a, y, cells = work.matrix[chain.row :], work.unknown[chain.row :], work.cells[chain.cell :]
    side, first = work.own_side[: PANEL * chain.panels], model.chain_system.first[chain.border // PANEL :]
    gather(model, work, c)
    if chain.size == SEVEN:
        spinning_rod.resolve(a, y, end)
        spinning_rod.resolve_border(a, y, (begin, end), cells, end, first, side)
    else:
        rod_equations.resolve(a[begin:], y[begin:], end - begin)
        rod_equations.resolve_border(a, y, (begin, end), cells, BLOCK * chain.blocks, first, side)
    border.add_side(model, work, chain.border, side)


@kernel
def substitute_tied(model: Model, work: ImplicitScratch, c: int) -> None:
    """Solve for the rows of chain c, from what its elimination left and the border's solution."""
    chain, (begin, end) = model.chain_system.chains[c], live_rows(work, c)
    a, y, cells = work.matrix[chain.row :], work.unknown[chain.row :], work.cells[chain.cell :]
    side, first = work.own_side[: PANEL * chain.panels], model.chain_system.first[chain.border // PANEL :]
    border.read(model, work, chain.border, side)
    if chain.size == SEVEN:
        spinning_rod.substitute_border(y, (begin, end), cells, end, first, side)
        spinning_rod.substitute(a, y, end)
    else:
        rod_equations.substitute_border(y, (begin, end), cells, BLOCK * chain.blocks, first, side)
        rod_equations.substitute(a[begin:], y[begin:], end - begin)
    scatter(model, work, c)


@kernel
def live_rows(work: ImplicitScratch, c: int) -> tuple[int, int]:
    """The rows of chain c that are eliminated."""
    return work.live[c, 0], work.live[c, 1]
