"""Segment of a Cosserat rod: an edge e between two nodes and a unit quaternion, whose third director d₃ it keeps along.

    V = K_s l W(|e|/l) + l κ G(c),    G = 2 (1 − c)/(1 + c),    t = e/|e|,  c = t·d₃,

stretching (see stretching.py) and the parallel constraint as a penalty, 2 l κ tan²(α/2) of the angle α between both.
That of Spillmann & Teschner 2007 (eqs. 24 and 33), ½ l κ |t − d₃|² = l κ (1 − c), is the same where α is little, but
grows weaker beyond a right angle and lets directors over to the other side, where the joint's quaternions are a whole
turn apart. This one lets none: however fast an edge is whipped round, its directors come after it.

With k = l κ p, p = −G′ = 4/(1 + c)², the force F on the head, −F on the tail, and the torque τ on the directors, in
their own axes, are

    F = −K_s W′ t + (k/|e|) (d₃ − c t),    τ = k e₃ × t = k (−t·d₂, t·d₁, 0).

F moves and τ turns what it acts on by equal and opposite moments, e × F + R τ = 0, so angular momentum is kept. The
Hessian is by e and by the turn δ of the directors about their own axes, q → q exp(δ/2): with P = 1 − t tᵀ,
G″ = 8/(1 + c)³, u = d₃ − c t, and w = (−t·d₂, t·d₁, 0),

    ∂²/∂e² = (K_s W″/l) t tᵀ + (K_s W′/|e|) P + (k/|e|²) (d₃ tᵀ + t d₃ᵀ + c 1 − 3 c t tᵀ) + (l κ G″/|e|²) u uᵀ,
    ∂²/∂e∂δ = (k/|e|) P (d₂, −d₁, 0) + (l κ G″/|e|) u wᵀ,
    ∂²/∂δ² = k (c 1 − (s e₃ᵀ + e₃ sᵀ)/2) + l κ G″ w wᵀ,  s = (t·d₁, t·d₂, t·d₃).
"""

from math import log, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import SERIES, Quaternion, arc_series
from ..arithmetic.vectors import Matrix, Vector, dot, dyad, plus, plus_dyad, scaled
from ..model import table
from .stretching import stress

COUNT = 16
SEGMENT_LANES = table(  # segments side by side: one instruction of the processor does the same to several
    e=(float, (3, COUNT)),
    q=(float, (4, COUNT)),
    length=(float, COUNT),
    stretch=(float, COUNT),
    parallel=(float, COUNT),
    ratio=(float, COUNT),  # λ = |e|/l
    strain=(float, COUNT),  # λ − 1 or ln λ,
    stress=(float, COUNT),  # and W′
    energy=(float, COUNT),
    force=(float, (3, COUNT)),  # on the head
    turn=(float, (2, COUNT)),  # the torque across the edge
    along=(float, COUNT),  # t·d₃
    least=float,  # of all that were last
)
LEAST = 1e-5  # 1 + c, as that G counts where a director lies against its edge, which no step that is taken leads to
PRESSED = (1.0 - sqrt(SERIES)) / (1.0 + sqrt(SERIES))  # λ of k² = SERIES


