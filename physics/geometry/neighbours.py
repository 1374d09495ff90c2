"""Rods' edges that are near each other in a scene, found before it is simulated. numpy only.

Edges are capsules, as contact takes them. Candidates come from a grid of their middles for each power of two of their
size, with cells twice as large as the largest of them reaches from its middle: none touches beyond the next cell.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from ..scene import Scene
from ..scenes.collision_filter import filter_of

BLOCK = 1 << 19  # pairs looked at together,
FEW = 1 << 15  # and cells, which takes less memory
ENOUGH = 1 << 24  # pairs looked at: where more are that near, some of these overlap
CELLS = np.array([own for own in product((-1, 0, 1), repeat=3) if own >= (0, 0, 0)])  # itself, and half around it

Pairs = tuple[np.ndarray, np.ndarray]  # i (k,), j (k,)


class Capsules:
    """The edges of all rods that touch, one after the other."""

    tail: np.ndarray  # (C, 3) [m]
    head: np.ndarray  # (C, 3) [m]
    ends: np.ndarray  # (C, 2) vertices
    radius: np.ndarray  # (C,) [m]
    rod: np.ndarray  # (C,)
    arc: np.ndarray  # (C,) [m] of the tail along its rod
    size: np.ndarray  # (C,) [m]
    around: np.ndarray  # (C,) [m] length of a closed rod, else infinity

    def __init__(self, scene: Scene) -> None:
        parts: dict[str, list[np.ndarray]] = {
            name: [] for name in ("tail", "head", "ends", "radius", "rod", "arc", "size", "around")
        }
        base = 0
        for number, rod in enumerate(scene.rods):
            if not rod.touches:
                continue
            m, n = rod.edge_count, len(rod.x)
            tail = np.arange(m)
            head = (tail + 1) % n
            size = np.linalg.norm(rod.edges(), axis=1)
            parts["tail"].append(rod.x[tail])
            parts["head"].append(rod.x[head])
            parts["ends"].append(base + np.stack([tail, head], axis=1))
            parts["radius"].append(0.5 * (rod.radius[tail] + rod.radius[head]))
            parts["rod"].append(np.full(m, number))
            parts["arc"].append(np.cumsum(size) - size)
            parts["size"].append(size)
            parts["around"].append(np.full(m, size.sum() if rod.closed else np.inf))
            base += n
        for name, arrays in parts.items():
            setattr(self, name, np.concatenate(arrays))
        self.middle, self.reach = 0.5 * (self.tail + self.head), 0.5 * self.size + self.radius
        welded: dict[int, set[int]] = {}
        for weld in scene.welds:
            welded.setdefault(weld.body, set()).add(weld.rod)
        joined = {(r, s) for rods in welded.values() for r in rods for s in rods if r != s}
        self.joined = np.array(sorted(r * len(scene.rods) + s for r, s in joined), dtype=np.int64)
        self.rods = len(scene.rods)
        self.group, self.collision_filter = np.array([rod.group for rod in scene.rods]), filter_of(scene)

    def overlapping(self, least: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(i (k,), j (k,), depth (k,) [m]) of capsules deeper in each other than `least` of the smaller radius."""
        i, j, gap = self.near(np.zeros(len(self.radius)))
        deep = -gap > least * np.minimum(self.radius[i], self.radius[j])
        return i[deep], j[deep], -gap[deep]

    def near(self, margin: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(i (k,), j (k,), gap (k,) [m]), i < j, of capsules nearer than their margins (C,) [m] together, those left
        out that are neighbours along a rod, or of rods that a body joins or that do not touch.
        """
        found, looked_at, reach = [(np.zeros(0, int), np.zeros(0, int), np.zeros(0))], 0, self.reach + margin
        for one, two in _candidates(self.middle, reach):
            looked_at += len(one)
            if looked_at > ENOUGH:
                break
            close = np.linalg.norm(self.middle[one] - self.middle[two], axis=1) < reach[one] + reach[two]
            i, j = np.minimum(one, two)[close], np.maximum(one, two)[close]
            s, t, distance = nearest(self.tail[i], self.head[i], self.tail[j], self.head[j])
            distance = self._unbent(i, j, s, t, distance)
            gap = distance - self.radius[i] - self.radius[j]
            apart = gap < margin[i] + margin[j]
            if len(self.joined):
                apart &= ~np.isin(self.rod[i] * self.rods + self.rod[j], self.joined)
            if len(self.collision_filter):
                apart &= ~self.collision_filter[self.group[self.rod[i]], self.group[self.rod[j]]]
            found.append((i[apart], j[apart], gap[apart]))
        i, j, gap = (np.concatenate(part) for part in zip(*found, strict=True))
        return i, j, gap

    def _unbent(self, i: np.ndarray, j: np.ndarray, s: np.ndarray, t: np.ndarray, distance: np.ndarray) -> np.ndarray:
        """How far (p,) [m] edges i, j, nearest at parts s, t of them, are apart where they can touch, inf: nowhere.

        Bending alone keeps apart what is on edges that share a vertex, or within half a turn of its own radius.
        """
        along = np.abs(self.arc[i] + s * self.size[i] - self.arc[j] - t * self.size[j])
        along = np.minimum(along, self.around[i] - along)
        own, half_turn = self.rod[i] == self.rod[j], 0.5 * np.pi * (self.radius[i] + self.radius[j])
        shared = own & ((self.ends[i, 0] == self.ends[j, 1]) | (self.ends[i, 1] == self.ends[j, 0]))
        bent = np.flatnonzero(own & ~shared & (along < half_turn))
        a, b = i[bent], j[bent]
        one, two = (np.stack([self.arc[k], self.arc[k] + self.size[k]], axis=1) for k in (a, b))
        ends = self.tail[a], self.head[a], self.tail[b], self.head[b]
        found = np.where(shared, np.inf, distance)
        found[bent] = apart_along(ends, one, two, self.around[a], half_turn[bent])
        return found


def _candidates(middle: np.ndarray, reach: np.ndarray) -> Iterator[Pairs]:
    """Pairs (i, j) of spheres whose cells touch, in blocks; middle (C, 3), reach (C,) [m]."""
    level = np.ceil(np.log2(reach)).astype(int)
    for k in np.unique(level):
        members = np.flatnonzero(level <= k)
        cell = np.floor(middle[members] / (2.0 * reach[members].max())).astype(np.int64)
        cell -= cell.min(axis=0) - 1
        strides = np.concatenate([[1], np.cumprod(cell.max(axis=0)[:2] + 2)])
        key = cell @ strides  # may wrap around: that only makes cells meet which do not
        order = np.argsort(key, kind="stable")
        members, key = members[order], key[order]
        largest = level[members] == k
        count = max(1, FEW // len(key))
        for begin in range(0, len(CELLS), count):
            other = ((CELLS[begin : begin + count] @ strides)[:, None] + key).ravel()
            low, high = np.searchsorted(key, other, "left"), np.searchsorted(key, other, "right")
            if begin == 0:
                low[: len(key)] = np.arange(len(key)) + 1
            yield from _ranges(members, largest, low, high)


def _ranges(members: np.ndarray, largest: np.ndarray, low: np.ndarray, high: np.ndarray) -> Iterator[Pairs]:
    """Pairs of each member with those from low to high, one time after another for all members (times · k,), where one
    of the two is among the `largest`.
    """
    count = np.maximum(high - low, 0)
    ends = np.cumsum(count)
    begin = 0
    while begin < len(count):
        end = max(begin + 1, int(np.searchsorted(ends, (ends[begin - 1] if begin else 0) + BLOCK, "right")))
        own = slice(begin, end)
        one = np.repeat(np.arange(begin, end) % len(members), count[own])
        two = np.arange(len(one)) + np.repeat(low[own] - np.cumsum(count[own]) + count[own], count[own])
        keep = largest[one] | largest[two]
        yield members[one[keep]], members[two[keep]]
        begin = end


def nearest(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(s, t, distance) (p,) of the nearest points of segments a–b and c–d, each (p, 3), or of points: the minimum of a
    convex quadratic over the unit square, as contact finds it.
    """
    u, v, w = b - a, d - c, a - c
    uu, vv, uv, uw, vw = (np.einsum("ij,ij->i", p, q) for p, q in ((u, u), (v, v), (u, v), (u, w), (v, w)))
    uu, vv = np.where(uu > 0.0, uu, 1.0), np.where(vv > 0.0, vv, 1.0)  # of points
    area = uu * vv - uv * uv
    slanted = area > 1e-12 * uu * vv
    s = np.clip((uv * vw - vv * uw) / np.where(slanted, area, 1.0), 0.0, 1.0)
    level = 0.5 * (np.clip(-uw / uu, 0.0, 1.0) + np.clip((uv - uw) / uu, 0.0, 1.0))
    s = np.where(slanted, s, level)
    t = (uv * s + vw) / vv
    s = np.where(t < 0.0, np.clip(-uw / uu, 0.0, 1.0), np.where(t > 1.0, np.clip((uv - uw) / uu, 0.0, 1.0), s))
    t = np.clip(t, 0.0, 1.0)
    return s, t, np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1)


