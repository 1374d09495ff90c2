"""Rods that rest in equilibrium but would not stay there: the second derivative of the energy has to be positive.

    H = Aᵀ (∂²E/∂(x, θ)² + Σ T (1 − t tᵀ)/l + EA t tᵀ/l) A,  and for each body less Σ f·½ φ × (φ × p) over its slaves,

with A the motions of free vertices, frames and bodies (the transpose of `force_balance`) and an inextensible edge's EA
very large.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from ..arithmetic.sparse import scattered
from ..elements.curved_hinge import hessians_at
from ..linear.elimination import factorised
from ..model import Model, State
from ..rods.chain import edges_of, frame_edges, rod_of
from ..rods.moment_loads import bent, differences, hinges_of_rods, moments
from ..scene import Scene
from .force_balance import force_balance

UNNOTICED = 0.5  # 1/s: what grows no faster than exp(rate · t) counts as standing
RIGID = 1e4  # how much harder than its bending an inextensible edge is at least
DUST = 1e-10  # of the diagonal


def toppling(scene: Scene, model: Model, state: State) -> int:
    """Number of a rod with `balanced` that would topple from `state`, its equilibrium: that which bends most; or −1."""
    balanced, rods = np.array([rod.balanced for rod in scene.rods]), model.rods
    if not balanced.any():
        return -1
    balance = force_balance(model, state, balanced)
    inner, edge = hinges_of_rods(model, state, balanced), edges_of(rods, len(state.x))[0]
    edge = edge[balanced[rod_of(rods, edge)]]
    count, total = balance.rows.shape
    unknown, hessian, load = _bending(model, state, inner, total)
    stretching, pull = _stretching(model, state, edge, total)
    raw = _added(unknown, hessian, total) + stretching
    turning = _turning(model, state, load + pull, count)
    H = balance.rows @ raw @ balance.rows.T + turning + UNNOTICED**2 * sp.diags(balance.inertia)
    way = _way_down((0.5 * (H + H.T)).tocsc())
    if way is None:
        return -1
    bent_by = (balance.rows.T @ way)[unknown]
    energy = np.einsum("ki,kij,kj->k", bent_by, hessian, bent_by)
    return int(np.argmax(np.bincount(rod_of(rods, inner), energy)))


def _way_down(H: sp.csc_matrix) -> np.ndarray | None:
    """A motion along which the energy falls, or None: H is positive definite when all its pivots are positive."""
    size = np.abs(H.diagonal())
    scale = sp.diags(1.0 / np.sqrt(np.where(size > 0.0, size, 1.0)))
    matrix = (scale @ H @ scale + DUST * sp.identity(H.shape[0])).tocsc()
    factors = factorised(matrix)
    if np.all(factors.U.diagonal() > 0.0) and np.array_equal(factors.perm_r, factors.perm_c):
        return None
    start = np.random.default_rng(0).standard_normal(H.shape[0])
    value, vector = eigsh(matrix, 1, sigma=0.0, which="SA", v0=start)
    return scale @ vector[:, 0] if value[0] < 0.0 else None


def _added(unknown: np.ndarray, blocks: np.ndarray, size: int) -> sp.csr_matrix:
    """Sparse (size, size) from blocks (k, m, m) over unknowns (k, m)."""
    return scattered(blocks, unknown, unknown, (size, size))


def _bending(model: Model, state: State, inner: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(unknowns (k, 8), ∂²E of bending and twisting (k, 8, 8) of each hinge, all loads (total,))."""
    at = bent(model, state, inner)
    moment = moments(model, inner, at.strain)
    hessian, load = np.zeros((len(inner), 8, 8)), np.zeros(total)
    hessians_at(model.hinges[inner], at.edges, at.m1, at.strain[:, 4], hessian)
    np.add.at(load, at.unknown, -np.einsum("kc,kcu->ku", moment, at.jacobian))
    return at.unknown, hessian, load


def _stretching(model: Model, state: State, edge: np.ndarray, total: int) -> tuple[sp.csr_matrix, np.ndarray]:
    """(∂²E of edges' tensions and lengths (total, total), all loads (total,))."""
    rods, edges = model.rods, model.edges
    of = rod_of(rods, edge)
    frame = edge + of + 1
    e = frame_edges(rods, state.ghosts, state.x)[frame]
    length = np.linalg.norm(e, axis=1)
    t = e / length[:, None]
    ratio = length / edges["length"][edge]
    given = edges["stretch"][edge] * np.where(ratio < 1.0, np.log(ratio) / ratio, ratio - 1.0)
    tension = np.where(rods["stretchable"][of], given, -state.tension[edge] * edges["length"][edge])
    hard = np.maximum(edges["stretch"][edge] / length, RIGID * edges["stiffness"][edge].max(axis=1) / length**3)
    hard = np.where(rods["stretchable"][of], edges["stretch"][edge] / length, hard)
    along = t[:, :, None] * t[:, None, :]
    block = (tension / length)[:, None, None] * (np.eye(3) - along) + hard[:, None, None] * along
    unknown, load = 3 * (len(state.x) + frame)[:, None] + np.arange(3), np.zeros(total)
    load[unknown] = -tension[:, None] * t
    return _added(unknown, block, total), load


def _turning(model: Model, state: State, load: np.ndarray, count: int) -> sp.csr_matrix:
    """Of each body over its turn φ: a force f on a slave at the arm p gives −f·½ φ × (φ × p), (f·p) − ½ (f pᵀ + p fᵀ);
    so does the pull on a ghost edge.
    """
    bodies, slaves, n, m = model.bodies, model.slaves, len(model.nodes), len(state.theta)
    ghosts, edge = model.welds[model.welds["ghost"] >= 0], frame_edges(model.rods, state.ghosts, state.x)
    pull = load[3 * n : 3 * (n + m)].reshape(m, 3)
    force = load[: 3 * n].reshape(n, 3) + differences(model.rods).T @ pull
    body = np.concatenate([slaves["body"], ghosts["body"]])
    p = np.vstack([state.x[slaves["node"]] - state.bodies["x"][slaves["body"]], edge[ghosts["frame"]]])
    f = np.vstack([force[slaves["node"]], pull[ghosts["frame"]]])
    both = f[:, :, None] * p[:, None, :]
    block = np.einsum("kii->k", both)[:, None, None] * np.eye(3) - 0.5 * (both + both.transpose(0, 2, 1))
    return _added((count - 6 * len(bodies) + 6 * body + 3)[:, None] + np.arange(3), block, count)
