"""Triangle of a plate: places x (3, 3) of its corners and, for each edge, a director that stands on its middle.

Edge i is across from corner i and goes round in the triangle's sense; t along it, n the triangle's normal, u = n × t
towards the corner, h = 2A/l the height. A director is turned about its edge by an angle φ against n. The second
fundamental form of the interpolated directors then is b = Σ 2 h φ ∇λ ∇λᵀ, λ the barycentric coordinates (mid-edge
normals: Grinspun, Gingold, Reisman & Zorin 2006, *Eurographics* 25(3); linear in φ and with heights at rest, so a plate
that only swells is not bent). To first order this is Morley's triangle, which converges on any triangulation.

    bending        V = ½ (g − ḡ)ᵀ K (g − ḡ),  g = φ/(1 − (φ/π)⁶), which keeps directors from turning over,
                   K_ij = 4 A D ((1 − ν) (u_i·u_j)² + ν)/(h_i h_j),  D = E h³/12(1 − ν²)
    squared arcs   a_k = |e_k|² + b_k²/12,  b_k = 2 Σ_{i≠k} h_i φ_i,  the curved surface's along edge k, to fourth order
    membrane       A h W,  W = ½ μ (I − 2 − ln Q) + ¼ λ (Q − 1 − ln Q),  λ = E ν/(1 − ν²),  μ = E/2(1 + ν)

    damping        stress of τ times the rates of |e|² and φ, at the plate's moduli at rest (Kelvin and Voigt's; what
                   only moves is not damped)

with I = Σ τ_k a_k (τ_k = cot of the angle across from edge k, over 2A) and Q = ((Σ a)² − 2 Σ a²)/16A² the trace and the
determinant of the metric: a neo-Hookean membrane in plane stress, polyconvex for ν ≥ 0, Hooke's law at small strain; no
triangle can lose its area. With |e_k|² alone for a_k the triangles were flat, and a mesh of these can only fold along
its edges: it would resist any other bending by its membrane (measured in docs/physics/sheets.md).

Directors are carried along with their edges without turning about them (parallel transport), and ξ counts how far each
is turned besides: ∇φ = ±∇ξ − (n·ρ)/h with ρ = dx_i − (1 − s) dx_{i+1} − s dx_{i+2}, s where the corner's foot divides
the edge.
"""

from math import atan2, log1p, sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector

SHORT = 0.15  # of tan φ/2: what is left of the series is less than rounding, k⁹/19


@kernel
def place(x: np.ndarray, i: int) -> Vector:
    """Of node i."""
    return x[i, 0], x[i, 1], x[i, 2]


@kernel
def unit(v: Vector) -> tuple[Vector, float]:
    """v over its length, and that."""
    size = sqrt(dot(v, v))
    return scaled(1.0 / size, v), size


@kernel
def transported(r: Vector, before: Vector, t: Vector) -> Vector:
    """r ⟂ before, carried along as `before` becomes t, both of length 1."""
    k = dot(r, t) / (1.0 + dot(before, t))
    return r[0] - k * (before[0] + t[0]), r[1] - k * (before[1] + t[1]), r[2] - k * (before[2] + t[2])


@kernel
def angle_of(n: Vector, t: Vector, m: Vector) -> float:
    """By which m is turned about t against n [rad]: 2 arctan of sin/(1 + cos), by its series while that is short."""
    sine, cosine = dot(cross(n, m), t), dot(n, m)
    q = sine / (1.0 + cosine)
    if not abs(q) < SHORT:
        return atan2(sine, cosine)
    k = q * q
    tail = 1.0 / 9.0 - k * (1.0 / 11.0 - k * (1.0 / 13.0 - k * (1.0 / 15.0 - k / 17.0)))
    return 2.0 * q * (1.0 - k * (1.0 / 3.0 - k * (1.0 / 5.0 - k * (1.0 / 7.0 - k * tail))))


@kernel
def bent(angle: float) -> tuple[float, float, float]:
    """g of φ [rad], g′ and g″: the angle itself but for φ⁷, and no director turns over."""
    p = angle / np.pi
    fifth = p * p * p * p * p
    k = 1.0 / (1.0 - fifth * p)
    slope = k + 6.0 * fifth * p * k * k
    curve = (42.0 * fifth + 72.0 * fifth * fifth * p * k) * k * k / np.pi
    return k * angle, slope, curve


@kernel
def normal_of(x: np.ndarray, node: np.ndarray) -> tuple[Vector, float]:
    """Of a triangle: n, and twice its area."""
    a = place(x, node[0])
    return unit(cross(plus(place(x, node[1]), -1.0, a), plus(place(x, node[2]), -1.0, a)))


@kernel
def measure(x: np.ndarray, edges: np.ndarray, row: np.record, out: np.ndarray) -> None:
    """out (4, 3): angles φ, b along edges, by how much squared arcs are larger than at rest, and g − ḡ, of places
    x (n, 3) and directors, PLATE_DIRECTOR (e,).
    """
    n, _ = normal_of(x, row.node)
    angle, bow, longer = out[0], out[1], out[2]
    for i in range(3):
        edge = edges[row.edge[i]]
        angle[i] = row.side[i] * angle_of(n, vector(edge.t), vector(edge.r))
        out[3, i] = bent(angle[i])[0] - row.bent[i]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        d = plus(place(x, row.node[k]), -1.0, place(x, row.node[j]))
        bow[i] = 2.0 * (row.height[j] * angle[j] + row.height[k] * angle[k])
        longer[i] = dot(d, d) + bow[i] * bow[i] / 12.0 - row.arc[i]


