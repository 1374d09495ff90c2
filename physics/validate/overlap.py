"""Rods that are drawn into each other, into themselves or into the floor: the bake will push them apart.

Edges are capsules, as contact takes them. Candidates come from a grid of their middles for each power of two of their
size, with cells twice as large as the largest of them reaches from its middle: none touches beyond the next cell.
"""

from itertools import product

import numpy as np

from ..scene import Notice

NOTICED = 0.1  # of the smaller radius: overlaps that are less go without being seen
MOST = 5  # notices
BLOCK = 1 << 19  # pairs looked at together
ENOUGH = 1 << 24  # pairs looked at: where more are that near, some of these overlap
AHEAD = [offset for offset in product((-1, 0, 1), repeat=3) if offset > (0, 0, 0)]  # half of a cell's neighbours


def overlaps(scene, owners=None):
    """Notices, the deepest first and MOST at most, one for each pair of owners (R,): names, by default the rods'."""
    owners = [rod.name for rod in scene.rods] if owners is None else owners
    found = [*_folded(scene, owners), *_in_floor(scene, owners)]
    more = 0
    if scene.contact and any(rod.touches for rod in scene.rods):
        pairs, more = _into_each_other(scene, owners)
        found += pairs
    found.sort(key=lambda one: -one[0])
    more += max(len(found) - MOST, 0)
    texts = [(name, text) for _, name, text in found[:MOST]]
    if more:
        name, text = texts[-1]
        texts[-1] = (name, f"{text} There are {more} more like this.")
    return [Notice(name, 0, text) for name, text in texts]


def deepest(scene):
    """(how deep two rods that touch are in each other, in parts of the smaller radius, the number of one of them)."""
    if not scene.contact or not any(rod.touches for rod in scene.rods):
        return 0.0, 0
    capsules = _Capsules(scene)
    i, j, depth = capsules.overlapping(0.0)
    if not len(depth):
        return 0.0, 0
    part = depth / np.minimum(capsules.radius[i], capsules.radius[j])
    worst = int(part.argmax())
    return float(part[worst]), int(capsules.rod[i[worst]])


def _into_each_other(scene, owners):
    """([(depth, owner, sentence)] of the MOST deepest pairs of owners, how many more there are)."""
    capsules = _Capsules(scene)
    i, j, depth = capsules.overlapping()
    number = {name: k for k, name in enumerate(dict.fromkeys(owners))}
    names, of = list(number), np.array([number[name] for name in owners])
    first, second = np.sort(np.stack([of[capsules.rod[i]], of[capsules.rod[j]]]), axis=0)
    pairs, pair = np.unique(first * len(names) + second, return_inverse=True)
    deepest = np.zeros(len(pairs))
    np.maximum.at(deepest, pair, depth)
    sentences = []
    for k in np.argsort(-deepest, kind="stable")[:MOST]:
        one, two = (names[number] for number in divmod(int(pairs[k]), len(names)))
        places = _runs(i[pair == k])
        where = "" if places == 1 else f" at {places} places"
        what, cure = f"'{one}' is drawn into itself", "lead it around itself or make it thinner"
        if one != two:
            what, cure = f"'{one}' and '{two}' are drawn into each other", "move them apart or make them thinner"
        sentences.append((deepest[k], one, f"{what}{where}, {deepest[k]:.3g} m deep: {cure}."))
    return sentences, len(pairs) - len(sentences)


def _runs(edges):
    """How many runs of successive numbers there are."""
    return 1 + int((np.diff(np.unique(edges)) > 1).sum())


def _folded(scene, owners):
    """(depth, owner, sentence) of rods that are thicker than long, and of rings whose hole their thickness fills."""
    found = {}
    for rod, owner in zip(scene.rods, owners, strict=True):
        length, thick = float(np.linalg.norm(rod.edges(), axis=1).sum()), 2.0 * float(rod.radius.max())
        if rod.closed and length < (1.0 - NOTICED) * np.pi * thick:
            text = f"is a ring {length / np.pi:.3g} m across, inside its own thickness of {thick:.3g} m"
            found.setdefault(owner, (thick - length / np.pi, owner, f"'{owner}' {text}: make it larger or thinner."))
        elif not rod.closed and length < thick:
            text = f"is {thick:.3g} m thick but only {length:.3g} m long: make it longer or thinner."
            found.setdefault(owner, (thick - length, owner, f"'{owner}' {text}"))
    return found.values()


def _in_floor(scene, owners):
    """(depth, owner, sentence) of what is drawn below the floor, near nothing that holds it there."""
    if scene.floor is None:
        return
    held = {}
    for hold in (*scene.pins, *scene.welds):
        held.setdefault(hold.rod, []).append(scene.rods[hold.rod].x[hold.vertex])
    deepest = {}
    for number, (rod, owner) in enumerate(zip(scene.rods, owners, strict=True)):
        depth = scene.floor.height + rod.radius - rod.x[:, 2]
        for place in held.get(number, ()):
            depth[np.linalg.norm(rod.x - place, axis=1) <= 2.0 * rod.radius] = 0.0
        worst = int(depth.argmax())
        if depth[worst] > NOTICED * rod.radius[worst]:
            deepest[owner] = max(deepest.get(owner, 0.0), float(depth[worst]))
    for owner, depth in deepest.items():
        yield depth, owner, f"'{owner}' is drawn {depth:.3g} m into the floor: raise it or lower the floor."


