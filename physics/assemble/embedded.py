"""What is drawn into colliders, to stay there: the roots of hair, an end in a wall, a rope that goes through a surface.

The vertices that are held in a surface, or whose edges go through it, touch no collider, nor do the edges at them. What
overlaps beside them, on along the rod, stays as deep as it is drawn but sinks no deeper. All else is pushed out, though
not out of a collider's thickness: what is only within that is not in the collider. A bar's is its radius: see `beside`.
"""

import numpy as np

from .._jit import kernel
from ..contact.surface_contact import collider_of, overlap_of
from ..contact.surface_pairs import pairs_near
from ..model import PAIR, Model, Surfaces
from ..rods.chain import edges_of, head_of, heads, spread
from ..validate.overlap_with_colliders import DRAWN_IN

FREE = 0.1  # radii: so far off the surface a centre line is kept, twice what contact may lack (verify.DEEP)


def overlapping(model: Model, x: np.ndarray) -> np.ndarray:
    """PAIR (k,) of what overlaps with colliders, or nearly does, drawn at x (N, 3)."""
    if not len(model.surfaces.faces):
        return np.zeros(0, PAIR)
    pairs = np.zeros(4 * len(x), PAIR)
    while (count := pairs_near(model, x, np.zeros(len(x)), 0.0, pairs)) > len(pairs):
        pairs = np.zeros(count, PAIR)
    return pairs[:count]


def beside(surfaces: Surfaces) -> np.ndarray:
    """(C,) [m] what of colliders' thickness is beside them: nothing of bars, whose radius it is."""
    corner, thickness = surfaces.faces["corner"], surfaces.colliders["thickness"].copy()
    thickness[surfaces.faces["collider"][corner[:, 1] == corner[:, 2]]] = 0.0
    return thickness


def embedded(model: Model, x: np.ndarray, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(which vertices, drawn at x (N, 3), touch no collider; those and what overlaps a collider beside them), both
    (N,) bool; pairs: `overlapping`.
    """
    nodes, rods, surfaces, count = model.nodes, model.rods, model.surfaces, len(x)
    if not len(pairs):
        return np.zeros(count, bool), np.zeros(count, bool)
    edges = edges_of(rods, count)
    features = surfaces.faces, surfaces.edges, surfaces.vertices
    collider = np.concatenate([kind["collider"] for kind in features])[pairs["j"]]
    gap = pairs["gap"] + beside(surfaces)[collider]
    deep = gap < -DRAWN_IN * nodes["radius"][pairs["i"]]
    inside = np.zeros(count, bool)
    inside[pairs["i"][deep]] = True
    inside[heads(rods, pairs["i"][deep & (pairs["j"] >= len(surfaces.faces))])] = True
    held = nodes["slave"] >= 0
    held[model.pins["node"]] = True
    held[model.pins["second"][model.pins["second"] >= 0]] = True
    passing = inside & (held | _through(model, x, pairs, edges))
    return passing, spread(passing, inside, edges)


def padding(model: Model, x: np.ndarray, pairs: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """(N,) [m] how far vertices, drawn at x (N, 3), are within the thickness of colliders, which keeps off only what
    was drawn further off; pairs: `overlapping`. How far they are within the collider itself is part of it only where
    stays (N,) bool says so.
    """
    found = np.zeros(len(x))
    if len(pairs):
        measure_padding(model, x, pairs, stays, beside(model.surfaces), found)
    return found


@kernel
def measure_padding(
    model: Model, x: np.ndarray, pairs: np.ndarray, stays: np.ndarray, beside: np.ndarray, found: np.ndarray
) -> None:
    """What `padding` finds, of all that is not embedded; beside (C,): see there."""
    nodes, surfaces = model.nodes, model.surfaces
    for p in range(len(pairs)):
        i = pairs[p].i
        head = head_of(model, i) if pairs[p].j >= len(surfaces.faces) else i
        if nodes[i].embedded or nodes[head].embedded:
            continue
        depth = overlap_of(model, pairs[p], x, 0.0) * nodes[i].radius
        c = collider_of(surfaces, pairs[p].j)
        for k in (i, head):
            most = surfaces.colliders[c].thickness + (1.0 - FREE) * nodes[k].radius if stays[k] else beside[c]
            found[k] = max(found[k], min(depth, most))


def _through(model: Model, x: np.ndarray, pairs: np.ndarray, edges: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """(N,) bool: vertices near faces that an edge of theirs goes through, and those at its other end. edges: the two
    ends of all of them.
    """
    found, tail, head = np.zeros(len(x), bool), np.full(len(x), -1), np.full(len(x), -1)
    head[edges[0]], tail[edges[1]] = edges[1], edges[0]
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
        foot = a + part[:, None] * (b - a) if one is own else x[own]
        for u, v in ((p, q), (q, r), (r, p)):
            there &= np.sum(np.cross(v - u, foot - u) * normal, axis=1) >= 0.0
        for end in (own, one, other):
            found[end[there]] = True
    return found
