"""Hinges side by side, each in a lane: one instruction of the processor does the same to several.

What they are made of lies scattered in memory, and so do the rows that it goes to: these are gathered here, and
scattered by `rod_equations`. All lanes are always computed, for the compiler to know how many; nothing reads those that
stand for no hinge. All that a loop over them calls has to be inlined, for a call keeps them from going side by side, at
four times the cost; of its own accord the compiler inlines much only of what is called once. An edge that no vertex
moves, a clamp's, counts as endlessly long.

Where blocks go against the rod, so do the edges: t' = −t^b, −t^a, and m₂ with them, hence κb' = −κb, ω₁ stays and ω₂
changes its sign. Angles count about t as ever.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Matrix, Vector, dot, plus, plus_dyad, plus_rows, scaled, transposed
from ..model import table
from .curved_hinge import bending_energy, curved_hessian, curved_moments, rest_at, weights
from .hinge import (
    Axes,
    Hessian,
    Pair,
    Shape,
    Strains,
    axes_of,
    curvatures,
    hinge_gradient,
    hinge_hessian,
    shape_of,
)
from .hinge_rows import five, four, lane

COUNT = 4
LANES = table(
    step=(float, COUNT),  # of the chain: 1, or −1 against the rod
    t=(float, (3, COUNT + 1)),  # directions of edges, each one's hinge behind it, inverse lengths [1/m], first material
    inverse=(float, COUNT + 1),
    m1=(float, (3, COUNT + 1)),  # axes, and the edges themselves [m]
    e=(float, (3, COUNT + 1)),
    k=(float, (5, COUNT)),  # stiffness of strains [N m], curvatures at rest, and moments, at first that of twist [N m]
    rest=(float, (4, COUNT)),
    bent=(float, COUNT),  # ḡ and μ̄, the twist Δ [rad] and r (see curved_hinge): where a hinge beside is curved at rest
    share=(float, COUNT),
    twist=(float, COUNT),
    turned_rest=(float, (4, COUNT)),
    weights=(float, (3, 3, COUNT)),  # α, β, γ, and their first and second derivatives by g
    moment=(float, (5, COUNT)),
    turning=(float, (2, 3, COUNT)),  # how the turning angle goes with both edges [1/m],
    turned=(float, COUNT),  # by how much it differs from what it was, but for that (see internal_damping),
    damping=(float, COUNT),  # and how the moment that damps it goes with it [N m]
    force=(float, (2, 3, COUNT)),  # gradient of energy by both edges [N], and by the angles of their frames [N m]
    torque=(float, (2, COUNT)),
    thrust=(float, (2, COUNT)),  # what that presses either edge with [N]
    own=(float, (3, 3, COUNT)),  # Hessian by the hinge's vertex, and by those before and behind it [N/m];
    before=(float, (3, 3, COUNT)),
    behind=(float, (3, 3, COUNT)),
    to_own=(float, (3, 3, COUNT)),  # by that before it and its own, by its own and that behind it, by both others;
    to_behind=(float, (3, 3, COUNT)),
    across=(float, (3, 3, COUNT)),
    column=(float, (2, 3, 3, COUNT)),  # by the angle of either frame and the vertices before, its own, behind [N];
    angle=(float, (3, COUNT)),  # by the angles, twice and together [N m]
    energy=(float, (2, COUNT)),  # of bending, of twist [J]
)


@kernel(forceinline=True)
def put(u: Vector, a: np.ndarray, l: int) -> None:
    """A vector to lane l of a (3, COUNT)."""
    a[0, l], a[1, l], a[2, l] = u


@kernel(forceinline=True)
def put_rows(u: Matrix, a: np.ndarray, l: int) -> None:
    """A matrix to lane l of a (3, 3, COUNT)."""
    a[0, 0, l], a[0, 1, l], a[0, 2, l] = u[0]
    a[1, 0, l], a[1, 1, l], a[1, 2, l] = u[1]
    a[2, 0, l], a[2, 1, l], a[2, 2, l] = u[2]


@kernel(forceinline=True)
def put_column(edges: Pair, step: float, a: np.ndarray, l: int) -> None:
    """What goes with both edges, as it goes with the vertices before, between and behind them."""
    one, other = scaled(step, edges[0]), scaled(step, edges[1])
    put_rows((scaled(-1.0, one), plus(one, -1.0, other), other), a, l)


@kernel
def gather_edge(
    t: np.ndarray, inverse: float, m1: np.ndarray, e: np.ndarray, along: bool, here: np.record, l: int
) -> None:
    """The edge before hinge l and behind hinge l − 1: direction (3,) along the rod, inverse length [1/m], first
    material axis (3,) and itself (3,) [m].
    """
    here.inverse[l] = inverse
    for c in range(3):
        here.t[c, l], here.m1[c, l], here.e[c, l] = t[c] if along else -t[c], m1[c], e[c] if along else -e[c]


@kernel
def gather_hinge(hinge: np.record, turn: float, along: bool, s: float, here: np.record, l: int) -> None:
    """A HINGE and its twist [rad]; s [s]: of the step."""
    step, first = (1.0, 0) if along else (-1.0, 2)
    here.step[l] = step
    for c in range(2):
        one, other = 2 * c, first + (2 * c if along else -2 * c)
        here.k[one, l], here.rest[one, l] = hinge.bending[other], hinge.rest_curvature[other]
        here.k[one + 1, l], here.rest[one + 1, l] = hinge.bending[other + 1], step * hinge.rest_curvature[other + 1]
    twist, rate = turn - hinge.rest_twist, hinge.twist_rate
    here.k[4, l], here.moment[4, l], here.damping[l] = rate, rate * twist, hinge.viscosity / s
    here.bent[l], here.share[l], here.twist[l] = hinge.bent, hinge.rest_share, twist


@kernel
def gather_turning(a: np.ndarray, b: np.ndarray, turned: float, here: np.record, l: int) -> None:
    """How the angle of a hinge goes with both edges (3,) along the rod, and by how much it differs from what it was
    besides.
    """
    step, here.turned[l] = here.step[l], turned
    for c in range(3):
        here.turning[0, c, l], here.turning[1, c, l] = step * a[c], step * b[c]


@kernel(forceinline=True)
def in_lane(here: np.record, l: int) -> tuple[Shape, Axes]:
    """Shape and axes of a hinge."""
    shape = shape_of(lane(here.t, l), lane(here.t, l + 1), here.inverse[l], here.inverse[l + 1])
    return shape, axes_of(shape, lane(here.m1, l), lane(here.m1, l + 1))


@kernel(forceinline=True)
def moved(here: np.record, l: int) -> Pair:
    """How the angle of a hinge goes with those of its edges that vertices move."""
    one, other = 1.0 if here.inverse[l] > 0.0 else 0.0, 1.0 if here.inverse[l + 1] > 0.0 else 0.0
    return scaled(one, lane(here.turning[0], l)), scaled(other, lane(here.turning[1], l))


@kernel
def gradients(here: np.record) -> None:
    """Moments of bending, gradients with damping, and thrust without it."""
    k, rest, M = here.k, here.rest, here.moment
    for l in range(COUNT):
        shape, axes = in_lane(here, l)
        w = curvatures(shape[5], axes)
        for c in range(4):
            M[c, l] = k[c, l] * (w[c] - rest[c, l])
        put_gradient(here, l, shape, axes)


@kernel
def curved_gradients(here: np.record) -> None:
    """The same, of all moments, where hinges are curved at rest."""
    r, M = here.turned_rest, here.moment
    for l in range(COUNT):
        (shape, axes), bent, twist = in_lane(here, l), here.bent[l], here.twist[l]
        r[0, l], r[1, l], r[2, l], r[3, l] = own = rest_at(four(here.rest, l), here.share[l], bent, twist)
        w, (part, slope, rise) = curvatures(shape[5], axes), weights(2.0 * shape[4] - 1.0, bent)
        put_rows((part, slope, rise), here.weights, l)
        M[0, l], M[1, l], M[2, l], M[3, l], M[4, l] = curved_moments(five(here.k, l), w, own, part, slope, bent, twist)
        put_gradient(here, l, shape, axes)


@kernel(forceinline=True)
def put_gradient(here: np.record, l: int, shape: Shape, axes: Axes) -> None:
    """That of the moments in lane l."""
    a, b, one, other = hinge_gradient(shape, axes, five(here.moment, l))
    turned = dot(lane(here.turning[0], l), lane(here.e, l)) + dot(lane(here.turning[1], l), lane(here.e, l + 1))
    resistance, (u, v) = here.damping[l] * (here.turned[l] + turned), moved(here, l)
    here.thrust[0, l], here.thrust[1, l] = shape[4] * dot(a, shape[1]), shape[4] * dot(b, shape[0])
    here.torque[0, l], here.torque[1, l] = here.step[l] * one, here.step[l] * other
    put(plus(a, resistance, u), here.force[0], l)
    put(plus(b, resistance, v), here.force[1], l)


@kernel
def hessians(here: np.record, share: float) -> None:
    """Hessians with that share of the moments, by vertices and angles."""
    for l in range(COUNT):
        shape, axes = in_lane(here, l)
        put_hessian(here, l, hinge_hessian(shape, axes, part_of(here, share, l), five(here.k, l)))


@kernel
def curved_hessians(here: np.record, share: float) -> None:
    """The same where hinges are curved at rest."""
    for l in range(COUNT):
        (shape, axes), M, k = in_lane(here, l), part_of(here, share, l), five(here.k, l)
        found = lane(here.weights[0], l), lane(here.weights[1], l), lane(here.weights[2], l)
        curve = four(here.turned_rest, l), found, here.bent[l], here.twist[l]
        put_hessian(here, l, curved_hessian(shape, axes, M, k, curve, share))


@kernel
def energies(here: np.record) -> None:
    """What hinges hold, curved at rest or not."""
    for l in range(COUNT):
        (shape, axes), bent, twist, k = in_lane(here, l), here.bent[l], here.twist[l], five(here.k, l)
        part = weights(2.0 * shape[4] - 1.0, bent)[0]
        r = rest_at(four(here.rest, l), here.share[l], bent, twist)
        here.energy[0, l] = bending_energy(k, curvatures(shape[5], axes), r, part)
        here.energy[1, l] = 0.5 * k[4] * part[0] * twist * twist


@kernel(forceinline=True)
def part_of(here: np.record, share: float, l: int) -> Strains:
    """That share of the moments."""
    M = here.moment
    return share * M[0, l], share * M[1, l], share * M[2, l], share * M[3, l], share * M[4, l]


@kernel(forceinline=True)
def put_hessian(here: np.record, l: int, found: Hessian) -> None:
    """That of the hinge in lane l, with its damping, by vertices and angles."""
    aa, bb, ab, one, other, angle = found
    (a, b), d = moved(here, l), here.damping[l]
    aa, bb, ab = plus_dyad(aa, d, a, a), plus_dyad(bb, d, b, b), plus_dyad(ab, d, a, b)
    put_rows(aa, here.before, l)
    put_rows(bb, here.behind, l)
    put_rows(plus_rows(ab, -1.0, aa), here.to_own, l)
    put_rows(plus_rows(ab, -1.0, bb), here.to_behind, l)
    put_rows(plus_rows(plus_rows(plus_rows(aa, 1.0, bb), -1.0, ab), -1.0, transposed(ab)), here.own, l)
    put_rows((scaled(-1.0, ab[0]), scaled(-1.0, ab[1]), scaled(-1.0, ab[2])), here.across, l)
    put_column(one, here.step[l], here.column[0], l)
    put_column(other, here.step[l], here.column[1], l)
    here.angle[0, l], here.angle[1, l], here.angle[2, l] = angle
