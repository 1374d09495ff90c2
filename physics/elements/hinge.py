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

Jᵀ k J has the same form. With K = Σ_j (k₁ m₂ m₂ᵀ + k₂ m₁ m₁ᵀ)^j, W = K κb, X = 2χ [t^b]×, Z = 2χ [t^a]× and k₅ of the
twist, it adds X K Xᵀ to the first, Z K Zᵀ to the second and −X K Zᵀ to the third of these brackets, where

    A, B go with G + W instead of G, and have T (κb·W)/2 besides,    C^j has k₅ κb/4 besides,    N and s stay,

k₅ κb κbᵀ/4 to the third; and a change of θ^j is a moment t^j × G^j + (k₁ ω₂ m₂ + k₂ ω₁ m₁)^j and a torque ∓k₅.

Transport round a small loop turns a frame by the loop's solid angle. The Hessian is that of the energy with the frames
carried straight to where the edges are; the gradient's change along a motion differs from it by ½ p² ∂E/∂θ^a [t^a]×,
which is antisymmetric and vanishes, summed over a rod's hinges, for frames at equilibrium.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Matrix, Vector, cross, crossed, dot, dyad, plus, plus_dyad, scaled, transposed, vector

NONE = (0.0, 0.0, 0.0)

Shape = tuple[Vector, Vector, float, float, float, Vector]  # (t^a, t^b, p, q, χ, κb)
Axes = tuple[Vector, Vector, Vector, Vector]  # (m₁^a, m₂^a, m₁^b, m₂^b)
Strains = tuple[float, float, float, float, float]
Pair = tuple[Vector, Vector]  # by a and by b
Gradient = tuple[Vector, Vector, float, float]  # ∂/∂(a, b, θ^a, θ^b)
Hessian = tuple[Matrix, Matrix, Matrix, Pair, Pair, Vector]
# ∂²/∂a², ∂²/∂b², ∂²/∂a∂b, those of θ^a and of θ^b by the edges, ∂²/∂(θ^a)², ∂²/∂(θ^b)² and ∂²/∂θ^a∂θ^b


@kernel(forceinline=True)
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


@kernel(forceinline=True)
def bending_moment(m1: Vector, m2: Vector, first: float, second: float) -> Vector:
    """G of the moments [N m] about an edge's material axes."""
    return first * m2[0] - second * m1[0], first * m2[1] - second * m1[1], first * m2[2] - second * m1[2]


@kernel
def angle_derivatives(w1: float, w2: float, k1: float, k2: float, rest1: float, rest2: float) -> tuple[float, float]:
    """∂/∂θ and ∂²/∂θ² [N m] of one edge's share of the bending energy, from its ω, B/l and ω̄: ω₁' = ω₂, ω₂' = −ω₁."""
    b1, b2 = k1 * (w1 - rest1), k2 * (w2 - rest2)
    return b1 * w2 - b2 * w1, k1 * w2 * w2 + k2 * w1 * w1 - b1 * w1 - b2 * w2


@kernel
def between(edges: np.ndarray) -> Shape:
    """The Shape of edges (2, 3) [m]."""
    a, b = vector(edges[0]), vector(edges[1])
    p, q = 1.0 / sqrt(dot(a, a)), 1.0 / sqrt(dot(b, b))
    return shape_of(scaled(p, a), scaled(q, b), p, q)


@kernel(forceinline=True)
def shape_of(ta: Vector, tb: Vector, p: float, q: float) -> Shape:
    """The same from their directions and inverse lengths."""
    chi = 1.0 / (1.0 + dot(ta, tb))
    k = cross(ta, tb)
    return ta, tb, p, q, chi, (2.0 * chi * k[0], 2.0 * chi * k[1], 2.0 * chi * k[2])


@kernel
def put(pair: tuple[Vector, Vector], row: np.ndarray) -> None:
    """Two vectors into row (6 or more,)."""
    row[0], row[1], row[2] = pair[0]
    row[3], row[4], row[5] = pair[1]


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
def axes_at(t: Vector, u: Vector, c: float, s: float) -> tuple[Vector, Vector]:
    """(m₁, m₂) = (c u + s v, c v − s u) of an edge, v = t × u, from (cos θ, sin θ)."""
    v = cross(t, u)
    m1 = (c * u[0] + s * v[0], c * u[1] + s * v[1], c * u[2] + s * v[2])
    return m1, (c * v[0] - s * u[0], c * v[1] - s * u[1], c * v[2] - s * u[2])


@kernel
def material_curvature(ku: float, kv: float, c: float, s: float) -> tuple[float, float]:
    """(ω₁, ω₂) of κb = (k_u, k_v) in the frame turned by the angle of the cosine c and sine s."""
    return kv * c - ku * s, -ku * c - kv * s


@kernel(forceinline=True)
def axes_of(shape: Shape, a: Vector, b: Vector) -> Axes:
    """(m₁^a, m₂^a, m₁^b, m₂^b) from the first material axes."""
    return a, cross(shape[0], a), b, cross(shape[1], b)


@kernel(forceinline=True)
def curvatures(kb: Vector, axes: Axes) -> tuple[float, float, float, float]:
    """(ω^a, ω^b)."""
    return dot(kb, axes[1]), -dot(kb, axes[0]), dot(kb, axes[3]), -dot(kb, axes[2])


