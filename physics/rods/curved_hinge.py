"""Hinge of a rod that is curved at rest: its energy, gradient and Hessian by the strains y = (ω^a, ω^b, m) of `hinge`.

The vertices of a curved rod lie on it, and its edges are chords. So a hinge bears the moment of its vertex about the
*mean* of the two edges' frames, and what that works on, for a turning angle φ, is 2 sin(φ/2) across, 2 tan(φ/2) cos
(φ/2), and m cos(φ/2) along, as of twice the vector part of the quaternion from frame to frame (CORDE, Spillmann &
Teschner 2007, eq. 10, has the same). The paper's 2 tan(φ/2) and m are stiffer by φ²/4, and its rest curvature ω̄, the
same against both frames, resists a twist m besides, by B κ̄² m²/8l. Here, with g = tan²(φ/2) now and ḡ at rest,

    E = (1/λ) (½ Σ_j k_j (μ ω_j − μ̄ R_j ω̄_j)² + ½ k₅ μ² (m − m̄)²),    μ = (1 + h)^(−½),    h = 2 g ḡ/(g + ḡ),

and μ̄ = (1 + ḡ)^(−½). h, the harmonic mean, is ḡ at rest, and there μ is cos(φ/2) and the rates of both strains are
those above, that of φ itself too: 1 but for φ⁴. It is 0 where the rod is pulled straight, whose moment B ω̄ μ̄/l is then
the circle's, B φ̄/arc; 0 for rods that are straight at rest, which keep the paper's eq. (3); and 2ḡ near a fold, where E
grows without bound as the paper's. R_j turns ω̄ by half of the twist m − m̄ from either frame on, so that it is as bent
in the mean of both.

λ = (1 + A h)/(1 + C h) stands for (arc/chord)² = (x/sin x)², x = φ/2: it has its slope ⅓ at 0 and its value π²/4 where
edges fold. Once, for stiffness goes with the inverse of the arc; and once more, for a rod that is drawn as chords
weighs as they do: so it bends under its weight and swings as the curved one.

With α = μ²/λ, β = μ/λ, γ = 1/λ, r_j = μ̄ R_j ω̄_j and Δ = m − m̄,

    E = ½ Σ_c k_c (α ω_c² − 2β ω_c r_c + γ r_c²) + ½ k₅ α Δ²,    and g = |ω^a|²/8 + |ω^b|²/8.
"""

from math import cos, sin, sqrt

import numpy as np

from .._jit import entry, kernel
from ..vectors import plus, plus_dyad, vector
from .hinge import (
    Axes,
    Gradient,
    Hessian,
    Shape,
    Strains,
    axes_of,
    between,
    curvatures,
    hinge_gradient,
    hinge_hessian,
)

C = 4.0 / (3.0 * (np.pi * np.pi - 4.0))  # A − C = ⅓ and A/C = π²/4
A = C + 1.0 / 3.0
LITTLE = 0.5  # rad: what the series leave out is less than 1e-17

Four = tuple[float, float, float, float]
Weights = tuple[float, float, float]  # α, β, γ


@kernel
def weights(g: float, bent: float) -> Weights:
    """α, β, γ of g now and ḡ > 0, with h = q/p by one quotient."""
    p, q = g + bent, 2.0 * g * bent
    u, v, w = p + q, p + A * q, p + C * q
    k = 1.0 / (u * v)
    s, gamma = p * v * k, w * u * k
    return gamma * s, gamma * sqrt(s), gamma


@kernel
def weight_slopes(g: float, bent: float) -> tuple[Weights, Weights, Weights]:
    """α, β, γ, and their first and second derivatives by g, the same way."""
    p, q = g + bent, 2.0 * g * bent
    u, v, w = p + q, p + A * q, p + C * q
    k = 1.0 / (p * u * v * w)
    inverse, s = u * v * w * k, p * p * v * w * k  # 1/p, 1/(1 + h)
    a, c, gamma = A * p * p * u * w * k, C * p * p * u * v * k, p * u * w * w * k  # A/(1 + A h), C/(1 + C h), 1/λ
    one = 2.0 * bent * bent * inverse * inverse  # h'
    rise = -2.0 * one * inverse  # h''
    e, f = c - a, a * a - c * c  # (ln γ)', (ln γ)'' by h
    alpha, beta = gamma * s, gamma * sqrt(s)
    x, y = e - s, e - 0.5 * s
    return (
        (alpha, beta, gamma),
        (alpha * x * one, beta * y * one, gamma * e * one),
        (
            alpha * ((x * x + f + s * s) * one * one + x * rise),
            beta * ((y * y + f + 0.5 * s * s) * one * one + y * rise),
            gamma * ((e * e + f) * one * one + e * rise),
        ),
    )


