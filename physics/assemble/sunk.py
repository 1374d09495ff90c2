"""Which vertices are drawn into colliders, where they are to stay: the roots of hair, an end in a wall, a rope that
goes through a surface. They touch no collider, nor do the edges at them.

What lies a little too deep but is free to leave is pushed out instead, though not out of a collider's thickness.
"""

import numpy as np

from ..contact.surface_contact import collider_of, overlap_of
from ..contact.surface_pairs import pairs_near
from ..model import PAIR, Model

DEEP = 0.05  # radii: what overlaps less is pushed out wherever it is


def sunk(model: Model, x: np.ndarray) -> np.ndarray:
    """(N,) bool of vertices, drawn at x (N, 3)."""
    nodes, faces = model.nodes, model.surfaces.faces
    found = np.zeros(len(nodes), bool)
    if not len(faces):
        return found
    pairs, head = _overlapping(model, x), _heads(model)
    deep = pairs["gap"] < -DEEP * nodes["radius"][pairs["i"]]
    inside = np.zeros(len(nodes), bool)
    inside[pairs["i"][deep]] = True
    of_edge = pairs["i"][deep & (pairs["j"] >= len(faces))]
    inside[head[of_edge]] = True
    held = nodes["slave"] >= 0
    held[model.pins["node"]] = True
    held[model.pins["second"][model.pins["second"] >= 0]] = True
    found = inside & (held | _through(model, x, pairs, head))
    while True:  # and on along the rod, as far as it is inside
        tail, ahead = np.flatnonzero(head >= 0), head[head >= 0]
        next_ = found.copy()
        next_[ahead] |= found[tail] & inside[ahead]
        next_[tail] |= found[ahead] & inside[tail]
        if np.array_equal(next_, found):
            return found
        found = next_


def padding(model: Model, x: np.ndarray) -> np.ndarray:
    """(N,) [m] how far vertices, drawn at x (N, 3), are within the thickness of colliders, which keeps off only what
    was drawn further off. How far they are within the collider itself is not part of it.
    """
    found = np.zeros(len(x))
    if not len(model.surfaces.faces):
        return found
    head, thickness = _heads(model), model.surfaces.colliders["thickness"]
    for pair in _overlapping(model, x):
        i = pair["i"]
        depth = overlap_of(model, pair, x, 0.0) * model.nodes["radius"][i]
        if depth > 0.0:
            depth = min(depth, thickness[collider_of(model.surfaces, pair["j"])])
            found[i] = max(found[i], depth)
            if pair["j"] >= len(model.surfaces.faces):
                found[head[i]] = max(found[head[i]], depth)
    return found


def _overlapping(model: Model, x: np.ndarray) -> np.ndarray:
    """PAIR (k,) of what overlaps at x (N, 3), or nearly does."""
    pairs = np.zeros(4 * len(x), PAIR)
    while (count := pairs_near(model, x, np.zeros(len(x)), 0.0, pairs)) > len(pairs):
        pairs = np.zeros(count, PAIR)
    return pairs[:count]


def _heads(model: Model) -> np.ndarray:
    """(N,) vertex at the end of the edge that leaves each, −1."""
    head = np.arange(1, len(model.nodes) + 1)
    rods = model.rods
    head[rods["last"]] = np.where(rods["closed"], rods["first"], -1)
    return head


def _through(model: Model, x: np.ndarray, pairs: np.ndarray, head: np.ndarray) -> np.ndarray:
    """(N,) bool: vertices near faces that an edge of theirs goes through, and those at its other end."""
    found, tail = np.zeros(len(x), bool), np.full(len(x), -1)
    tail[head[head >= 0]] = np.flatnonzero(head >= 0)
    near = pairs[pairs["j"] < len(model.surfaces.faces)]
    p, q, r = np.moveaxis(model.surfaces.samples[0][model.surfaces.faces["corner"][near["j"]]], 1, 0)
    normal = np.cross(q - p, r - p)
    own, before, behind = near["i"], tail[near["i"]], head[near["i"]]
    on_it = np.sum((x[own] - p) * normal, axis=1) == 0.0
    for one, other in ((own, before), (own, behind), (before, behind)):
        a, b = x[one], x[other]
        above, below = (np.sum((end - p) * normal, axis=1) for end in (a, b))
        there = (one >= 0) & (other >= 0) & (above * below < 0.0) & (on_it | (one is own))
        part = np.where(there, above / np.where(there, above - below, 1.0), 0.0)
        foot = a + part[:, None] * (b - a)
        for u, v in ((p, q), (q, r), (r, p)):
            there &= np.sum(np.cross(v - u, foot - u) * normal, axis=1) >= 0.0
        for end in (own, one, other):
            found[end[there]] = True
    return found
