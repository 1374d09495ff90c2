"""Internal friction of Cosserat rods (Spillmann & Teschner 2007, eqs. 15, 16, 28, 30), which leaves rigid motion alone:

    D = ½ Σ l γ_t (d|e|/dt / l)² + ½ Σ l Σ_k γ_k u̇_k²,    u̇ = J (A ω^b − Aᵀ ω^a)/l,

with the rate of the strain u = θ n/l itself (see bending_and_torsion: du = 4 J dσ/l) in place of the difference of
angular velocities in space: zero as that is where all turns alike, and it tells bending from torsion. The paper's γ_r
is all three γ_k; a material with internal friction of τ [s] has γ_k = τ K_k.

What D takes of velocities is taken implicitly, so it holds with any step,

    (M + h C) v' = M v,    C = ∂²D/∂v²,

tridiagonal by edges for stretching, block tridiagonal by directors for bending and torsion. Angular momentum is kept.
In a closed rod the last edge and the last joint are relaxed by themselves before and behind the others, half each.

Lengths are relaxed before forces act, as all that friction takes is of the other rods, by the rate at which they have
changed in the last step, of a [s], from e − a Δv to e:

    d|e|/dt = (|e|² − |e − a Δv|²)/(2 a |e|) = t·Δv − a |Δv|²/(2 |e|).

In a whirl t·Δv alone is not nothing, for edges turn on the way, and friction of that would bear τ K a Ω²/2 of what
pulls at them: of a skipping rope, in steps of a tenth of a millisecond, a twentieth.

That of bending and torsion has to act behind the torques' kick, I (ω' − ω)/h = τ − C ω': before it, C ω' would be τ of
what turned by ω' + h τ/I, and as little as C/(1 + h C/I), which no number of edges mends, since the directors' inertia
goes as h does: 5 % too little where a vibration has 5 % of critical damping. As no force is left out, no equilibrium
moves.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import quaternion
from ..arithmetic.vectors import Matrix, Vector, dot, plus, plus_rows, scaled, transposed, vector
from ..linear import tridiagonal
from ..linear.block_tridiagonal import eliminate, taken
from .bending_and_torsion import (
    bow,
    by_parameters,
    onto_before,
    onto_behind,
    product,
    rodrigues,
    stiffened,
    turning_matrix,
)

ZERO = (0.0, 0.0, 0.0)
NOTHING = (ZERO, ZERO, ZERO)


@kernel
def strain_rate(s: Vector, before: Vector, behind: Vector, length: float) -> Vector:
    """u̇ (3,) [1/(m s)] of a joint with σ whose directors spin by these ω (3,) [rad/s], each in its own axes."""
    rate = scaled(1.0 / length, plus(onto_before(s, behind), -1.0, onto_behind(s, before)))
    return by_parameters(bow(dot(s, s)), s, rate)


@kernel
def joint_damping(s: Vector, length: float, viscosity: Vector | np.ndarray) -> tuple[Matrix, Matrix, Matrix]:
    """(∂²D/∂(ω^a)², ∂²D/∂(ω^b)², ∂²D/∂ω^a∂ω^b) [N m s] of a joint; viscosity γ_k [N m² s]."""
    A, a = turning_matrix(s), bow(dot(s, s))
    k = (viscosity[0] / length, viscosity[1] / length, viscosity[2] / length)
    At = transposed(A)  # whose rows J takes: J Aᵀ = (A J)ᵀ
    behind = transposed((by_parameters(a, s, At[0]), by_parameters(a, s, At[1]), by_parameters(a, s, At[2])))  # J A
    before = (by_parameters(a, s, A[0]), by_parameters(a, s, A[1]), by_parameters(a, s, A[2]))  # A J
    ab = product(before, stiffened(k, behind))
    return (
        product(before, stiffened(k, transposed(before))),
        product(transposed(behind), stiffened(k, behind)),
        (scaled(-1.0, ab[0]), scaled(-1.0, ab[1]), scaled(-1.0, ab[2])),
    )


@kernel
def with_inertia(a: Matrix, mobility: np.ndarray) -> Matrix:
    """A + I of directors of this mobility (2,)."""
    across, about = 1.0 / mobility[0], 1.0 / mobility[1]
    return (
        (a[0][0] + across, a[0][1], a[0][2]),
        (a[1][0], a[1][1] + across, a[1][2]),
        (a[2][0], a[2][1], a[2][2] + about),
    )


@kernel
def momentum(spin: np.ndarray, mobility: np.ndarray) -> Vector:
    """I ω [kg m²/s] in the directors' axes."""
    return spin[0] / mobility[0], spin[1] / mobility[0], spin[2] / mobility[1]


