"""Rods that rest in equilibrium but would not stay there: the second derivative of the energy has to be positive.

    H = Aᵀ (∂²E/∂(x, θ)² + Σ T (1 − t tᵀ)/l + EA t tᵀ/l) A,  and for each body less Σ f·½ φ × (φ × p) over its slaves,

with A the motions of free vertices, frames and bodies (the transpose of `force_balance`) and an inextensible edge's EA
very large. ∂²E of each vertex comes from differences of its gradient (rods/moment_loads), the frames of its edges
being carried along by parallel transport.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh, splu

from .force_balance import force_balance, inner_nodes, rod_of
from .rods.moment_loads import bent, between, local_loads

DELTA = 1e-5  # of an edge, or rad, for differences
UNNOTICED = 0.5  # 1/s: what grows no faster than exp(rate · t) counts as standing
RIGID = 1e4  # how much harder than its bending an inextensible edge is at least
DUST = 1e-10  # of the diagonal


def toppling(scene, model, state):
    """Number of a rod with `balanced` that would topple from `state`, its equilibrium: that which bends most; or −1."""
    balanced, rods = np.array([rod.balanced for rod in scene.rods]), model.rods
    if not balanced.any():
        return -1
    balance = force_balance(model, state, balanced)
    inner = np.concatenate([inner_nodes(rods, state, r) for r in np.flatnonzero(balanced)])
    edge = [np.arange(rods["first"][r], rods["last"][r] + rods["closed"][r]) for r in np.flatnonzero(balanced)]
    edge = np.concatenate(edge)
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


def _way_down(H):
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


def _added(unknown, blocks, size):
    """Sparse (size, size) from blocks (k, m, m) over unknowns (k, m)."""
    row = np.broadcast_to(unknown[:, :, None], blocks.shape)
    return sp.csr_matrix((blocks.ravel(), (row.ravel(), row.transpose(0, 2, 1).ravel())), shape=(size, size))


def _bending(model, state, inner, balance):
    """(unknowns (k, 11), ∂²E of bending and twisting (k, 11, 11) of each vertex, force (N, 3) [N])."""
    n, k = len(model.nodes), len(inner)
    node, edge = balance.node_of[inner[:, None] + np.arange(-1, 2)], balance.edge_of[inner[:, None] + np.arange(-1, 1)]
    unknown = np.concatenate([(3 * node[..., None] + np.arange(3)).reshape(k, 9), 3 * n + edge], axis=1)
    at = bent(state, inner)
    gradient = _gradient(model, inner, at)
    hessian, length = np.zeros((k, 11, 11)), 1.0 / at.inverse_length.max(axis=0)
    for c in range(11):
        delta = DELTA * (length if c < 9 else np.ones(k))
        ahead, back = (_gradient(model, inner, _moved(at, c, side * delta)) for side in (1.0, -1.0))
        hessian[:, :, c] = (ahead - back) / (2.0 * delta[:, None])
    force = np.zeros(4 * n)
    np.add.at(force, unknown, -gradient)
    return unknown, hessian, force[: 3 * n].reshape(n, 3)


def _gradient(model, inner, at):
    """∂E/∂(three nodes, two angles) (k, 11) of each vertex."""
    edges, hinges = model.edges, model.hinges
    bend = hinges["inverse_cell"][inner, None] * np.hstack([edges["stiffness"][inner - 1], edges["stiffness"][inner]])
    torque = hinges["twist_rate"][inner] * (at.turn - hinges["rest_twist"][inner])
    moments = np.column_stack([bend * (at.omega - hinges["rest_curvature"][inner]), torque])
    force, torque = local_loads(at)
    k = len(inner)
    return -np.hstack(
        [np.einsum("knmc,km->knc", force, moments).reshape(k, 9), np.einsum("kem,km->ke", torque, moments)]
    )


def _moved(at, c, delta):
    """The vertices with one of their eleven coordinates changed by delta (k,)."""
    e, m1, turn = at.t / at.inverse_length[..., None], at.m1.copy(), at.turn
    if c < 9:
        shift = delta[:, None] * np.eye(3)[c % 3]
        ahead = {0: (-1.0, 0.0), 1: (1.0, -1.0), 2: (0.0, 1.0)}[c // 3]
        e = np.stack([e[0] + ahead[0] * shift, e[1] + ahead[1] * shift])
        t = e / np.linalg.norm(e, axis=2)[..., None]
        m1 -= (np.sum(m1 * t, axis=2) / (1.0 + np.sum(at.t * t, axis=2)))[..., None] * (at.t + t)
        turn = turn + _angle(t, m1) - _angle(at.t, at.m1)
    else:
        j = c - 9
        m1[j] = np.cos(delta)[:, None] * at.m1[j] + np.sin(delta)[:, None] * at.m2[j]
        turn = turn + (delta if j == 1 else -delta)
    return between(at.node, e, m1, turn)


def _angle(t, m1):
    """Angle (k,) [rad] from the first edge's m₁, transported, to the second's."""
    share = np.sum(m1[0] * t[1], axis=1) / (1.0 + np.sum(t[0] * t[1], axis=1))
    carried = m1[0] - share[:, None] * (t[0] + t[1])
    return np.arctan2(np.sum(np.cross(carried, m1[1]) * t[1], axis=1), np.sum(carried * m1[1], axis=1))


def _stretching(model, state, edge, balance):
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


def _turning(model, state, force, count):
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
