"""How fast rods that are welded to bodies can vibrate: the largest ω² of K u = ω² M u, K of the straight rods' bending,
stretching and twisting (with the edges' directions at the start), M of free vertices and rigid bodies.

A light body turns fast under a stiff rod. A coupler's inertia is the least of it, so it is raised, where needed, until
it turns no faster than the rods at it vibrate by themselves: twist, which is quasistatic, does not set the step.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

SAFETY = 1.02
SMALL = 400  # unknowns of a dense problem


def raise_couplers(scene, model, x, weld_clamp, parts):
    """Give each coupler of `parts` enough inertia; the limit of rods is what the rods do by themselves."""
    if not any(part["coupler"] for part in parts):
        return
    stiffness = _stiffness(scene, model, x, weld_clamp, parts)
    for b, part in enumerate(parts):
        if part["coupler"]:
            turn = slice(3 * len(x) + 6 * b + 3, 3 * len(x) + 6 * b + 6)
            allowed = max(model.rods["limit"][weld.rod] for weld in scene.welds if weld.body == b)
            excess, axes = np.linalg.eigh(stiffness[turn, turn].toarray() / allowed - part["inertia"])
            part["inertia"] = part["inertia"] + (axes * np.maximum(excess, 0.0)) @ axes.T


def fastest(scene, model, x, weld_clamp, parts):
    """The largest ω² [1/s²] of all welded rods and their bodies."""
    root = [sp.diags(np.repeat(np.sqrt(model.nodes["w"]), 3))]
    for part in parts:
        moments, axes = np.linalg.eigh(part["inertia"])
        root += [sp.diags(np.full(3, part["mass"] ** -0.5)), sp.csr_matrix((axes / np.sqrt(moments)) @ axes.T)]
    root = sp.block_diag(root, format="csr")
    matrix = (root @ _stiffness(scene, model, x, weld_clamp, parts) @ root).tocsr()
    moving = np.flatnonzero(matrix.diagonal() > 0.0)
    matrix = matrix[moving][:, moving]
    if len(moving) <= SMALL:
        return SAFETY * float(np.linalg.eigvalsh(matrix.toarray())[-1])
    start = np.random.default_rng(0).standard_normal(len(moving))
    return SAFETY * float(eigsh(matrix, k=1, which="LA", tol=1e-3, v0=start, return_eigenvectors=False)[0])


def _stiffness(scene, model, x, weld_clamp, parts):
    """K (3N + 6B, 3N + 6B) over displacements of nodes, and Δ, φ of bodies, with which slaves move."""
    rods = model.rods
    strain = [_bending(model, x, r) for r in np.flatnonzero(rods["articulated"])]
    strain += [_stretching(model, x, r) for r in np.flatnonzero(rods["articulated"] & rods["stretchable"])]
    strain = sp.vstack(strain, format="csr") @ _slaves(x, parts)
    twist = _twisting(scene, model, x, weld_clamp, len(parts))
    return (strain.T @ strain + twist.T @ twist).tocsr()


def _nodes(rods, r):
    """Nodes of a rod's chain, those met again by their first number."""
    nodes = np.arange(rods["start"][r], rods["end"][r])
    if rods["closed"][r]:
        nodes[-2:] = nodes[:2]
    return nodes


def _tangents(rods, x, r):
    edges = np.diff(x[rods["start"][r] : rods["end"][r]], axis=0)
    length = np.linalg.norm(edges, axis=1)
    return edges / length[:, None], length


def _bending(model, x, r):
    """√k (t^i − t^{i−1}) to first order at every inner node, k = (B^{i−1} + B^i)/l_i."""
    rods, edges, hinges = model.rods, model.edges, model.hinges
    a, b = rods["start"][r], rods["end"][r]
    nodes, (t, length) = _nodes(rods, r), _tangents(rods, x, r)
    stiffness = edges["stiffness"][a : b - 1].max(axis=1)
    root = np.sqrt((stiffness[:-1] + stiffness[1:]) * hinges["inverse_cell"][a + 1 : b - 1])
    across = (np.eye(3) - t[:, :, None] * t[:, None, :]) / length[:, None, None]
    before, behind = root[:, None, None] * across[:-1], root[:, None, None] * across[1:]
    blocks = np.stack([before, -before - behind, behind], axis=1)
    return _blocks(blocks, np.stack([nodes[:-2], nodes[1:-1], nodes[2:]], axis=1), len(x))