@kernel
def damp_joints(
    q: np.ndarray, mobility: np.ndarray, joints: np.ndarray, h: float, gain: np.ndarray, spin: np.ndarray
) -> None:
    """What the joints of one rod take of spin (Q, 3) [rad/s] in h [s], in place.

    joints (k,): a table as bend_and_twist has it, joint j + 1 before the directors that joint j is behind, with the
    column viscosity γ (3,) [N m² s]. gain (Q, 3, 3) is scratch. Directors that are led (mobility 0) keep their spin.
    """
    count = len(joints)
    if count == 0:
        return
    here = NOTHING  # of the directors before joint j: h C and what the ones before these leave
    push = ZERO
    for j in range(count + 1):
        row = joints[j].before if j < count else joints[count - 1].behind
        aa, bb, ab = NOTHING, NOTHING, NOTHING
        if j < count:
            s = rodrigues(quaternion(q[row]), quaternion(q[joints[j].behind]), joints[j].sign)
            aa, bb, ab = joint_damping(s, joints[j].length, joints[j].viscosity)
            aa, bb, ab = plus_rows(NOTHING, h, aa), plus_rows(NOTHING, h, bb), plus_rows(NOTHING, h, ab)
        passed, start = NOTHING, vector(spin[row])
        if mobility[row, 1] > 0.0:
            own = with_inertia(plus_rows(here, 1.0, aa), mobility[row])
            passed, start = eliminate(own, ab, plus(momentum(spin[row], mobility[row]), 1.0, push))
        for c in range(3):
            gain[row, c, 0], gain[row, c, 1], gain[row, c, 2] = passed[c]
            spin[row, c] = start[c]
        less, slower = taken(ab, passed, start)
        here, push = plus_rows(bb, -1.0, less), scaled(-1.0, slower)
    for j in range(count - 1, -1, -1):
        a, b = joints[j].before, joints[j].behind
        for c in range(3):
            spin[a, c] -= gain[a, 0, c] * spin[b, 0] + gain[a, 1, c] * spin[b, 1] + gain[a, 2, c] * spin[b, 2]


@kernel
def damp_bending(
    q: np.ndarray, mobility: np.ndarray, joints: np.ndarray, closed: bool, h: float, gain: np.ndarray, spin: np.ndarray
) -> None:
    """The same of a rod that may be closed, whose last joint then closes it."""
    if not closed:
        damp_joints(q, mobility, joints, h, gain, spin)
        return
    last = len(joints) - 1
    damp_joints(q, mobility, joints[last:], 0.5 * h, gain, spin)
    damp_joints(q, mobility, joints[:last], h, gain, spin)
    damp_joints(q, mobility, joints[last:], 0.5 * h, gain, spin)


@kernel
def direction(x: np.ndarray, a: int, b: int) -> Vector:
    """Unit vector from node a to node b."""
    e = (x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2])
    return scaled(1.0 / sqrt(dot(e, e)), e)