@kernel
def directors(q: Quaternion) -> Matrix:
    """(d₁, d₂, d₃) of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@kernel
def away_from_against(c: float) -> float:
    """1 + c, but LEAST at least; a NaN stays."""
    return LEAST if c < LEAST - 1.0 else 1.0 + c


@kernel
def segment_gradient(
    e: Vector, q: Quaternion, length: float, stretch: float, parallel: float
) -> tuple[float, Vector, Vector]:
    """(V [J], F [N] on the head, τ [N m] in the directors' axes) of an edge e [m] with directors q; rest length [m],
    K_s [N], κ [N].
    """
    ratio = sqrt(dot(e, e)) / length
    pull = stress(ratio)[0]
    strain = pull if ratio >= 1.0 else ratio * pull
    return stretched_gradient(e, q, (ratio, strain, pull), length, stretch, parallel)


@kernel
def stretched_gradient(
    e: Vector, q: Quaternion, stretched: Vector, length: float, stretch: float, parallel: float
) -> tuple[float, Vector, Vector]:
    """The same by how far it is stretched: λ, λ − 1 or ln λ where it is pressed, W′."""
    ratio, strain, pull = stretched
    size, across, d = ratio * length, length * parallel, directors(q)
    t = scaled(1.0 / size, e)
    a, b, c = dot(t, d[0]), dot(t, d[1]), dot(t, d[2])
    away = plus(t, -1.0, d[2])  # 1 − c loses its digits where they are nearly parallel
    near = 1.0 / away_from_against(c)
    energy = 0.5 * length * stretch * strain * strain + across * near * dot(away, away)
    k = 4.0 * across * near * near
    force = plus(scaled(k / size, plus(d[2], -c, t)), -stretch * pull, t)
    return energy, force, (-k * b, k * a, 0.0)


@kernel
def segment_hessian(
    e: Vector, q: Quaternion, length: float, stretch: float, parallel: float
) -> tuple[Matrix, Matrix, Matrix]:
    """(∂²V/∂e² [N/m], ∂²V/∂e∂δ [N], ∂²V/∂δ² [N m])."""
    return stretched_hessian(e, q, stress(sqrt(dot(e, e)) / length), length, stretch, parallel)


@kernel
def stretched_hessian(
    e: Vector, q: Quaternion, stretched: tuple[float, float], length: float, stretch: float, parallel: float
) -> tuple[Matrix, Matrix, Matrix]:
    """The same by W′ and W″."""
    size, (pull, rate) = sqrt(dot(e, e)), stretched
    t, d = scaled(1.0 / size, e), directors(q)
    a, b, c = dot(t, d[0]), dot(t, d[1]), dot(t, d[2])
    near = 1.0 / away_from_against(c)
    across = 4.0 * length * parallel * near * near
    steep = 2.0 * across * near
    k, tight = across / (size * size), stretch * pull / size
    own = tight + k * c
    u, w = plus(d[2], -c, t), (-b, a, 0.0)
    ee = plus_dyad(plus_dyad(dyad(stretch * rate / length - tight - 3.0 * k * c, t, t), k, d[2], t), k, t, d[2])
    ee = plus_dyad(ee, steep / (size * size), u, u)
    ee = (
        (ee[0][0] + own, ee[0][1], ee[0][2]),
        (ee[1][0], ee[1][1] + own, ee[1][2]),
        (ee[2][0], ee[2][1], ee[2][2] + own),
    )
    k = across / size
    one, two = plus(d[1], -b, t), plus(d[0], -a, t)
    turned = ((k * one[0], -k * two[0], 0.0), (k * one[1], -k * two[1], 0.0), (k * one[2], -k * two[2], 0.0))
    turned = plus_dyad(turned, steep / size, u, w)
    x, y, z = -0.5 * across * a, -0.5 * across * b, across * c
    return ee, turned, plus_dyad(((z, 0.0, x), (0.0, z, y), (x, y, 0.0)), steep, w, w)


@kernel
def gather(x: np.ndarray, q: np.ndarray, segments: np.ndarray, here: np.record) -> None:
    """segments (COUNT or less,) to lanes."""
    for l in range(len(segments)):
        one = segments[l]
        for c in range(3):
            here.e[c, l] = x[one.head, c] - x[one.tail, c]
        for c in range(4):
            here.q[c, l] = q[l, c]
        here.length[l], here.stretch[l], here.parallel[l] = one.length, one.stretch, one.parallel


@kernel
def pull_lanes(here: np.record, count: int) -> None:
    """Energies, forces and torques of all lanes, of which segments are in the first `count`. ln λ = 2 artanh k with
    k = (λ − 1)/(λ + 1).
    """
    for l in range(COUNT):
        x, y, z = here.e[0, l], here.e[1, l], here.e[2, l]
        ratio = sqrt(x * x + y * y + z * z) / here.length[l]
        k = (ratio - 1.0) / (ratio + 1.0)
        square = k * k
        strain = 2.0 * k * (1.0 + square * arc_series(-square))
        here.ratio[l] = ratio
        here.strain[l] = ratio - 1.0 if ratio >= 1.0 else strain
        here.stress[l] = ratio - 1.0 if ratio >= 1.0 else strain / ratio
    for l in range(count):
        if here.ratio[l] < PRESSED:
            here.strain[l] = log(here.ratio[l])
            here.stress[l] = here.strain[l] / here.ratio[l]
    for l in range(COUNT):
        e, q = (here.e[0, l], here.e[1, l], here.e[2, l]), (here.q[0, l], here.q[1, l], here.q[2, l], here.q[3, l])
        own = (here.ratio[l], here.strain[l], here.stress[l])
        here.energy[l], force, turn = stretched_gradient(e, q, own, here.length[l], here.stretch[l], here.parallel[l])
        here.along[l] = dot(e, directors(q)[2]) / (own[0] * here.length[l])
        here.force[0, l], here.force[1, l], here.force[2, l] = force
        here.turn[0, l], here.turn[1, l] = turn[0], turn[1]


@kernel
def stretch_and_align(
    x: np.ndarray, q: np.ndarray, segments: np.ndarray, f: np.ndarray, torque: np.ndarray, here: np.record
) -> float:
    """Add the forces of all segments to f (N, 3) [N] on the nodes and to torque (Q, 3) [N m] on the directors, in their
    own axes. Returns the energy [J].

    x (N, 3) [m]; q (Q, 4), row e of which belongs to row e of `segments` (m,), a table with the columns tail and head
    (numbers of nodes), length [m], stretch K_s [N] and parallel κ [N]. here: SEGMENT_LANES, whose `least` becomes the
    least t·d₃ of all.
    """
    energy = 0.0
    here.least = 1.0
    for first in range(0, len(segments), COUNT):
        own = segments[first : first + COUNT]
        gather(x, q[first : first + COUNT], own, here)
        pull_lanes(here, len(own))
        for l in range(len(own)):
            energy += here.energy[l]
            if not here.along[l] >= here.least:  # a NaN stays
                here.least = here.along[l]
            for c in range(3):
                f[own[l].tail, c] -= here.force[c, l]
                f[own[l].head, c] += here.force[c, l]
            for c in range(2):
                torque[first + l, c] += here.turn[c, l]
    return energy