@kernel
def half_turn(angle: float) -> tuple[float, float]:
    """(cos, sin) of an angle [rad], by series right to rounding where it is below LITTLE."""
    if abs(angle) > LITTLE:
        return cos(angle), sin(angle)
    z = angle * angle
    c = 1.0 - z / 30.0 * (1.0 - z / 56.0 * (1.0 - z / 90.0 * (1.0 - z / 132.0 * (1.0 - z / 182.0))))
    s = 1.0 - z / 42.0 * (1.0 - z / 72.0 * (1.0 - z / 110.0 * (1.0 - z / 156.0 * (1.0 - z / 210.0))))
    return 1.0 - z / 2.0 * (1.0 - z / 12.0 * c), angle * (1.0 - z / 6.0 * (1.0 - z / 20.0 * s))


@kernel
def rest_of(hinge: np.record, twist: float) -> Four:
    """r of a HINGE at the twist Δ."""
    rest, share, (c, s) = hinge.rest_curvature, hinge.rest_share, half_turn(0.5 * twist)
    c, s = share * c, share * s
    return (
        c * rest[0] - s * rest[1],
        c * rest[1] + s * rest[0],
        c * rest[2] + s * rest[3],
        c * rest[3] - s * rest[2],
    )


@kernel
def size_of(w: Four) -> float:
    """g."""
    return 0.125 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3])


@kernel
def mixed(k: Strains, w: Four, r: Four, part: Weights, twist: float) -> float:
    """½ Σ k (α ω² − 2β ω r + γ r²) + ½ k₅ α Δ² with these α, β, γ, or what they change by."""
    a, b, c = part
    total = k[4] * a * twist * twist
    total += k[0] * (a * w[0] * w[0] - 2.0 * b * w[0] * r[0] + c * r[0] * r[0])
    total += k[1] * (a * w[1] * w[1] - 2.0 * b * w[1] * r[1] + c * r[1] * r[1])
    total += k[2] * (a * w[2] * w[2] - 2.0 * b * w[2] * r[2] + c * r[2] * r[2])
    total += k[3] * (a * w[3] * w[3] - 2.0 * b * w[3] * r[3] + c * r[3] * r[3])
    return 0.5 * total


@kernel
def turned_by(k: Strains, w: Four, r: Four, part: Weights, twist: float) -> float:
    """∂/∂m of that: r turns by half as much, one way in either frame."""
    _, b, c = part
    total = k[2] * (c * r[2] - b * w[2]) * r[3] - k[3] * (c * r[3] - b * w[3]) * r[2]
    total -= k[0] * (c * r[0] - b * w[0]) * r[1] - k[1] * (c * r[1] - b * w[1]) * r[0]
    return k[4] * part[0] * twist + 0.5 * total


@kernel
def twice_turned(k: Strains, w: Four, r: Four, part: Weights) -> float:
    """∂²/∂m² of that."""
    a, b, c = part
    total = c * (k[0] * r[1] * r[1] + k[1] * r[0] * r[0] + k[2] * r[3] * r[3] + k[3] * r[2] * r[2])
    total -= k[0] * (c * r[0] - b * w[0]) * r[0] + k[1] * (c * r[1] - b * w[1]) * r[1]
    total -= k[2] * (c * r[2] - b * w[2]) * r[2] + k[3] * (c * r[3] - b * w[3]) * r[3]
    return k[4] * a + 0.25 * total


@kernel
def curved_moments(k: Strains, w: Four, r: Four, bent: float, twist: float) -> Strains:
    """∂E/∂y."""
    part, slope, _ = weight_slopes(size_of(w), bent)
    a, b, _ = part
    D = 0.25 * mixed(k, w, r, slope, twist)
    return (
        k[0] * (a * w[0] - b * r[0]) + D * w[0],
        k[1] * (a * w[1] - b * r[1]) + D * w[1],
        k[2] * (a * w[2] - b * r[2]) + D * w[2],
        k[3] * (a * w[3] - b * r[3]) + D * w[3],
        turned_by(k, w, r, part, twist),
    )


