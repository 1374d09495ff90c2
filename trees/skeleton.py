"""A skeleton of edges, as the Skin modifier takes it, as branches.

At each fork the thickest edge goes on as the same branch, of equally thick ones the one that leads farthest; the others
begin there. Where nothing else is known, thickness follows Leonardo da Vinci's rule that a section keeps its area above
and below a fork: the square of the radius goes as the length of all that is carried.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from ..physics.validate import SceneError

SLENDERNESS = 60.0  # height of the tree over the radius of its trunk, where no radius is given
THINNEST = 0.04  # of the trunk's radius

Branch = tuple[np.ndarray, np.ndarray]  # points (k, 3), radius (k,)


def branches(
    name: str, x: np.ndarray, edges: np.ndarray, radius: np.ndarray | None = None, roots: Iterable[int] = ()
) -> list[Branch]:
    """[(points (k, 3), radius (k,))] of a skeleton, a branch after the one it grows from.

    x (n, 3), up is z; edges (e, 2); radius (n,), None: chosen; roots: vertices where trunks begin, else the lowest.
    Raises SceneError about mesh `name`: no edge, or a loop.
    """
    beside = defaultdict(list)
    for a, b in edges:
        beside[int(a)].append(int(b))
        beside[int(b)].append(int(a))
    if not beside:
        raise SceneError(name, f"'{name}' has no edges to make branches of: draw some, or extrude its vertices.")
    order, below = _climb(name, x, beside, roots)
    carried, reach = np.zeros((2, len(x)))  # lengths of all above a vertex; of the longest way from below it
    for vertex in reversed(order):
        if (parent := below[vertex]) >= 0:
            step = np.linalg.norm(x[vertex] - x[parent])
            carried[parent] += carried[vertex] + step
            reach[vertex] += step
            reach[parent] = max(reach[parent], reach[vertex])
    if radius is None:
        thickest = np.ptp(x[order, 2] if np.ptp(x[order, 2]) else x[order], axis=0).max() / SLENDERNESS
        radius = thickest * np.maximum(np.sqrt(carried / carried.max()), THINNEST)
    return _walk(order, below, lambda vertex: (radius[vertex], reach[vertex]), x, radius)


def _climb(
    name: str, x: np.ndarray, beside: dict[int, list[int]], roots: Iterable[int]
) -> tuple[list[int], dict[int, int]]:
    """(vertices from the roots outward, the vertex below each: −1 for roots)."""
    below, order = {}, []
    for root in [*roots, *sorted(beside, key=lambda vertex: x[vertex][2])]:
        if root in below or root not in beside:
            continue
        below[root], front = -1, [root]
        while front:
            order += front
            ahead = []
            for vertex in front:
                for other in beside[vertex]:
                    if other == below[vertex]:
                        continue
                    if other in below:
                        raise SceneError(
                            name, f"'{name}' has a loop of edges at vertex {other}: remove one, a tree has no loops."
                        )
                    below[other] = vertex
                    ahead.append(other)
            front = ahead
    return order, below


def _walk(
    order: list[int],
    below: dict[int, int],
    weight: Callable[[int], tuple[float, float]],
    x: np.ndarray,
    radius: np.ndarray,
) -> list[Branch]:
    """The branches: each vertex goes on to the heaviest above it."""
    above = defaultdict(list)
    for vertex in order:
        above[below[vertex]].append(vertex)
    begins: list[tuple[int, int | None]] = [(root, None) for root in above[-1]]
    found: list[Branch] = []
    for start, first in begins:
        path = [start] if first is None else [start, first]
        while above[path[-1]]:
            best = max(above[path[-1]], key=weight)
            begins += [(path[-1], other) for other in above[path[-1]] if other != best]
            path.append(best)
        thickness = radius[path].copy()
        if first is not None:
            thickness[0] = thickness[1]  # inside the branch it grows from
        found.append((x[path], thickness))
    return [branch for branch in found if len(branch[0]) > 1]
