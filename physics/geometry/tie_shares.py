"""How much each node of a soft body has of a point among them that is tied to something. numpy only."""

import numpy as np

from ..arithmetic.fixed_order import dot, norm, principal_axes, product

FLAT_NODES = 1e-6  # of the nodes' extent: what they are thinner than does not carry a point


def tie_shares(points: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, float]:
    """(shares (k,), how far [m] the point of these shares is from `place` (3,)), of nodes at points (k, 3) [m].

    The least Σ s² with Σ s = 1 and Σ s x = place, where the nodes lie so that there are any: s = 1/k + q G⁺ d, with q
    the nodes' and d the place's way from their mean, and G = qᵀq.
    """
    mean = points.mean(axis=0)
    from_mean = points - mean
    moments, axes = principal_axes(product(from_mean.T, from_mean))
    spread = axes[:, moments > FLAT_NODES**2 * moments[-1]]
    along = product(from_mean, spread) / moments[moments > FLAT_NODES**2 * moments[-1]]
    shares = 1.0 / len(points) + dot(along, dot(spread.T, place - mean))
    return shares, float(norm(dot(points.T, shares) - place))
