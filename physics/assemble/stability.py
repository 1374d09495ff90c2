"""How fast rods that are welded to bodies can vibrate: the largest ω² of K u = ω² M u, K of the straight rods' bending,
stretching and twisting (with the edges' directions at the start), M of free vertices and rigid bodies.

A light body turns fast under a stiff rod. A coupler's inertia is the least of it, so it is raised, where needed, until
it turns no faster than the rods at it vibrate by themselves: twist, which is quasistatic, does not set the step.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..arithmetic.fixed_order import principal_axes, product
from ..arithmetic.sparse import scattered
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
    turned = root[:, None] * across * np.array([-1.0, 1.0])[:, None, None]
    row = 3 * np.arange(len(node))[:, None, None] + np.arange(3)
    return scattered(turned, row, 3 * frames[:, :, None] + np.arange(3), (3 * len(node), 3 * len(t)))


def _stretching(model: Model, t: np.ndarray, length: np.ndarray, r: int) -> sp.csr_matrix:
    """√(EA/l) times the change of each edge's length, over the edges (3M,)."""
    own = np.arange(model.rods["first"][r], model.rods["last"][r] + model.rods["closed"][r])
    frame = frame_behind(model.rods, own)
    pull = np.sqrt(model.edges["stretch"][own] / length[frame])[:, None] * t[frame]
    own = np.arange(len(own))[:, None]
    return scattered(pull[:, None], own, 3 * frame[:, None] + np.arange(3), (len(own), 3 * len(t)))


def _ghosts(model: Model, edge: np.ndarray, parts: list[dict[str, Any]]) -> sp.csr_matrix:
    """How ghost edges (3M, 3N + 6B) turn with the bodies that carry them: φ × e."""
    n, rods = len(model.nodes), model.rods
    body, ghost = _held(parts, "ghost")
    ends = np.stack([rods["frame"], frame_behind(rods, rods["last"])], axis=1).ravel()
    row, column = (3 * ends[ghost], 3 * n + 6 * body + 3)
    shape = (3 * len(edge), 3 * n + 6 * len(parts))
    return scattered(_turning(edge[ends[ghost]]), row[:, None] + np.arange(3), column[:, None] + np.arange(3), shape)


def _held(parts: list[dict[str, Any]], what: str) -> tuple[np.ndarray, np.ndarray]:
    """(body (k,), number (k,)) of each node or ghost that bodies hold."""
    body = np.repeat(np.arange(len(parts)), [len(part[what]) for part in parts])
    return body, np.array([i for part in parts for i in part[what]], np.int64)


def _turning(p: np.ndarray) -> np.ndarray:
    """The matrices (k, 3, 3) of φ × p over φ, p (k, 3)."""
    return np.cross(np.eye(3), p[:, None]).swapaxes(1, 2)


def _slaves(x: np.ndarray, parts: list[dict[str, Any]]) -> sp.csr_matrix:
    """What moves each node (3N, 3N + 6B): itself, or its body by Δ + φ × p."""
    (body, node), shape = _held(parts, "node"), (3 * len(x), 3 * len(x) + 6 * len(parts))
    own = np.ones(len(x))
    own[node] = 0.0
    spin = _turning(x[node] - np.array([part["centre"] for part in parts])[body])
    moved = np.concatenate([np.ones_like(spin[..., :1]), spin], axis=2)[:, :, None]
    axis = np.column_stack([np.arange(3), *np.broadcast_to([[3], [4], [5]], (3, 3))])
    row, column = 3 * node[:, None, None] + np.arange(3)[:, None], 3 * len(x) + 6 * body[:, None, None] + axis
    held = scattered(moved, row, column, shape)
    return held + sp.diags(np.repeat(own, 3), shape=shape, format="csr")


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
