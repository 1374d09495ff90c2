"""Which knot a rod is tied in, by the determinant of its diagram."""

import numpy as np

from .crossings import crossings


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
    edge, place, over, _ = crossings([x])
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
