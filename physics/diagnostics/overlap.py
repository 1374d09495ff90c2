"""How deep rods are in each other, by brute force: all pairs of capsules."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..geometry.neighbours import apart_along
from ..scene import Rod

BLOCK = 1 << 18  # pairs of capsules looked at together


def deepest_overlap(rods: Sequence[Rod], x: np.ndarray, relative: bool = False) -> float:
    """How deep [m] the capsules of the Rods of a scene overlap at most, at the vertices x (N, 3) of a Frame.

    relative: over the smaller radius of the two. Not positive: by how much all of them miss. All pairs are looked at;
    points of one rod that are nearer along it than half a turn of its own radius, πr, are bent, not touching. All
    others count, whichever are nearest.
    """
    tail, head, radius, rod, arc, around = (np.concatenate(part) for part in _capsules(rods, x))
    first, second = np.triu_indices(len(tail), 1)
    deepest = -np.inf
    for begin in range(0, len(first), BLOCK):
        i, j = first[begin : begin + BLOCK], second[begin : begin + BLOCK]
        s, t, distance = segment_distance(x[tail[i]], x[head[i]], x[tail[j]], x[head[j]])
        along = np.abs(arc[i, 0] + s * (arc[i, 1] - arc[i, 0]) - arc[j, 0] - t * (arc[j, 1] - arc[j, 0]))
        along = np.minimum(along, around[i] - along)
        shared = (tail[i] == head[j]) | (head[i] == tail[j])
        reach = radius[i] + radius[j]
        apart = (rod[i] != rod[j]) | ~shared
        bent = np.flatnonzero((rod[i] == rod[j]) & ~shared & (along < 0.5 * np.pi * reach))
        p, q = i[bent], j[bent]
        ends = x[tail[p]], x[head[p]], x[tail[q]], x[head[q]]
        distance[bent] = apart_along(ends, arc[p], arc[q], around[p], 0.5 * np.pi * reach[bent])
        depth = (reach - distance) / (np.minimum(radius[i], radius[j]) if relative else 1.0)
        deepest = max(deepest, np.max(depth, where=apart, initial=-np.inf))
    return float(deepest)


def _capsules(rods: Sequence[Rod], x: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
    """Per rod, of its edges: tail, head, radius [m], rod, arc [m] at both ends, perimeter [m] (inf when it is open)."""
    parts, base = [], 0
    for r, rod in enumerate(rods):
        tail = np.arange(rod.edge_count)
        head = (tail + 1) % len(rod.x)
        size = np.linalg.norm(x[base + head] - x[base + tail], axis=1)
        ends = np.cumsum(size)
        radius = 0.5 * (rod.radius[tail] + rod.radius[head])
        around = np.full_like(size, ends[-1] if rod.closed else np.inf)
        parts.append(
            (base + tail, base + head, radius, np.full_like(tail, r), np.stack([ends - size, ends], axis=1), around)
        )
        base += len(rod.x)
    return zip(*parts, strict=True)


def segment_distance(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(s, t, distance) (p,) of the nearest points of segments a–b and c–d, each (p, 3), either of which may be a point.

    The best of the inner minimum and those on the four sides of the square of (s, t).
    """
    u, v, w = b - a, d - c, a - c
    uu, vv, uv, uw, vw = (np.sum(p * q, axis=1) for p, q in ((u, u), (v, v), (u, v), (u, w), (v, w)))
    one = np.ones(len(a))
    own, its = np.where(uu > 0.0, uu, 1.0), np.where(vv > 0.0, vv, 1.0)  # all places on a point are one
    with np.errstate(divide="ignore", invalid="ignore"):
        area = uu * vv - uv * uv
        inner_s, inner_t = (uv * vw - vv * uw) / area, (uu * vw - uv * uw) / area
    inside = (inner_s > 0.0) & (inner_s < 1.0) & (inner_t > 0.0) & (inner_t < 1.0)
    candidates = [
        (0.0 * one, np.clip(vw / its, 0.0, 1.0)),
        (one, np.clip((vw + uv) / its, 0.0, 1.0)),
        (np.clip(-uw / own, 0.0, 1.0), 0.0 * one),
        (np.clip((uv - uw) / own, 0.0, 1.0), one),
        (np.where(inside, inner_s, 0.0), np.where(inside, inner_t, np.clip(vw / its, 0.0, 1.0))),
    ]
    s, t = np.array([c[0] for c in candidates]), np.array([c[1] for c in candidates])
    gap = np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=2)
    best = np.argmin(gap, axis=0), np.arange(len(a))
    return s[best], t[best], gap[best]
