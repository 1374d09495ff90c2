"""Equations of balance at the start: what takes up the forces on nodes and the torques on frames.

A free vertex has three, a frame that nothing prescribes one; a rigid body six: the forces f of its slaves and the
torques p × f of their arms and τ t of the frames it holds (Bergou 2008, §8.2). What is pinned has none.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from ..arithmetic.sparse import scattered
from ..model import FREE, Model, State
from ..rods.chain import frame_behind, frame_edges, hinges_of, rod_of
from ..rods.moment_loads import differences


class Balance(NamedTuple):
    """k equations over all loads (see rods/moment_loads)."""

    rows: sp.csr_matrix  # (k, 3 N + 4 M)
    weight: np.ndarray  # (k,) of rigid bodies [N]
    inertia: np.ndarray  # (k,) [kg or kg m²], about; 0 of frames
    exact: np.ndarray  # (k,) bool: of what is to be balanced
    rod: np.ndarray  # (k,) which rod each one is about


def force_balance(model: Model, state: State, balanced: np.ndarray) -> Balance:
    """The Balance of a model at its start; balanced (R,) bool."""
    rods, nodes, bodies, slaves = model.rods, model.nodes, model.bodies, model.slaves
    of, edge = rod_of(rods, np.arange(len(nodes))), frame_edges(rods, state.ghosts, state.x)
    free = _free(model, state)
    frame = _free_frames(rods, state, balanced)
    frame_rod = np.searchsorted(rods["frame"], frame, side="right") - 1
    placed = _chosen(3 * free[:, None] + np.arange(3), 3 * len(nodes))
    lever, carried, turned = _bodies(model, state, edge)
    forces = sp.vstack([placed, sp.csr_matrix((len(frame), 3 * len(nodes))), lever], format="csr")
    ghosts = sp.vstack([sp.csr_matrix((3 * len(free) + len(frame), carried.shape[1])), carried], format="csr")
    turns = sp.vstack([sp.csr_matrix((3 * len(free), len(edge))), _chosen(frame, len(edge)), turned])
    pulls = forces @ sp.kron(differences(rods).T, sp.identity(3), format="csr") + ghosts
    count = len(bodies)
    welded, exact = np.zeros(count, np.int64), np.zeros(count, bool)
    for b, i in zip(slaves["body"], slaves["node"], strict=True):
        if not exact[b]:
            welded[b], exact[b] = of[i], balanced[of[i]]
    share = bodies["gravity"] * bodies["mass"]
    inertia = np.stack([bodies["mass"], bodies["inertia"].mean(axis=1)], axis=1)
    return Balance(
        rows=sp.hstack([forces, pulls, turns @ _same(rods, len(edge))], format="csr"),
        weight=np.concatenate(
            [np.zeros(3 * len(free) + len(frame)),
             np.hstack([np.outer(share, model.world["gravity"][0]), np.zeros((count, 3))]).ravel()]
        ),
        inertia=np.concatenate(
            [np.repeat(nodes["mass"][free], 3), np.zeros(len(frame)), np.repeat(inertia.ravel(), 3)]
        ),
        exact=np.concatenate([np.repeat(balanced[of[free]], 3), np.ones(len(frame), bool), np.repeat(exact, 6)]),
        rod=np.concatenate([np.repeat(of[free], 3), frame_rod, np.repeat(welded, 6)]),
    )  # fmt: skip


def _chosen(columns: np.ndarray, count: int) -> sp.csr_matrix:
    """Sparse rows (k, count) with a one each."""
    columns = np.ravel(columns)
    return sp.csr_matrix((np.ones(len(columns)), (np.arange(len(columns)), columns)), shape=(len(columns), count))


def _same(rods: np.ndarray, count: int) -> sp.csr_matrix:
    """Sparse (M, M): torques on frames; what acts on the last one of a closed rod acts on its first."""
    frame, rings = np.arange(count), rods[rods["closed"]]
    frame[frame_behind(rods, rings["last"])] = rings["frame"]
    return _chosen(frame, count).T


def _free(model: Model, state: State) -> np.ndarray:
    """Vertices that no pin leads and no body holds."""
    free, pins = model.nodes["w"] > 0.0, model.pins[state.holds["state"] != FREE]
    free[pins["node"]] = False
    free[pins["second"][pins["second"] >= 0]] = False
    return np.flatnonzero(free)


def _free_frames(rods: np.ndarray, state: State, balanced: np.ndarray) -> np.ndarray:
    """Frames of balanced rods that nothing prescribes."""
    parts = [np.zeros(0, np.int64)]
    for r in np.flatnonzero(balanced):
        i, j = hinges_of(rods, r, state.ghosts)
        parts.append(np.arange(i + r, j + r + (not rods["closed"][r])))  # a closed rod's last is its first again
    frames = np.concatenate(parts)
    return frames[~state.fixed[frames]]


def _bodies(model: Model, state: State, edge: np.ndarray) -> tuple[sp.csr_matrix, sp.csr_matrix, sp.csr_matrix]:
    """Six rows for each body, over forces on nodes, pulls on edges and torques on frames."""
    slaves, welds, x = model.slaves, model.welds, state.bodies["x"]
    body, node, ghosts, clamps = slaves["body"], slaves["node"], welds[welds["ghost"] >= 0], welds[welds["clamp"] >= 0]
    arm, held = state.x[node] - x[body], edge[ghosts["frame"]]
    lever = np.concatenate([np.tile(np.eye(3), (len(arm), 1, 1)), _cross(arm)], axis=1)
    carried = np.concatenate([np.zeros((len(held), 3, 3)), _cross(held)], axis=1)
    t = edge[clamps["frame"]] / np.linalg.norm(edge[clamps["frame"]], axis=1)[:, None]
    turned, own = np.concatenate([np.zeros_like(t), t], axis=1)[..., None], (len(x), len(edge))
    return (
        _spread(lever, body, node, (own[0], len(state.x))),
        _spread(carried, ghosts["body"], ghosts["frame"], own),
        _spread(turned, clamps["body"], clamps["frame"], own),
    )


def _cross(p: np.ndarray) -> np.ndarray:
    """The matrices (k, 3, 3) of p × f over f, p (k, 3)."""
    return np.cross(p[:, None], np.eye(3)).swapaxes(1, 2)


def _spread(blocks: np.ndarray, body: np.ndarray, place: np.ndarray, counts: tuple[int, int]) -> sp.csr_matrix:
    """Sparse (6 bodies, c places) from blocks (k, 6, c)."""
    c = blocks.shape[2]
    row, column = 6 * body[:, None] + np.arange(6), c * place[:, None] + np.arange(c)
    return scattered(blocks, row, column, (6 * counts[0], c * counts[1]))
