"""What moments do to a rod as it stands: the gradient of its energy is linear in them (see hinge).

At vertex i the moments are b_i^j = B^j (ω_i^j − ω̄_i^j)/l_i of the edges j = i−1, i about their material axes, and the
torque τ_i = 2β_i (m_i − m̄_i)/l_i: five numbers [N m]. Force on a node and torque on a frame are −Jᵀ (b^{i−1}, b^i, τ).
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from .hinge import strain_gradients

# A hinge's two edge vectors and two angles (8,) from the coordinates of its three nodes, and the angles (11,).
FROM_NODES = np.zeros((8, 11))
FROM_NODES[:6, :9] = np.kron([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]], np.eye(3))
FROM_NODES[6:, 9:] = np.eye(2)


class Bent(NamedTuple):
    """Inner vertices (k,) of rods as they stand: the hinges there."""

    node: np.ndarray
    edges: np.ndarray  # (k, 2, 3) before and behind [m]
    m1: np.ndarray  # (k, 2, 3) first material axes
    strain: np.ndarray  # (k, 5): ω, m
    jacobian: np.ndarray  # (k, 5, 8)


def bent(state, node):
    """The Bent vertices at `node` (k,), frames at the angles of the state."""
    edge, k = node[:, None] + np.arange(-1, 1), len(node)
    edges, u, theta = state.x[edge + 1] - state.x[edge], state.u[edge], state.theta[edge][..., None]
    t = edges / np.linalg.norm(edges, axis=2)[..., None]
    m1 = np.cos(theta) * u + np.sin(theta) * np.cross(t, u)
    at = Bent(node, edges, m1, np.zeros((k, 5)), np.zeros((k, 5, 8)))
    strain_gradients(edges, m1, state.theta[node] - state.theta[node - 1], at.strain, at.jacobian)
    return at


def stiffness_at(model, node):
    """(k, 5) [N m]: B/l of both edges and 2β/l of inner vertices (k,)."""
    hinges, stiffness = model.hinges[node], model.edges["stiffness"]
    bend = hinges["inverse_cell"][:, None] * np.hstack([stiffness[node - 1], stiffness[node]])
    return np.column_stack([bend, hinges["twist_rate"]])


def unknowns(node, node_of, edge_of):
    """(k, 11): which of forces on each node's three coordinates, then torques on each edge's frame (4 N,), act at inner
    vertices (k,). node_of, edge_of (N,): which node or edge each one is (a closed rod's chain meets its first again).
    """
    nodes, edges = node_of[node[:, None] + np.arange(-1, 2)], edge_of[node[:, None] + np.arange(-1, 1)]
    return np.hstack([(3 * nodes[..., None] + np.arange(3)).reshape(-1, 9), 3 * len(node_of) + edges])


def moment_loads(at, node_of, edge_of):
    """Sparse (4 N, 5 k): force [N] and torque [N m] on all `unknowns`, per moment.

    Unknown 5 i + c is, at vertex i of `at`, b₁, b₂ of the edge before, b₁, b₂ of the edge behind, τ.
    """
    loads = -at.jacobian @ FROM_NODES
    row = np.broadcast_to(unknowns(at.node, node_of, edge_of)[:, None], loads.shape)
    column = np.broadcast_to(np.arange(loads.shape[0] * 5).reshape(-1, 5, 1), loads.shape)
    shape = (4 * len(node_of), 5 * len(at.node))
    return sp.csr_matrix((loads.ravel(), (row.ravel(), column.ravel())), shape=shape)
