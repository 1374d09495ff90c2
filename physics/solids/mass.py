"""From forces to accelerations: M a = f, with lumped or consistent mass.

A tetrahedron of mass m has the kinetic energy m/20 (Σ_i v_i² + Σ_{i>j} v_i·v_j) (Liesenfeld & Stolfi 1997, eq. 25), so
it adds m/10 to the diagonal of M and m/20 for each of its edges: one matrix (N, N) for x, y and z. Nodes that are
anchored have given accelerations, and M is that of the others. It is factorised once, L D Lᵀ; that of many nodes is not
sparse, and Chebyshev's iteration takes its place, for the eigenvalues of a consistent mass over its diagonal are
between ½ and 5/2 (Wathen 1987, *Realistic eigenvalue bounds for the Galerkin mass matrix*).

Lumped, a node has a quarter of the mass of each of its tetrahedra.
"""

import numpy as np

from .._jit import kernel
from ..linear.sparse_ldl import solve_three
from ..model import Model
from .forces import clear
from .scratch import SolidScratch

LEAST, MOST = 0.5, 2.5  # eigenvalues of the mass over its diagonal
ITERATIONS = 16  # ((√5 − 1)/(√5 + 1))¹⁶ = 2e-7


@kernel
def apply_mass(tetrahedra: np.ndarray, w: np.ndarray, a: np.ndarray, f: np.ndarray) -> None:
    """f (N, 3) = M a, of free nodes, those whose w (N,) is not 0."""
    clear(f)
    for e in range(len(tetrahedra)):
        node, m = tetrahedra[e].node, 0.05 * tetrahedra[e].mass
        for c in range(3):
            total = 0.0
            for k in range(4):
                total += a[node[k], c] if w[node[k]] > 0.0 else 0.0
            for k in range(4):
                f[node[k], c] += m * (total + a[node[k], c]) if w[node[k]] > 0.0 else 0.0


@kernel
def accelerate(model: Model, own: SolidScratch, w: np.ndarray, f: np.ndarray) -> None:
    """f (N, 3) [N] becomes M⁻¹ f [m/s²]: 0 of nodes whose inverse mass w (N,) is. Fills residual, search and answer."""
    mass = model.solids.mass
    if not mass.consistent[0]:
        for i in range(len(f)):
            for c in range(3):
                f[i, c] *= w[i]
        return
    if len(mass.order) > 0:
        solve_three(mass.order, mass.column, mass.below, mass.entries, mass.inverse, own.answer, f)
    else:
        iterate(model, own, w, f)
    for i in range(len(f)):
        if w[i] == 0.0:
            f[i, 0] = f[i, 1] = f[i, 2] = 0.0


@kernel
def iterate(model: Model, own: SolidScratch, w: np.ndarray, f: np.ndarray) -> None:
    """f (N, 3) becomes M⁻¹ f by Chebyshev's iteration (Saad 2003, *Iterative Methods*, alg. 12.1), on M over its
    diagonal, which is 2/5 of the lumped mass.
    """
    tetrahedra, r, d = model.solids.tetrahedra, own.residual, own.search
    middle, half = 0.5 * (MOST + LEAST), 0.5 * (MOST - LEAST)
    rho = half / middle
    for i in range(len(f)):
        for c in range(3):
            r[i, c] = 2.5 * w[i] * f[i, c]
            d[i, c] = r[i, c] / middle
            f[i, c] = 0.0
    for _ in range(ITERATIONS):
        apply_mass(tetrahedra, w, d, own.answer)
        after = 1.0 / (2.0 * middle / half - rho)
        for i in range(len(f)):
            for c in range(3):
                f[i, c] += d[i, c]
                r[i, c] -= 2.5 * w[i] * own.answer[i, c]
                d[i, c] = after * rho * d[i, c] + 2.0 * after / half * r[i, c]
        rho = after
