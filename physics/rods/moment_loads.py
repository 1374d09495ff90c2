"""What moments do to a rod as it stands: the gradient of its energy is linear in them (see hinge).

At hinge i the moments are ∂E/∂ω_i^j of the edges j = i−1, i about their material axes, where the rod is straight at
rest b_i^j = B^j (ω_i^j − ω̄_i^j)/l_i, and ∂E/∂m_i, the torque τ_i = 2β_i (m_i − m̄_i)/l_i: five numbers [N m]. Pull on
an edge and torque on a frame are −Jᵀ (b^{i−1}, b^i, τ).

Loads are forces on nodes, coordinate by coordinate, pulls on the edges of frames, −∂E/∂e, and torques on frames: (3 N +
4 M,).
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from ..arithmetic.sparse import scattered
from ..elements.curved_hinge import moments_at
from ..elements.hinge import strain_gradients
from ..model import Model, State
from .chain import frame_behind, frame_edges, hinges_of


class Bent(NamedTuple):
    """Hinges at vertices (k,) of rods as they stand."""

    unknown: np.ndarray  # (k, 8) which of all loads act on its edges and frames
    edges: np.ndarray  # (k, 2, 3) before and behind [m]
    m1: np.ndarray  # (k, 2, 3) first material axes
    strain: np.ndarray  # (k, 5): ω, m
    jacobian: np.ndarray  # (k, 5, 8)


def hinges_of_rods(model: Model, state: State, own: np.ndarray) -> np.ndarray:
    """(k,) those that rods `own` (R,) bool have, one rod behind the other."""
    each = [np.arange(*hinges_of(model.rods, r, state.ghosts)) for r in np.flatnonzero(own)]
    return np.concatenate([np.zeros(0, np.int64), *each])


def bent(model: Model, state: State, node: np.ndarray) -> Bent:
    """The Bent hinges at `node` (k,), frames at the angles of the state."""
    n, k, frame = len(model.nodes), len(node), frame_behind(model.rods, node)[:, None] + np.arange(-1, 1)
    edges = frame_edges(model.rods, state.ghosts, state.x)[frame]
    u, theta = state.u[frame], state.theta[frame][..., None]
    t = edges / np.linalg.norm(edges, axis=2)[..., None]
    m1 = np.cos(theta) * u + np.sin(theta) * np.cross(t, u)
    pulled = 3 * n + (3 * frame[..., None] + np.arange(3)).reshape(k, 6)
    unknown = np.hstack([pulled, 3 * n + 3 * len(state.theta) + frame])
    at = Bent(unknown, edges, m1, np.zeros((k, 5)), np.zeros((k, 5, 8)))
    strain_gradients(edges, m1, theta[:, 1, 0] - theta[:, 0, 0], at.strain, at.jacobian)
    return at


def stiffness_at(model: Model, node: np.ndarray) -> np.ndarray:
    """(k, 5) [N m]: B/l of both edges and 2β/l of hinges (k,)."""
    return np.column_stack([model.hinges["bending"][node], model.hinges["twist_rate"][node]])


def moments(model: Model, node: np.ndarray, strain: np.ndarray) -> np.ndarray:
    """(k, 5) [N m] of hinges (k,) at the strains (k, 5)."""
    found = np.zeros(strain.shape)
    moments_at(model.hinges[node], strain, found)
    return found


def moment_loads(at: Bent, count: int) -> sp.csr_matrix:
    """Sparse (count, 5 k): all loads per moment. Number 5 i + c is, at hinge i of `at`, b₁, b₂ of the edge before, b₁,
    b₂ of the edge behind, τ.
    """
    moment = np.arange(5 * len(at.unknown))
    return scattered(-at.jacobian, moment.reshape(-1, 5), at.unknown, (len(moment), count)).T.tocsr()


def differences(rods: np.ndarray) -> sp.csr_matrix:
    """Sparse (M, N): head less tail of the edge of each frame, nothing at ghost edges."""
    n, rings = rods["last"][-1] + 1, rods[rods["closed"]]
    first, last = rings["first"], rings["last"]
    tail = np.setdiff1d(np.arange(n), rods["last"])
    frame = np.concatenate([frame_behind(rods, tail), rings["frame"], frame_behind(rods, last)])
    tail, head = np.concatenate([tail, last, last]), np.concatenate([tail + 1, first, first])
    value = np.repeat([1.0, -1.0], len(frame))
    return sp.csr_matrix((value, (np.tile(frame, 2), np.concatenate([head, tail]))), shape=(n + len(rods), n))