class _Capsules:
    """The edges of all rods that touch, one after the other."""

    def __init__(self, scene):
        parts = {name: [] for name in ("tail", "head", "ends", "radius", "rod", "arc", "size", "around")}
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
        welded = {}
        for weld in scene.welds:
            welded.setdefault(weld.body, set()).add(weld.rod)
        joined = {(r, s) for rods in welded.values() for r in rods for s in rods if r != s}
        self.joined = np.array(sorted(r * len(scene.rods) + s for r, s in joined), dtype=np.int64)
        self.rods = len(scene.rods)

    def overlapping(self, least=NOTICED):
        """(i (k,), j (k,), depth (k,) [m]) of capsules that are in each other by `least` of the smaller radius or more,
        neighbours along a rod left out.
        """
        found = [(np.zeros(0, int), np.zeros(0, int), np.zeros(0))]
        looked_at = 0
        for one, two in self._candidates():
            looked_at += len(one)
            if looked_at > ENOUGH:
                break
            near = np.linalg.norm(self.middle[one] - self.middle[two], axis=1) < self.reach[one] + self.reach[two]
            i, j = np.minimum(one, two)[near], np.maximum(one, two)[near]
            s, t, distance = nearest(self.tail[i], self.head[i], self.tail[j], self.head[j])
            depth = self.radius[i] + self.radius[j] - distance
            deep = depth > least * np.minimum(self.radius[i], self.radius[j])
            deep &= ~self._neighbours(i, j, s, t)
            if len(self.joined):
                deep &= ~np.isin(self.rod[i] * self.rods + self.rod[j], self.joined)
            found.append((i[deep], j[deep], depth[deep]))
        return tuple(np.concatenate(part) for part in zip(*found, strict=True))

    def _neighbours(self, i, j, s, t):
        """Whether bending alone keeps the nearest points of one rod apart: within half a turn of its own radius."""
        along = np.abs(self.arc[i] + s * self.size[i] - self.arc[j] - t * self.size[j])
        along = np.minimum(along, self.around[i] - along)
        shared = (self.ends[i, 0] == self.ends[j, 1]) | (self.ends[i, 1] == self.ends[j, 0])
        near = (along < 0.5 * np.pi * (self.radius[i] + self.radius[j])) | shared
        return (self.rod[i] == self.rod[j]) & near

    def _candidates(self):
        """Pairs (i, j) of capsules whose cells touch, in blocks."""
        level = np.ceil(np.log2(self.reach)).astype(int)
        for k in np.unique(level):
            members = np.flatnonzero(level <= k)
            cell = np.floor(self.middle[members] / (2.0 * self.reach[members].max())).astype(np.int64)
            cell -= cell.min(axis=0) - 1
            strides = np.array([1, cell[:, 0].max() + 2, (cell[:, 0].max() + 2) * (cell[:, 1].max() + 2)])
            key = cell @ strides
            order = np.argsort(key, kind="stable")
            members, key = members[order], key[order]
            largest = level[members] == k
            for offset in [(0, 0, 0), *AHEAD]:
                other = key + np.array(offset) @ strides
                low, high = np.searchsorted(key, other, "left"), np.searchsorted(key, other, "right")
                if offset == (0, 0, 0):
                    low = np.arange(len(key)) + 1
                yield from _ranges(members, largest, low, high)


def _ranges(members, largest, low, high):
    """Pairs of each member with those from low to high (k,), where one of the two is among the `largest`."""
    count = np.maximum(high - low, 0)
    ends = np.cumsum(count)
    begin = 0
    while begin < len(members):
        end = max(begin + 1, int(np.searchsorted(ends, (ends[begin - 1] if begin else 0) + BLOCK, "right")))
        own = slice(begin, end)
        one = np.repeat(np.arange(len(members))[own], count[own])
        two = (
            np.arange(len(one))
            - np.repeat(np.cumsum(count[own]) - count[own], count[own])
            + np.repeat(low[own], count[own])
        )
        keep = largest[one] | largest[two]
        yield members[one[keep]], members[two[keep]]
        begin = end


def nearest(a, b, c, d):
    """(s, t, distance) (p,) of the nearest points of segments a–b and c–d, each (p, 3): the minimum of a convex
    quadratic over the unit square, as contact finds it.
    """
    u, v, w = b - a, d - c, a - c
    uu, vv, uv, uw, vw = (np.einsum("ij,ij->i", p, q) for p, q in ((u, u), (v, v), (u, v), (u, w), (v, w)))
    area = uu * vv - uv * uv
    slanted = area > 1e-12 * uu * vv
    s = np.clip((uv * vw - vv * uw) / np.where(slanted, area, 1.0), 0.0, 1.0)
    level = 0.5 * (np.clip(-uw / uu, 0.0, 1.0) + np.clip((uv - uw) / uu, 0.0, 1.0))
    s = np.where(slanted, s, level)
    t = (uv * s + vw) / vv
    s = np.where(t < 0.0, np.clip(-uw / uu, 0.0, 1.0), np.where(t > 1.0, np.clip((uv - uw) / uu, 0.0, 1.0), s))
    t = np.clip(t, 0.0, 1.0)
    return s, t, np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1)
