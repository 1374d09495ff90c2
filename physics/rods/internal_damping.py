"""Internal damping: a Kelvin–Voigt moment η dφ/dt at every vertex against the rate of its turning angle φ.

With d the unit vector along t^i − t^{i−1}, dφ/dt = d·(dt^i/dt − dt^{i−1}/dt), which no rigid motion changes: neither
momentum nor angular momentum is touched. All vertices are taken implicitly together, e' = e + W Gᵀ λ for the rates of
the edges, with G = ∂φ/∂e, W the mobility of edges (they share vertices; a ghost edge has its own) and

    (1/hη + G W Gᵀ) λ = −G e,

a pentadiagonal system, so the law holds with any step (backward Euler). What it takes of velocities, down to a part d
of them, before forces act, leaves v' = d v − h ω² x, x' = x + h v' stable where (hω)² < 2 (1 + d): in steps of √½ of
the largest undamped one whatever d. A steady whirl (a skipping rope) keeps its angles and is left alone. In a closed
rod the vertices on both sides of its first edge are relaxed before and behind the others, half each.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.arrays import scale_into
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from ..linear.pentadiagonal import NONE, eliminate, substitute
from ..model import Model, State
from .chain import hinges_of
from .director_damping import damp_directors
from .scratch import ElasticScratch

STRAIGHT = 1e-20  # |t^i − t^{i−1}|² below which a vertex counts as straight and bends whichever way it moves

Rows = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@kernel
def turning_gradient(e: np.ndarray, rate: np.ndarray, i: int, a: np.ndarray, c: np.ndarray) -> None:
    """∂φ/∂e at the hinge between the edges i and i + 1: a, c (3,) [1/m]."""
    ea, eb = vector(e[i]), vector(e[i + 1])
    p, q = 1.0 / sqrt(dot(ea, ea)), 1.0 / sqrt(dot(eb, eb))
    gradient_between(scaled(p, ea), scaled(q, eb), p, q, rate[i], rate[i + 1], a, c)


@kernel
def gradient_between(
    ta: Vector,
    tb: Vector,
    p: float,
    q: float,
    ra: Vector | np.ndarray,
    rb: Vector | np.ndarray,
    a: np.ndarray,
    c: np.ndarray,
) -> None:
    """The same of edges of these directions, inverse lengths [1/m] and rates (3,): d's parts across both, which are as
    long.
    """
    d = plus(tb, -1.0, ta)
    if dot(d, d) < STRAIGHT:
        d = plus(scaled(q, vector(rb)), -p, vector(ra))
        d = plus(d, -dot(d, ta), ta)  # across both, for one way on both sides
    g, h = plus(d, -dot(d, ta), ta), plus(d, -dot(d, tb), tb)
    size = sqrt(max(dot(g, g), dot(h, h)))
    k = 1.0 / size if size > 0.0 else 0.0
    a[0], a[1], a[2] = scaled(-p * k, g)
    c[0], c[1], c[2] = scaled(q * k, h)


@kernel
def edge_rates(v: np.ndarray, ghosts: np.ndarray, rate: np.ndarray) -> None:
    """Rates (n + 1, 3) [m/s] of the edges on both sides of n vertices that move with v (n, 3); ghosts (2,): State's."""
    n = len(v)
    for c in range(3):
        rate[0, c], rate[n, c] = ghosts[0].rate[c], ghosts[1].rate[c]
    for i in range(1, n):
        for c in range(3):
            rate[i, c] = v[i, c] - v[i - 1, c]


@kernel
def edge_mobilities(w: np.ndarray, grip: np.ndarray, own: np.ndarray, shared: np.ndarray) -> None:
    """W of these edges [1/kg]: own (n + 1,), and −shared (n,) between the edges at a vertex; w (n,) of vertices, grip
    (2,) of ghost edges.
    """
    n = len(w)
    own[0], own[n] = grip[0], grip[1]
    for i in range(1, n):
        own[i] = w[i - 1] + w[i]
        shared[i] = w[i]
    shared[0] = shared[n - 1] = 0.0  # nothing moves with a ghost edge


@kernel
def damp_hinges(
    e: np.ndarray, rate: np.ndarray, viscosity: np.ndarray, h: float, a: np.ndarray, c: np.ndarray, rows: Rows
) -> None:
    """The multipliers λ (n,), in the third of the rows, of all hinges between the edges e (n + 1, 3), taken together,
    with viscosity η (n,) [N m s] and the mobilities in the last two. Scratch: a, c (n, 3), rows (n + 1,).
    """
    n = len(viscosity)
    first, second, lam, own, shared = rows
    for i in range(n):
        turning_gradient(e, rate, i, a[i], c[i])
    last = before = NONE
    for i in range(n):
        d = 1.0 / (h * viscosity[i]) + own[i] * dot(a[i], a[i]) + own[i + 1] * dot(c[i], c[i])
        d -= 2.0 * shared[i] * dot(a[i], c[i])
        one = two = 0.0
        if i + 1 < n:
            one = (
                own[i + 1] * dot(c[i], a[i + 1]) - shared[i] * dot(a[i], a[i + 1]) - shared[i + 1] * dot(c[i], c[i + 1])
            )
        if i + 2 < n:
            two = -shared[i + 1] * dot(c[i], a[i + 2])
        last, before = eliminate(d, one, two, -dot(a[i], rate[i]) - dot(c[i], rate[i + 1]), last, before), last
        first[i], second[i], lam[i] = last[1], last[2], last[3] / last[0]
    substitute(first[:n], second[:n], lam[:n])


