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
from ..arithmetic.vectors import Matrix, Vector, cross, dot, plus, scaled, vector
from .plate_lanes import COUNT, Rest, column, give, rest_of, rows_of

Triangle = np.record | Rest  # PLATE, or that in a lane

SHORT = 0.15  # of tan φ/2: what is left of the series is less than rounding, k⁹/19
# Of a triangle's squared height: squared radius of gyration of its part in a director. The plate's own, h²/12, would
# let directors alone limit steps, the more so the thinner it is where it is bent, for then arcs stretch by how they
# turn. A wave is slower for it by a part that goes with the square of its triangles' size, as the element's own error.
GYRATION = 1.0 / 6.0


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
def sides(a: Vector, b: Vector, c: Vector) -> Matrix:
    """Edges of a triangle: across from a, from b, from c."""
    return plus(c, -1.0, b), plus(a, -1.0, c), plus(b, -1.0, a)


@kernel
def tilt(normal: Vector, size: float, d: Vector, director: Vector) -> tuple[float, float]:
    """(sin φ, 1 + cos φ), both times the same, of a director on an edge d; normal: 2A n, size: 2A."""
    return dot(cross(d, normal), director), sqrt(dot(d, d)) * (size + dot(normal, director))


@kernel
def is_short(sine: float, cosine: float) -> bool:
    """Whether `short_angle` is right to rounding."""
    return abs(sine) < SHORT * cosine


@kernel
def short_angle(sine: float, cosine: float) -> float:
    """φ [rad] of what `tilt` found: 2 arctan, by its series."""
    q = sine / cosine
    k = q * q
    tail = 1.0 / 9.0 - k * (1.0 / 11.0 - k * (1.0 / 13.0 - k * (1.0 / 15.0 - k / 17.0)))
    return 2.0 * q * (1.0 - k * (1.0 / 3.0 - k * (1.0 / 5.0 - k * (1.0 / 7.0 - k * tail))))


@kernel
def long_angle(sine: float, cosine: float) -> float:
    """The same, whatever it is."""
    return 2.0 * atan2(sine, cosine)


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
    d = sides(place(x, row.node[0]), place(x, row.node[1]), place(x, row.node[2]))
    normal = cross(d[0], d[1])
    size = sqrt(dot(normal, normal))
    for i in range(3):
        sine, cosine = tilt(normal, size, d[i], vector(edges[row.edge[i]].r))
        out[0, i] = short_angle(sine, cosine) if is_short(sine, cosine) else long_angle(sine, cosine)
    bow, longer, over = strains(row, d, vector(out[0]))
    for i in range(3):
        out[1, i], out[2, i], out[3, i] = bow[i], longer[i], over[i]


@kernel
def strains(row: Triangle, d: Matrix, angle: Vector) -> tuple[Vector, Vector, Vector]:
    """b along edges d, by how much squared arcs are larger than at rest, and g − ḡ."""
    a, b, c = row.height[0] * angle[0], row.height[1] * angle[1], row.height[2] * angle[2]
    bow = 2.0 * (b + c), 2.0 * (c + a), 2.0 * (a + b)
    longer = (
        dot(d[0], d[0]) + bow[0] * bow[0] / 12.0 - row.arc[0],
        dot(d[1], d[1]) + bow[1] * bow[1] / 12.0 - row.arc[1],
        dot(d[2], d[2]) + bow[2] * bow[2] / 12.0 - row.arc[2],
    )
    g = bent(angle[0])[0], bent(angle[1])[0], bent(angle[2])[0]
    return bow, longer, plus(g, -1.0, vector(row.bent))


@kernel
def metric(row: Triangle, longer: Vector | np.ndarray) -> tuple[Vector, float, float]:
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
def hooke(row: Triangle, a: Vector) -> Vector:
    """∂²AhW/∂a² at rest times a."""
    total, twice = a[0] + a[1] + a[2], 0.0625 * row.shear / (row.area * row.area)
    k = (0.5 * row.shear + 0.25 * row.bulk) * dot(row.trace, a)
    return plus(scaled(k, vector(row.trace)), -twice, (total - 2.0 * a[0], total - 2.0 * a[1], total - 2.0 * a[2]))


@kernel
def stress(row: Triangle, d: Matrix, angle: Vector) -> tuple[Vector, Vector]:
    """(P, M): ∂/∂|e|² [N/m] of a triangle's energy, and ∂/∂φ [N m]."""
    bow, longer, over = strains(row, d, angle)
    q, more, _ = metric(row, longer)
    slope = (0.5 * row.shear + 0.25 * row.bulk) * more / (1.0 + more) - 0.5 * row.shear
    press = plus(scaled(0.5 * row.shear, vector(row.trace)), slope, q)
    a, b, c = press[0] * bow[0] / 3.0, press[1] * bow[1] / 3.0, press[2] * bow[2] / 3.0
    return press, (
        row.height[0] * (b + c) + bent(angle[0])[1] * dot(row.bend[0], over),
        row.height[1] * (c + a) + bent(angle[1])[1] * dot(row.bend[1], over),
        row.height[2] * (a + b) + bent(angle[2])[1] * dot(row.bend[2], over),
    )


@kernel
def over_heights(a: Vector, d: Matrix, size: float) -> Vector:
    """a_i/h_i."""
    k = 1.0 / size
    return k * sqrt(dot(d[0], d[0])) * a[0], k * sqrt(dot(d[1], d[1])) * a[1], k * sqrt(dot(d[2], d[2])) * a[2]


