"""Vertices at walls in an implicit step, as semismooth equations on the diagonal (an augmented Lagrangian: Alart &
Curnier 1991).

With the normal n, the displacement d since the old position, the gap g₀ + n·d, the one it shall have, ĝ (see
contact/inequality_constraints), and a stiffness k far above what the rod sets against the vertex,

    N = max(0, N' + k (ĝ − g)),    T = T' − k (d − n (n·d)), clipped at μN,

of N', T' from the last iteration; where it ends, what k multiplies is nought.

Newton's method alone may go round in circles here, between vertices that touch and that do not. But along its step dx
the slope of what it minimises is known without solving anything, −(1 − α) dx·A dx and what walls, as they then are,
differ by from what they were taken for: the step goes to where that vanishes.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..contact.inequality_constraints import RECOVERY_SPEED, allowed_gap
from ..model import Model
from ..rods.vectors import Vector, vector
from .chain import node_of
from .scratch import ImplicitScratch

STIFFER = 100.0  # than the vertex's own part of the matrix: by that the gap shrinks in an iteration


@kernel
def list_walls(contacts: np.ndarray, work: ImplicitScratch) -> None:
    """Chain up the contacts with walls of each vertex."""
    for i in range(len(work.wall)):
        work.wall[i] = -1
    for q in range(len(contacts)):
        if contacts[q].wall:
            work.next_wall[q] = work.wall[contacts[q].node[0]]
            work.wall[contacts[q].node[0]] = q


@kernel
def press(row: np.record, x: Vector, x0: np.ndarray, h: float) -> tuple[float, float, Vector, float]:
    """(ĝ − g [m], N [N], T, by which part T was clipped) of a CONTACT with a wall, at x (3,), from x0 (3,)."""
    n, k, old = row.n, 1.0 / row.weight, row.along
    dx, dy, dz = x[0] - x0[0], x[1] - x0[1], x[2] - x0[2]
    up = n[0] * dx + n[1] * dy + n[2] * dz
    missing = allowed_gap(row.gap, RECOVERY_SPEED * row.radius * h) - row.gap - up
    force = max(0.0, row.normal + k * missing)
    tx, ty, tz = old[0] - k * (dx - up * n[0]), old[1] - k * (dy - up * n[1]), old[2] - k * (dz - up * n[2])
    size, limit, part = sqrt(tx * tx + ty * ty + tz * tz), row.friction * force, 1.0
    if size > limit:
        part = limit / size
    return missing, force, (part * tx, part * ty, part * tz), part


@kernel
def rigidity(row: np.record, along: Vector, part: float, d: int, e: int) -> float:
    """−∂(force along the axis d)/∂(way along e) [N/m] of a CONTACT with a wall that presses."""
    same, square = 1.0 if d == e else 0.0, along[0] ** 2 + along[1] ** 2 + along[2] ** 2
    across = same - row.n[d] * row.n[e]
    if part < 1.0 and square > 0.0:
        across -= along[d] * along[e] / square
    return (row.n[d] * row.n[e] + part * across) / row.weight


@kernel
def surplus(
    model: Model,
    x: np.ndarray,
    x0: np.ndarray,
    work: ImplicitScratch,
    contacts: np.ndarray,
    c: int,
    h: float,
    scale: float,
) -> float:
    """The work along chain c's solution of what walls do, where part of it has been gone, less than they were taken
    for.
    """
    chain, total = model.chain_system.chains[c], 0.0
    for block in range(chain.own[0], chain.own[1]):
        node = node_of(model.rods, chain, block)
        q = work.wall[node]
        if q < 0:
            continue
        i = chain.row + chain.size * block
        way = vector(work.unknown[i : i + 3])
        there = x[node, 0] + scale * way[0], x[node, 1] + scale * way[1], x[node, 2] + scale * way[2]
        while q >= 0:
            row = contacts[q]
            _, force, along, part = press(row, vector(x[node]), x0[node], h)
            _, then, then_along, _ = press(row, there, x0[node], h)
            for d in range(3):
                taken = force * row.n[d] + along[d] - then * row.n[d] - then_along[d]
                for e in range(3):
                    if force > 0.0:
                        taken -= scale * rigidity(row, along, part, d, e) * way[e]
                total += taken * way[d]
            q = work.next_wall[q]
    return total


@kernel
def add_walls(
    model: Model, x: np.ndarray, x0: np.ndarray, work: ImplicitScratch, contacts: np.ndarray, c: int, h: float
) -> None:
    """Walls at the vertices that are chain c's own: their forces and stiffness."""
    chain = model.chain_system.chains[c]
    for block in range(chain.own[0], chain.own[1]):
        node = node_of(model.rods, chain, block)
        q = work.wall[node]
        i = chain.row + chain.size * block
        a, y = work.matrix[i:], work.unknown[i:]
        while q >= 0:
            row, body = contacts[q], model.nodes[node].slave
            stiffness = max(a[0, 0], a[1, 0], a[2, 0])
            if body >= 0:
                stiffness += work.bodies[model.slaves[body].body].inertia
            row.weight = 1.0 / (STIFFER * stiffness)  # 1/k [m/N]
            _, force, along, part = press(row, vector(x[node]), x0[node], h)
            for d in range(3):
                y[d] += force * row.n[d] + along[d]
                for e in range(d, 3):
                    if force > 0.0:
                        a[d, e - d] += rigidity(row, along, part, d, e)
            q = work.next_wall[q]


@kernel
def keep_walls(
    model: Model, x: np.ndarray, x0: np.ndarray, work: ImplicitScratch, contacts: np.ndarray, c: int, h: float
) -> float:
    """What walls press with at x, for the next iteration. Returns the largest gap that is missing, or way along a wall
    that friction should have held, over the vertex's radius.
    """
    chain, largest = model.chain_system.chains[c], 0.0
    for block in range(chain.own[0], chain.own[1]):
        node = node_of(model.rods, chain, block)
        q = work.wall[node]
        while q >= 0:
            row = contacts[q]
            missing, force, along, part = press(row, vector(x[node]), x0[node], h)
            off = abs(missing) if force > 0.0 else 0.0
            if part == 1.0:
                for d in range(3):
                    off = max(off, abs(along[d] - row.along[d]) * row.weight)
            largest = max(largest, off / row.radius)
            row.normal = force
            for d in range(3):
                row.along[d] = along[d]
            q = work.next_wall[q]
    return largest
