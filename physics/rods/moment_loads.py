"""What moments do to a rod as it stands: the gradient of its energy is linear in them (Bergou 2008, eqs. 3, 4, 7, 9).

At vertex i the moments are b_i^j = B^j (ω_i^j − ω̄_i^j)/l_i of the edges j = i−1, i about their material axes, and the
torque τ_i = 2β_i (m_i − m̄_i)/l_i: five numbers [N m]. With G = Σ_j (b₁ m₂ − b₂ m₁)^j and χ = 1/(1 + t^{i−1}·t^i)

    force on the edge's ends:  ∓ (τ κb/2 − χ (κb·G)(t^{i−1} + t^i) + 2χ t^i × G)/|e^{i−1}|,   for i: 2χ G × t^{i−1},
    torque on a frame:  −∂E/∂θ^j = −(b₁ω₂ − b₂ω₁) ± τ.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp


class Bent(NamedTuple):
    """Inner vertices (k,) of rods as they stand: node, ω (k, 4), m (k,) [rad], and the frames of the edges there."""

    node: np.ndarray
    omega: np.ndarray
    turn: np.ndarray
    t: np.ndarray  # (2, k, 3) of the edges before and behind
    m1: np.ndarray  # (2, k, 3)
    m2: np.ndarray  # (2, k, 3)
    inverse_length: np.ndarray  # (2, k) [1/m]
    kb: np.ndarray  # (k, 3)
    chi: np.ndarray  # (k,)


def bent(state, node):
    """The Bent vertices at `node` (k,), frames at the angles of the state."""
    edge = np.stack([node - 1, node])
    e = state.x[edge + 1] - state.x[edge]
    t, u, theta = e / np.linalg.norm(e, axis=2)[..., None], state.u[edge], state.theta[edge][..., None]
    m1 = np.cos(theta) * u + np.sin(theta) * np.cross(t, u)
    return between(node, e, m1, np.diff(state.theta[edge], axis=0)[0])


def between(node, e, m1, turn):
    """Bent from the edges e (2, k, 3) [m], first material axes (2, k, 3) and twists (k,)."""
    size = np.linalg.norm(e, axis=2)
    t = e / size[..., None]
    m2 = np.cross(t, m1)
    chi = 1.0 / (1.0 + np.sum(t[0] * t[1], axis=1))
    kb = 2.0 * chi[:, None] * np.cross(t[0], t[1])
    omega = np.stack([part for j in range(2) for part in (np.sum(kb * m2[j], axis=1), -np.sum(kb * m1[j], axis=1))])
    return Bent(node, omega.T.copy(), turn, t, m1, m2, 1.0 / size, kb, chi)


def local_loads(at):
    """(force (k, 3, 5, 3) on the nodes before, at and behind, torque (k, 2, 5) on the two edges' frames) per moment."""
    k = len(at.node)
    G = np.stack([at.m2[0], -at.m1[0], at.m2[1], -at.m1[1], np.zeros((k, 3))], axis=1)
    kb, chi = at.kb[:, None], at.chi[:, None, None]
    common = -chi * np.sum(kb * G, axis=2)[..., None] * (at.t[0] + at.t[1])[:, None]
    common[:, 4] += 0.5 * at.kb
    before = at.inverse_length[0][:, None, None] * (common + 2.0 * chi * np.cross(at.t[1][:, None], G))
    behind = at.inverse_length[1][:, None, None] * (common + 2.0 * chi * np.cross(G, at.t[0][:, None]))
    w, one, none = at.omega, np.ones(k), np.zeros(k)
    torque = np.stack([[-w[:, 1], w[:, 0], none, none, one], [none, none, -w[:, 3], w[:, 2], -one]])
    return np.stack([before, behind - before, -behind], axis=1), torque.transpose(2, 0, 1)


def moment_loads(at, node_of, edge_of):
    """Sparse (4 N, 5 k): force [N] on each node's three coordinates, then torque [N m] on each edge's frame.

    Unknown 5 i + c is, at vertex i of `at`, b₁, b₂ of the edge before, b₁, b₂ of the edge behind, τ. node_of, edge_of
    (N,): which node or edge each one is (a closed rod's chain meets its first again).
    """
    n, k = len(node_of), len(at.node)
    force, torque = local_loads(at)
    nodes = node_of[at.node[:, None] + np.arange(-1, 2)]
    row = 3 * nodes[:, :, None, None] + np.arange(3)
    column = (5 * np.arange(k)[:, None] + np.arange(5))[:, None, :, None]
    edges = 3 * n + edge_of[at.node[:, None] + np.arange(-1, 1)]
    entries = [
        (force, np.broadcast_to(row, force.shape), np.broadcast_to(column, force.shape)),
        (torque, np.broadcast_to(edges[..., None], torque.shape), np.broadcast_to(column[..., 0], torque.shape)),
    ]
    value, row, column = (np.concatenate([part.ravel() for part in parts]) for parts in zip(*entries, strict=True))
    return sp.csr_matrix((value, (row, column)), shape=(4 * n, 5 * k))