@kernel(forceinline=True)
def both_moments(axes: Axes, moment: Strains) -> tuple[Vector, Vector]:
    """(G^a, G^b)."""
    one = bending_moment(axes[0], axes[1], moment[0], moment[1])
    return one, bending_moment(axes[2], axes[3], moment[2], moment[3])


@kernel(forceinline=True)
def hinge_gradient(shape: Shape, axes: Axes, moment: Strains) -> Gradient:
    """∂E of a hinge at the moments M [N m]."""
    ta, tb, p, q, chi, kb = shape
    Ga, Gb = both_moments(axes, moment)
    a, b = moment_gradient(ta, tb, p, q, chi, kb, plus(Ga, 1.0, Gb), moment[4])
    return a, b, dot(kb, cross(ta, Ga)) - moment[4], dot(kb, cross(tb, Gb)) + moment[4]


@kernel(forceinline=True)
def hinge_hessian(shape: Shape, axes: Axes, moment: Strains, k: Strains) -> Hessian:
    """∂²E of a hinge at the moments M, with the stiffness k of its strains [N m]."""
    ta, tb, p, q, chi, kb = shape
    ma, na, mb, nb = axes
    w, half = curvatures(kb, axes), 0.5 * moment[4]
    Ga, Gb = both_moments(axes, moment)
    Wa, Wb = both_moments(axes, (k[0] * w[0], k[1] * w[1], k[2] * w[2], k[3] * w[3], 0.0))
    G, W, T = plus(Ga, 1.0, Gb), plus(Wa, 1.0, Wb), scaled(chi, plus(ta, 1.0, tb))
    s, N, share = chi * dot(kb, G), plus(scaled(half, T), -2.0 * chi, G), 0.5 * dot(kb, W)
    A, B = moment_gradient(ta, tb, 1.0, 1.0, chi, kb, plus(G, 1.0, W), half)
    A, B, twist = plus(A, share, T), plus(B, share, T), scaled(0.25 * k[4], kb)
    Ca, Cb = plus(scaled(0.5, plus(Ga, -half, ta)), 0.5, twist), plus(scaled(0.5, plus(Gb, -half, tb)), 0.5, twist)
    K = plus_dyad(dyad(k[0], na, na), k[1], ma, ma)
    K = plus_dyad(plus_dyad(K, k[2], nb, nb), k[3], mb, mb)
    Y, Z = crossed(2.0 * chi, tb, K), crossed(2.0 * chi, ta, K)
    aa = plus_dyad(transposed(crossed(2.0 * chi, tb, transposed(Y))), s, ta, ta)
    bb = plus_dyad(transposed(crossed(2.0 * chi, ta, transposed(Z))), s, tb, tb)
    ab = plus_dyad(transposed(crossed(-2.0 * chi, ta, transposed(Y))), -s, ta, tb)
    aa = plus_dyad(plus_dyad(plus_dyad(plus_dyad(aa, 1.0, kb, Ca), 1.0, Ca, kb), -1.0, A, T), -1.0, T, A)
    bb = plus_dyad(plus_dyad(plus_dyad(plus_dyad(bb, 1.0, kb, Cb), 1.0, Cb, kb), -1.0, B, T), -1.0, T, B)
    ab = plus_dyad(plus_dyad(plus_dyad(ab, 1.0, kb, twist), -1.0, A, T), -1.0, T, B)
    Da = plus(cross(ta, Ga), 1.0, bending_moment(ma, na, k[0] * w[1], -k[1] * w[0]))
    Db = plus(cross(tb, Gb), 1.0, bending_moment(mb, nb, k[2] * w[3], -k[3] * w[2]))
    angles = (
        k[0] * w[1] * w[1] + k[1] * w[0] * w[0] - dot(kb, Ga) + k[4],
        k[2] * w[3] * w[3] + k[3] * w[2] * w[2] - dot(kb, Gb) + k[4],
        -k[4],
    )
    return (
        shifted(p * p, aa, -s, NONE),
        shifted(q * q, bb, -s, NONE),
        shifted(p * q, ab, -s, N),
        moment_gradient(ta, tb, p, q, chi, kb, Da, -k[4]),
        moment_gradient(ta, tb, p, q, chi, kb, Db, k[4]),
        angles,
    )


@kernel(forceinline=True)
def shifted(k: float, X: Matrix, s: float, N: Vector) -> Matrix:
    """k (X + s 1 + [N]×)."""
    return (
        (k * (X[0][0] + s), k * (X[0][1] - N[2]), k * (X[0][2] + N[1])),
        (k * (X[1][0] + N[2]), k * (X[1][1] + s), k * (X[1][2] - N[0])),
        (k * (X[2][0] - N[1]), k * (X[2][1] + N[0]), k * (X[2][2] + s)),
    )


@entry
def strain_gradients(
    edges: np.ndarray, m1: np.ndarray, turn: np.ndarray, strain: np.ndarray, jacobian: np.ndarray
) -> None:
    """`strain_gradient` of k hinges."""
    for i in range(len(turn)):
        strain_gradient(edges[i], m1[i], turn[i], strain[i], jacobian[i])
