"""Forces inside soft bodies, and how their elements' volumes stand."""

import numpy as np

from .._jit import entry, kernel
from ..compiling.on_stack import on_stack
from ..vectors import cross, dot
from .deformation_gradient import gradient
from .elasticity import elastic_stresses
from .lanes import LANES, gather, gather_rates, gradients, scatter
from .viscosity import add_viscous_stresses


@kernel
def clear(f: np.ndarray) -> None:
    """f (n, 3) = 0."""
    for i in range(len(f)):
        f[i, 0] = f[i, 1] = f[i, 2] = 0.0


@entry
def elastic_forces(tetrahedra: np.ndarray, x: np.ndarray, f: np.ndarray, jacobian: np.ndarray) -> None:
    """f (n, 3) [N] of the elastic energy at x (n, 3), and det F of each TETRAHEDRON (T,)."""
    clear(f)
    here, e = on_stack(LANES), 0
    while e < len(tetrahedra):
        count = stretch(tetrahedra, e, x, here, jacobian)
        scatter(tetrahedra, e, count, here, f)
        e += count


@entry
def viscoelastic_forces(
    tetrahedra: np.ndarray, x: np.ndarray, v: np.ndarray, f: np.ndarray, jacobian: np.ndarray
) -> None:
    """The same with −C v at the velocities v (n, 3)."""
    clear(f)
    here, e = on_stack(LANES), 0
    while e < len(tetrahedra):
        count = stretch(tetrahedra, e, x, here, jacobian)
        gather_rates(tetrahedra, e, count, v, here)
        gradients(here.rate, here, count, here.rate)
        add_viscous_stresses(here, count)
        scatter(tetrahedra, e, count, here, f)
        e += count


@kernel
def stretch(tetrahedra: np.ndarray, e: int, x: np.ndarray, here: np.record, jacobian: np.ndarray) -> int:
    """LANES from TETRAHEDRON e on at x (n, 3), with their elastic stresses; returns how many."""
    count = gather(tetrahedra, e, x, here)
    gradients(here.edge, here, count, here.F)
    elastic_stresses(here, count, tetrahedra[e].paper)
    for l in range(count):
        jacobian[e + l] = here.J[l]
    return count


@kernel
def volume_ratios(tetrahedra: np.ndarray, x: np.ndarray, jacobian: np.ndarray) -> None:
    """det F at x (n, 3) of each TETRAHEDRON (T,), alone."""
    for e in range(len(tetrahedra)):
        F = gradient(tetrahedra[e], x)
        jacobian[e] = dot(F[0], cross(F[1], F[2]))
