"""What keeps a tetrahedron from collapse where the gradients that are felt are means of several (see `domains`).

A ring of tetrahedra may keep its mean while one of them loses its volume. Below half of it each pushes back, by the
energy per relaxed volume

    ψ = κ/32 (1/J − 1/J₀)⁴ for J < J₀ (see energy),    ψ' = −κ/8 (1/J − 1/J₀)³/J²,    J₀ = 1/2,

J = det F of the tetrahedron, so forces on its corners are −ψ'/6 times (b × c), (c × a) and (a × b), of its edges a, b
and c from the first. It grows as the volumetric part of its material's energy (eq. 16 of Liesenfeld & Stolfi 1997) does
towards J = 0, −κ/8 J⁻⁵, and is nothing above J₀. κ is a SHARE of the bulk modulus: where all is pressed evenly to .3
of its volume, what it adds to the law, 6.4 % · SHARE of the pressure, stays below 1 %.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot
from ..elements.deformation_gradient import edge_from

SHARE = 0.1
J0 = 0.5


@kernel
def volume_ratios(tetrahedra: np.ndarray, x: np.ndarray, jacobian: np.ndarray) -> None:
    """det F at x (n, 3) of each TETRAHEDRON (T,)."""
    for e in range(len(tetrahedra)):
        a, b, c = edges(tetrahedra[e], x)
        jacobian[e] = dot(a, cross(b, c)) / (6.0 * tetrahedra[e].volume)


@kernel
def add_collapse_forces(tetrahedra: np.ndarray, x: np.ndarray, jacobian: np.ndarray, f: np.ndarray) -> None:
    """Add to f (n, 3) [N] what resists, with det F (T,) at x (n, 3)."""
    for e in range(len(tetrahedra)):
        if jacobian[e] < J0 and tetrahedra[e].collapse > 0.0:
            a, b, c = edges(tetrahedra[e], x)
            inverse = 1.0 / jacobian[e]
            off = inverse - 1.0 / J0
            k = tetrahedra[e].collapse * off * off * off * inverse * inverse / 48.0
            node = tetrahedra[e].node
            push(k, cross(b, c), f, node[1], node[0])
            push(k, cross(c, a), f, node[2], node[0])
            push(k, cross(a, b), f, node[3], node[0])


@kernel
def edges(tetrahedron: np.record, x: np.ndarray) -> tuple[Vector, Vector, Vector]:
    """From a TETRAHEDRON's first corner to the others."""
    node = tetrahedron.node
    return edge_from(x, node[0], node[1]), edge_from(x, node[0], node[2]), edge_from(x, node[0], node[3])


@kernel
def push(k: float, u: Vector, f: np.ndarray, i: int, j: int) -> None:
    """Add k u to row i of f (n, 3), and take it from row j."""
    for c in range(3):
        f[i, c] += k * u[c]
        f[j, c] -= k * u[c]
