"""Hinges of a rod of any section and rest shape, several to a row, each in a lane, as one evaluation of its forces
needs them: frames go to equilibrium in rounds, in which the centreline stays, and with it α, β and γ of `curved_hinge`.

Half the twist turns r: its cosine and sine are products of those of halves of the angles θ, and r is kept as it is
where there is no twist, m = 0. All lanes are always computed; nothing reads those that stand for no hinge. Rows are
filled before any is computed, for processors wait where they read side by side what they have just written one by one.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.cosines_sines import cosines_sines
from ..arithmetic.vectors import Vector, cross, plus, scaled
from ..model import table
from .curved_hinge import (
    Four,
    Strains,
    curved_angle_derivatives,
    curved_moments,
    half,
    rest_at,
    turned_rest,
    weights,
)
from .hinge import axes_at, bending_moment, curvatures, material_curvature, moment_gradient

COUNT = 4
ROW = table(
    k=(float, (5, COUNT)),  # stiffness of strains [N m]
    rest=(float, (4, COUNT)),  # ω̄, then r where there is no twist
    share=(float, COUNT),  # μ̄, ḡ and m̄ [rad]
    bent=(float, COUNT),
    rest_twist=(float, COUNT),
    curvature=(float, (2, COUNT)),  # in the Bishop frame
    weights=(float, (3, COUNT)),  # α, β, γ
    slopes=(float, (3, COUNT)),  # and their derivatives by g
    theta=(float, COUNT + 1),  # [rad] of frames, each one's hinge behind it, and cosine and sine of its half
    c=(float, COUNT + 1),
    s=(float, COUNT + 1),
    t=(float, (3, COUNT + 1)),  # directions of edges, their first Bishop vectors, inverse lengths [1/m]
    u=(float, (3, COUNT + 1)),
    inverse=(float, COUNT + 1),
    chi=(float, COUNT),
    by_angles=(float, (5, COUNT)),  # ∂E/∂(θ^a, θ^b), ∂²E/∂(θ^a)², ∂²E/∂(θ^b)², ∂²E/∂θ^a∂θ^b [N m]
    torque=(float, COUNT),  # [N m]
    before=(float, (3, COUNT)),  # ∂E/∂(a, b) [N]
    behind=(float, (3, COUNT)),
)


@kernel
def rows_of(n: int) -> int:
    """How many n hinges fill."""
    return (n + COUNT - 1) // COUNT


@kernel
def lay_hinges(hinges: np.ndarray, k: np.ndarray, rows: np.ndarray) -> None:
    """n rows of Model.hinges, and the curvature k (n, 2) in their Bishop frame, to ROW (n/COUNT or more,)."""
    n = len(hinges)
    for b in range(rows_of(n)):
        here, first = rows[b], COUNT * b
        for l in range(min(COUNT, n - first)):
            hinge = hinges[first + l]
            for c in range(4):
                here.k[c, l], here.rest[c, l] = hinge.bending[c], hinge.rest_curvature[c]
            here.k[4, l], here.share[l], here.bent[l] = hinge.twist_rate, hinge.rest_share, hinge.bent
            here.rest_twist[l] = hinge.rest_twist
            here.curvature[0, l], here.curvature[1, l] = k[first + l, 0], k[first + l, 1]
    for b in range(rows_of(n)):
        weigh(rows[b])


@kernel
def weigh(here: np.record) -> None:
    """α, β, γ and r of a ROW: κb² is 4 g."""
    own, slopes, rest, k = here.weights, here.slopes, here.rest, here.curvature
    for l in range(COUNT):
        g, bent = 0.25 * (k[0, l] * k[0, l] + k[1, l] * k[1, l]), here.bent[l]
        (own[0, l], own[1, l], own[2, l]), (slopes[0, l], slopes[1, l], slopes[2, l]), _ = weights(g, bent)
        r = rest_at(four(rest, l), here.share[l], bent, -here.rest_twist[l])
        rest[0, l], rest[1, l], rest[2, l], rest[3, l] = r


@kernel
def lay_angles(theta: np.ndarray, rows: np.ndarray, cosine: np.ndarray, sine: np.ndarray) -> None:
    """Angles θ (n + 1,) [rad] of the frames on both sides of n hinges; cosine, sine (n + 1,): scratch."""
    n = len(theta) - 1
    cosines_sines(theta, 0.5, cosine, sine)
    for b in range(rows_of(n)):
        here, first = rows[b], COUNT * b
        for l in range(min(COUNT, n - first) + 1):
            here.theta[l], here.c[l], here.s[l] = theta[first + l], cosine[first + l], sine[first + l]


@kernel
def lay_frames(t: np.ndarray, u: np.ndarray, inverse_length: np.ndarray, chi: np.ndarray, rows: np.ndarray) -> None:
    """The frame arrays of `bishop_curvature`."""
    n = len(chi)
    for b in range(rows_of(n)):
        here, first = rows[b], COUNT * b
        for l in range(min(COUNT, n - first) + 1):
            here.inverse[l] = inverse_length[first + l]
            for c in range(3):
                here.t[c, l], here.u[c, l] = t[first + l, c], u[first + l, c]
        for l in range(min(COUNT, n - first)):
            here.chi[l] = chi[first + l]


@kernel(forceinline=True)
def lane(a: np.ndarray, l: int) -> Vector:
    """Of a (3, COUNT or more)."""
    return a[0, l], a[1, l], a[2, l]


@kernel(forceinline=True)
def four(a: np.ndarray, l: int) -> Four:
    """Of a (4 or more, COUNT)."""
    return a[0, l], a[1, l], a[2, l], a[3, l]


@kernel(forceinline=True)
def five(a: np.ndarray, l: int) -> Strains:
    """Of a (5, COUNT)."""
    return a[0, l], a[1, l], a[2, l], a[3, l], a[4, l]


@kernel(forceinline=True)
def turn_of(here: np.record, l: int) -> tuple[tuple[float, float], tuple[float, float], Four, float]:
    """((cos, sin) θ^a, (cos, sin) θ^b, r, Δ)."""
    a, b, p, q = here.c[l], here.s[l], here.c[l + 1], here.s[l + 1]
    c, s = (a * p + b * q, a * q - b * p) if half(here.bent[l]) > 0.0 else (1.0, 0.0)
    twist = here.theta[l + 1] - here.theta[l] - here.rest_twist[l]
    return (
        (a * a - b * b, 2.0 * a * b),
        (p * p - q * q, 2.0 * p * q),
        turned_rest(four(here.rest, l), c, s),
        twist,
    )


@kernel
def by_angles(here: np.record) -> None:
    """Derivatives by the angles of the frames in a ROW."""
    k, found = here.curvature, here.by_angles
    for l in range(COUNT):
        (c, s), (p, q), r, twist = turn_of(here, l)
        w1, w2 = material_curvature(k[0, l], k[1, l], c, s)
        w3, w4 = material_curvature(k[0, l], k[1, l], p, q)
        w, part = (w1, w2, w3, w4), lane(here.weights, l)
        own = curved_angle_derivatives(five(here.k, l), w, r, part, here.bent[l], twist)
        found[0, l], found[1, l], found[2, l], found[3, l], found[4, l] = own


@kernel
def by_edges(here: np.record) -> None:
    """Derivatives by the edges in a ROW, and torques."""
    for l in range(COUNT):
        (c, s), (p, q), r, twist = turn_of(here, l)
        ta, tb, chi = lane(here.t, l), lane(here.t, l + 1), here.chi[l]
        a1, a2 = axes_at(ta, lane(here.u, l), c, s)
        b1, b2 = axes_at(tb, lane(here.u, l + 1), p, q)
        kb = scaled(2.0 * chi, cross(ta, tb))
        w, part, slope = curvatures(kb, (a1, a2, b1, b2)), lane(here.weights, l), lane(here.slopes, l)
        M = curved_moments(five(here.k, l), w, r, part, slope, here.bent[l], twist)
        G = plus(bending_moment(a1, a2, M[0], M[1]), 1.0, bending_moment(b1, b2, M[2], M[3]))
        before, behind = moment_gradient(ta, tb, here.inverse[l], here.inverse[l + 1], chi, kb, G, M[4])
        here.before[0, l], here.before[1, l], here.before[2, l] = before
        here.behind[0, l], here.behind[1, l], here.behind[2, l] = behind
        here.torque[l] = M[4]