@kernel
def add_up(a: np.ndarray, c: np.ndarray, lam: np.ndarray, impulse: np.ndarray) -> None:
    """Gᵀ λ on the edges: impulse (n + 1, 3) [N s]."""
    n = len(a)
    for k in range(3):
        impulse[0, k], impulse[n, k] = lam[0] * a[0, k], lam[n - 1] * c[n - 1, k]
        for i in range(1, n):
            impulse[i, k] = lam[i - 1] * c[i - 1, k] + lam[i] * a[i, k]


@kernel
def push_edge(v: np.ndarray, w: np.ndarray, i: int, j: int, g: np.ndarray, lam: float) -> None:
    """v (n, 3) of the vertices i and j at the ends of an edge by the impulse λ g on it."""
    for k in range(3):
        v[i, k] -= w[i] * lam * g[k]
        v[j, k] += w[j] * lam * g[k]


@kernel
def relax_hinge(
    e: np.ndarray,
    rate: np.ndarray,
    i: int,
    vertices: tuple[int, int, int],
    v: np.ndarray,
    w: np.ndarray,
    eta: float,
    gradient: tuple[np.ndarray, np.ndarray],
) -> None:
    """The hinge between the edges i and i + 1, of three vertices, alone; eta = h η, gradient = (a, c) is scratch."""
    (l, m, r), (a, c) = vertices, gradient
    for k in range(3):
        rate[i, k], rate[i + 1, k] = v[m, k] - v[l, k], v[r, k] - v[m, k]
    turning_gradient(e, rate, i, a, c)
    mobility = (w[l] + w[m]) * dot(a, a) - 2.0 * w[m] * dot(a, c) + (w[m] + w[r]) * dot(c, c)
    lam = -eta * (dot(a, rate[i]) + dot(c, rate[i + 1])) / (1.0 + eta * mobility)
    push_edge(v, w, l, m, a, lam)
    push_edge(v, w, m, r, c, lam)


@kernel
def relax_ends(
    e: np.ndarray,
    rate: np.ndarray,
    v: np.ndarray,
    w: np.ndarray,
    eta: np.ndarray,
    gradient: tuple[np.ndarray, np.ndarray],
    back: bool,
) -> None:
    """Both hinges at the last edge of a closed rod, one after the other, or the other way round."""
    n = len(v)
    for k in range(2):
        if (k == 0) != back:
            relax_hinge(e, rate, n - 1, (n - 2, n - 1, 0), v, w, eta[n - 1], gradient)
        else:
            relax_hinge(e, rate, 0, (n - 1, 0, 1), v, w, eta[0], gradient)


@kernel
def internal_damping(model: Model, r: int, state: State, work: ElasticScratch, h: float) -> None:
    """Damp the velocities of rod r, where work.e has its edges; what its ghost edges take [N s] stays in work.rate."""
    if model.rods[r].cosserat:
        damp_directors(model, r, state, work, h)
        return
    rods, ghosts, viscosity = model.rods, state.ghosts[2 * r : 2 * r + 2], model.hinges["viscosity"]
    c, d = rods[r].first, rods[r].last + 1
    v, w, e, rate, rows = state.v[c:d], state.w[c:d], work.e[c + r : d + r + 1], work.rate[c + r : d + r + 1], work.rows
    i, j = hinges_of(rods, r, state.ghosts)
    if rods[r].closed:
        i, j, eta = c + 1, d - 1, work.eta[c:d]
        scale_into(viscosity[c:d], 0.5 * h, eta)
        relax_ends(e, rate, v, w, eta, (work.before[c], work.behind[c]), False)
    a, b = i + r, j + r + 1
    edge_rates(v, ghosts, rate)
    edge_mobilities(w, rods[r].grip, rows[3, c + r : d + r + 1], rows[4, c + r : d + r + 1])
    own = rows[0, a:b], rows[1, a:b], rows[2, a:b], rows[3, a:b], rows[4, a:b]
    damp_hinges(work.e[a:b], work.rate[a:b], viscosity[i:j], h, work.before[i:j], work.behind[i:j], own)
    add_up(work.before[i:j], work.behind[i:j], own[2], work.rate[a:b])
    for k in range(1, len(v)):
        push_edge(v, w, k - 1, k, rate[k], 1.0)
    if rods[r].closed:
        relax_ends(e, rate, v, w, eta, (work.before[c], work.behind[c]), True)