def apart_along(
    ends: tuple[np.ndarray, ...], one: np.ndarray, other: np.ndarray, around: np.ndarray, way: np.ndarray
) -> np.ndarray:
    """The distance (p,) [m] of the nearest points of two edges of a rod that are so far (p,) [m] apart along it, inf:
    none are. ends: tail and head of both (p, 3); one, other: arc (p, 2) at these, around: to where a ring closes [m].

    The ways α and q − α from these points to the ends that face each other make a quadratic of α.
    """
    a, b, c, d = ends
    ahead, back = other[:, 0] - one[:, 1], around - other[:, 1] + one[:, 0]
    first, second, forward = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0], (ahead <= back)[:, None]
    sign, q = np.where(forward, 1.0, -1.0), way - np.minimum(ahead, back)
    u, v = sign * (b - a) / first[:, None], sign * (d - c) / second[:, None]
    lean, facing = u - v, np.where(forward, b - c, a - d) - q[:, None] * v
    square = np.einsum("ij,ij->i", lean, lean)
    straight = square < 1e-12
    alpha = np.where(straight, 0.5 * q, np.einsum("ij,ij->i", facing, lean) / np.where(straight, 1.0, square))
    alpha = np.clip(alpha, np.maximum(q - second, 0.0), np.minimum(first, q))
    return np.where(q > first + second, np.inf, np.linalg.norm(facing - alpha[:, None] * lean, axis=1))
