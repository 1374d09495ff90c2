"""How much each node of a soft body has of a point among them that is tied to something. numpy only."""

import numpy as np

FLAT = 1e-6  # of the nodes' extent: what they are thinner than does not carry a point


def tie_shares(points: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, float]:
    """(shares (k,), how far [m] the point of these shares is from `place` (3,)), of nodes at points (k, 3) [m].

    The least Σ s² with Σ s = 1 and Σ s x = place, where the nodes lie so that there are any: s = 1/k + q G⁺ d, with q
    the nodes' and d the place's way from their mean, and G = qᵀq.
    """
    mean = points.mean(axis=0)
    from_mean = points - mean
    inverse = np.linalg.pinv(from_mean.T @ from_mean, rcond=FLAT**2, hermitian=True)
    shares = 1.0 / len(points) + from_mean @ inverse @ (place - mean)
    return shares, float(np.linalg.norm(shares @ points - place))
