"""Joint of a Cosserat rod, between two unit quaternions: bending and torsion (Spillmann & Teschner 2007, eq. 25).

The relative rotation p = q̄^a q^b by the angle θ about n has the modified Rodrigues parameters σ = tan(θ/4) n =
(p₁, p₂, p₃)/(1 + p₀). With the strains u = θ n/l, l the length of the cell,

    V = ½ l Σ_k K_k (u_k − û_k)²,    moments M = K (u − û).

The paper's midpoint form (eq. 6) is 4σ/l, θ²/48 of it more: its moment is 27 % too large where a rod is twisted by a
right angle a joint, as ropes are that coil. With z = σ², b = atan(√z)/√z and b′ = ∂b/∂z, u = 4 b σ/l, so

    M̃ = ∂V/∂(4σ) = b M + 2 b′ (σ·M) σ,    K̃ = ∂²V/∂(4σ)² = J (K/l) J + ¼ (2 b′ (M σᵀ + σ Mᵀ + M·σ 1) + 4 b″ M·σ σ σᵀ)

with J = b 1 + 2 b′ σ σᵀ. Where the directors turn about their own axes by δ, q → q exp(δ/2), parameters follow by
dσ = (A δ^b − Aᵀ δ^a)/4, with

    A = (1 − z) 1 + 2 [σ]× + 2 σ σᵀ,    torques τ^b = −Aᵀ M̃,  τ^a = A M̃,

each in its own axes, equal and opposite in space. Hessian, with the second change of σ along such a turn:

    ∂²V/∂(δ^b)² = Aᵀ K̃ A + {Aᵀ C}/4,    ∂²V/∂(δ^a)² = A K̃ Aᵀ + {A D}/4,
    ∂²V/∂δ^a∂δ^b = −A K̃ A − (A C + Dᵀ A)/8,
    C = 2 (M̃·σ 1 + M̃ σᵀ − σ M̃ᵀ − [M̃]×),  D = 2 (M̃·σ 1 + M̃ σᵀ − σ M̃ᵀ + [M̃]×),  {X} = (X + Xᵀ)/2.

Angles count up to a whole turn a joint. Between the last and the first edge of a closed rod the quaternions may differ
in sign, which a joint's `sign` takes in: 1 or −1.
"""

from math import atan, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import SERIES, Quaternion, arc_series
from ..arithmetic.vectors import Matrix, Vector, cross, dot, plus, plus_dyad, plus_rows, scaled, transposed
from ..model import table

COUNT = 16
JOINT_LANES = table(  # joints side by side: one instruction of the processor does the same to several
    q=(float, (2, 4, COUNT)),  # of the directors before and behind
    sign=(float, COUNT),
    length=(float, COUNT),
    rest=(float, (3, COUNT)),
    stiffness=(float, (3, COUNT)),
    s=(float, (3, COUNT)),  # σ
    square=(float, COUNT),  # σ²
    bow=(float, COUNT),  # of it
    energy=(float, COUNT),
    torque=(float, (2, 3, COUNT)),  # on the directors before, and less that on those behind
)


@kernel
def rodrigues(a: Quaternion, b: Quaternion, sign: float) -> Vector:
    """σ (3,) of the rotation from a to b."""
    w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
    z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
    k = sign / (1.0 + sign * w)
    return k * x, k * y, k * z


@kernel
def onto_behind(s: Vector, m: Vector) -> Vector:
    """Aᵀ m."""
    across, along = cross(s, m), 2.0 * dot(s, m)
    k = 1.0 - dot(s, s)
    return (
        k * m[0] - 2.0 * across[0] + along * s[0],
        k * m[1] - 2.0 * across[1] + along * s[1],
        k * m[2] - 2.0 * across[2] + along * s[2],
    )


@kernel
def onto_before(s: Vector, m: Vector) -> Vector:
    """A m."""
    return onto_behind((-s[0], -s[1], -s[2]), m)


@kernel
def bow(z: float) -> float:
    """(1 − b)/z = 1/3 − z/5 + z²/7 − …, so that b = 1 − z bow and 2 b′ = bow − 1/(1 + z)."""
    if z < SERIES:
        return arc_series(z)
    root = sqrt(z)
    return (1.0 - atan(root) / root) / z


@kernel
def turn(s: Vector) -> Vector:
    """θ n [rad] of a rotation with these modified Rodrigues parameters."""
    z = dot(s, s)
    return scaled(4.0 * (1.0 - z * bow(z)), s)


