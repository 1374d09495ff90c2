"""Forces inside soft bodies, and how their elements' volumes stand."""

import numpy as np

from .._jit import entry, kernel
from ..compiling.on_stack import on_stack
from ..elements.domain_elasticity import elastic_stresses
from ..elements.domain_lanes import LANES, gather, gather_rates, keep_ratios, put, scatter
from ..elements.domain_viscosity import add_viscous_stresses
from ..model import Solids
from .collapse import add_collapse_forces, volume_ratios

NOTHING = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)


@kernel
def clear(f: np.ndarray) -> None:
    """f (n, 3) = 0."""
    for i in range(len(f)):
        f[i, 0] = f[i, 1] = f[i, 2] = 0.0


@entry
def elastic_forces(solids: Solids, x: np.ndarray, f: np.ndarray, jacobian: np.ndarray) -> None:
    """f (n, 3) [N] of the elastic energy at x (n, 3), and det F of each TETRAHEDRON (T,)."""
    find_forces(solids, x, x, False, f, jacobian)


@entry
def viscoelastic_forces(solids: Solids, x: np.ndarray, v: np.ndarray, f: np.ndarray, jacobian: np.ndarray) -> None:
    """The same with −C v at the velocities v (n, 3)."""
    find_forces(solids, x, v, True, f, jacobian)


@kernel
def find_forces(
    solids: Solids, x: np.ndarray, v: np.ndarray, viscous: bool, f: np.ndarray, jacobian: np.ndarray
) -> None:
    """Both."""
    clear(f)
    domains, slopes, here, e, whole = solids.domains, solids.slopes, on_stack(LANES), 0, True
    while e < len(domains):
        count = gather(domains, slopes, e, x, here)
        elastic_stresses(here, count, domains[e].paper)
        whole &= keep_ratios(domains, e, count, here, jacobian)
        if viscous:
            gather_rates(domains, slopes, e, count, v, here)
            add_viscous_stresses(here, count)
        scatter(domains, slopes, e, count, here, f)
        e += count
    if not whole:
        volume_ratios(solids.tetrahedra, x, jacobian)
        add_collapse_forces(solids.tetrahedra, x, jacobian, f)


@entry
def viscous_forces(solids: Solids, x: np.ndarray, v: np.ndarray, f: np.ndarray) -> None:
    """Add −C v to f (n, 3) [N] at the places x and velocities v (n, 3)."""
    domains, slopes, here, e = solids.domains, solids.slopes, on_stack(LANES), 0
    while e < len(domains):
        if domains[e].dilation == 0.0 and domains[e].viscosity == 0.0:
            e += 1
            continue
        count = gather(domains, slopes, e, x, here)
        gather_rates(domains, slopes, e, count, v, here)
        for l in range(count):
            put(NOTHING, here.P, l)
        add_viscous_stresses(here, count)
        scatter(domains, slopes, e, count, here, f)
        e += count
