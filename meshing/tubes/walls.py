"""The surface of tubes as triangles that know their neighbours, turned the same way all over each shell.

Vertices of open edges that are in one place are one: what was read as strips or loose faces hangs together again.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from ...physics.scenes.linked import linked
from ...physics.validate import SceneError

NO_AREA = 1e-7  # of the square of a face's outline: less is the noise of single precision, 6e-8 of what is measured
TIED = 1e-3  # of the area: fans that are alike but for rounding
NAMED = 5  # vertices or faces that a sentence names


@dataclass(frozen=True)
class Walls:
    """Points x (V, 3), triangles (T, 3), the edges (E, 2) of these, each triangle's own (T, 3): from its corner i to
    the next one; each edge's triangles (E, 2), the second −1 where it is open.

    vertex (v,): which of the points each vertex of the mesh is.
    """

    x: np.ndarray
    triangles: np.ndarray
    vertex: np.ndarray
    edges: np.ndarray
    edges_of: np.ndarray
    sides: np.ndarray

    @classmethod
    def of(cls, name: str, x: np.ndarray, corners: np.ndarray, sizes: np.ndarray) -> Self:
        """Of vertices (v, 3), and of faces whose corners follow one another in (l,), `sizes` (f,) of them each.

        Raises SceneError about mesh `name`: it has no faces, some without an area, or an edge with three.
        """
        if not len(sizes):
            raise SceneError(name, f"'{name}' has no faces: a tube is found in a mesh that has them.")
        if not np.isfinite(x).all():
            numbers = listed(np.flatnonzero(~np.isfinite(x).all(axis=1)))
            raise SceneError(name, f"'{name}' has vertices that are nowhere, {numbers}: remove them.")
        triangles, face = fans(_turned_to_best(x, corners, sizes), sizes)
        flat = np.flatnonzero(_areas(x, triangles, face, len(sizes)) <= NO_AREA * _outlines(x, corners, sizes) ** 2)
        if len(flat):
            raise SceneError(
                name, f"'{name}' has {len(flat)} face{'s' * (len(flat) > 1)} without an area, {listed(flat)}: Delete › "
                "Dissolve, Degenerate or Merge by Distance removes them.",
            )  # fmt: skip
        vertex = np.arange(len(x))
        edges, edges_of, count = _edges(triangles)
        if (count == 1).any():
            vertex = _welded(x, np.unique(edges[count == 1]))
            triangles = vertex[triangles]
            edges, edges_of, count = _edges(triangles)
        if (count > 2).any():
            most = np.flatnonzero(count > 2)
            numbers = listed(np.unique(edges[most]))
            raise SceneError(
                name, f"'{name}' has {len(most)} edge{'s' * (len(most) > 1)} with three faces or more, at vertices "
                f"{numbers}: remove the faces inside, as Select › All by Trait › Non Manifold shows them.",
            )  # fmt: skip
        triangles, edges_of = _turned(triangles, edges_of, count)
        return cls(x, triangles, vertex, edges, edges_of, _sides(edges_of, count))

    def only(self, kept: np.ndarray) -> Self:
        """Of those triangles alone, a mask (T,)."""
        triangles = self.triangles[kept]
        edges, edges_of, count = _edges(triangles)
        return type(self)(self.x, triangles, self.vertex, edges, edges_of, _sides(edges_of, count))

    @cached_property
    def shell(self) -> np.ndarray:
        """The number (V,) of what hangs together with each point; −1: no triangle has it."""
        of = linked(self.edges, len(self.x))
        found = np.full(len(self.x), -1)
        used = np.unique(self.triangles)
        found[used] = np.unique(of[used], return_inverse=True)[1]
        return found

    @cached_property
    def normals(self) -> np.ndarray:
        """(T, 3), as long as twice the area."""
        a, b, c = np.moveaxis(self.x[self.triangles], 1, 0)
        return np.cross(b - a, c - a)


def listed(numbers: np.ndarray) -> str:
    """The first few of some numbers, in words."""
    named = ", ".join(str(number) for number in numbers[:NAMED])
    return f"{named}, …" if len(numbers) > NAMED else named


def fans(corners: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(triangles (T, 3), the face (T,) of each): a face with n corners is n − 2 of them about its first."""
    first = np.cumsum(sizes) - sizes
    number = np.maximum(sizes - 2, 0)
    face = np.repeat(np.arange(len(sizes)), number)
    step = np.arange(len(face)) - np.repeat(np.cumsum(number) - number, number)
    return np.stack([corners[first[face]], corners[first[face] + step + 1], corners[first[face] + step + 2]], 1), face


