"""Forces inside soft bodies, and how their elements' volumes stand."""

import numpy as np

from .._jit import kernel
from ..rods.vectors import cross, dot, plus
from .elasticity import cofactors, gradient, scatter, stress, stress_of_16
from .viscosity import viscous_stress


@kernel
def clear(f: np.ndarray) -> None:
    """f (n, 3) = 0."""
    for i in range(len(f)):
        f[i, 0] = f[i, 1] = f[i, 2] = 0.0


@kernel
def elastic_forces(tetrahedra: np.ndarray, x: np.ndarray, f: np.ndarray, jacobian: np.ndarray) -> None:
    """f (n, 3) [N] of the elastic energy at x (n, 3), and det F of each TETRAHEDRON (T,)."""
    clear(f)
    for e in range(len(tetrahedra)):
        one = tetrahedra[e]
        V = one.volume
        F = gradient(one, x)
        cof = cofactors(F)
        J = jacobian[e] = dot(F[0], cof[0])
        if one.paper:
            scatter(one, stress_of_16(F, cof, J, V * one.bulk, V * one.shear), f)
        else:
            scatter(one, stress(F, cof, J, V * one.bulk, V * one.shear), f)


@kernel
def viscoelastic_forces(
    tetrahedra: np.ndarray, x: np.ndarray, v: np.ndarray, f: np.ndarray, jacobian: np.ndarray
) -> None:
    """The same with −C v at the velocities v (n, 3)."""
    clear(f)
    for e in range(len(tetrahedra)):
        one = tetrahedra[e]
        V = one.volume
        F, rate = gradient(one, x), gradient(one, v)
        cof = cofactors(F)
        J = jacobian[e] = dot(F[0], cof[0])
        if one.paper:
            P = stress_of_16(F, cof, J, V * one.bulk, V * one.shear)
        else:
            P = stress(F, cof, J, V * one.bulk, V * one.shear)
        Q = viscous_stress(F, rate, J, V * one.dilation, V * one.viscosity)
        scatter(one, (plus(P[0], 1.0, Q[0]), plus(P[1], 1.0, Q[1]), plus(P[2], 1.0, Q[2])), f)


@kernel
def volume_ratios(tetrahedra: np.ndarray, x: np.ndarray, jacobian: np.ndarray) -> None:
    """det F at x (n, 3) of each TETRAHEDRON (T,), alone."""
    for e in range(len(tetrahedra)):
        F = gradient(tetrahedra[e], x)
        jacobian[e] = dot(F[0], cross(F[1], F[2]))