@kernel
def moments(
    s: Vector, length: float, rest: Vector | np.ndarray, stiffness: Vector | np.ndarray
) -> tuple[float, Vector]:
    """(V [J], M̃ [N m]) of a joint."""
    return moments_by(bow(dot(s, s)), s, length, rest, stiffness)


@kernel
def moments_by(
    bow: float, s: Vector, length: float, rest: Vector | np.ndarray, stiffness: Vector | np.ndarray
) -> tuple[float, Vector]:
    """The same by the bow of σ²."""
    k = 4.0 * (1.0 - bow * dot(s, s)) / length
    x, y, w = k * s[0] - rest[0], k * s[1] - rest[1], k * s[2] - rest[2]
    m = (stiffness[0] * x, stiffness[1] * y, stiffness[2] * w)
    return 0.5 * length * (m[0] * x + m[1] * y + m[2] * w), by_parameters(bow, s, m)


@kernel
def by_parameters(bow: float, s: Vector, m: Vector) -> Vector:
    """J m of any m (3,), by the bow of σ²: M̃ of moments, or u̇ l of what 4σ changes by."""
    z = dot(s, s)
    return plus(scaled(1.0 - bow * z, m), (bow - 1.0 / (1.0 + z)) * dot(s, m), s)


@kernel
def stiffness_of(
    s: Vector, length: float, rest: Vector | np.ndarray, stiffness: Vector | np.ndarray
) -> tuple[Vector, Matrix]:
    """(M̃ [N m], K̃ [N m])."""
    z = dot(s, s)
    a = bow(z)
    b, twice = 1.0 - a * z, a - 1.0 / (1.0 + z)
    bent = -0.2 if z < 1e-9 else -(0.5 * twice + a) / z  # ∂a/∂z
    again = 0.5 * (bent + 1.0 / ((1.0 + z) * (1.0 + z)))  # b″
    k = 4.0 * b / length
    m = (stiffness[0] * (k * s[0] - rest[0]), stiffness[1] * (k * s[1] - rest[1]), stiffness[2] * (k * s[2] - rest[2]))
    own, along = scaled(twice, s), dot(s, m)
    J = plus_dyad(((b, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, b)), 1.0, own, s)
    rate = (stiffness[0] / length, stiffness[1] / length, stiffness[2] / length)
    K = product(J, stiffened(rate, J))
    part = 0.25 * twice
    K = plus_dyad(plus_dyad(plus_dyad(K, part, m, s), part, s, m), again * along, s, s)
    part *= along
    K = plus_rows(K, 1.0, ((part, 0.0, 0.0), (0.0, part, 0.0), (0.0, 0.0, part)))
    return plus(scaled(b, m), along, own), K


@kernel
def turning_matrix(s: Vector) -> Matrix:
    """A (3, 3)."""
    k, x, y, z = 1.0 - dot(s, s), s[0], s[1], s[2]
    return (
        (k + 2.0 * x * x, 2.0 * (x * y - z), 2.0 * (x * z + y)),
        (2.0 * (x * y + z), k + 2.0 * y * y, 2.0 * (y * z - x)),
        (2.0 * (x * z - y), 2.0 * (y * z + x), k + 2.0 * z * z),
    )


@kernel
def product(a: Matrix, b: Matrix) -> Matrix:
    """A B."""
    return row_times(a[0], b), row_times(a[1], b), row_times(a[2], b)


@kernel
def row_times(u: Vector, b: Matrix) -> Vector:
    """uᵀ B."""
    return plus(plus(scaled(u[0], b[0]), u[1], b[1]), u[2], b[2])


@kernel
def symmetric(k: float, a: Matrix) -> Matrix:
    """k (A + Aᵀ)/2."""
    x, y, z = 0.5 * k * (a[0][1] + a[1][0]), 0.5 * k * (a[0][2] + a[2][0]), 0.5 * k * (a[1][2] + a[2][1])
    return (k * a[0][0], x, y), (x, k * a[1][1], z), (y, z, k * a[2][2])


@kernel
def stiffened(k: Vector, a: Matrix) -> Matrix:
    """diag(k) A."""
    return scaled(k[0], a[0]), scaled(k[1], a[1]), scaled(k[2], a[2])


