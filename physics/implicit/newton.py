"""Newton's method on a rod's equations: the frames go with their edges, long steps are cut short.

Near a solution the matrix has as many negative eigenvalues as there are tensions. Where it has others, as under
thrust, what spoils it is left out of it: then it certainly has.
"""

from math import inf, sqrt

import numpy as np

from .._jit import kernel
from ..model import Model, State
from . import rod_equations, straight_rod
from .frames import carry
from .scratch import ImplicitScratch

TURNED = 1e-3  # rad, of the edge that turns most in the last iteration: Newton squares it
FAR = 0.7  # rad, in one iteration
ROUNDS = 20


@kernel
def newton(model: Model, state: State, work: ImplicitScratch, r: int, s: float) -> int:
    """Solve for state.x, work.pull, m1 and turn of rod r from where they are; s: see rod_equations.

    Returns how many iterations it took; −1: it did not converge.
    """
    rods, y = model.rods, work.unknown
    n, straight = rods[r].last - rods[r].first + 1, is_straight(rods, r)
    for rounds in range(ROUNDS):
        if solve(model, state, work, r, s, False) != n - 1 and solve(model, state, work, r, s, True) != n - 1:
            return -1
        turned, scale = move(model, state, work, r, straight_rod.BLOCK if straight else rod_equations.BLOCK)
        if not straight:
            turned = max(turned, 0.1 * carry(model, state, work, r, y, scale))
        if turned < TURNED:
            return rounds + 1
        if not turned < inf:
            return -1
    return -1


@kernel
def is_straight(rods: np.ndarray, r: int) -> bool:
    """Whether rod r needs no frames and keeps its lengths."""
    return not (rods[r].general or rods[r].twisted or rods[r].stretchable)


@kernel
def solve(model: Model, state: State, work: ImplicitScratch, r: int, s: float, convex: bool) -> int:
    """The change of all unknowns into work.unknown. Returns how many negative pivots the matrix has."""
    a, y, n = work.matrix, work.unknown, model.rods[r].last - model.rods[r].first + 1
    if is_straight(model.rods, r):
        straight_rod.assemble(model, state, work, r, s, convex)
        return straight_rod.solve(a, y, straight_rod.BLOCK * n)
    rod_equations.assemble(model, state, work, r, s, convex)
    return rod_equations.solve(a, y, rod_equations.BLOCK * n)


@kernel
def move(model: Model, state: State, work: ImplicitScratch, r: int, block: int) -> tuple[float, float]:
    """Change positions and tensions of rod r by the solution, whose blocks have this many unknowns, or by part of it.

    Returns (by how much [rad] the edge turns that turns most, which part).
    """
    rods, x, y = model.rods, state.x, work.unknown
    first, last, square = rods[r].first, rods[r].last, 0.0
    for j in range(first, last):
        i, own = block * (j - first), 0.0
        for c in range(3):
            d = y[i + block + c] - y[i + c]
            own += d * d
        own /= model.edges[j].length * model.edges[j].length
        if not own <= square:
            square = own
    most = sqrt(square)
    scale = FAR / most if most > FAR else 1.0
    for j in range(first, last + 1):
        for c in range(3):
            x[j, c] += scale * y[block * (j - first) + c]
    for j in range(first, last):
        work.pull[j] += scale * y[block * (j + 1 - first) + 3]
    return most, scale
