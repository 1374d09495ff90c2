"""How near the middle lines of ropes may come, in radii of the rope: so near that the ropes do not touch.

Beyond a bend that distance is GAP. Along a bend it is the chord of the sharpest bend there is.
"""

from collections.abc import Callable

import numpy as np

GAP = 2.45
BEND_RADIUS = 2.6

Curves = Callable[[float], tuple[np.ndarray, ...]]  # a scale → closed curves (n, 3) of equal n


def least_distance(along: np.ndarray) -> np.ndarray:
    """How near two places may be that are so far apart along a rope; infinitely far on different ones."""
    return np.minimum(GAP, 2.0 * BEND_RADIUS * np.sin(np.minimum(0.5 * along / BEND_RADIUS, 0.5 * np.pi)))


def grown(curves: Curves, fold: int) -> tuple[np.ndarray, ...]:
    """Curves at the smallest scale, to a part in 1000, at which they keep their distance.

    They look the same after a turn by 1/fold of a circle, so one such part of the first is measured.
    """
    low, high = 0.0, 1.0
    while not _apart(curves(high), fold):
        low, high = high, 2.0 * high
    while high - low > 1e-3 * high:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if _apart(curves(middle), fold) else (middle, high)
    return curves(high)


def _apart(curves: tuple[np.ndarray, ...], fold: int) -> bool:
    x = curves[0]
    edges = np.linalg.norm(np.roll(x, -1, axis=0) - x, axis=1)
    place, length = np.cumsum(edges) - edges, edges.sum()
    part = slice(0, -(-len(x) * len(curves) // fold) + 1)
    straight = abs(place[part, None] - place[None, :])
    along = np.hstack([np.minimum(straight, length - straight)] + [np.full(straight.shape, np.inf)] * (len(curves) - 1))
    distance = np.linalg.norm(x[part, None] - np.vstack(curves)[None], axis=2)
    return bool((distance >= least_distance(along)).all())
