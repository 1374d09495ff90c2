"""A mesh that carries points on its faces while the frames go by."""

import numpy as np

from ..physics.validate import SceneError
from ..physics.validate.colliders import degenerate
from .evaluated_mesh import Faces, mesh_of, triangles, vertices
from .soft_surface import nearest_places
from .units import to_world

MOVED = 1e-5  # of the largest coordinate: what modifiers leave where it was moves by less, in single precision


class Skin:
    """What each of some guides stands on (`deforming`), of a mesh in the world: a place on a face, the nearest at the
    first frame, or the vertex that is its support; and the faces within its reach, whose mean turn is its own.
    """

    def __init__(self, item, evaluated, guides, units, _aside):
        """evaluated: the object at the first frame; start and reach of guides [m]."""
        self.name, self.moved, self.changed = item.name, False, ""
        with mesh_of(evaluated) as mesh:
            self.faces, self.x, faces = Faces(mesh), vertices(mesh), triangles(mesh).astype(np.int64)
        self._check(self.x, units.first_frame)
        self.points = _world(evaluated, self.x, units)
        faces = faces[~degenerate(self.points, faces)] if len(faces) else faces
        self.bare = not len(faces)
        self.places, self.gradients, self.weights = [], [], None
        if guides and not self.bare:
            self._stand(guides, faces)

    def _stand(self, guides, faces):
        places = nearest_places(np.array([guide.start for guide in guides]), self.points, faces)
        self.corners, self.weights = places.nodes.copy(), places.weights.copy()
        for row, guide in enumerate(guides):
            if guide.support is not None:
                self.corners[row], self.weights[row] = guide.support, (1.0, 0.0, 0.0)
        middle, place = self.points[faces].mean(axis=1), places.carry(self.points)
        near = [
            np.flatnonzero(np.linalg.norm(middle - own, axis=1) < guide.reach) if guide.reach else ()
            for own, guide in zip(place, guides, strict=True)
        ]
        self.of = np.concatenate([np.arange(len(guides)), np.repeat(np.arange(len(guides)), [*map(len, near)])])
        self.around = np.concatenate([places.nodes, *(faces[own] for own in near if len(own))])
        frame, area = _frames(self.points[self.around])
        self.back, self.area = np.linalg.inv(frame), area

    def look(self, evaluated, frame, units):
        """Take in where it is at a frame, the first or one after the last."""
        with mesh_of(evaluated) as mesh:
            self.changed = self.changed or self.faces.changed(mesh, frame, units.first_frame)
            x = vertices(mesh)
        if self.changed:
            return
        self._check(x, frame)
        if len(x):
            self.moved = self.moved or np.abs(x - self.x).max() > MOVED * np.abs(self.x).max()
        if self.weights is None:
            return
        self.places.append(np.einsum("pk,pkd->pd", self.weights, x[self.corners]))
        gradient = _frames(_world(evaluated, x, units)[self.around])[0] @ self.back
        total = np.zeros((len(self.weights), 3, 3))
        np.add.at(total, self.of, self.area[:, None, None] * gradient)
        self.gradients.append(total)

    def found(self):
        """places (K, P, 3) in object space and, up to a factor, the mean gradients (K, P, 3, 3) of the map of what is
        around them from the first frame to each, in the world; if there is no `trouble`.
        """
        return np.array(self.places), np.array(self.gradients)

    def _check(self, x, frame):
        if not np.all(np.isfinite(x)):
            raise SceneError(
                self.name, f"'{self.name}' has a vertex that is not a number (NaN) at frame {frame}: delete it."
            )

    @property
    def trouble(self):
        """(what it has, what to do), for a sentence, if nothing can stand on it; else None."""
        if self.changed:
            return f"has {self.changed}", "switch off what changes that in its modifiers"
        return ("deforms but has no faces", "give it some") if self.moved and self.bare else None


def _world(evaluated, x, units):
    return units.metres(to_world(np.array(evaluated.matrix_world, dtype=np.float64), x))


def _frames(corners):
    """Of triangles (m, 3, 3): two sides and the unit normal as columns, (m, 3, 3), and their areas (m,)."""
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(one, other)
    twice = np.linalg.norm(across, axis=1)
    normal = across / np.maximum(twice, 1e-300)[:, None]
    return np.stack([one, other, normal], axis=-1), 0.5 * twice
