"""How thick a surface is at places all over it, and how thick the tetrahedra are that fill it there.

From each place a line goes inwards along the normal. What is inside there, up to a cube before and behind, is added up
over the places around, of the surface and of the tetrahedra: their ratio hardly depends on how the lattice lies.
"""

from dataclasses import dataclass

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ..physics.elements.tetrahedra import boundary

DENSE = 0.5  # of a cube: how far apart places are at which the thickness is measured
ROOM = 1.5  # cubes: as far around a place the thickness is a mean; and what is thicker than twice that is never judged
MOST_PLACES = 5000  # places
BEHIND = 1e-5  # of the size: how far behind a face the next one is looked for, in single precision
MOST_FACES = 64  # along a line


@dataclass(frozen=True)
class Thickness:
    """Around places (p, 3) of a surface that are thin: how thick it is drawn (p,), how many times that filled (p,)."""

    place: np.ndarray
    drawn: np.ndarray
    times: np.ndarray


def thickness(x, triangles, size, filled):
    """The Thickness of a surface of points x (V, 3) and triangles (T, 3), and of tetrahedra filled = (nodes (n, 3),
    tetrahedra (t, 4)) in it; size: of a cube of these.
    """
    start, way = _places(x, triangles, DENSE * size)
    drawn, behind = _Solid(x, triangles), BEHIND * float(np.ptp(x, axis=0).max())
    inner = _Solid(filled[0], boundary(filled[1])[0])
    found = []
    for place, inward in zip(start, way, strict=True):
        line = drawn.inside(place, inward, behind)
        own = next((part for part in line if min(abs(part[0]), abs(part[1])) <= 4.0 * behind), None)
        if own is None or own[1] - own[0] > 2.0 * ROOM * size:
            continue  # the face lies inside, where parts run into each other; or it is thick here
        around = own[0] - size, own[1] + size  # as far as the tetrahedra there may reach, or lie beside
        there = _within(inner.inside(place, inward, behind), around)
        middle = place + 0.5 * (own[0] + own[1]) * inward
        found.append((*middle, own[1] - own[0], _within(line, around), there))
    rows = np.array(found).reshape(-1, 6)
    mean = np.array([rows[own, 3:].mean(axis=0) for own in _around(rows[:, :3], ROOM * size)]).reshape(-1, 3)
    return Thickness(rows[:, :3], mean[:, 0], mean[:, 2] / mean[:, 1])


def _around(places, far):
    """For each of places (p, 3), which of them are no further from it than that."""
    for place in places:
        yield np.sum((places - place) ** 2, axis=1) <= far**2


def _within(line, around):
    """How much of what is inside along a line lies between two places of it."""
    return sum(max(0.0, min(end, around[1]) - max(begin, around[0])) for begin, end in line)


class _Solid:
    """What a surface encloses, along lines."""

    def __init__(self, x, triangles):
        self.tree = BVHTree.FromPolygons(x.tolist(), triangles.tolist())

    def inside(self, place, way, behind):
        """[(begin, end)] of the line place + t way that is inside: there, it was entered and left not as often."""
        faces = self._faces(place - behind * way, way, behind)
        faces = [(t - behind, turn) for t, turn in faces]
        faces += [(-t - behind, -turn) for t, turn in self._faces(place - behind * way, -way, behind)]
        found, turns, before = [], 0.0, 0.0
        for t, turn in sorted(faces):
            turns += turn
            if before == 0.0 and turns != 0.0:
                begin = t
            elif before != 0.0 and turns == 0.0:
                found.append((begin, t))
            before = turns
        return found

    def _faces(self, place, way, behind):
        """[(t, 1: entered there, −1: left)] ahead of a place."""
        at, ahead, found = 0.0, Vector(way), []
        for _ in range(MOST_FACES):
            _, normal, number, further = self.tree.ray_cast(Vector(place + at * way), ahead)
            if number is None:
                break
            at += further
            found.append((at, -1.0 if normal.dot(ahead) > 0.0 else 1.0))
            at += behind
        return found


def _places(x, triangles, apart):
    """(places (p, 3), the way inwards there (p, 3)) all over triangles, one in each cell of a grid on each side."""
    corners = x[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normal, axis=1)
    corners, normal = corners[area > 0.0], normal[area > 0.0] / area[area > 0.0, None]
    parts = np.ceil(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1) / apart).astype(int)
    place, way = [np.zeros((0, 3))], [np.zeros((0, 3))]
    for number in np.unique(parts):
        i, j = np.indices((number, number)).reshape(2, -1)
        third = np.stack([i, j, number - 1 - i - j], axis=1)[i + j < number] + 1.0 / 3.0
        own = parts == number
        place.append(((third / number) @ corners[own]).reshape(-1, 3))
        way.append(np.repeat(-normal[own], len(third), axis=0))
    place, way = np.concatenate(place), np.concatenate(way)
    side = np.abs(way).argmax(axis=1)
    key = np.column_stack([np.floor(place / apart), side, way[np.arange(len(way)), side] > 0.0])
    _, first = np.unique(key, axis=0, return_index=True)
    first = first[:: -(-len(first) // MOST_PLACES)] if len(first) else first
    return place[first], way[first]