@kernel
def lengthening(x: np.ndarray, v: np.ndarray, a: int, b: int, ago: float) -> float:
    """d|e|/dt [m/s] of the edge from node a to b, in the last step, of `ago` [s]."""
    t, rate = direction(x, a, b), plus(vector(v[b]), -1.0, vector(v[a]))
    e = plus(vector(x[b]), -1.0, vector(x[a]))
    return dot(t, rate) - 0.5 * ago * dot(rate, rate) / sqrt(dot(e, e))


@kernel
def push_apart(t: Vector, a: int, b: int, impulse: float, w: np.ndarray, v: np.ndarray) -> None:
    """v of the nodes a and b by an impulse [N s] along t on b, against it on a."""
    for c in range(3):
        v[a, c] -= w[a] * impulse * t[c]
        v[b, c] += w[b] * impulse * t[c]


@kernel
def damp_lengths(
    x: np.ndarray, w: np.ndarray, segments: np.ndarray, h: float, ago: float, rows: np.ndarray, v: np.ndarray
) -> None:
    """What the edges of one rod take of v (N, 3) [m/s] in h [s], in place; w (N,): inverse masses [1/kg]; ago [s]: how
    long the step was by which v has brought x here.

    segments (m,): a table as stretch_and_align has it, each with its tail at the head of the one before it, with the
    column viscosity γ_t [N s]. rows (2, m) is scratch.
    """
    count = len(segments)
    ratio = pulled = 0.0
    last = ZERO
    for j in range(count):
        a, b = segments[j].tail, segments[j].head
        t, k = direction(x, a, b), h * segments[j].viscosity / segments[j].length
        rate, side, shared = lengthening(x, v, a, b, ago), 0.0, 0.0  # (1 + k G) λ = −k t·Δv, G_{j,j−1} = side
        if j > 0:
            side = -w[a] * dot(t, last)
        if j + 1 < count:
            shared = -w[b] * dot(t, direction(x, segments[j + 1].tail, segments[j + 1].head))
        ratio, pulled, _ = tridiagonal.eliminate(
            k * side, 1.0 + k * (w[a] + w[b]), k * shared, -k * rate, ratio, pulled
        )
        rows[0, j], rows[1, j], last = ratio, pulled, t
    impulse = 0.0
    for j in range(count - 1, -1, -1):
        impulse = rows[1, j] - rows[0, j] * impulse
        rows[1, j] = impulse
    for j in range(count):
        a, b = segments[j].tail, segments[j].head
        push_apart(direction(x, a, b), a, b, rows[1, j], w, v)


@kernel
def damp_stretching(
    x: np.ndarray,
    w: np.ndarray,
    segments: np.ndarray,
    closed: bool,
    h: float,
    ago: float,
    rows: np.ndarray,
    v: np.ndarray,
) -> None:
    """The same of a rod that may be closed, whose last edge then closes it."""
    if not closed:
        damp_lengths(x, w, segments, h, ago, rows, v)
        return
    last = len(segments) - 1
    damp_lengths(x, w, segments[last:], 0.5 * h, ago, rows, v)
    damp_lengths(x, w, segments[:last], h, ago, rows, v)
    damp_lengths(x, w, segments[last:], 0.5 * h, ago, rows, v)


@kernel
def dissipation(
    x: np.ndarray, v: np.ndarray, q: np.ndarray, spin: np.ndarray, segments: np.ndarray, joints: np.ndarray
) -> float:
    """D [W], half of the power that is lost."""
    power = 0.0
    for j in range(len(segments)):
        a, b = segments[j].tail, segments[j].head
        rate = lengthening(x, v, a, b, 0.0)
        power += 0.5 * segments[j].viscosity * rate * rate / segments[j].length
    for j in range(len(joints)):
        a, b = joints[j].before, joints[j].behind
        s = rodrigues(quaternion(q[a]), quaternion(q[b]), joints[j].sign)
        u = strain_rate(s, vector(spin[a]), vector(spin[b]), joints[j].length)
        for c in range(3):
            power += 0.5 * joints[j].length * joints[j].viscosity[c] * u[c] * u[c]
    return power