@kernel
def metric(row: np.record, longer: np.ndarray) -> tuple[Vector, float, float]:
    """∂Q/∂a, Q − 1 and I − 2 of squared arcs: sums of small numbers, so that round-off is that of small strains."""
    twice = 0.125 / (row.area * row.area)
    total = longer[0] + longer[1] + longer[2]
    q = twice * (total - 2.0 * longer[0]), twice * (total - 2.0 * longer[1]), twice * (total - 2.0 * longer[2])
    trace = dot(row.trace, longer)
    return plus(vector(row.trace), 1.0, q), trace + 0.5 * dot(q, longer), trace


@kernel
def plate_energy(row: np.record, out: np.ndarray) -> float:
    """[J] of what `measure` found; inf, where a triangle has no area left."""
    _, more, trace = metric(row, out[2])
    if not more > -1.0:
        return np.inf
    energy = 0.5 * row.shear * (trace - more) + (0.5 * row.shear + 0.25 * row.bulk) * (more - log1p(more))
    for i in range(3):
        energy += 0.5 * out[3, i] * dot(row.bend[i], out[3])
    return energy


@kernel
def hooke(row: np.record, a: Vector) -> Vector:
    """∂²AhW/∂a² at rest times a."""
    total, twice = a[0] + a[1] + a[2], 0.0625 * row.shear / (row.area * row.area)
    k = (0.5 * row.shear + 0.25 * row.bulk) * dot(row.trace, a)
    return plus(scaled(k, vector(row.trace)), -twice, (total - 2.0 * a[0], total - 2.0 * a[1], total - 2.0 * a[2]))


@kernel
def plate_forces(x: np.ndarray, row: np.record, out: np.ndarray, f: np.ndarray, edges: np.ndarray) -> None:
    """Subtract the energy's gradient, of what `measure` found, from f (n, 3) [N] of nodes and from the torques [N m] of
    edges' directors, PLATE_DIRECTOR (e,).
    """
    q, more, _ = metric(row, out[2])
    slope = (0.5 * row.shear + 0.25 * row.bulk) * more / (1.0 + more) - 0.5 * row.shear
    press, n = plus(scaled(0.5 * row.shear, vector(row.trace)), slope, q), normal_of(x, row.node)[0]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        moment = row.height[i] / 3.0 * (press[j] * out[1, j] + press[k] * out[1, k])
        moment += bent(out[0, i])[1] * dot(row.bend[i], out[3])
        spread(x, row, i, (n, moment, press[i]), f, edges)


@kernel
def spread(
    x: np.ndarray, row: np.record, i: int, stress: tuple[Vector, float, float], f: np.ndarray, edges: np.ndarray
) -> None:
    """Subtract M ∇φ + P ∇|e|² of edge i from f (n, 3) and torques; stress: (normal n, M, P)."""
    (n, moment, press), j, k = stress, (i + 1) % 3, (i + 2) % 3
    d, high, s = side_of(x, row, i, n)
    push = moment / high
    for c in range(3):
        f[row.node[i], c] += push * n[c]
        f[row.node[j], c] += (s - 1.0) * push * n[c] + 2.0 * press * d[c]
        f[row.node[k], c] -= s * push * n[c] + 2.0 * press * d[c]
    edges[row.edge[i]].torque -= row.side[i] * moment


@kernel
def side_of(x: np.ndarray, row: np.record, i: int, n: Vector) -> tuple[Vector, float, float]:
    """(edge i, the height [m] of the corner across over it, where that one's foot divides the edge)."""
    tail = place(x, row.node[(i + 1) % 3])
    d = plus(place(x, row.node[(i + 2) % 3]), -1.0, tail)
    apex, square = plus(place(x, row.node[i]), -1.0, tail), dot(d, d)
    return d, dot(cross(n, d), apex) / sqrt(square), dot(d, apex) / square


@kernel
def rates_of(x: np.ndarray, v: np.ndarray, turn: np.ndarray, row: np.record, i: int, n: Vector) -> tuple[float, float]:
    """d|e_i|²/dt and dφ_i/dt at velocities v (n, 3) [m/s] of nodes and turns (e,) [rad/s] of directors."""
    d, high, s = side_of(x, row, i, n)
    one, other = place(v, row.node[(i + 1) % 3]), place(v, row.node[(i + 2) % 3])
    over = plus(plus(place(v, row.node[i]), s - 1.0, one), -s, other)
    return 2.0 * dot(d, plus(other, -1.0, one)), row.side[i] * turn[row.edge[i]] - dot(n, over) / high


@kernel
def damping_forces(
    x: np.ndarray, v: np.ndarray, turn: np.ndarray, row: np.record, f: np.ndarray, edges: np.ndarray
) -> None:
    """Subtract what damps these velocities from f (n, 3) [N] and torques: τ times Hooke's law of the rates of a flat
    triangle. What moves as a whole has none.
    """
    n, tau = normal_of(x, row.node)[0], row.relaxation
    one, two, three = rates_of(x, v, turn, row, 0, n), rates_of(x, v, turn, row, 1, n), rates_of(x, v, turn, row, 2, n)
    pull, bend = hooke(row, (one[0], two[0], three[0])), (one[1], two[1], three[1])
    for i in range(3):
        spread(x, row, i, (n, tau * dot(row.bend[i], bend), tau * pull[i]), f, edges)
