"""How fast rods that are welded to bodies can vibrate: the largest ω² of K u = ω² M u, K of the straight rods' bending,
stretching and twisting (with the edges' directions at the start), M of free vertices and rigid bodies.

A light body turns fast under a stiff rod. A coupler's inertia is the least of it, so it is raised, where needed, until
it turns no faster than the rods at it vibrate by themselves: twist, which is quasistatic, does not set the step.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..arithmetic.fixed_order import principal_axes, product
from ..model import Model
from ..rods.chain import frame_behind, frame_edges, hinges_of
from ..rods.moment_loads import differences
from ..scene import Scene
from .largest_eigenvalue import largest_eigenvalue

SAFETY = 1.02


def raise_couplers(
    scene: Scene, model: Model, x: np.ndarray, ghosts: np.ndarray, weld_clamp: np.ndarray, parts: list[dict[str, Any]]
) -> None:
    """Give each coupler of `parts` enough inertia; the limit of rods is what the rods do by themselves."""
    if not any(part["coupler"] for part in parts):
        return
    stiffness = _stiffness(scene, model, x, ghosts, weld_clamp, parts)
    for b, part in enumerate(parts):
        if part["coupler"]:
            turn = slice(3 * len(x) + 6 * b + 3, 3 * len(x) + 6 * b + 6)
            allowed = max(model.rods["limit"][weld.rod] for weld in scene.welds if weld.body == b)
            excess, axes = principal_axes(stiffness[turn, turn].toarray() / allowed - part["inertia"])
            part["inertia"] = part["inertia"] + product(axes * np.maximum(excess, 0.0), axes.T)


def fastest(
    scene: Scene, model: Model, x: np.ndarray, ghosts: np.ndarray, weld_clamp: np.ndarray, parts: list[dict[str, Any]]
) -> float:
    """The largest ω² [1/s²] of all welded rods and their bodies."""
    root = [sp.diags(np.repeat(np.sqrt(model.nodes["w"]), 3))]
    for part in parts:
        moments, axes = principal_axes(part["inertia"])
        root += [sp.diags(np.full(3, part["mass"] ** -0.5)), sp.csr_matrix(product(axes / np.sqrt(moments), axes.T))]
    root = sp.block_diag(root, format="csr")
    matrix = (root @ _stiffness(scene, model, x, ghosts, weld_clamp, parts) @ root).tocsr()
    moving = np.flatnonzero(matrix.diagonal() > 0.0)
    return SAFETY * largest_eigenvalue(matrix[moving][:, moving])


def _stiffness(
    scene: Scene, model: Model, x: np.ndarray, ghosts: np.ndarray, weld_clamp: np.ndarray, parts: list[dict[str, Any]]
) -> sp.csr_matrix:
    """K (3N + 6B, 3N + 6B) over displacements of nodes, and Δ, φ of bodies, with which slaves and ghost edges move."""
    rods, edge = model.rods, frame_edges(model.rods, ghosts, x)
    moved = sp.kron(differences(rods), sp.identity(3), format="csr") @ _slaves(x, parts) + _ghosts(model, edge, parts)
    length = np.linalg.norm(edge, axis=1)
    t = edge / length[:, None]
    strain = [_bending(model, t, length, r, ghosts) for r in np.flatnonzero(rods["welded"])]
    strain += [_stretching(model, t, length, r) for r in np.flatnonzero(rods["welded"] & rods["stretchable"])]
    strain = sp.vstack(strain, format="csr") @ moved
    twist = _twisting(scene, model, t, ghosts, weld_clamp, len(parts))
    return (strain.T @ strain + twist.T @ twist).tocsr()


def _bending(model: Model, t: np.ndarray, length: np.ndarray, r: int, ghosts: np.ndarray) -> sp.csr_matrix:
    """√k (t^i − t^{i−1}) to first order at every hinge, k = (B^{i−1} + B^i)/l_i, over the edges (3M,)."""
    node = np.arange(*hinges_of(model.rods, r, ghosts))
    bending = model.hinges["bending"][node]
    root = np.sqrt(bending[:, :2].max(axis=1) + bending[:, 2:].max(axis=1))[:, None, None]
    frames = node[:, None] + r + np.arange(2)
    across = (np.eye(3) - t[frames][..., :, None] * t[frames][..., None, :]) / length[frames][..., None, None]
    return _blocks(root[:, None] * across * np.array([-1.0, 1.0])[:, None, None], frames, len(t))


def _blocks(blocks: np.ndarray, frames: np.ndarray, n: int) -> sp.csr_matrix:
    """Sparse rows (3 k, 3 n) from blocks (k, c, 3, 3) that act on edges (k, c)."""
    k, c = frames.shape
    row = np.broadcast_to((3 * np.arange(k)[:, None] + np.arange(3))[:, None, :, None], (k, c, 3, 3))
    column = np.broadcast_to((3 * frames[:, :, None] + np.arange(3))[:, :, None, :], (k, c, 3, 3))
    return sp.csr_matrix((blocks.ravel(), (row.ravel(), column.ravel())), shape=(3 * k, 3 * n))


def _stretching(model: Model, t: np.ndarray, length: np.ndarray, r: int) -> sp.csr_matrix:
    """√(EA/l) times the change of each edge's length, over the edges (3M,)."""
    own = np.arange(model.rods["first"][r], model.rods["last"][r] + model.rods["closed"][r])
    frame = frame_behind(model.rods, own)
    pull = np.sqrt(model.edges["stretch"][own] / length[frame])[:, None] * t[frame]
    row, column = np.repeat(np.arange(len(own)), 3), (3 * frame[:, None] + np.arange(3)).ravel()
    return sp.csr_matrix((pull.ravel(), (row, column)), shape=(len(own), 3 * len(t)))


