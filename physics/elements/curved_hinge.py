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

Nothing branches, for several hinges to go side by side (hinge_lanes): a straight one has ḡ = 0, hence α, β and
γ are 1, and r = ω̄ does not turn.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.cosines_sines import cosine_sine
from ..arithmetic.vectors import dot, plus, plus_dyad, scaled, vector
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
NOTHING = 1e-30  # less than the square of any turn [rad]: quotients of it are 1, not NaN, where a hinge is straight

Four = tuple[float, float, float, float]
Weights = tuple[float, float, float]  # α, β, γ
Curve = tuple[Four, tuple[Weights, Weights, Weights], float, float]  # r, α, β, γ with derivatives, ḡ, Δ


@kernel(forceinline=True)
def weights(g: float, bent: float) -> tuple[Weights, Weights, Weights]:
    """α, β, γ of g now and ḡ, and their first and second derivatives by g."""
    inverse = 1.0 / (NOTHING if g + bent < NOTHING else g + bent)
    share = bent * inverse
    h, one, rise = 2.0 * g * share, 2.0 * share * share, -4.0 * share * share * inverse  # h, h', h''
    u, v, w = 1.0 + h, 1.0 + A * h, 1.0 + C * h
    k = 1.0 / (u * v * w)
    s, a, c, gamma = v * w * k, A * u * w * k, C * u * v * k, u * w * w * k  # 1/u, A/v, C/w, 1/λ
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


@kernel(forceinline=True)
def half(bent: float) -> float:
    """½, by which r turns with Δ; 0 of a straight hinge."""
    return 0.5 if bent > 0.0 else 0.0


@kernel(forceinline=True)
def turned_rest(rest: Four, c: float, s: float) -> Four:
    """`rest` turned in either frame towards the other, by the angle of a cosine and sine."""
    return (
        c * rest[0] - s * rest[1],
        c * rest[1] + s * rest[0],
        c * rest[2] + s * rest[3],
        c * rest[3] - s * rest[2],
    )


@kernel(forceinline=True)
def rest_at(rest: Four, share: float, bent: float, twist: float) -> Four:
    """r of ω̄, μ̄ and ḡ at the twist Δ."""
    c, s = cosine_sine(half(bent) * twist)
    return turned_rest(rest, share * c, share * s)


@kernel(forceinline=True)
def times(k: Strains, w: Four) -> Four:
    """k w, each by each."""
    return k[0] * w[0], k[1] * w[1], k[2] * w[2], k[3] * w[3]


@kernel(forceinline=True)
def total(p: Four, w: Four) -> float:
    """p·w."""
    return p[0] * w[0] + p[1] * w[1] + p[2] * w[2] + p[3] * w[3]


@kernel(forceinline=True)
def mixed(k: Strains, w: Four, r: Four, part: Weights, twist: float) -> float:
    """½ Σ k (α ω² − 2β ω r + γ r²) + ½ k₅ α Δ² with these α, β, γ, or what they change by."""
    a, b, c = part
    p, q = times(k, w), times(k, r)
    return 0.5 * (a * (total(p, w) + k[4] * twist * twist) - 2.0 * b * total(p, r) + c * total(q, r))


@kernel(forceinline=True)
def bending_energy(k: Strains, w: Four, r: Four, part: Weights) -> float:
    """½ γ Σ k (μ ω − r)² [J], μ = α/β: of `mixed` rounding would be left of a rod at rest."""
    share = part[0] / part[1]
    left = share * w[0] - r[0], share * w[1] - r[1], share * w[2] - r[2], share * w[3] - r[3]
    return 0.5 * part[2] * total(times(k, left), left)


@kernel(forceinline=True)
def change_of(r: Four, bent: float) -> Four:
    """∂r/∂m: one way in either frame."""
    x = half(bent)
    return -x * r[1], x * r[0], x * r[3], -x * r[2]


@kernel(forceinline=True)
def turned_by(k: Strains, w: Four, r: Four, n: Four, part: Weights, twist: float) -> float:
    """∂/∂m of `mixed`; n: ∂r/∂m."""
    a, b, c = part
    q = times(k, n)
    return k[4] * a * twist + c * total(q, r) - b * total(q, w)


@kernel(forceinline=True)
def twice_turned(k: Strains, w: Four, r: Four, n: Four, part: Weights, bent: float) -> float:
    """∂²/∂m² of that."""
    a, b, c = part
    q, x = times(k, r), half(bent)
    return k[4] * a + c * total(times(k, n), n) + x * x * (b * total(q, w) - c * total(q, r))


@kernel(forceinline=True)
def curved_moments(k: Strains, w: Four, r: Four, part: Weights, slope: Weights, bent: float, twist: float) -> Strains:
    """∂E/∂y, of α, β, γ and their derivatives."""
    a, b, _ = part
    D = 0.25 * mixed(k, w, r, slope, twist)
    return (
        k[0] * (a * w[0] - b * r[0]) + D * w[0],
        k[1] * (a * w[1] - b * r[1]) + D * w[1],
        k[2] * (a * w[2] - b * r[2]) + D * w[2],
        k[3] * (a * w[3] - b * r[3]) + D * w[3],
        turned_by(k, w, r, change_of(r, bent), part, twist),
    )


