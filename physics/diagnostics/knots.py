"""Which knot a rod is tied in, by the determinant of its diagram."""

import numpy as np

VIEW = np.array([0.3217, 0.1854, 0.9285])  # a direction that no drawn knot is aligned with


def closing_points(x: np.ndarray) -> np.ndarray:
    """Points (3, 3) that close an open polyline x (n, 3) far outside: beyond its end, around, beyond its beginning."""
    centre = 0.5 * (x.min(axis=0) + x.max(axis=0))
    size = np.linalg.norm(x - centre, axis=1).max()
    out, back = (end - centre for end in (x[-1], x[0]))
    out, back = 10.0 * size * out / np.linalg.norm(out), 10.0 * size * back / np.linalg.norm(back)
    aside = np.cross(out - back, np.roll(out - back, 1))
    return centre + np.stack([out, 30.0 * size * aside / np.linalg.norm(aside), back])


def knot_determinant(x: np.ndarray) -> int:
    """|Δ(−1)| of the closed polyline x (n, 3), the last point joined to the first: unknot 1, trefoil 3, figure-eight 5.

    Alexander's polynomial at −1 is a minor of the colouring matrix (Crowell & Fox, *Introduction to Knot Theory*,
    ch. VI): one row for each crossing of a plane diagram, 2 for the strand above, −1 for each of the two that end
    there.
    """
    edge, place, over = _crossings(x)
    if len(edge) == 0:
        return 1
    count = len(edge) // 2
    order = np.lexsort((place, edge))
    ended = np.cumsum(~over[order]) - ~over[order]  # strands that have ended before each passage
    strand = np.empty_like(ended)
    strand[order] = ended % count
    row = np.arange(count)
    upper, lower = np.where(over[:count], (row, row + count), (row + count, row))
    matrix = np.zeros((count, count))
    np.add.at(matrix, (row, strand[upper]), 2.0)
    np.add.at(matrix, (row, strand[lower]), -1.0)
    np.add.at(matrix, (row, (strand[lower] + 1) % count), -1.0)
    return round(abs(np.linalg.det(matrix[1:, 1:])))


def _crossings(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Crossings seen along VIEW, twice each, all from the one strand, then all from the other.

    Returns (edge, place along it in [0, 1], whether it passes over).
    """
    view = VIEW / np.linalg.norm(VIEW)
    right = np.cross(view, [1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    p = x @ np.stack([right, np.cross(view, right), view]).T
    d = np.roll(p, -1, axis=0) - p
    i, j = np.triu_indices(len(x), 2)
    keep = ~((i == 0) & (j == len(x) - 1))
    i, j = i[keep], j[keep]
    w = p[j] - p[i]
    area = d[i, 0] * d[j, 1] - d[i, 1] * d[j, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (w[:, 0] * d[j, 1] - w[:, 1] * d[j, 0]) / area
        t = (w[:, 0] * d[i, 1] - w[:, 1] * d[i, 0]) / area
    cross = (s > 0.0) & (s <= 1.0) & (t > 0.0) & (t <= 1.0) & (area != 0.0)
    i, j, s, t = i[cross], j[cross], s[cross], t[cross]
    above = p[i, 2] + s * d[i, 2] > p[j, 2] + t * d[j, 2]
    return np.concatenate([i, j]), np.concatenate([s, t]), np.concatenate([above, ~above])
