"""Which nodes a rod's elastic chain has: its vertices, those a closed rod meets again, and the ghosts of its clamps. A
clamp that has let go leaves its ghost out, so what remains at that end is the law of a free one.
"""

from .._jit import njit


@njit
def chain(rods, loose, r):
    """(first node, node behind the last) of rod r; loose (R, 2)."""
    return rods.start[r] + int(loose[r, 0]), rods.start[r + 1] - int(loose[r, 1])


@njit
def rod_at(rods, node):
    """Number of the rod a node belongs to."""
    r = 0
    while rods.start[r + 1] <= node:
        r += 1
    return r
