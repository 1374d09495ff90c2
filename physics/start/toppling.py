"""Rods that rest in equilibrium but would not stay there: the second derivative of the energy has to be positive.

    H = Aᵀ (∂²E/∂(x, θ)² + Σ T (1 − t tᵀ)/l + EA t tᵀ/l) A,  and for each body less Σ f·½ φ × (φ × p) over its slaves,

with A the motions of free vertices, frames and bodies (the transpose of `force_balance`) and an inextensible edge's EA
very large.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh, splu

from ..model import Model, State
from ..rods.hinge import hinge_hessians
from ..rods.moment_loads import FROM_NODES, bent, stiffness_at, unknowns
from ..scene import Scene
from .force_balance import Balance, force_balance, inner_nodes, rod_of

UNNOTICED = 0.5  # 1/s: what grows no faster than exp(rate · t) counts as standing
RIGID = 1e4  # how much harder than its bending an inextensible edge is at least
DUST = 1e-10  # of the diagonal


def toppling(scene: Scene, model: Model, state: State) -> int:
    """Number of a rod with `balanced` that would topple from `state`, its equilibrium: that which bends most; or −1."""
    balanced, rods = np.array([rod.balanced for rod in scene.rods]), model.rods
    if not balanced.any():
        return -1
    balance = force_balance(model, state, balanced)
    inner = np.concatenate([inner_nodes(rods, state, r) for r in np.flatnonzero(balanced)])
    edge = np.concatenate(
        [np.arange(rods["first"][r], rods["last"][r] + rods["closed"][r]) for r in np.flatnonzero(balanced)]
    )
    unknown, hessian, force = _bending(model, state, inner, balance)
    stretching, pull = _stretching(model, state, edge, balance)
    raw = _added(unknown, hessian, balance.rows.shape[1]) + stretching
    turning = _turning(model, state, force + pull, balance.rows.shape[0])
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
    factors = splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    if np.all(factors.U.diagonal() > 0.0) and np.array_equal(factors.perm_r, factors.perm_c):
        return None
    start = np.random.default_rng(0).standard_normal(H.shape[0])
    value, vector = eigsh(matrix, 1, sigma=0.0, which="SA", v0=start)
    return scale @ vector[:, 0] if value[0] < 0.0 else None


def _added(unknown: np.ndarray, blocks: np.ndarray, size: int) -> sp.csr_matrix:
    """Sparse (size, size) from blocks (k, m, m) over unknowns (k, m)."""
    row = np.broadcast_to(unknown[:, :, None], blocks.shape)
    return sp.csr_matrix((blocks.ravel(), (row.ravel(), row.transpose(0, 2, 1).ravel())), shape=(size, size))


def _bending(
    model: Model, state: State, inner: np.ndarray, balance: Balance
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(unknowns (k, 11), ∂²E of bending and twisting (k, 11, 11) of each vertex, force (N, 3) [N])."""
    n, k, hinges = len(model.nodes), len(inner), model.hinges[inner]
    at, stiffness = bent(state, inner), stiffness_at(model, inner)
    moment = stiffness * (at.strain - np.column_stack([hinges["rest_curvature"], hinges["rest_twist"]]))
    hessian = np.zeros((k, 8, 8))
    hinge_hessians(at.edges, at.m1, moment, stiffness, at.jacobian, hessian)
    unknown, force = unknowns(inner, balance.node_of, balance.edge_of), np.zeros(4 * n)
    np.add.at(force, unknown, -np.einsum("kc,kcu->ku", moment, at.jacobian) @ FROM_NODES)
    return unknown, FROM_NODES.T @ hessian @ FROM_NODES, force[: 3 * n].reshape(n, 3)


def _stretching(model: Model, state: State, edge: np.ndarray, balance: Balance) -> tuple[sp.csr_matrix, np.ndarray]:
    """(∂²E of edges' tensions and lengths (4 N, 4 N), their force (N, 3) [N])."""
    rods, edges, n, k = model.rods, model.edges, len(model.nodes), len(edge)
    e = state.x[edge + 1] - state.x[edge]
    length = np.linalg.norm(e, axis=1)
    t = e / length[:, None]
    of = rod_of(rods, edge)
    ratio = length / edges["length"][edge]
    given = edges["stretch"][edge] * np.where(ratio < 1.0, np.log(ratio) / ratio, ratio - 1.0)
    tension = np.where(rods["stretchable"][of], given, -state.tension[edge] * edges["length"][edge])
    hard = np.maximum(edges["stretch"][edge] / length, RIGID * edges["stiffness"][edge].max(axis=1) / length**3)
    hard = np.where(rods["stretchable"][of], edges["stretch"][edge] / length, hard)
    along = t[:, :, None] * t[:, None, :]
    block = (tension / length)[:, None, None] * (np.eye(3) - along) + hard[:, None, None] * along
    whole = np.block([[block, -block], [-block, block]])
    ends = balance.node_of[np.stack([edge, edge + 1], axis=1)]
    unknown = (3 * ends[..., None] + np.arange(3)).reshape(k, 6)
    force = np.zeros((n, 3))
    np.add.at(force, ends[:, 0], tension[:, None] * t)
    np.add.at(force, ends[:, 1], -tension[:, None] * t)
    return _added(unknown, whole, 4 * n), force


def _turning(model: Model, state: State, force: np.ndarray, count: int) -> sp.csr_matrix:
    """Of each body over its turn φ: slaves at the arm p give −f·½ φ × (φ × p), (f·p) − ½ (f pᵀ + p fᵀ)."""
    bodies, slaves = model.bodies, model.slaves
    first = count - 6 * len(bodies)
    row, column, value = [], [], []
    for b, i in zip(slaves["body"], slaves["node"], strict=True):
        p, f = state.x[i] - state.bodies["x"][b], force[i]
        turn = first + 6 * b + 3 + np.arange(3)
        row.append(np.repeat(turn, 3))
        column.append(np.tile(turn, 3))
        value.append(((f @ p) * np.eye(3) - 0.5 * (np.outer(f, p) + np.outer(p, f))).ravel())
    entries = [np.concatenate([*part, np.zeros(0, kind)]) for part, kind in ((value, float), (row, int), (column, int))]
    return sp.csr_matrix((entries[0], (entries[1], entries[2])), shape=(count, count))