@kernel
def curved_stiffness(
    k: Strains, w: Four, r: Four, bent: float, twist: float
) -> tuple[Strains, Strains, Strains, Strains]:
    """(K, z, W, U) of ∂²E/∂y² = diag K + {z W} + {e₅ U}, {x y} = x yᵀ + y xᵀ, where z = (ω, 0)."""
    part, slope, rise = weight_slopes(size_of(w), bent)
    a, b, _ = part
    D, half, quarter = 0.25 * mixed(k, w, r, slope, twist), 0.5 * b, 0.25 * slope[0]
    E, F = 0.03125 * mixed(k, w, r, rise, twist), 0.25 * slope[1]
    return (
        (k[0] * a + D, k[1] * a + D, k[2] * a + D, k[3] * a + D, twice_turned(k, w, r, part)),
        (w[0], w[1], w[2], w[3], 0.0),
        (
            k[0] * (quarter * w[0] - F * r[0]) + E * w[0],
            k[1] * (quarter * w[1] - F * r[1]) + E * w[1],
            k[2] * (quarter * w[2] - F * r[2]) + E * w[2],
            k[3] * (quarter * w[3] - F * r[3]) + E * w[3],
            0.25 * turned_by(k, w, r, slope, twist),
        ),
        (half * k[0] * r[1], -half * k[1] * r[0], -half * k[2] * r[3], half * k[3] * r[2], 0.0),
    )


@kernel
def coupled(found: Hessian, u: Gradient, v: Gradient) -> Hessian:
    """∂² and {u v} of two gradients."""
    aa, bb, ab, one, other, angles = found
    return (
        plus_dyad(plus_dyad(aa, 1.0, u[0], v[0]), 1.0, v[0], u[0]),
        plus_dyad(plus_dyad(bb, 1.0, u[1], v[1]), 1.0, v[1], u[1]),
        plus_dyad(plus_dyad(ab, 1.0, u[0], v[1]), 1.0, v[0], u[1]),
        (plus(plus(one[0], v[2], u[0]), u[2], v[0]), plus(plus(one[1], v[2], u[1]), u[2], v[1])),
        (plus(plus(other[0], v[3], u[0]), u[3], v[0]), plus(plus(other[1], v[3], u[1]), u[3], v[1])),
        (angles[0] + 2.0 * u[2] * v[2], angles[1] + 2.0 * u[3] * v[3], angles[2] + u[2] * v[3] + u[3] * v[2]),
    )


@kernel
def curved_hessian(
    shape: Shape, axes: Axes, moment: Strains, k: Strains, r: Four, bent: float, twist: float
) -> Hessian:
    """∂²E of a hinge by edges and angles, at its moments ∂E/∂y."""
    w = curvatures(shape[5], axes)
    K, z, W, U = curved_stiffness(k, w, r, bent, twist)
    found = hinge_hessian(shape, axes, moment, K)
    found = coupled(found, hinge_gradient(shape, axes, z), hinge_gradient(shape, axes, W))
    turn = hinge_gradient(shape, axes, (0.0, 0.0, 0.0, 0.0, 1.0))
    return coupled(found, turn, hinge_gradient(shape, axes, U))


@kernel
def curved_angle_derivatives(
    k: Strains, w: Four, r: Four, bent: float, twist: float
) -> tuple[float, float, float, float, float]:
    """∂E/∂(θ^a, θ^b), ∂²E/∂(θ^a)², ∂²E/∂(θ^b)², ∂²E/∂θ^a∂θ^b [N m]: g stays, and ω₁' = ω₂, ω₂' = −ω₁."""
    part = weights(size_of(w), bent)
    a, b, _ = part
    torque, S = turned_by(k, w, r, part, twist), twice_turned(k, w, r, part)
    b0, b1 = k[0] * (a * w[0] - b * r[0]), k[1] * (a * w[1] - b * r[1])
    b2, b3 = k[2] * (a * w[2] - b * r[2]), k[3] * (a * w[3] - b * r[3])
    X = 0.5 * b * (k[0] * w[1] * r[1] + k[1] * w[0] * r[0])  # ∂²/∂θ∂m of either side
    Y = -0.5 * b * (k[2] * w[3] * r[3] + k[3] * w[2] * r[2])
    return (
        b0 * w[1] - b1 * w[0] - torque,
        b2 * w[3] - b3 * w[2] + torque,
        a * (k[0] * w[1] * w[1] + k[1] * w[0] * w[0]) - b0 * w[0] - b1 * w[1] - 2.0 * X + S,
        a * (k[2] * w[3] * w[3] + k[3] * w[2] * w[2]) - b2 * w[2] - b3 * w[3] + 2.0 * Y + S,
        X - Y - S,
    )