@kernel
def joint_hessian(
    s: Vector, length: float, rest: Vector | np.ndarray, stiffness: Vector | np.ndarray
) -> tuple[Matrix, Matrix, Matrix]:
    """(∂²V/∂(δ^a)², ∂²V/∂(δ^b)², ∂²V/∂δ^a∂δ^b) [N m]."""
    m, K = stiffness_of(s, length, rest, stiffness)
    A = turning_matrix(s)
    At, own = transposed(A), 2.0 * dot(m, s)
    aa, bb, ab = product(A, product(K, At)), product(At, product(K, A)), product(A, product(K, A))
    x, y, z = cross(scaled(2.0, m), s)  # M̃ σᵀ − σ M̃ᵀ = −[M̃ × σ]×
    skew = ((own, z, -y), (-z, own, x), (y, -x, own))
    u, v, w = 2.0 * m[0], 2.0 * m[1], 2.0 * m[2]
    M = ((0.0, -w, v), (w, 0.0, -u), (-v, u, 0.0))
    C, D = plus_rows(skew, -1.0, M), plus_rows(skew, 1.0, M)
    bb = plus_rows(bb, 1.0, symmetric(0.25, product(At, C)))
    aa = plus_rows(aa, 1.0, symmetric(0.25, product(A, D)))
    mixed = plus_rows(product(A, C), 1.0, product(transposed(D), A))
    return aa, bb, plus_rows((scaled(-1.0, ab[0]), scaled(-1.0, ab[1]), scaled(-1.0, ab[2])), -0.125, mixed)


@kernel
def gather(q: np.ndarray, joints: np.ndarray, here: np.record) -> None:
    """joints (COUNT or less,) to lanes."""
    for l in range(len(joints)):
        joint = joints[l]
        for c in range(4):
            here.q[0, c, l], here.q[1, c, l] = q[joint.before, c], q[joint.behind, c]
        for c in range(3):
            here.rest[c, l], here.stiffness[c, l] = joint.rest[c], joint.stiffness[c]
        here.sign[l], here.length[l] = joint.sign, joint.length


@kernel
def bend_lanes(here: np.record, count: int) -> None:
    """σ, energies and torques of all lanes, of which joints are in the first `count`."""
    for l in range(COUNT):
        a, b = here.q[0], here.q[1]
        s = rodrigues((a[0, l], a[1, l], a[2, l], a[3, l]), (b[0, l], b[1, l], b[2, l], b[3, l]), here.sign[l])
        here.s[0, l], here.s[1, l], here.s[2, l] = s
        here.square[l] = dot(s, s)
        here.bow[l] = arc_series(here.square[l])
    for l in range(count):
        if here.square[l] > SERIES:
            here.bow[l] = bow(here.square[l])
    for l in range(COUNT):
        s = (here.s[0, l], here.s[1, l], here.s[2, l])
        rest = (here.rest[0, l], here.rest[1, l], here.rest[2, l])
        stiffness = (here.stiffness[0, l], here.stiffness[1, l], here.stiffness[2, l])
        here.energy[l], m = moments_by(here.bow[l], s, here.length[l], rest, stiffness)
        one, other = onto_before(s, m), onto_behind(s, m)
        for c in range(3):
            here.torque[0, c, l], here.torque[1, c, l] = one[c], other[c]


@kernel
def bend_and_twist(q: np.ndarray, joints: np.ndarray, torque: np.ndarray, here: np.record) -> tuple[float, float]:
    """Add the torques of all joints to torque (Q, 3) [N m] on the directors, in their own axes. Returns the energy [J]
    and the largest σ², for the largest step.

    q (Q, 4): unit quaternions of the edges, and behind them those of walls, which are led: what a wall bears is in its
    row of `torque`. joints (k,): a table with the columns before, behind (rows of q), sign (±1), length of the cell
    [m], which at a wall is half an edge's, rest û (3,) [1/m], stiffness K₁, K₂, K₃ (3,) [N m²]. here: JOINT_LANES.
    """
    energy = turning = 0.0
    for first in range(0, len(joints), COUNT):
        own = joints[first : first + COUNT]
        gather(q, own, here)
        bend_lanes(here, len(own))
        for l in range(len(own)):
            energy += here.energy[l]
            if not here.square[l] <= turning:  # a NaN stays
                turning = here.square[l]
            for c in range(3):
                torque[own[l].before, c] += here.torque[0, c, l]
                torque[own[l].behind, c] -= here.torque[1, c, l]
    return energy, turning
