"""Edges that can touch, as arrays."""

from itertools import combinations

import numpy as np

from ..contact.segment_distance import closest_parameters
from ..model import Capsules

SKIN = 0.3  # of the smallest radius
WIDEST_SKIN = 0.5  # of the shortest edge
NEAR = 1.5  # sum of radii: rods that a body joins, drawn nearer than that, do not touch there


def capsule_arrays(scene, start, chains):
    """Capsules of all rods that touch, in scene order, and the floor."""
    parts = {name: [np.zeros(0, kind)] for name, kind in COLUMNS.items()}
    perimeter = np.zeros(len(scene.rods))
    for r, (rod, chain) in enumerate(zip(scene.rods, chains, strict=True)):
        length = np.linalg.norm(rod.edges(), axis=1)
        perimeter[r] = length.sum() if chain.closed else 0.0
        if not (scene.contact and rod.touches):
            continue
        m = rod.edge_count
        own = start[r] + chain.first
        head = (np.arange(m) + 1) % len(rod.x)
        parts["tail"].append(own + np.arange(m))
        parts["head"].append(own + head)
        parts["radius"].append(0.5 * (rod.radius[:m] + rod.radius[head]))
        parts["rod"].append(np.full(m, r))
        parts["arc"].append(np.cumsum(length) - 0.5 * length)
        parts["successor"].append(np.arange(m) < (m if chain.closed else m - 1))
        parts["friction"].append(np.full(m, rod.friction))
    arrays = {name: np.concatenate(p) for name, p in parts.items()}
    thinnest = min(rod.radius.min() for rod in scene.rods)
    shortest = min(np.linalg.norm(rod.edges(), axis=1).min() for rod in scene.rods)
    floor = [scene.floor.height, scene.floor.friction] if scene.floor else [np.nan, 0.0]
    return Capsules(
        **arrays,
        perimeter=perimeter,
        joined=_joined(scene, arrays),
        thinnest=np.array([thinnest]),
        skin=np.array([SKIN * thinnest if len(arrays["tail"]) else 0.0]),
        widest_skin=np.array([WIDEST_SKIN * shortest]),
        floor=np.array(floor),
    )


COLUMNS = {
    "tail": np.int64,
    "head": np.int64,
    "radius": float,
    "rod": np.int64,
    "arc": float,
    "successor": bool,
    "friction": float,
}


def _joined(scene, arrays):
    """Keys of capsules of two rods at one body that are drawn into each other."""
    count, keys = len(arrays["tail"]), []
    ends = [(rod.x[:m], rod.x[(np.arange(m) + 1) % len(rod.x)]) for rod in scene.rods for m in [rod.edge_count]]
    for b in range(len(scene.bodies)):
        welded = sorted({weld.rod for weld in scene.welds if weld.body == b and scene.rods[weld.rod].touches})
        for r, s in combinations(welded, 2):
            i, j = np.flatnonzero(arrays["rod"] == r), np.flatnonzero(arrays["rod"] == s)
            if len(i) and len(j):
                keys += [min(i[p], j[q]) * count + max(i[p], j[q]) for p, q in _near(
                    ends[r], ends[s], arrays["radius"][i], arrays["radius"][j])]  # fmt: skip
    return np.array(sorted(set(keys)), dtype=np.int64)


def _near(first, second, radius, other):
    """Pairs (p, q) of segments of two rods, (tails, heads) each, nearer than NEAR times the sum of their radii."""
    (a, b), (c, d) = first, second
    reach = NEAR * (radius[:, None] + other[None])
    middle = np.linalg.norm(0.5 * (a + b)[:, None] - 0.5 * (c + d)[None], axis=2)
    half = 0.5 * (np.linalg.norm(b - a, axis=1)[:, None] + np.linalg.norm(d - c, axis=1)[None])
    for p, q in np.argwhere(middle < reach + half):
        s, t = closest_parameters(*(a[p] - c[q]), *(b[p] - a[p]), *(d[q] - c[q]))
        if np.linalg.norm(a[p] + s * (b[p] - a[p]) - c[q] - t * (d[q] - c[q])) < reach[p, q]:
            yield p, q
