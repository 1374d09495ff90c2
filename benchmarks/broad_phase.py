"""Broad phase: how the time for all pairs of capsules grows from 10³ to 10⁵ of them, and what it is for few."""

from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation
from tendril.physics._jit import entry
from tendril.physics.arithmetic.arrays import copy_rows
from tendril.physics.contact.capsule_pairs import capsule_pairs, runs_of
from tendril.physics.model import CAPSULE, PAIR, ROD, changed

from .measure import medians, row

COUNTS = [1000, 3162, 10000, 31623, 100000]
LOOKED_AT = 200000  # capsules, at least, in a loop
ROOM = 12  # pairs per capsule
RADIUS = 0.25  # of an edge
VOLUME = 0.65  # space of a capsule in edges³: its box overlaps those of fourteen others
LONG = 20.0  # an edge of the hawser, in edges of the hairs
RARE = 1000  # capsules for each edge of the hawser
STATES = 3000  # so many that a processor does not learn them
# µs per call by sweep and prune along one axis, sorted from the call before; measured in one run with the grids.
SWEEP_AND_PRUNE = {20: 1.00, 60: 8.12, 200: 75.8, 400: 254.0}


@entry
def pairs_loop(things, positions, x, skin, runs, pairs, loops):
    """All pairs at each of the positions (k, N, 3) in turn."""
    for k in range(loops):
        copy_rows(positions[k % len(positions)], x)
        capsule_pairs(*things, x, (skin, 0.0, 0.0), runs, pairs)


def rows():
    scenes = {
        "a pile of constant density": pile,
        "the same, its widest axis another at each call": turned_pile,
        "a hawser among thin hairs": hawser,
    }
    for name, scene in scenes.items():
        slope = _slope({n: scene(n) for n in COUNTS})
        yield row(f"all pairs of 10³ to 10⁵ capsules: {name}", "log–log slope", slope, 1.15, "this project's goal")
    cost = _seconds({n: knot(n) for n in SWEEP_AND_PRUNE})
    for n, reference in SWEEP_AND_PRUNE.items():
        yield row(f"all pairs of a moving knot of {n} edges", "µs", 1e6 * cost[n], reference, "by sweep and prune")


def pile(n, box=(1.1, 1.0, 0.9)):
    """((capsules, rods), positions (k, N, 3)) of loose capsules of all directions, in a box of such sides."""
    rng = np.random.default_rng(n)
    tail = np.cbrt(n * VOLUME / np.prod(box)) * rng.uniform(size=(n, 3)) * box
    along = rng.normal(size=(n, 3))
    head = tail + along / np.linalg.norm(along, axis=1)[:, None]
    return _loose(np.full(n, RADIUS)), np.concatenate([tail, head])[None]


def turned_pile(n):
    """The same three times, each time longest along another axis."""
    things, x = pile(n)
    return things, np.concatenate([np.roll(x, k, axis=2) for k in range(3)])


def hawser(n):
    """A pile as long as a hawser that lies in its middle, one of whose edges comes on each RARE capsules."""
    edges = n // RARE
    side = np.sqrt(RARE * VOLUME / LONG)
    hairs, x = pile(n - edges, (LONG * edges, side, side))
    tail = np.array([0.0, 0.5 * side, 0.5 * side]) + LONG * np.arange(edges)[:, None] * [1.0, 0.0, 0.0]
    ends = x[0].reshape(2, -1, 3), np.stack([tail, tail + [LONG, 0.0, 0.0]])
    radius = np.concatenate([hairs[0]["radius"], np.full(edges, 0.2 * side)])
    return _loose(radius), np.concatenate(ends, axis=1).reshape(1, -1, 3)


def knot(n):
    """A trefoil that turns and trembles, in STATES positions."""
    rng = np.random.default_rng(n)
    s = 2.0 * np.pi * np.arange(n) / n
    x = np.stack([np.sin(s) + 2.0 * np.sin(2.0 * s), np.cos(s) - 2.0 * np.cos(2.0 * s), -np.sin(3.0 * s)], axis=1)
    turns = Rotation.from_rotvec(np.linspace(0.0, 6.0, STATES)[:, None] * [0.6, -0.5, 0.6])
    x = np.stack([turn.apply(x) for turn in turns]) + rng.normal(0.0, 0.03, (STATES, n, 3))
    tail = np.arange(n)
    one = np.zeros(n, np.int64)
    capsules, rods = _capsules(tail, (tail + 1) % n, np.full(n, 0.3), one, np.array([n - 1]))
    length = np.linalg.norm(np.roll(x[0], -1, axis=0) - x[0], axis=1)
    return (changed(capsules, arc=np.cumsum(length) - 0.5 * length), rods), x


def _loose(radius):
    n = len(radius)
    tail = np.arange(n)
    return _capsules(tail, tail + n, radius, tail, np.zeros(n, np.int64))


def _capsules(tail, head, radius, rod, last):
    """(CAPSULE (n,), ROD (R,)); last: vertices of closed rods, 0 of others."""
    capsules = changed(np.zeros(len(tail), CAPSULE), tail=tail, head=head, radius=radius, rod=rod)
    return capsules, changed(np.zeros(len(last), ROD), last=last, closed=last > 0)


def _slope(scenes):
    """Of log time over log number, through all."""
    cost = _seconds(scenes)
    return np.polyfit(np.log(list(cost)), np.log(list(cost.values())), 1)[0]


def _seconds(scenes):
    """{n: seconds a call} of {n: (things, positions)}."""
    tasks = {n: (partial(_arguments, *scene), pairs_loop) for n, scene in scenes.items()}
    return {n: seconds / _loops(n) for n, seconds in medians(tasks).items()}


def _arguments(things, positions):
    capsules, rods = things
    n, x = len(capsules), np.zeros_like(positions[0])
    skin = 0.3 * capsules["radius"].min()
    nothing = np.zeros(0, np.int64), np.zeros((0, 0), bool)
    return (capsules, rods, *nothing), positions, x, skin, runs_of(capsules), np.zeros(ROOM * n, PAIR), _loops(n)


def _loops(n):
    return 3 * -(-LOOKED_AT // (3 * n))
