"""Domains of soft bodies: where the deformation gradient F is uniform. numpy only.

F of a domain is linear in the places x of its nodes, F = Σ_a x_a ⊗ b_a with Σ_a b_a = 0. Forces on the nodes are
−V P b_a, with its relaxed volume V and the stress P = ∂Ψ/∂F. Energies, viscosity and whatever else depends on F ask for
no more than V, nodes and slopes b_a:

- AFFINE: each tetrahedron is one, b_a the gradients of its barycentric coordinates (Liesenfeld & Stolfi 1997, §5.3).
- SMOOTHED: each edge is one, and has a sixth of each tetrahedron around it (ES-FEM-T4: He, Li, Zhong, Cheng & Zhang
  2013, *An edge-based smoothed FEM for 3D solids*). F is the mean of those of the tetrahedra t, by volume,

      V = Σ_t V_t/6,    b_a = Σ_t V_t/6 b_a^t / V.

  Affine tetrahedra lock: they bend as if they were stiffer, the more so the less their volume gives way. These do not.

Moduli and viscosities of a domain are means by volume, too. Energy and loss are linear in them, so with the one F that
a domain has this is the integral of what its tetrahedra are made of. A body has one material, whose factors are given
at nodes and go on from tetrahedron to tetrahedron: nothing in a ring jumps. Bodies share no nodes, and no domain.
"""

import numpy as np

from ..arithmetic.fixed_order import inverse
from ..model import DOMAIN, SLOPE, changed
from .tetrahedra import EDGES, edge_matrices, volumes

MODULI = ("bulk", "shear", "dilation", "viscosity")


def domains_of(
    node: np.ndarray, corners: np.ndarray, moduli: dict[str, np.ndarray], smoothed: bool
) -> tuple[np.ndarray, np.ndarray]:
    """(DOMAIN (d,), SLOPE) of tetrahedra with these nodes (t, 4), relaxed corners (t, 4, 3) [m] and MODULI (t,)."""
    volume, slope = volumes(corners), gradients(corners)
    own = _edges(node) if smoothed else np.arange(len(node))[:, None]  # (t, k) domain of each part of a tetrahedron
    count, most = int(own.max()) + 1, int(node.max()) + 1
    part = np.repeat(volume[:, None] / own.shape[1], own.shape[1], axis=1)
    whole = np.bincount(own.ravel(), part.ravel(), count)
    share = part / whole[own]
    pair, place = np.unique((own[:, :, None] * most + node[:, None, :]).ravel(), return_inverse=True)
    each = share[:, :, None, None] * slope[:, None, :, :]
    rows = changed(np.zeros(len(pair), SLOPE), node=pair % most)
    for c in range(3):
        rows["slope"][:, c] = np.bincount(place.ravel(), each[..., c].ravel(), len(pair))
    end = np.cumsum(np.bincount(pair // most, minlength=count))
    means = {name: np.bincount(own.ravel(), (share * moduli[name][:, None]).ravel(), count) for name in MODULI}
    domains = changed(np.zeros(count, DOMAIN), first=np.append(0, end[:-1]), end=end, volume=whole, **means)
    domains["tetrahedron"] = -1 if smoothed else np.arange(count)
    return domains, rows


def gradients(corners: np.ndarray) -> np.ndarray:
    """(t, 4, 3) [1/m] of the barycentric coordinates of tetrahedra with these corners (t, 4, 3) [m]."""
    inner = inverse(edge_matrices(corners))
    return np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)


def _edges(node: np.ndarray) -> np.ndarray:
    """(t, 6) numbers of the edges of tetrahedra (t, 4), in the order of their nodes."""
    ends = np.sort(node[:, EDGES], axis=2)
    key = ends[:, :, 0] * (int(node.max()) + 1) + ends[:, :, 1]
    return np.unique(key.ravel(), return_inverse=True)[1].reshape(key.shape)


def moved_on(domains: np.ndarray, slopes: list[np.ndarray], tetrahedra: list[np.ndarray]) -> np.ndarray:
    """DOMAIN of several bodies, whose rows of SLOPE and TETRAHEDRON follow one another: those of each body are in
    `slopes` and `tetrahedra`.
    """
    rows, elements = (np.cumsum([0, *map(len, own)])[domains["solid"]] for own in (slopes, tetrahedra))
    number = domains["tetrahedron"]
    number = np.where(number < 0, -1, number + elements)
    return changed(domains, first=domains["first"] + rows, end=domains["end"] + rows, tetrahedron=number)


def gradients_at(domains: np.ndarray, slopes: np.ndarray, x: np.ndarray) -> np.ndarray:
    """F (D, 3, 3) of each DOMAIN at x (N, 3); of velocities: dF/dt."""
    each = x[slopes["node"]][:, :, None] * slopes["slope"][:, None, :]
    return np.add.reduceat(each, domains["first"], axis=0) if len(domains) else np.zeros((0, 3, 3))
