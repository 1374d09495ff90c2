"""Whether points lie inside a surface, also one that is open or runs through itself: its winding number there.

The winding number is the mean, over all directions, of how often the surface is left on the way out less how often it
is entered (Jacobson, Kavan & Sorkine-Hornung 2013). Six directions, along the axes, are enough to tell: it is exact
where the surface is closed, and a hole is seen through by some of them only.
"""

import numpy as np

INSIDE = 0.5  # winding number above which a point is inside
LINE_PAIRS = 4_000_000  # pairs of a triangle and a line at a time


def winding(
    x: np.ndarray, triangles: np.ndarray, first: np.ndarray, size: float, count: tuple[int, int, int]
) -> np.ndarray:
    """Winding numbers (nx·ny·nz,), the last axis fastest, of a surface of points x (V, 3) and triangles (T, 3) about
    points of a cubic grid, `count` along each axis from `first` (3,), `size` apart.
    """
    total = np.zeros(count)
    for axis in range(3):
        across = [(axis + 1) % 3, (axis + 2) % 3]
        places = (x[:, across] - first[across]) / size, (x[:, axis] - first[axis]) / size
        columns = count[across[0]], count[across[1]]
        crossings = np.zeros((count[axis] + 1, *columns))
        for own in _portions(places[0][triangles], columns):
            _cross(places, triangles[own], crossings)
        # crossings[k] lie between the points k − 1 and k: those above a point are left behind, those below entered.
        below = np.cumsum(crossings, axis=0)
        own = (below[-1] - below[:-1]) - below[:-1]
        total += np.moveaxis(own, (0, 1, 2), (axis, *across))
    return (total / 6.0).ravel()


def _bounds(flat: np.ndarray, columns: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """(first, number) (T, 2) of the columns in the bounds of flat triangles (T, 3, 2)."""
    low = np.clip(np.ceil(flat.min(axis=1)), 0, columns).astype(int)
    high = np.clip(np.floor(flat.max(axis=1)) + 1, 0, columns).astype(int)
    return low, np.maximum(high - low, 0)


def _portions(flat: np.ndarray, columns: tuple[int, int]) -> list[np.ndarray]:
    """Numbers of the triangles that may cross a column, as many at a time as memory bears."""
    pairs = _bounds(flat, columns)[1].prod(axis=1)
    own = np.flatnonzero(pairs)
    parts = int(pairs.sum() // LINE_PAIRS) + 1
    ends = np.searchsorted(np.cumsum(pairs[own]), np.linspace(0, pairs.sum(), parts + 1)[1:-1])
    return np.split(own, ends)


def _cross(places: tuple[np.ndarray, np.ndarray], triangles: np.ndarray, crossings: np.ndarray) -> None:
    """Add to crossings (k + 1, nu, nv) where triangles cross the columns: +1 where they look up."""
    flat, height = places
    low, number = _bounds(flat[triangles], (crossings.shape[1], crossings.shape[2]))
    triangle, step = _ranges(number.prod(axis=1))
    width = number[triangle, 1]
    column = low[triangle] + np.stack([step // np.maximum(width, 1), step % np.maximum(width, 1)], axis=1)
    corner = triangles[triangle]
    side = np.stack([_side(flat, corner[:, i], corner[:, (i + 1) % 3], column) for i in range(3)], axis=1)
    hit = (side > 0.0).all(axis=1) | (side < 0.0).all(axis=1)
    side, corner, column = side[hit], corner[hit], column[hit]
    # Barycentric: the side of an edge is the share of the corner across from it.
    z = np.sum(side[:, [1, 2, 0]] * height[corner], axis=1) / side.sum(axis=1)
    layer = np.clip(np.ceil(z), 0, len(crossings) - 1).astype(int)
    np.add.at(crossings, (layer, column[:, 0], column[:, 1]), np.sign(side[:, 0]))


def _side(flat: np.ndarray, a: np.ndarray, b: np.ndarray, column: np.ndarray) -> np.ndarray:
    """On which side of the edges a → b columns (k, 2) are, never on none, as twice an area; exactly the opposite for
    b → a, so that no column slips through between two triangles or meets both.
    """
    swapped = a > b
    one, other = flat[np.where(swapped, b, a)] - column, flat[np.where(swapped, a, b)] - column
    area = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    area = np.where(area == 0.0, np.finfo(float).tiny, area)
    return np.where(swapped, -area, area)


def _ranges(count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(owner, step): each owner as often as its count says, and how many times before."""
    owner = np.repeat(np.arange(len(count)), count)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
