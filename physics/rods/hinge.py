"""Hinge between two edges of a rod: strains, gradient and Hessian of its energy (Bergou 2008, eq. 3).

An element of the edge vectors a, b and the angles θ^a, θ^b of their material frames: eight coordinates in this order.
Its strains are the curvatures ω = (κb·m₂, −κb·m₁) in both frames and the twist m between them, y = (ω^a, ω^b, m):

    E = ½ Σ_c k_c (y_c − ȳ_c)²,    k = (B^a/l, B^b/l, 2β/l),    moments M_c = k_c (y_c − ȳ_c),
    ∂E = Jᵀ M,    ∂²E = Jᵀ k J + Σ_c M_c ∂²y_c,    J = ∂y.

While an edge turns, its frame is carried along by parallel transport in time (Bergou 2010, Discrete Viscous Threads)
and θ counts from there. With p = 1/|a|, q = 1/|b|, χ = 1/(1 + t^a·t^b), T = χ (t^a + t^b), G^j = (M₁ m₂ − M₂ m₁)^j of
each edge, G = G^a + G^b, the torque τ = M₅, and s = κb·G, the work M·y of given moments has the derivatives

    ∂/∂a = p (2χ t^b × G − s T + τ κb/2),    ∂/∂θ^j = κb·(t^j × G^j) ∓ τ,
    ∂/∂b = q (2χ G × t^a − s T + τ κb/2),    where τ κb/2 is the holonomy (eq. 9) and t^j × G^j is ∂G^j/∂θ^j.

With A, B these two brackets at half the torque, C^j = G^j − τ t^j/2, N = τ T/2 − 2χ G and {x y} = x yᵀ + y xᵀ,

    ∂²/∂a² = p² ({κb C^a}/2 − {A T} − sχ (1 − t^a t^aᵀ)),    ∂²/∂b² = q² ({κb C^b}/2 − {B T} − sχ (1 − t^b t^bᵀ)),
    ∂²/∂a∂b = p q ([N]× − A Tᵀ − T Bᵀ − sχ (1 + t^a t^bᵀ)),    ∂²/∂(θ^j)² = −κb·G^j.

Transport round a small loop turns a frame by the loop's solid angle. The Hessian is that of the energy with the frames
carried straight to where the edges are; the gradient's change along a motion differs from it by ½ p² ∂E/∂θ^a [t^a]×,
which is antisymmetric and vanishes, summed over a rod's hinges, for frames at equilibrium.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from .vectors import Vector, cross, dot, vector


@kernel
def moment_gradient(
    ta: Vector, tb: Vector, p: float, q: float, chi: float, kb: Vector, G: Vector, torque: float
) -> tuple[Vector, Vector]:
    """(∂/∂a, ∂/∂b) of the work of the bending moment G and the torque τ on a hinge's strains."""
    s, w, r = chi * dot(kb, G), 0.5 * torque, 2.0 * chi
    x, y, z = w * kb[0] - s * (ta[0] + tb[0]), w * kb[1] - s * (ta[1] + tb[1]), w * kb[2] - s * (ta[2] + tb[2])
    g, h = cross(tb, G), cross(G, ta)
    return (
        (p * (x + r * g[0]), p * (y + r * g[1]), p * (z + r * g[2])),
        (q * (x + r * h[0]), q * (y + r * h[1]), q * (z + r * h[2])),
    )


@kernel
def bending_moment(m1: Vector, m2: Vector, first: float, second: float) -> Vector:
    """G of the moments [N m] about an edge's material axes."""
    return first * m2[0] - second * m1[0], first * m2[1] - second * m1[1], first * m2[2] - second * m1[2]


@kernel
def angle_derivatives(w1: float, w2: float, k1: float, k2: float, rest1: float, rest2: float) -> tuple[float, float]:
    """∂/∂θ and ∂²/∂θ² [N m] of one edge's share of the bending energy, from its ω, B/l and ω̄: ω₁' = ω₂, ω₂' = −ω₁."""
    b1, b2 = k1 * (w1 - rest1), k2 * (w2 - rest2)
    return b1 * w2 - b2 * w1, k1 * w2 * w2 + k2 * w1 * w1 - b1 * w1 - b2 * w2


@kernel
def between(edges: np.ndarray) -> tuple[Vector, Vector, float, float, float, Vector]:
    """(t^a, t^b, p, q, χ, κb) of the edges (2, 3) [m]."""
    a, b = vector(edges[0]), vector(edges[1])
    p, q = 1.0 / sqrt(dot(a, a)), 1.0 / sqrt(dot(b, b))
    ta, tb = (p * a[0], p * a[1], p * a[2]), (q * b[0], q * b[1], q * b[2])
    chi = 1.0 / (1.0 + dot(ta, tb))
    k = cross(ta, tb)
    return ta, tb, p, q, chi, (2.0 * chi * k[0], 2.0 * chi * k[1], 2.0 * chi * k[2])