@kernel
def stiffness_of(hinge: np.record) -> Strains:
    """(B^a/l, B^b/l, 2β/l)."""
    return hinge.bending[0], hinge.bending[1], hinge.bending[2], hinge.bending[3], hinge.twist_rate


@kernel
def hinge_moments(hinge: np.record, w: Four, turn: float) -> Strains:
    """∂E/∂y of any HINGE at the strains ω and m."""
    k, twist = stiffness_of(hinge), turn - hinge.rest_twist
    if hinge.bent > 0.0:
        return curved_moments(k, w, rest_of(hinge, twist), hinge.bent, twist)
    rest = hinge.rest_curvature
    return (
        k[0] * (w[0] - rest[0]),
        k[1] * (w[1] - rest[1]),
        k[2] * (w[2] - rest[2]),
        k[3] * (w[3] - rest[3]),
        k[4] * twist,
    )


@kernel
def hinge_energies(hinge: np.record, w: Four, turn: float) -> tuple[float, float]:
    """(of bending, of twist) [J] of any HINGE."""
    k, twist = stiffness_of(hinge), turn - hinge.rest_twist
    if hinge.bent > 0.0:
        part = weights(size_of(w), hinge.bent)
        twisted = 0.5 * k[4] * part[0] * twist * twist
        return mixed(k, w, rest_of(hinge, twist), part, twist) - twisted, twisted
    rest, bent = hinge.rest_curvature, 0.0
    for c in range(4):
        bent += 0.5 * hinge.bending[c] * (w[c] - rest[c]) ** 2
    return bent, 0.5 * k[4] * twist * twist


@entry
def moments_at(hinges: np.ndarray, strain: np.ndarray, moment: np.ndarray) -> None:
    """∂E/∂y (n, 5) [N m] of HINGE rows (n,) at strains (n, 5)."""
    for i in range(len(hinges)):
        y = strain[i]
        found = hinge_moments(hinges[i], (y[0], y[1], y[2], y[3]), y[4])
        moment[i, 0], moment[i, 1], moment[i, 2], moment[i, 3], moment[i, 4] = found


@entry
def hessians_at(hinges: np.ndarray, edges: np.ndarray, m1: np.ndarray, turn: np.ndarray, hessian: np.ndarray) -> None:
    """∂²E (n, 8, 8) of HINGE rows (n,) by edges (n, 2, 3) [m] and angles; first material axes m1 (n, 2, 3), twists (n,)
    [rad].
    """
    for i in range(len(hinges)):
        hinge, shape, own = hinges[i], between(edges[i]), hessian[i]
        axes = axes_of(shape, vector(m1[i, 0]), vector(m1[i, 1]))
        k, twist = stiffness_of(hinge), turn[i] - hinge.rest_twist
        moment = hinge_moments(hinge, curvatures(shape[5], axes), turn[i])
        if hinge.bent > 0.0:
            found = curved_hessian(shape, axes, moment, k, rest_of(hinge, twist), hinge.bent, twist)
        else:
            found = hinge_hessian(shape, axes, moment, k)
        put_hessian(found, own)


@kernel
def put_hessian(found: Hessian, own: np.ndarray) -> None:
    """All of it into own (8, 8)."""
    aa, bb, ab, one, other, angles = found
    for r in range(3):
        own[r, 0], own[r, 1], own[r, 2] = aa[r]
        own[3 + r, 3], own[3 + r, 4], own[3 + r, 5] = bb[r]
        own[r, 3], own[r, 4], own[r, 5] = ab[r]
        own[r, 6], own[r, 7], own[3 + r, 6], own[3 + r, 7] = one[0][r], other[0][r], one[1][r], other[1][r]
    own[6, 6], own[7, 7], own[6, 7] = angles
    for r in range(8):
        for c in range(r):
            own[r, c] = own[c, r]