@kernel(forceinline=True)
def curved_stiffness(k: Strains, w: Four, curve: Curve, share: float) -> tuple[Strains, Strains, Strains]:
    """(K, W, U) of ∂²E/∂y² = diag K + {z W} + {e₅ U}, {x y} = x yᵀ + y xᵀ, where z = (ω, 0), with that share of all but
    α k.
    """
    r, (part, slope, rise), bent, twist = curve
    (a, b, _), n = part, change_of(r, bent)
    D, E = 0.25 * share * mixed(k, w, r, slope, twist), 0.03125 * share * mixed(k, w, r, rise, twist)
    quarter, F, q = 0.25 * share * slope[0], 0.25 * share * slope[1], times(k, n)
    turned = k[4] * a + share * (twice_turned(k, w, r, n, part, bent) - k[4] * a)
    return (
        (k[0] * a + D, k[1] * a + D, k[2] * a + D, k[3] * a + D, turned),
        (
            k[0] * (quarter * w[0] - F * r[0]) + E * w[0],
            k[1] * (quarter * w[1] - F * r[1]) + E * w[1],
            k[2] * (quarter * w[2] - F * r[2]) + E * w[2],
            k[3] * (quarter * w[3] - F * r[3]) + E * w[3],
            0.25 * share * turned_by(k, w, r, n, slope, twist),
        ),
        (-b * share * q[0], -b * share * q[1], -b * share * q[2], -b * share * q[3], 0.0),
    )


@kernel(forceinline=True)
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


@kernel(forceinline=True)
def curved_hessian(shape: Shape, axes: Axes, moment: Strains, k: Strains, curve: Curve, share: float) -> Hessian:
    """∂²E of a hinge by edges and angles, at that share of its moments ∂E/∂y. Jᵀz is 4 ∂g, and g = (1 − c)/(1 + c) with
    c = t^a·t^b, so that 4 ∂g/∂a = −8 χ² p (t^b − c t^a); J's last row is the holonomy's (see hinge).
    """
    ta, tb, p, q, chi, kb = shape
    c, fall = dot(ta, tb), -8.0 * chi * chi
    K, W, U = curved_stiffness(k, curvatures(kb, axes), curve, share)
    bend = scaled(p * fall, plus(tb, -c, ta)), scaled(q * fall, plus(ta, -c, tb)), 0.0, 0.0
    turn = scaled(0.5 * p, kb), scaled(0.5 * q, kb), -1.0, 1.0
    found = coupled(hinge_hessian(shape, axes, moment, K), bend, hinge_gradient(shape, axes, W))
    return coupled(found, turn, hinge_gradient(shape, axes, U))


@kernel(forceinline=True)
def curved_angle_derivatives(k: Strains, w: Four, r: Four, part: Weights, bent: float, twist: float) -> Strains:
    """∂E/∂(θ^a, θ^b), ∂²E/∂(θ^a)², ∂²E/∂(θ^b)², ∂²E/∂θ^a∂θ^b [N m]: g stays, and ω₁' = ω₂, ω₂' = −ω₁."""
    (a, b, _), n = part, change_of(r, bent)
    torque, S = turned_by(k, w, r, n, part, twist), twice_turned(k, w, r, n, part, bent)
    b0, b1 = k[0] * (a * w[0] - b * r[0]), k[1] * (a * w[1] - b * r[1])
    b2, b3 = k[2] * (a * w[2] - b * r[2]), k[3] * (a * w[3] - b * r[3])
    X = b * (k[1] * w[0] * n[1] - k[0] * w[1] * n[0])  # ∂²/∂θ∂m of either side
    Y = b * (k[3] * w[2] * n[3] - k[2] * w[3] * n[2])
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
def rest_of(hinge: np.record, twist: float) -> Four:
    """r of a HINGE at the twist Δ."""
    rest = hinge.rest_curvature
    return rest_at((rest[0], rest[1], rest[2], rest[3]), hinge.rest_share, hinge.bent, twist)


@kernel
def size_of(w: Four) -> float:
    """g."""
    return 0.125 * total(w, w)


@kernel
def hinge_moments(hinge: np.record, w: Four, turn: float) -> Strains:
    """∂E/∂y of any HINGE at the strains ω and m."""
    k, twist = stiffness_of(hinge), turn - hinge.rest_twist
    if hinge.bent > 0.0:
        part, slope, _ = weights(size_of(w), hinge.bent)
        return curved_moments(k, w, rest_of(hinge, twist), part, slope, hinge.bent, twist)
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
        part = weights(size_of(w), hinge.bent)[0]
        return bending_energy(k, w, rest_of(hinge, twist), part), 0.5 * k[4] * part[0] * twist * twist
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
        curve = rest_of(hinge, twist), weights(2.0 * shape[4] - 1.0, hinge.bent), hinge.bent, twist
        found = curved_hessian(shape, axes, moment, k, curve, 1.0)
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