@kernel
def put(pair: tuple[Vector, Vector], row: np.ndarray) -> None:
    """Two vectors into row (6 or more,)."""
    for c in range(3):
        row[c], row[3 + c] = pair[0][c], pair[1][c]


@kernel
def strain_gradient(edges: np.ndarray, m1: np.ndarray, turn: float, strain: np.ndarray, jacobian: np.ndarray) -> None:
    """Strains y (5,) and J (5, 8) of a hinge: edges (2, 3) [m], first material axes (2, 3), twist m [rad]."""
    ta, tb, p, q, chi, kb = between(edges)
    for side in range(2):
        t, first, second = ta if side == 0 else tb, 2 * side, 2 * side + 1
        m = vector(m1[side])
        n = cross(t, m)
        strain[first], strain[second] = dot(kb, n), -dot(kb, m)
        put(moment_gradient(ta, tb, p, q, chi, kb, n, 0.0), jacobian[first])
        put(moment_gradient(ta, tb, p, q, chi, kb, (-m[0], -m[1], -m[2]), 0.0), jacobian[second])
        jacobian[first, 6 + side], jacobian[second, 6 + side] = strain[second], -strain[first]
        jacobian[first, 7 - side] = jacobian[second, 7 - side] = 0.0
    strain[4] = turn
    put(moment_gradient(ta, tb, p, q, chi, kb, (0.0, 0.0, 0.0), 1.0), jacobian[4])
    jacobian[4, 6], jacobian[4, 7] = -1.0, 1.0


@kernel
def hinge_hessian(
    edges: np.ndarray,
    m1: np.ndarray,
    moment: np.ndarray,
    stiffness: np.ndarray,
    jacobian: np.ndarray,
    hessian: np.ndarray,
) -> None:
    """∂²E (8, 8) of a hinge at the moments M (5,) [N m], with the stiffness k (5,) [N m] and the J of its strains."""
    ta, tb, p, q, chi, kb = between(edges)
    ma, mb, torque = vector(m1[0]), vector(m1[1]), moment[4]
    Ga = bending_moment(ma, cross(ta, ma), moment[0], moment[1])
    Gb = bending_moment(mb, cross(tb, mb), moment[2], moment[3])
    G = (Ga[0] + Gb[0], Ga[1] + Gb[1], Ga[2] + Gb[2])
    A, B = moment_gradient(ta, tb, 1.0, 1.0, chi, kb, G, 0.5 * torque)
    s, half = chi * dot(kb, G), 0.5 * torque
    for r in range(3):
        Tr = chi * (ta[r] + tb[r])
        for c in range(3):
            Tc, one = chi * (ta[c] + tb[c]), 1.0 if r == c else 0.0
            aa = 0.5 * (kb[r] * (Ga[c] - half * ta[c]) + (Ga[r] - half * ta[r]) * kb[c]) - A[r] * Tc - Tr * A[c]
            bb = 0.5 * (kb[r] * (Gb[c] - half * tb[c]) + (Gb[r] - half * tb[r]) * kb[c]) - B[r] * Tc - Tr * B[c]
            hessian[r, c] = p * p * (aa - s * (one - ta[r] * ta[c]))
            hessian[3 + r, 3 + c] = q * q * (bb - s * (one - tb[r] * tb[c]))
            hessian[3 + c, r] = p * q * (-A[r] * Tc - Tr * B[c] - s * (one + ta[r] * tb[c]))
    for r in range(3):
        N = p * q * chi * (half * (ta[r] + tb[r]) - 2.0 * G[r])
        hessian[3 + (r + 1) % 3, (r + 2) % 3] += N
        hessian[3 + (r + 2) % 3, (r + 1) % 3] -= N
    put(moment_gradient(ta, tb, p, q, chi, kb, cross(ta, Ga), 0.0), hessian[6])
    put(moment_gradient(ta, tb, p, q, chi, kb, cross(tb, Gb), 0.0), hessian[7])
    hessian[6, 6], hessian[7, 6], hessian[7, 7] = -dot(kb, Ga), 0.0, -dot(kb, Gb)
    for r in range(8):
        for c in range(r + 1):
            entry = hessian[r, c]
            for k in range(5):
                entry += stiffness[k] * jacobian[k, r] * jacobian[k, c]
            hessian[r, c] = hessian[c, r] = entry


@entry
def strain_gradients(
    edges: np.ndarray, m1: np.ndarray, turn: np.ndarray, strain: np.ndarray, jacobian: np.ndarray
) -> None:
    """`strain_gradient` of k hinges."""
    for i in range(len(turn)):
        strain_gradient(edges[i], m1[i], turn[i], strain[i], jacobian[i])


@entry
def hinge_hessians(
    edges: np.ndarray,
    m1: np.ndarray,
    moment: np.ndarray,
    stiffness: np.ndarray,
    jacobian: np.ndarray,
    hessian: np.ndarray,
) -> None:
    """`hinge_hessian` of k hinges."""
    for i in range(len(edges)):
        hinge_hessian(edges[i], m1[i], moment[i], stiffness[i], jacobian[i], hessian[i])
