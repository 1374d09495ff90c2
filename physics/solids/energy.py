"""Energy that soft bodies hold: of their domains, and of tetrahedra near collapse (collapse)."""

import numpy as np

from .._jit import entry
from ..arithmetic.vectors import cross, dot
from ..elements.domain_elasticity import energy_density
from ..elements.domain_lanes import gradient
from ..model import Solids
from .collapse import J0, edges


@entry
def energy_densities(solids: Solids, x: np.ndarray, density: np.ndarray) -> None:
    """(D,) [J/m³], per relaxed volume of each DOMAIN at x (N, 3)."""
    for e in range(len(solids.domains)):
        one = solids.domains[e]
        F = gradient(solids.slopes[one.first : one.end], x)
        density[e] = energy_density(F, one.bulk, one.shear, one.paper)


@entry
def elastic_energy(solids: Solids, x: np.ndarray) -> float:
    """[J] of all soft bodies at x (N, 3)."""
    total = 0.0
    for e in range(len(solids.domains)):
        one = solids.domains[e]
        F = gradient(solids.slopes[one.first : one.end], x)
        total += one.volume * energy_density(F, one.bulk, one.shear, one.paper)
    for e in range(len(solids.tetrahedra)):
        one = solids.tetrahedra[e]
        a, b, c = edges(one, x)
        J = dot(a, cross(b, c)) / (6.0 * one.volume)
        if J < J0:
            total += one.volume * one.collapse / 32.0 * (1.0 / J - 1.0 / J0) ** 4
    return total
