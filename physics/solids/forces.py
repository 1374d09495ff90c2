"""Forces inside soft bodies, and how their elements' volumes stand."""

import numpy as np

from .._jit import entry, kernel
from ..compiling.on_stack import on_stack
from ..model import Solids
from .collapse import add_collapse_forces, volume_ratios
from .elasticity import elastic_stresses
from .lanes import LANES, gather, gather_rates, keep_ratios, scatter
from .viscosity import add_viscous_stresses


@kernel
def clear(f: np.ndarray) -> None:
    """f (n, 3) = 0."""
    for i in range(len(f)):
        f[i, 0] = f[i, 1] = f[i, 2] = 0.0


@entry
def elastic_forces(solids: Solids, x: np.ndarray, f: np.ndarray, jacobian: np.ndarray) -> None:
    """f (n, 3) [N] of the elastic energy at x (n, 3), and det F of each TETRAHEDRON (T,)."""
    clear(f)
    domains, slopes, here, e, whole = solids.domains, solids.slopes, on_stack(LANES), 0, True
    while e < len(domains):
        count = gather(domains, slopes, e, x, here)
        elastic_stresses(here, count, domains[e].paper)
        whole &= keep_ratios(domains, e, count, here, jacobian)
        scatter(domains, slopes, e, count, here, f)
        e += count
    if not whole:
        volume_ratios(solids.tetrahedra, x, jacobian)
        add_collapse_forces(solids.tetrahedra, x, jacobian, f)


@entry
def viscoelastic_forces(solids: Solids, x: np.ndarray, v: np.ndarray, f: np.ndarray, jacobian: np.ndarray) -> None:
    """The same with −C v at the velocities v (n, 3)."""
    clear(f)
    domains, slopes, here, e, whole = solids.domains, solids.slopes, on_stack(LANES), 0, True
    while e < len(domains):
        count = gather(domains, slopes, e, x, here)
        elastic_stresses(here, count, domains[e].paper)
        whole &= keep_ratios(domains, e, count, here, jacobian)
        gather_rates(domains, slopes, e, count, v, here)
        add_viscous_stresses(here, count)
        scatter(domains, slopes, e, count, here, f)
        e += count
    if not whole:
        volume_ratios(solids.tetrahedra, x, jacobian)
        add_collapse_forces(solids.tetrahedra, x, jacobian, f)