@kernel
def feet(d: Matrix) -> Vector:
    """s: where on each edge the foot of the corner across divides it."""
    return -dot(d[0], d[2]) / dot(d[0], d[0]), -dot(d[1], d[0]) / dot(d[1], d[1]), -dot(d[2], d[1]) / dot(d[2], d[2])


@kernel
def forces(d: Matrix, normal: Vector, size: float, press: Vector, moment: Vector) -> Matrix:
    """−Σ (M ∇φ + P ∇|e|²) at the three corners [N]."""
    s, push, n = feet(d), over_heights(moment, d, size), scaled(1.0 / size, normal)
    p, q, r = scaled(2.0 * press[0], d[0]), scaled(2.0 * press[1], d[1]), scaled(2.0 * press[2], d[2])
    return (
        plus(plus(r, -1.0, q), push[0] - s[1] * push[1] - (1.0 - s[2]) * push[2], n),
        plus(plus(p, -1.0, r), push[1] - s[2] * push[2] - (1.0 - s[0]) * push[0], n),
        plus(plus(q, -1.0, p), push[2] - s[0] * push[0] - (1.0 - s[1]) * push[1], n),
    )


@kernel
def rates(d: Matrix, normal: Vector, size: float, v: Matrix, turn: Vector) -> tuple[Vector, Vector]:
    """d|e|²/dt and dφ/dt, corners going with velocities v [m/s] and directors turning by turn [rad/s]."""
    u, s, k = sides(v[0], v[1], v[2]), feet(d), 1.0 / size
    a, b, c = k * dot(normal, u[0]), k * dot(normal, u[1]), k * dot(normal, u[2])
    over = over_heights((-c - s[0] * a, -a - s[1] * b, -b - s[2] * c), d, size)
    return (2.0 * dot(d[0], u[0]), 2.0 * dot(d[1], u[1]), 2.0 * dot(d[2], u[2])), plus(turn, -1.0, over)


@kernel
def find_angles(here: np.record, count: int) -> None:
    """φ of LANES, of which triangles are in the first `count`."""
    for l in range(COUNT):
        x = rows_of(here.x, l)
        d = sides(x[0], x[1], x[2])
        normal = cross(d[0], d[1])
        size = sqrt(dot(normal, normal))
        for i in range(3):
            sine, cosine = tilt(normal, size, d[i], column(here.director[i], l))
            here.angle[i, l] = short_angle(sine, cosine)
            here.sine[i, l], here.cosine[i, l] = sine, cosine
    for i in range(3):
        for l in range(count):
            if not is_short(here.sine[i, l], here.cosine[i, l]):  # these few are done again
                here.angle[i, l] = long_angle(here.sine[i, l], here.cosine[i, l])


@kernel
def find_forces(here: np.record) -> None:
    """Elastic ones of LANES, whose φ are known."""
    for l in range(COUNT):
        x = rows_of(here.x, l)
        d = sides(x[0], x[1], x[2])
        normal = cross(d[0], d[1])
        press, moment = stress(rest_of(here, l), d, column(here.angle, l))
        give(here, l, forces(d, normal, sqrt(dot(normal, normal)), press, moment), moment)


@kernel
def find_damping(here: np.record) -> None:
    """Forces of LANES that damp: τ times Hooke's law of the rates of flat triangles."""
    for l in range(COUNT):
        x, row, tau = rows_of(here.x, l), rest_of(here, l), here.relaxation[l]
        d = sides(x[0], x[1], x[2])
        normal = cross(d[0], d[1])
        size = sqrt(dot(normal, normal))
        longer, turning = rates(d, normal, size, rows_of(here.v, l), column(here.turn, l))
        press, bend = scaled(tau, hooke(row, longer)), row.bend
        moment = tau * dot(bend[0], turning), tau * dot(bend[1], turning), tau * dot(bend[2], turning)
        give(here, l, forces(d, normal, size, press, moment), moment)


@kernel
def damping_rate(x: np.ndarray, row: np.record) -> float:
    """No less than the fastest rate [1/s] at which a triangle with its own share of mass is damped: of stretching, by
    the norm of its matrix by three edges, and of bending, by its trace. Neither moves what the other does.
    """
    d = sides(place(x, row.node[0]), place(x, row.node[1]), place(x, row.node[2]))
    normal = cross(d[0], d[1])
    s, size = feet(d), sqrt(dot(normal, normal))
    p, q, r = dot(d[1], d[2]), dot(d[2], d[0]), dot(d[0], d[1])
    a = hooke(row, (2.0 * dot(d[0], d[0]), -r, -q))
    b = hooke(row, (-r, 2.0 * dot(d[1], d[1]), -p))
    c = hooke(row, (-q, -p, 2.0 * dot(d[2], d[2])))
    square = a[0] * a[0] + b[1] * b[1] + c[2] * c[2] + 2.0 * (a[1] * b[0] + b[2] * c[1] + c[0] * a[2])
    bend = 0.0
    for i in range(3):
        corners = (1.0 + s[i] * s[i] + (1.0 - s[i]) * (1.0 - s[i])) * dot(d[i], d[i]) / (size * size)
        bend += row.bend[i, i] / row.firm * (corners + 1.0 / (GYRATION * row.height[i] * row.height[i]))
    return row.relaxation / row.mass * max(4.0 * sqrt(square), bend)
