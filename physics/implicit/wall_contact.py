"""Vertices and edges at walls in an implicit step, as semismooth equations in the band (an augmented Lagrangian: Alart
& Curnier 1991).

With the normal n, the displacement d against the wall since the old position, the gap g₀ + n·d, the one it shall have,
ĝ (see contact/inequality_constraints), and a stiffness k far above what the rod sets against its vertices,

    N = max(0, N' + k (ĝ − g)),    T = T' − k (d − n (n·d)), clipped at μN',

of N', T' from when things last were calm; where it ends, what k multiplies is nought. Until then the cone's edge stays
where N' puts it (Haslinger 1983, by fixed points on Tresca's friction): clipped at μN, T would have no energy, and
nothing would tell how far to go.

N' and T' follow only where all of a step was gone: a part of one does not tell what walls will press with. Both, not
gaps alone, tell where it ends: k is far above what sets itself against a stiff rod as a whole, so that its vertices may
be where they should be, to a millionth of its radius, by forces a thousand times its weight.

Newton's method alone may go round in circles here, between vertices that touch or slide and that do not. But along its
step dx the slope of what it minimises is known without solving anything, −(1 − α) dx·A dx and what walls, as they then
are, differ by from what they were taken for: the step goes to where that vanishes.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..contact.carriers.chain import moved
from ..contact.carriers.points import carriers
from ..contact.friction_cone import friction_along
from ..contact.inequality_constraints import missing_gap
from ..contact.scratch import FRAMES, VERTICES
from ..model import Model
from .scratch import WIDTH, ImplicitScratch

STIFFER = 100.0  # than the vertices' own part of the matrix: by that the gap shrinks in an iteration
HEAVIER = 1e6  # at most, than the masses of vertices: beyond that rounding errors of places press
PRECISION = 1e-10  # of the radius: what may be missing where things touch at rest, or by forces that are yet in doubt,
HASTE = 1e-5  # and where they hit each other, after PATIENCE iterations, whatever the forces
PATIENCE = 12
DOUBT = 1e-3  # by which in Preview what is in doubt may be missing before that
SURE = 1e-6  # of a force, as well as it is known
Pressed = tuple[float, Vector, float]  # N [N], T, and by which part T was clipped


@kernel
def list_walls(model: Model, contacts: np.ndarray, others: int, work: ImplicitScratch) -> None:
    """Chain up the contacts with walls of each chain, which are behind so many others. An edge within a body is no
    chain's: its vertices are there.
    """
    for c in range(len(work.wall)):
        work.wall[c] = -1
    for q in range(others, len(contacts)):
        row = contacts[q]
        c = find_rows(model, row, work.walls[q].row)
        if c >= 0:
            find_turns(model, row, c, work.walls[q].turn)
            work.walls[q].next = work.wall[c]
            work.wall[c] = q
            row.slide = 1.0 / heaviest(model, work, row)  # by mass alone [m/N]
        else:
            row.normal = row.along[0] = row.along[1] = row.along[2] = 0.0


@kernel
def find_rows(model: Model, row: np.record, found: np.ndarray) -> int:
    """Which chain has what of a CONTACT is no wall, or −1; rows of its vertices' x coordinates, of a vertex twice the
    same, into `found` (2,).
    """
    system, tail, head = model.chain_system, row.node[0], row.node[1]
    found[0] = found[1] = system.place[tail]
    c = system.chain[tail]
    if row.share[1] == 0.0:
        return c
    for side in range(2):
        c, place = (system.chain[tail], system.place[tail]) if side == 0 else (system.chain[head], system.place[head])
        if c < 0:
            continue
        chain = system.chains[c]
        block = (place - chain.row) // chain.size + int((side == 0) == (chain.step > 0))  # that the edge is before
        if chain.edge[0] <= block < chain.edge[1]:
            one, other = chain.row + chain.size * (block - 1), chain.row + chain.size * block
            found[0], found[1] = (one, other) if chain.step > 0 else (other, one)
            return c
    return -1


@kernel
def find_turns(model: Model, row: np.record, c: int, found: np.ndarray) -> None:
    """Rows of the angles of a CONTACT's frames, those of chain c, into `found` (2,)."""
    chain = model.chain_system.chains[c]
    for k in range(2):
        found[k] = model.chain_system.angle[row.frame[k]] if row.frame[k] >= 0 else -1
        if not chain.row <= found[k] < chain.row + chain.size * chain.blocks:
            found[k] = row.frame[k] = -1


@kernel
def way_of(row: np.record, x: np.ndarray, x0: np.ndarray, frames: np.ndarray) -> Vector:
    """How far [m] vertices, and frames as FRAME_STEP (M,) has them, have moved the first point of a CONTACT against the
    second, or against its wall, from x0 (N, 3) to x.
    """
    way = scaled(-1.0, vector(row.drift))
    if carriers(row) & VERTICES:
        way = plus(way, 1.0, moved(row, x, x0))
    for k in range(4):
        if carriers(row) & FRAMES and row.frame[k] >= 0:
            way = plus(way, frames[row.frame[k]].turn, vector(row.lever[k]))
    return way


