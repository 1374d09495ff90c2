"""Where closed curves cross, seen from one side: the plane diagram from which knots and links are told."""

import numpy as np

VIEW = np.array([0.3217, 0.1854, 0.9285])  # a direction that no drawn knot is aligned with


def crossings(curves: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The c crossings of closed polylines (n, 3) seen along VIEW, twice each: all from the one strand, then all from
    the other.

    Returns (edge (2c,), counted through all curves, place along it in [0, 1], whether it passes over; sign (c,): 1
    where the strand above has to turn anticlockwise to point as the one below does, else −1).
    """
    view = VIEW / np.linalg.norm(VIEW)
    right = np.cross(view, [1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(view, right), view]).T
    p = np.vstack(curves) @ turn
    d = np.vstack([np.roll(x, -1, axis=0) - x for x in curves]) @ turn
    i, j = np.triu_indices(len(p), 1)
    after = np.concatenate([np.roll(own, -1) for own in np.split(np.arange(len(p)), edge_starts(curves)[1:-1])])
    keep = (after[i] != j) & (after[j] != i)
    i, j = i[keep], j[keep]
    w = p[j] - p[i]
    area = d[i, 0] * d[j, 1] - d[i, 1] * d[j, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (w[:, 0] * d[j, 1] - w[:, 1] * d[j, 0]) / area
        t = (w[:, 0] * d[i, 1] - w[:, 1] * d[i, 0]) / area
    cross = (s > 0.0) & (s <= 1.0) & (t > 0.0) & (t <= 1.0) & (area != 0.0)
    i, j, s, t = i[cross], j[cross], s[cross], t[cross]
    above = p[i, 2] + s * d[i, 2] > p[j, 2] + t * d[j, 2]
    sign = np.where((area[cross] > 0.0) == above, 1, -1)
    return np.concatenate([i, j]), np.concatenate([s, t]), np.concatenate([above, ~above]), sign


def edge_starts(curves: list[np.ndarray]) -> np.ndarray:
    """The number of the first edge of each curve, and that of all edges."""
    return np.cumsum([0] + [len(x) for x in curves])
