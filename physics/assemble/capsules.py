"""Edges that can touch, as arrays."""

from collections.abc import Iterator
from itertools import combinations
from math import fsum

import numpy as np

from ..contact.segment_distance import closest_parameters
from ..model import CAPSULE, changed
from ..scene import Scene

SKIN = 0.3  # of the mean radius
WIDEST_SKIN = 0.5  # of the shortest edge
BESIDE = 2  # edges behind the next one, of a rod in a pulley, that one does not touch: there both sides part
NEAR = 1.5  # sum of radii: rods that a body joins, drawn nearer than that, do not touch there


def capsule_arrays(scene: Scene, rods: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(CAPSULE (C,) of all rods that touch, in scene order, keys of those that bodies and pulleys hold together)."""
    parts = [np.zeros(0, CAPSULE)]
    for r, rod in enumerate(scene.rods):
        if not (scene.contact and rod.touches):
            continue
        m, length = rod.edge_count, rod.lengths()
        own, head = rods["first"][r], (np.arange(m) + 1) % len(rod.x)
        rough = np.ones(len(rod.x)) if rod.rougher is None else np.asarray(rod.rougher)
        parts.append(
            changed(
                np.zeros(m, CAPSULE), tail=own + np.arange(m), head=own + head, rod=r,
                friction=0.5 * rod.friction * (rough[:m] + rough[head]),
                radius=0.5 * (rod.radius[:m] + rod.radius[head]), arc=np.cumsum(length) - 0.5 * length,
                successor=np.arange(m) < (m if rod.closed else m - 1),
            )
        )  # fmt: skip
    capsules = np.concatenate(parts)
    return capsules, _joined(scene, capsules)


def contact_scale(capsules: np.ndarray, thinnest: float) -> tuple[float, float]:
    """(mean radius, skin) [m] of what touches, in a scene whose smallest radius is `thinnest` [m]; no skin: nothing."""
    if not len(capsules):
        return thinnest, 0.0
    radius = max(thinnest, fsum(capsules["radius"]) / len(capsules))
    return radius, SKIN * radius


def _joined(scene: Scene, capsules: np.ndarray) -> np.ndarray:
    """Keys of capsules of two rods at one body that are drawn into each other, and of a rod in pulleys of edges that
    are so near along it that they may lie on each other on both sides of one.
    """
    count, keys = len(capsules), []
    ends = [(rod.x[:m], rod.x[(np.arange(m) + 1) % len(rod.x)]) for rod in scene.rods for m in [rod.edge_count]]
    for b in range(len(scene.bodies)):
        welded = sorted({weld.rod for weld in scene.welds if weld.body == b and scene.rods[weld.rod].touches})
        for r, s in combinations(welded, 2):
            i, j = np.flatnonzero(capsules["rod"] == r), np.flatnonzero(capsules["rod"] == s)
            if len(i) and len(j):
                keys += [min(i[p], j[q]) * count + max(i[p], j[q]) for p, q in near_segments(
                    ends[r], ends[s], capsules["radius"][i], capsules["radius"][j])]  # fmt: skip
    for r in {pulley.rod for pulley in scene.pulleys}:
        own, m = np.flatnonzero(capsules["rod"] == r), scene.rods[r].edge_count
        for p in range(len(own)):
            for q in range(p + 2, p + 2 + (BESIDE if scene.rods[r].closed else min(BESIDE, m - p - 2))):
                keys.append(min(own[p], own[q % m]) * count + max(own[p], own[q % m]))
    return np.array(sorted(set(keys)), dtype=np.int64)


def near_segments(
    first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray], radius: np.ndarray, other: np.ndarray
) -> Iterator[tuple[int, int]]:
    """Pairs (p, q) of segments of two rods, (tails, heads) each, nearer than NEAR times the sum of their radii."""
    (a, b), (c, d) = first, second
    reach = NEAR * (radius[:, None] + other[None])
    middle = np.linalg.norm(0.5 * (a + b)[:, None] - 0.5 * (c + d)[None], axis=2)
    half = 0.5 * (np.linalg.norm(b - a, axis=1)[:, None] + np.linalg.norm(d - c, axis=1)[None])
    for p, q in np.argwhere(middle < reach + half):
        s, t = closest_parameters(a[p] - c[q], b[p] - a[p], d[q] - c[q], 0.0)
        if np.linalg.norm(a[p] + s * (b[p] - a[p]) - c[q] - t * (d[q] - c[q])) < reach[p, q]:
            yield p, q
