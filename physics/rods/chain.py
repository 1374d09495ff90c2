"""A rod's elastic chain: the hinges it has now, and the edges on both sides of each.

An open rod has a hinge at an end where a clamp holds there; where none does, what remains is the law of a free end.
"""

import numpy as np

from .._jit import kernel
from ..model import Model


@kernel
def hinges_of(rods: np.ndarray, r: int, ghosts: np.ndarray) -> tuple[int, int]:
    """(first hinge, hinge behind the last) of rod r; rods, ghosts: Model.rods, State.ghosts."""
    if rods[r].closed:
        return rods[r].first, rods[r].last + 1
    return rods[r].first + 1 - int(ghosts[2 * r].held), rods[r].last + int(ghosts[2 * r + 1].held)


@kernel
def chain_edges(rods: np.ndarray, r: int, ghosts: np.ndarray, x: np.ndarray, e: np.ndarray) -> None:
    """The edges of rod r's frames at x (N, 3) [m]: its rows of e (M, 3)."""
    a, b, shift = rods[r].first, rods[r].last, rods[r].frame - rods[r].first
    for i in range(a + 1, b + 1):
        for c in range(3):
            e[i + shift, c] = x[i, c] - x[i - 1, c]
    for c in range(3):
        if rods[r].closed:
            e[a + shift, c] = e[b + 1 + shift, c] = x[a, c] - x[b, c]
        else:
            e[a + shift, c], e[b + 1 + shift, c] = ghosts[2 * r].edge[c], ghosts[2 * r + 1].edge[c]


@kernel
def rod_at(rods: np.ndarray, node: int) -> int:
    """Number of the rod that a node belongs to; rods: Model.rods."""
    r = 0
    while rods[r].last < node:
        r += 1
    return r


@kernel
def edges_at(rod: np.record, i: int) -> tuple[int, int]:
    """The vertices of a ROD before and behind its vertex i, or −1."""
    before, behind = i - 1, i + 1
    if i == rod.first:
        before = rod.last if rod.closed else -1
    if i == rod.last:
        behind = rod.first if rod.closed else -1
    return before, behind


@kernel
def head_of(model: Model, i: int) -> int:
    """The vertex at the end of the edge that leaves vertex i, or −1."""
    rod = model.rods[model.nodes[i].rod]
    if i < rod.last:
        return i + 1
    return rod.first if rod.closed else -1


@kernel
def is_given(rod: np.record, fixed: np.ndarray, f: int) -> bool:
    """Whether frame f of a ROD is prescribed, by State.fixed: a closed one's last is its first, which is met again."""
    return fixed[rod.frame if rod.closed and f == rod.last - rod.first + 1 + rod.frame else f]


def frame_edges(rods: np.ndarray, ghosts: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The edges (M, 3) [m] of all frames at x (N, 3) [m]."""
    e = np.zeros((len(x) + len(rods), 3))
    for r in range(len(rods)):
        chain_edges(rods, r, ghosts, x, e)
    return e


def rod_of(rods: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Number of the rod that a node (or each of an array of them) belongs to."""
    return np.searchsorted(rods["first"], node, side="right") - 1


def frame_behind(rods: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Number of the frame behind a node (or each of an array of them), that of the edge that leaves it."""
    return node + rod_of(rods, node) + 1


def edges_of(rods: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(vertices that edges leave, vertices that they lead to) of all rods, which have `count` vertices."""
    tail = np.setdiff1d(np.arange(count), rods["last"][~rods["closed"]])
    return tail, heads(rods, tail)


def spread(
    found: np.ndarray,
    where: np.ndarray,
    edges: tuple[np.ndarray, np.ndarray],
    x: np.ndarray | None = None,
    far: np.ndarray | float = np.inf,
) -> np.ndarray:
    """What is found (N,) bool, and on along the rods as far as `where` (N,) bool holds; edges: `edges_of`. With places
    x (N, 3) [m], no vertex that is further along them than `far` (N,) [m].
    """
    tail, head = edges
    length = np.zeros(len(tail)) if x is None else np.linalg.norm(x[head] - x[tail], axis=1)
    way = np.where(found, 0.0, np.inf)
    while True:
        further = way.copy()
        for one, other in ((tail, head), (head, tail)):
            to = way[one] + length
            further[other] = np.where(where[other], np.minimum(further[other], to), further[other])
        further[further > far] = np.inf
        if np.array_equal(further, way):
            return way < np.inf
        way = further


def heads(rods: np.ndarray, tail: np.ndarray) -> np.ndarray:
    """The vertices that edges lead to: of the last edge of a closed rod, the first one."""
    own = rods[rod_of(rods, tail)]
    return np.where(own["closed"] & (tail == own["last"]), own["first"], tail + 1)
