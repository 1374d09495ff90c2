"""On which side of surfaces a cable's points are, and how far these may go: no point through a face, nor a segment over
an edge.

A point that is found below a surface, for it has gone through a face since it was last seen above all, is to go back to
where it came from; one that was drawn inside a closed surface, out through the nearest face.
"""

from copy import copy

import numpy as np

from ..geometry.solid_angle import solid_angle
from ..model import PAIR
from .contact_list import list_near, times_through
from .surroundings import Surroundings

NEARLY = 0.9  # of the way to a face that is in the way
ON = 1e-9  # of a way that begins on a face, which then is not in the way
HALVINGS = 10  # of a step that leads a segment over an edge; then none, for contacts are listed anew from there


class Sides:
    """Of n points."""

    def __init__(self, around: Surroundings, count: int, furthest: float) -> None:
        self.around, self.furthest = around, furthest
        self.part = 0.0  # of the way of surfaces
        self.pairs = np.zeros(4 * count, PAIR)  # room for what is near
        self.above = np.zeros((count, 3))  # where points were when they were last seen above all surfaces,
        self.sunk_in = np.full(count, -1)  # colliders that they were inside there,
        self.out = np.zeros((count, 3))  # and which way leads out
        self.seen = False  # whether they were looked at
        self.outside = np.ones(count, bool)  # whether points are above all that they touch
        self.stopped = False  # whether a face was in the way since contacts were listed

    def copied(self) -> "Sides":
        """The same, which stays as it is."""
        found = copy(self)
        found.begin_from(self)
        return found

    def begin_from(self, before: "Sides") -> None:
        """Goes on from there."""
        self.above, self.sunk_in, self.out = before.above.copy(), before.sunk_in.copy(), before.out.copy()
        self.seen, self.outside = before.seen, before.outside

    @property
    def now(self) -> float:
        """Part of the way of surfaces, 0 of any that stand still."""
        return self.part if self.around.moves > 0.0 else 0.0

    def vertices(self) -> np.ndarray:
        """(V, 3) where surfaces' vertices are."""
        s = self.around.surfaces.samples
        return s[0] + self.now * (s[1] - s[0])

    def longest(self, x: np.ndarray, way: np.ndarray) -> float:
        """The part of a way (n, 3) from x (n, 3) that points may go at once: as far as contacts are listed for; and no
        point through a face, nor a segment over an edge. So x is above all surfaces wherever points were before: from
        there they are looked for next, for the straight way from farther back may cut a corner.
        """
        self.above[self.outside] = x[self.outside]
        part = self.furthest / max(self.furthest, float(np.linalg.norm(way, axis=1).max()))
        _, where = self.through(x, x + part * way, self.outside)
        least = float(where[where > ON].min(initial=np.inf))
        part *= min(1.0, NEARLY * least)
        beside, free = self.outside[1:] & self.outside[:-1], None
        for _ in range(HALVINGS):
            there = x + part * way
            over = self.through(there[:-1], there[1:], beside)[0] >= 0
            if not over.any():
                break
            if free is None:
                free = self.through(x[:-1], x[1:], beside)[0] < 0
            if not (over & free).any():
                break
            part, least = 0.5 * part, 0.0
        else:
            part = 0.0
        self.stopped = self.stopped or least < np.inf
        return part

    def near(
        self, x: np.ndarray, radius: np.ndarray, skin: np.ndarray, points: np.ndarray, segments: np.ndarray
    ) -> np.ndarray:
        """PAIR of what is near points x (n, 3), and segments: see contact_list."""
        while True:
            count = list_near(self.around.surfaces, self.now, x, radius, skin, points, segments, self.pairs)
            if count <= len(self.pairs):
                return self.pairs[:count]
            self.pairs = np.zeros(2 * count, PAIR)

    def through(self, a: np.ndarray, b: np.ndarray, of: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(the first face that the ways from a to b (n, 3) go through (n,), −1: none; which part of it is before); `of`
        (n,) bool: only of these.
        """
        face, where, half = np.empty(len(a), np.int64), np.empty(len(a)), 0.5 * (b - a)
        of = np.ones(len(a), bool) if of is None else of
        nothing = np.zeros(len(a), bool)
        pairs = self.near(a + half, np.zeros(len(a)), np.linalg.norm(half, axis=1), of, nothing)
        times_through(self.around.surfaces, self.now, a, b, pairs, face, where)
        return face, where

    def below(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(collider (n,) that points are below, −1: none; where they are to go (n, 3); how far (n,)): those that have
        gone through a face since they were last seen above all, and those that were drawn inside and have not come out.
        """
        s, n = self.around.surfaces, len(x)
        below, side, near = np.full(n, -1), np.zeros_like(x), np.zeros(n)
        if not self.seen:
            self.seen = True
            self.above, self.sunk_in, self.out = x.copy(), np.full(n, -1), np.zeros_like(x)
            for i, c, way, depth in self.inside(x, np.arange(n)):
                self.sunk_in[i], self.out[i], near[i] = c, way, depth
            return self.sunk_in.copy(), self.out.copy(), near
        face, _ = self.through(self.above, x)
        through = face >= 0
        came_out = through & (self.sunk_in >= 0)
        self.sunk_in[came_out] = -1
        gone = through & ~came_out
        at = self.vertices()
        p, q, r = np.moveaxis(at[s.faces["corner"][face[gone]]], 1, 0)
        way = np.cross(q - p, r - p)
        way *= (np.sign(np.sum(way * (self.above[gone] - p), axis=1)) / np.linalg.norm(way, axis=1))[:, None]
        below[gone], side[gone] = s.faces["collider"][face[gone]], way
        inside = self.sunk_in >= 0
        below[inside], side[inside] = self.sunk_in[inside], self.out[inside]
        near[gone | inside] = np.linalg.norm(x - self.above, axis=1)[gone | inside] + self.furthest
        self.above[~gone] = x[~gone]
        return below, side, near

    def inside(self, x: np.ndarray, points: np.ndarray) -> list[tuple[int, int, np.ndarray, float]]:
        """(point, collider that it is inside, normal of the nearest face, depth) of those points."""
        found, s = [], self.around.surfaces
        at = self.vertices()
        for c in np.flatnonzero(self.around.outward):
            corners = at[s.faces["corner"][s.faces["collider"] == c]]
            low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
            for i in points[np.all((x[points] > low) & (x[points] < high), axis=1)]:
                if abs(solid_angle(corners, x[i])) > 2.0 * np.pi:
                    n, depth = _nearest_face(x[i], corners)
                    found.append((int(i), int(c), self.around.outward[c] * n, depth))
        return found


def _nearest_face(x: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, float]:
    """(normal, distance) of the nearest of the faces (T, 3, 3) over whose inside a point x (3,) is."""
    p, e, g = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    n = np.cross(e, g)
    area = np.maximum(np.sum(n * n, axis=1), 1e-300)
    d = x - p
    u, v = np.sum(np.cross(d, g) * n, axis=1) / area, np.sum(np.cross(e, d) * n, axis=1) / area
    height = np.abs(np.sum(d * n, axis=1)) / np.sqrt(area)
    height[(u < 0.0) | (v < 0.0) | (u + v > 1.0)] = np.inf
    best = int(np.argmin(height))
    return n[best] / np.sqrt(area[best]), float(height[best])