def _blocks(blocks, nodes, n):
    """Sparse rows (3 k, 3 n) from blocks (k, c, 3, 3) that act on nodes (k, c)."""
    k, c = nodes.shape
    row = np.broadcast_to((3 * np.arange(k)[:, None] + np.arange(3))[:, None, :, None], (k, c, 3, 3))
    column = np.broadcast_to((3 * nodes[:, :, None] + np.arange(3))[:, :, None, :], (k, c, 3, 3))
    return sp.csr_matrix((blocks.ravel(), (row.ravel(), column.ravel())), shape=(3 * k, 3 * n))


def _stretching(model, x, r):
    """√(EA/l) times the change of each edge's length."""
    rods, edges = model.rods, model.edges
    a, b = rods["start"][r], rods["end"][r]
    nodes, (t, length) = _nodes(rods, r), _tangents(rods, x, r)
    pull = np.sqrt(edges["stretch"][a : b - 1] / length)[:, None] * t
    row = np.repeat(np.arange(len(t)), 6)
    column = 3 * np.repeat(np.stack([nodes[:-1], nodes[1:]], axis=1), 3, axis=1) + np.tile(np.arange(3), 2)
    return sp.csr_matrix((np.hstack([-pull, pull]).ravel(), (row, column.ravel())), shape=(len(t), 3 * len(x)))


def _slaves(x, parts):
    """What moves each node (3N, 3N + 6B): itself, or its body by Δ + φ × p."""
    n, count = len(x), len(parts)
    own = np.ones(n)
    row, column, value = [], [], []
    for b, part in enumerate(parts):
        for i in part["node"]:
            own[i] = 0.0
            p = x[i] - part["centre"]
            spin = np.array([[0.0, p[2], -p[1]], [-p[2], 0.0, p[0]], [p[1], -p[0], 0.0]])
            for c in range(3):
                row += [3 * i + c] * 4
                column += [3 * n + 6 * b + c, *range(3 * n + 6 * b + 3, 3 * n + 6 * b + 6)]
                value += [1.0, *spin[c]]
    held = sp.csr_matrix((value, (row, column)), shape=(3 * n, 3 * n + 6 * count))
    return held + sp.diags(np.repeat(own, 3), shape=(3 * n, 3 * n + 6 * count), format="csr")


def _twisting(scene, model, x, weld_clamp, count):
    """√(C/L) (t·φ of one clamp − t·φ of the next), and what a curved rod's own bending adds at each clamp."""
    n, rods, edges, hinges, clamps = len(x), model.rods, model.edges, model.hinges, model.clamps
    body = {int(clamp): scene.welds[k].body for k, clamp in enumerate(weld_clamp) if clamp >= 0}
    rows = []
    for r in np.flatnonzero(rods["articulated"]):
        t, a = _tangents(rods, x, r)[0], rods["start"][r]
        before = None
        for clamp in sorted(range(rods["first_clamp"][r], rods["end_clamp"][r]), key=lambda k: clamps["edge"][k]):
            e = clamps["edge"][clamp]
            here = (body.get(clamp), t[e - a])
            bent = hinges["rest_curvature"][e : e + 2] ** 2
            rate = edges["stiffness"][e].max() * hinges["inverse_cell"][e : e + 2] * bent.sum(axis=1)
            rows.append(([here], rate.sum()))
            if before is not None:
                compliance = (1.0 / hinges["twist_rate"][before[0] + 1 : e + 1]).sum()
                rows.append(([(before[1][0], -before[1][1]), here], 1.0 / compliance))
            before = (e, here)
    row, column, value = [], [], []
    for k, (ends, rate) in enumerate(rows):
        for b, axis in ends:
            if b is not None:
                row += [k] * 3
                column += range(3 * n + 6 * b + 3, 3 * n + 6 * b + 6)
                value += (np.sqrt(rate) * axis).tolist()
    return sp.csr_matrix((value, (row, column)), shape=(len(rows), 3 * n + 6 * count))