def _turned_to_best(x: np.ndarray, corners: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The corners (l,) of faces, each of five or more beginning where the least triangle of its fan is largest: three
    corners in a row on one straight edge, as Subdivide leaves them, are to make none. Nor are they where they are not
    quite in a row: both faces there would cut off the one between, which has no others, by the same edge.
    """
    corners, first, faces = corners.copy(), np.cumsum(sizes) - sizes, np.bincount(corners)
    for size in np.unique(sizes[sizes > 4]).tolist():
        own = first[sizes == size][:, None] + np.arange(size)
        face = corners[own]
        least = np.empty(face.shape)
        for start in range(size):
            to = x[np.roll(face, -start, axis=1)]
            to = to[:, 1:] - to[:, :1]
            least[:, start] = np.linalg.norm(np.cross(to[:, :-1], to[:, 1:]), axis=2).min(axis=1)
        between = faces[face] == 2
        least[np.roll(between, 1, axis=1) | np.roll(between, -1, axis=1)] *= TIED
        best = (least > (1.0 - TIED) * least.max(axis=1, keepdims=True)).argmax(axis=1)
        corners[own] = face[np.arange(len(face))[:, None], (best[:, None] + np.arange(size)) % size]
    return corners


def _areas(x: np.ndarray, triangles: np.ndarray, face: np.ndarray, count: int) -> np.ndarray:
    a, b, c = np.moveaxis(x[triangles], 1, 0)
    across = np.cross(b - a, c - a)
    total = np.stack([np.bincount(face, across[:, axis], count) for axis in range(3)], axis=1)
    return 0.5 * np.linalg.norm(total, axis=1)


def _outlines(x: np.ndarray, corners: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Lengths (f,) around faces."""
    last = np.cumsum(sizes) - 1
    after = np.arange(1, len(corners) + 1)
    after[last] = last - sizes + 1
    length = np.linalg.norm(x[corners[after]] - x[corners], axis=1)
    return np.bincount(np.repeat(np.arange(len(sizes)), sizes), length, len(sizes))


def _edges(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(edges (E, 2), those of each triangle (T, 3), the number (E,) of triangles of each)."""
    ends = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    width = int(triangles.max()) + 1
    keys, of, count = np.unique(ends[:, 0] * width + ends[:, 1], return_inverse=True, return_counts=True)
    return np.stack([keys // width, keys % width], axis=1), of.reshape(-1, 3), count


def _sides(edges_of: np.ndarray, count: np.ndarray) -> np.ndarray:
    order = np.argsort(edges_of.ravel(), kind="stable") // 3
    first = np.cumsum(count) - count
    sides = np.full((len(count), 2), -1)
    sides[:, 0] = order[first]
    sides[count == 2, 1] = order[first[count == 2] + 1]
    return sides


def _welded(x: np.ndarray, loose: np.ndarray) -> np.ndarray:
    """(v,) the first of all loose vertices (k,) that are in one place, for each vertex."""
    _, of = np.unique(x[loose], axis=0, return_inverse=True)
    of = of.ravel()
    first = np.full(of.max(initial=-1) + 1, len(x))
    np.minimum.at(first, of, loose)
    vertex = np.arange(len(x))
    vertex[loose] = first[of]
    return vertex


def _turned(triangles: np.ndarray, edges_of: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Triangles that all look to the same side of their shell, and their edges.

    Each is there twice, as it is and turned over; neighbours hang together as they look the same way.
    """
    forward = triangles < np.roll(triangles, -1, axis=1)
    side = _sides(edges_of, count)
    inner = np.flatnonzero(side[:, 1] >= 0)
    one, other = side[inner].T
    way = [forward[own][edges_of[own] == inner[:, None]] for own in (one, other)]
    alike, number = way[0] != way[1], len(triangles)
    if alike.all():
        return triangles, edges_of
    links = [np.stack([one + flip * number, other + (flip ^ ~alike) * number], axis=1) for flip in (0, 1)]
    of = linked(np.concatenate(links), 2 * number)
    over = of[:number] > of[number:]
    triangles, edges_of = triangles.copy(), edges_of.copy()
    triangles[over] = triangles[over][:, [0, 2, 1]]
    edges_of[over] = edges_of[over][:, [2, 1, 0]]
    return triangles, edges_of
