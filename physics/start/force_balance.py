"""Equations of balance at the start: what takes up the forces on nodes and the torques on frames.

A free vertex has three, a frame that nothing prescribes one; a rigid body six: the forces f of its slaves and the
torques p × f of their arms and τ t of the frames it holds (Bergou 2008, §8.2). What is pinned has none.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from ..model import Model, State
from ..rods.chain import chain


class Balance(NamedTuple):
    """k equations over the forces on nodes, coordinate by coordinate, and the torques on edges' frames (4 N,)."""

    rows: sp.csr_matrix  # (k, 4 N)
    weight: np.ndarray  # (k,) of rigid bodies [N]
    inertia: np.ndarray  # (k,) [kg or kg m²], about; 0 of frames
    exact: np.ndarray  # (k,) bool: of what is to be balanced
    rod: np.ndarray  # (k,) which rod each one is about
    node_of: np.ndarray  # (N,) each node, or which one of a closed chain's first it is
    edge_of: np.ndarray  # (N,)


def force_balance(model: Model, state: State, balanced: np.ndarray) -> Balance:
    """The Balance of a model at its start; balanced (R,) bool."""
    rods, nodes, bodies, slaves = model.rods, model.nodes, model.bodies, model.slaves
    n = len(nodes)
    of = rod_of(rods, np.arange(n))
    node_of, edge_of = np.arange(n), np.arange(n)
    for r in np.flatnonzero(rods["closed"]):
        a, b = rods["start"][r], rods["end"][r]
        node_of[b - 2 : b], edge_of[b - 2] = (a, a + 1), a
    free = _free(model)
    frame = _free_frames(rods, state, balanced, of)
    vertices = sp.csr_matrix(
        (np.ones(3 * len(free)), (np.arange(3 * len(free)), (3 * free[:, None] + np.arange(3)).ravel())),
        shape=(3 * len(free), 4 * n),
    )
    frames = sp.csr_matrix((np.ones(len(frame)), (np.arange(len(frame)), 3 * n + frame)), shape=(len(frame), 4 * n))
    count = len(bodies)
    welded, exact = np.zeros(count, np.int64), np.zeros(count, bool)
    for b, i in zip(slaves["body"], slaves["node"], strict=True):
        if not exact[b]:
            welded[b], exact[b] = of[i], balanced[of[i]]
    share = bodies["gravity"] * bodies["mass"]
    inertia = np.stack([bodies["mass"], bodies["inertia"].mean(axis=1)], axis=1)
    return Balance(
        rows=sp.vstack([vertices, frames, _bodies(model, state)], format="csr"),
        weight=np.concatenate(
            [np.zeros(3 * len(free) + len(frame)),
             np.hstack([np.outer(share, model.world["gravity"][0]), np.zeros((count, 3))]).ravel()]
        ),
        inertia=np.concatenate(
            [np.repeat(nodes["mass"][free], 3), np.zeros(len(frame)), np.repeat(inertia.ravel(), 3)]
        ),
        exact=np.concatenate([np.repeat(balanced[of[free]], 3), np.ones(len(frame), bool), np.repeat(exact, 6)]),
        rod=np.concatenate([np.repeat(of[free], 3), of[frame], np.repeat(welded, 6)]),
        node_of=node_of, edge_of=edge_of,
    )  # fmt: skip


def rod_of(rods: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Number of the rod that a node (or each of an array of them) belongs to."""
    return np.searchsorted(rods["start"], node, side="right") - 1


def inner_nodes(rods: np.ndarray, state: State, r: int) -> np.ndarray:
    """Nodes at which rod r can bend."""
    a, b = chain(rods[r], state.rods[r])
    return np.arange(a + 1, b - 1)


def _free(model: Model) -> np.ndarray:
    """Vertices that no pin leads at the start and no body holds."""
    pins = model.pins
    free = model.nodes["w"] > 0.0
    for p in range(len(pins)):
        if model.samples[pins["first_sample"][p], 7] > 0.0:
            free[pins["node"][p]] = False
            if pins["ghost"][p] >= 0:
                free[pins["ghost"][p]] = False
    return np.flatnonzero(free)


def _free_frames(rods: np.ndarray, state: State, balanced: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Edges of balanced rods whose material frames nothing prescribes."""
    own = balanced[of] & (state.fixed == 0)
    own[rods["end"] - 1] = False  # no edge leaves the last node
    own[rods["end"][rods["closed"]] - 2] = False  # the first edge again
    return np.flatnonzero(own)


def _bodies(model: Model, state: State) -> sp.csr_matrix:
    """Six rows for each body."""
    bodies, slaves, welds = model.bodies, model.slaves, model.welds
    n, count = len(model.nodes), len(bodies)
    row, column, value = [], [], []
    for b, i in zip(slaves["body"], slaves["node"], strict=True):
        p = state.x[i] - state.bodies["x"][b]
        cross = np.array([[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]])
        row.append(6 * b + np.repeat(np.arange(6), 3))
        column.append(np.tile(3 * i + np.arange(3), 6))
        value.append(np.concatenate([np.eye(3), cross]).ravel())
    for b, clamp in zip(welds["body"], welds["clamp"], strict=True):
        e = model.clamps["edge"][clamp]
        row.append(6 * b + 3 + np.arange(3))
        column.append(np.full(3, 3 * n + e))
        value.append((state.x[e + 1] - state.x[e]) / np.linalg.norm(state.x[e + 1] - state.x[e]))
    entries = [
        np.concatenate([*part, np.zeros(0, dtype)]) for part, dtype in ((value, float), (row, int), (column, int))
    ]
    return sp.csr_matrix((entries[0], (entries[1], entries[2])), shape=(6 * count, 4 * n))