@kernel
def solved_way(row: np.record, rows: np.ndarray, turns: np.ndarray, unknown: np.ndarray) -> Vector:
    """How far [m] the solution moves the point of a CONTACT; rows (2,) of its vertices, turns (2,) of its frames."""
    i, j, p, q = rows[0], rows[1], row.share[0], row.share[1]
    way = (
        p * unknown[i] + q * unknown[j],
        p * unknown[i + 1] + q * unknown[j + 1],
        p * unknown[i + 2] + q * unknown[j + 2],
    )
    for k in range(2):
        if turns[k] >= 0:
            way = plus(way, unknown[turns[k]], vector(row.lever[k]))
    return way


@kernel
def press(row: np.record, way: Vector, h: float) -> Pressed:
    """What a CONTACT with a wall that has moved so far against it presses with."""
    k = 1.0 / row.weight
    along, part = friction_along(row, way, k, row.normal)
    return max(0.0, row.normal + k * missing_gap(row, dot(row.n, way), h)), along, part


@kernel
def rigidity(row: np.record, pressed: Pressed, d: int, e: int) -> float:
    """−∂(force along the axis d)/∂(way along e) [N/m] of a CONTACT with a wall."""
    force, along, part = pressed
    same, square = 1.0 if d == e else 0.0, along[0] ** 2 + along[1] ** 2 + along[2] ** 2
    across = same - row.n[d] * row.n[e]
    if part < 1.0 and square > 0.0:
        across -= along[d] * along[e] / square
    return ((row.n[d] * row.n[e] if force > 0.0 else 0.0) + part * across) / row.weight


@kernel
def list_pressing(
    x: np.ndarray, x0: np.ndarray, work: ImplicitScratch, contacts: np.ndarray, c: int, times: tuple[float, float],
    found: tuple[int, float, float],
) -> tuple[int, float, float]:  # fmt: skip
    """Write down which walls press on chain c somewhere along so much of its solution; times: that part of it, and the
    step [s]. One that presses at neither end does not in between, for it presses by what goes evenly along it.

    found, and returned with this chain's added: (how many there are, the work along the solution of what they do now,
    and what they were taken to do less of it where all of that has been gone).
    """
    (most, h), (count, work_now, less), q = times, found, work.wall[c]
    while q >= 0:
        row = contacts[q]
        way = way_of(row, x, x0, work.frames)
        more = solved_way(row, work.walls[q].row, work.walls[q].turn, work.unknown)
        pressed = press(row, way, h)
        force, along, _ = pressed
        if row.normal > 0.0 or force > 0.0 or press(row, plus(way, most, more), h)[0] > 0.0:
            work.pressing[count].contact = q
            for d in range(3):
                work.pressing[count].way[d], work.pressing[count].more[d] = way[d], more[d]
                work_now += (force * row.n[d] + along[d]) * more[d]
                for e in range(3):
                    less += more[d] * rigidity(row, pressed, d, e) * more[e]
            count += 1
        q = work.walls[q].next
    return count, work_now, less


@kernel
def work_along(work: ImplicitScratch, contacts: np.ndarray, count: int, h: float, scale: float) -> float:
    """The work along the solution of what the first of work.pressing do where part of it has been gone."""
    total = 0.0
    for k in range(count):
        row, more = contacts[work.pressing[k].contact], vector(work.pressing[k].more)
        force, along, _ = press(row, plus(vector(work.pressing[k].way), scale, more), h)
        total += force * dot(row.n, more) + dot(along, more)
    return total


@kernel
def add_walls(
    model: Model, x: np.ndarray, x0: np.ndarray, work: ImplicitScratch, contacts: np.ndarray, c: int, h: float
) -> None:
    """Walls at chain c: their forces and stiffness."""
    a, y, q = work.matrix, work.unknown, work.wall[c]
    while q >= 0:  # all before any is added: they are not to be stiffer than one another
        row, i, j = contacts[q], work.walls[q].row[0], work.walls[q].row[1]
        one, other = own_stiffness(model, work, row.node[0], i), own_stiffness(model, work, row.node[1], j)
        row.weight = max(1.0 / (STIFFER * max(one, other)), row.slide / HEAVIER)  # 1/k [m/N]
        q = work.walls[q].next
    q = work.wall[c]
    while q >= 0:
        row, i, j = contacts[q], work.walls[q].row[0], work.walls[q].row[1]
        force, along, part = press(row, way_of(row, x, x0, work.frames), h)
        p, s = row.share[0], row.share[1]
        if force == 0.0 and row.normal == 0.0:
            q = work.walls[q].next
            continue
        for d in range(3):
            f = force * row.n[d] + along[d]
            if not work.bound[i]:
                y[i + d] += p * f
            if j != i and not work.bound[j]:
                y[j + d] += s * f
            for e in range(3):
                k = rigidity(row, (force, along, part), d, e)
                if e >= d and not work.bound[i]:
                    a[i + d].value[e] += p * p * k
                if e >= d and j != i and not work.bound[j]:
                    a[j + d].value[e] += s * s * k
                if j != i and not (work.bound[i] or work.bound[j]):
                    a[min(i, j) + d].value[abs(j - i) + e] += p * s * k
        if carriers(row) & FRAMES:
            turn_walls(model, work, row, work.walls[q].row, work.walls[q].turn, (force, along, part), c)
        q = work.walls[q].next


