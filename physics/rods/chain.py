"""Which nodes a rod's elastic chain has: its vertices, those a closed rod meets again, and the ghosts of its clamps. A
clamp that has let go leaves its ghost out, so what remains at that end is the law of a free one.
"""

from .._jit import entry


@entry
def chain(rod, now):
    """(first node, node behind the last) of a rod, a row of Model.rods, as it is now, its row of State.rods."""
    return rod.start + int(now.loose_start), rod.end - int(now.loose_end)


@entry
def rod_at(rods, node):
    """Number of the rod that a node belongs to; rods: Model.rods."""
    r = 0
    while rods[r].end <= node:
        r += 1
    return r