def _ghosts(model: Model, edge: np.ndarray, parts: list[dict[str, Any]]) -> sp.csr_matrix:
    """How ghost edges (3M, 3N + 6B) turn with the bodies that carry them: φ × e."""
    n, row, column, value = len(model.nodes), [], [], []
    for b, part in enumerate(parts):
        for ghost in part["ghost"]:
            r, at_end = divmod(ghost, 2)
            frame = frame_behind(model.rods, model.rods["last"][r]) if at_end else model.rods["frame"][r]
            row += np.repeat(3 * frame + np.arange(3), 3).tolist()
            column += 3 * list(range(3 * n + 6 * b + 3, 3 * n + 6 * b + 6))
            value += _turning(edge[frame]).ravel().tolist()
    return sp.csr_matrix((value, (row, column)), shape=(3 * len(edge), 3 * n + 6 * len(parts)))


def _turning(p: np.ndarray) -> np.ndarray:
    """The matrix (3, 3) of φ × p over φ."""
    return np.array([[0.0, p[2], -p[1]], [-p[2], 0.0, p[0]], [p[1], -p[0], 0.0]])


def _slaves(x: np.ndarray, parts: list[dict[str, Any]]) -> sp.csr_matrix:
    """What moves each node (3N, 3N + 6B): itself, or its body by Δ + φ × p."""
    n, count = len(x), len(parts)
    own = np.ones(n)
    row, column, value = [], [], []
    for b, part in enumerate(parts):
        for i in part["node"]:
            own[i] = 0.0
            spin = _turning(x[i] - part["centre"])
            for c in range(3):
                row += [3 * i + c] * 4
                column += [3 * n + 6 * b + c, *range(3 * n + 6 * b + 3, 3 * n + 6 * b + 6)]
                value += [1.0, *spin[c]]
    held = sp.csr_matrix((value, (row, column)), shape=(3 * n, 3 * n + 6 * count))
    return held + sp.diags(np.repeat(own, 3), shape=(3 * n, 3 * n + 6 * count), format="csr")


def _twisting(
    scene: Scene, model: Model, t: np.ndarray, ghosts: np.ndarray, weld_clamp: np.ndarray, count: int
) -> sp.csr_matrix:
    """√(C/L) (t·φ of one clamp − t·φ of the next), and what a curved rod's own bending adds at each clamp."""
    n, rods, hinges, clamps = len(model.nodes), model.rods, model.hinges, model.clamps
    body = {int(clamp): scene.welds[k].body for k, clamp in enumerate(weld_clamp) if clamp >= 0}
    rows = []
    for r in np.flatnonzero(rods["welded"]):
        before, (first, end) = None, hinges_of(rods, r, ghosts)
        for clamp in range(rods["first_clamp"][r], rods["end_clamp"][r]):
            e = clamps["frame"][clamp]
            here, rate = (body.get(clamp), t[e]), 0.0
            for i, side in ((e - r - 1, 2), (e - r, 0)):  # the hinge before the frame, that behind it
                if first <= i < end:
                    rate += hinges["bending"][i, side : side + 2].max() * (hinges["rest_curvature"][i] ** 2).sum()
            rows.append(([here], rate))
            if before is not None:
                compliance = (1.0 / hinges["twist_rate"][before[0] - r : e - r]).sum()
                rows.append(([(before[1][0], -before[1][1]), here], 1.0 / compliance))
            before = (e, here)
    row, column, value = [], [], []
    for k, (ends, rate) in enumerate(rows):
        for b, axis in ends:
            if b is not None:
                row += [k] * 3
                column += list(range(3 * n + 6 * b + 3, 3 * n + 6 * b + 6))
                value += (np.sqrt(rate) * axis).tolist()
    return sp.csr_matrix((value, (row, column)), shape=(len(rows), 3 * n + 6 * count))