@kernel
def turn_walls(
    model: Model,
    work: ImplicitScratch,
    row: np.record,
    rows: np.ndarray,
    turns: np.ndarray,
    pressed: Pressed,
    c: int,
) -> None:
    """What the force of a CONTACT, as `press` has it, and its stiffness do to the angles of frames; rows, turns: as in
    `solved_way`.
    """
    _, along, _ = pressed
    for k in range(2):
        if turns[k] < 0 or work.bound[turns[k]]:
            continue
        for d in range(3):
            work.unknown[turns[k]] += row.lever[k, d] * along[d]
            for e in range(3):
                stiff = row.lever[k, d] * rigidity(row, pressed, d, e)
                for m in range(k, 2):
                    if turns[m] >= 0 and not work.bound[turns[m]]:
                        couple(model, work, c, turns[k], turns[m], stiff * row.lever[m, e])
                for m in range(1 if row.share[1] == 0.0 else 2):
                    if not work.bound[rows[m]]:
                        couple(model, work, c, turns[k], rows[m] + e, stiff * row.share[m])


@kernel
def couple(model: Model, work: ImplicitScratch, c: int, one: int, other: int, value: float) -> None:
    """Add to the entry of two rows, or of one, in the matrix of chain c. Where a closed rod meets itself they are far
    apart: then that of the first one's double, behind its last vertex.
    """
    chain, first, last = model.chain_system.chains[c], min(one, other), max(one, other)
    if last - first > WIDTH:
        first, last = last, first + chain.size * (model.rods[chain.rod].last - model.rods[chain.rod].first + 1)
    begin = first - (first - chain.row) % chain.size
    work.matrix[first].value[last - begin] += value


@kernel
def own_stiffness(model: Model, work: ImplicitScratch, node: int, i: int) -> float:
    """What sets itself against a vertex [N/m]: its part of the matrix, from row i on, and the body that holds it."""
    a = work.matrix
    return max(a[i].value[0], a[i + 1].value[1], a[i + 2].value[2]) + inertia_of_body(model, work, node)


@kernel
def heaviest(model: Model, work: ImplicitScratch, row: np.record) -> float:
    """The larger of what the masses of a CONTACT's vertices, and of bodies that hold them, set against them [N/m]."""
    one, other = row.node[0], row.node[1]
    return max(
        work.inertia[one] + inertia_of_body(model, work, one), work.inertia[other] + inertia_of_body(model, work, other)
    )


@kernel
def inertia_of_body(model: Model, work: ImplicitScratch, node: int) -> float:
    """What the mass of the body that holds a vertex, if any does, sets against it [N/m]."""
    slave = model.nodes[node].slave
    return work.bodies[model.slaves[slave].body].inertia if slave >= 0 else 0.0


@kernel
def keep_walls(
    x: np.ndarray, x0: np.ndarray, work: ImplicitScratch, contacts: np.ndarray, c: int, h: float, whole: bool
) -> tuple[float, float]:
    """What walls press with, for the next iteration, where chain c, now at x, has gone its whole solution.
    Returns the largest gap that is missing, or way along a wall that friction should have held, over the radius; and by
    how much masses would go otherwise for what N and T are now in doubt by.
    """
    furthest, doubted, q = 0.0, 0.0, work.wall[c]
    while q >= 0:
        row = contacts[q]
        force, along, held = press(row, way_of(row, x, x0, work.frames), h)
        off = slid = abs(force - row.normal)
        for d in range(3):
            slid = max(slid, abs(along[d] - row.along[d]))
        # what rolls seems to slide as long as its frames have yet to turn
        furthest = max(furthest, (slid if held == 1.0 or carriers(row) & FRAMES else off) * row.weight / row.radius)
        doubted = max(doubted, (slid - SURE * force) * row.slide / row.radius)
        if whole:
            row.normal = force
            for d in range(3):
                row.along[d] = along[d]
        q = work.walls[q].next
    return furthest, doubted


@kernel
def settled(left: tuple[float, float], rounds: int, hasty: bool) -> bool:
    """Whether after so many iterations what is left to do at walls may be left, as `keep_walls` has it."""
    off, doubted = left
    if rounds >= PATIENCE:
        return off < HASTE
    return off < HASTE and doubted < DOUBT if hasty else max(off, doubted) < PRECISION
